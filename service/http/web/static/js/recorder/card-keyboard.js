/**
 * The forty cards as a keyboard: by suit, each from the highest down, where they always lie. It knows where a card has
 * gone and which are legal, as its caller says; it only passes on what is tapped.
 */

import { isRedSuit, drawPip, rankOf, groupBySuit, suitOf } from "../core/cards.js";
import { el } from "../core/dom.js";

const ALL_CARDS = ["S", "H", "C", "D"].flatMap((suit) => [..."AKQJ765432"].map((rank) => suit + rank));
const ARROW_DIRECTIONS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class CardKeyboard {
  /** `onTap(card)` is called for every card that is pressed. */
  constructor(words, onTap) {
    this.words = words;
    this.keys = new Map(ALL_CARDS.map((card) => [card, this.buildKey(card, onTap)]));
    this.root = el("div", { class: "card-keys", role: "group", "aria-label": words.record.cards, on: { keydown: (event) => this.onKey(event) } });
    this.order = null;
    this.show({ trump: null, contract: null });
  }

  buildKey(card, onTap) {
    const letter = this.words.letter(rankOf(card));
    const where = el("span", { class: "key-where", "aria-hidden": "true" });
    const face = el("span", { class: "key-face", "aria-hidden": "true" }, drawPip(suitOf(card)), el("b", { text: letter, class: letter.length > 1 ? "is-long" : null }));
    const name = el("span", { class: "visually-hidden", text: this.words.card(card) });
    const button = el("button", {
      type: "button", class: `card-key${isRedSuit(suitOf(card)) ? " is-red" : ""}`, "data-card": card, tabindex: "-1",
      on: { click: () => onTap(card), focus: () => this.setTabStop(button) },
    }, face, name, where);
    return { button, where, name };
  }

  /**
   * Shows the keyboard: in the order of `trump` and `contract`; `locations` says of a card, in a few letters and in a
   * sentence, where it is; `legal` are those to the fore (null: all that are not gone); `chosen` those picked, in order.
   */
  show({ trump, contract, locations = new Map(), legal = null, chosen = [] }) {
    this.arrangeRows(trump, contract);
    for (const [card, { button, where, name }] of this.keys) {
      const location = locations.get(card) ?? null;
      const pickedIndex = chosen.indexOf(card);
      const isPlayable = pickedIndex >= 0 || (legal ? legal.has(card) : !location);
      button.classList.toggle("is-legal", isPlayable);
      button.classList.toggle("is-gone", Boolean(location) && !isPlayable);
      button.toggleAttribute("data-legal", isPlayable);
      if (chosen.length || button.hasAttribute("aria-pressed")) button.setAttribute("aria-pressed", String(pickedIndex >= 0));
      where.textContent = pickedIndex >= 0 && chosen.length > 1 ? String(pickedIndex + 1) : location?.short ?? "";
      name.textContent = [this.words.card(card), location?.text, isPlayable ? "" : this.words.record.notLegal].filter(Boolean).join(", ");
    }
    if (legal?.size && !chosen.length) this.moveToPlayableKey();
  }

  /** Moves the keyboard focus to a card that may be played, if the focused card is gone. */
  moveToPlayableKey() {
    const at = [...this.keys.values()].find(({ button }) => button.tabIndex === 0)?.button;
    const focused = at === document.activeElement;
    if (!at || at.hasAttribute("data-legal") || (focused && !at.classList.contains("is-gone"))) return;
    const next = this.rows.flat().find((button) => button.hasAttribute("data-legal"));
    if (!next) return;
    this.setTabStop(next);
    if (focused) next.focus({ preventScroll: true });
  }

  arrangeRows(trump, contract) {
    const order = `${trump ?? ""}:${contract ?? ""}`;
    if (order === this.order) return;
    this.order = order;
    const focused = this.root.contains(document.activeElement) ? document.activeElement : null;
    this.rows = groupBySuit(ALL_CARDS, trump, contract).map((group) => group.cards.map((card) => this.keys.get(card).button));
    this.root.replaceChildren(...this.rows.map((row) => el("div", { class: "card-suit" }, ...row)));
    this.setTabStop(focused ?? this.rows[0][0]);
    focused?.focus();
  }

  setTabStop(button) {
    for (const { button: one } of this.keys.values()) one.tabIndex = one === button ? 0 : -1;
  }

  /** Arrows go from card to card as they lie; one key is in the order of tabs. */
  onKey(event) {
    const direction = ARROW_DIRECTIONS[event.key];
    const from = event.target.closest("[data-card]");
    if (!direction || !from || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    const box = from.getBoundingClientRect();
    const centre = (rect) => [rect.left + rect.width / 2, rect.top + rect.height / 2];
    const [x, y] = centre(box);
    const near = [...this.keys.values()]
      .map(({ button }) => ({ button, at: centre(button.getBoundingClientRect()) }))
      .filter(({ at }) => (direction[0] ? Math.abs(at[1] - y) < box.height / 2 && (at[0] - x) * direction[0] > 1 : (at[1] - y) * direction[1] > 1))
      .map((one) => ({ ...one, far: direction[0] ? Math.abs(one.at[0] - x) : Math.abs(one.at[1] - y) * 10 + Math.abs(one.at[0] - x) }))
      .sort((one, other) => one.far - other.far)[0];
    near?.button.focus();
  }
}

/** Where every known card is: played, discarded, turned, or in a known hand. */
export function locateCards(state, words) {
  const locations = new Map();
  const setLocation = (card, location) => !card.includes("?") && locations.set(card, location);
  const name = (seat) => words.player(state, seat);
  for (const seat of Object.keys(state.hands ?? {})) {
    for (const card of state.hands[seat].cards) setLocation(card, { kind: "hand", seat, short: shortPlayerName(name(seat)), text: words.record.inHand(name(seat)) });
  }
  for (const card of state.talon?.cards ?? []) setLocation(card, { kind: "talon", short: words.record.talonShort, text: words.record.inTalon });
  for (const [seat, { cards }] of Object.entries(state.discards ?? {})) {
    for (const card of cards) setLocation(card, { kind: "discard", seat, short: `↓${shortPlayerName(name(seat))}`, text: words.record.laidAway(name(seat)) });
  }
  for (const trick of state.tricks ?? []) {
    trick.cards.forEach((card, index) => {
      const seat = trick.seats[index];
      setLocation(card, { kind: "played", seat, short: `${trick.number} ${shortPlayerName(name(seat))}`, text: words.record.fell(trick.number, name(seat)) });
    });
  }
  return locations;
}

/** A player in two letters. */
const shortPlayerName = (name) => [...name].slice(0, 2).join("");
