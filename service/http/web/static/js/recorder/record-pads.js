/**
 * What can be entered next: calls, a contract, the turned card, the exchange, a card. What the service says is legal
 * stands to the fore; everything else can be tapped too. Nothing is judged here.
 */

import { HIDDEN, pip } from "../replay/cards.js";
import { el } from "../core/dom.js";
import { CardKeys, whereabouts } from "./record-keys.js";

const SUITS = ["S", "H", "C", "D"];
const HAND = 9;

export class Pads {
  /** `write(events)` enters what was tapped. */
  constructor({ words, rules, write }) {
    Object.assign(this, { words, rules, write });
    this.keys = new CardKeys(words, (card) => this.tapped(card));
    this.fresh("");
  }

  /** Begins anew where something else is asked for. */
  fresh(asking) {
    this.asking = asking;
    this.chosen = [];
    this.said = "";
    this.early = null;
    this.byCards = null;
    this.offered = false;
  }

  /** What is entered for `actor` at `view` (as `RecordedDeal.at` tells it), as elements of the page; `anchor` is the trick of the next card, or null. */
  draw(view, actor, anchor = null) {
    const { legal } = view;
    const asking = `${view.version}:${view.point ?? ""}:${legal?.action}:${actor}`;
    if (asking !== this.asking) this.fresh(asking);
    Object.assign(this, { view, actor, anchor, held: null });
    this.guessed = Boolean(legal?.guessed);
    this.mine = !this.guessed && (legal?.seat === actor || legal?.seat === null);
    const pads = { bid: () => this.bidPad(), name: () => this.namePad(), turn: () => this.turnPad(), exchange: () => this.exchangePad(), draw: () => this.drawPad(), play: () => this.playPad() };
    return (pads[legal?.action] ?? (() => []))();
  }

  /** The cards in their place, and none of them taken, while a person is asked whose turn it is. */
  idle(view) {
    this.fresh("");
    Object.assign(this, { view, actor: null, anchor: null });
    this.hold(null, view.state);
    return this.playPad(new Set(), true);
  }

  /**
   * Takes one card after another while answers are on their way: the next is `actor`'s, where he follows in the trick
   * that lies in `state`; null, and nothing more is taken until it is known who leads.
   */
  hold(actor, state) {
    this.held = { actor, lying: new Set(whereabouts(state, this.words).keys()) };
  }

  /** Whether somebody acts whose turn it is not. */
  get isOther() {
    return !this.mine && !this.guessed;
  }

  again() {
    this.redrawn?.();
  }

  enter(...events) {
    this.write(events);
  }

  // The auction

  bidPad() {
    const { words, view, actor } = this;
    const all = this.rules?.calls ?? (view.legal.calls ?? []).map((id) => ({ id, name: null }));
    const open = new Set(this.guessed ? all.map((one) => one.id) : this.mine ? view.legal.calls : []);
    const calls = all.map((one) => ({ ...one, name: one.name ?? words.bid(one.id) }));
    const button = (call, className) =>
      el("button", { type: "button", class: `choice ${className}`, "data-call": call.id, "data-legal": open.has(call.id), text: call.name, on: { click: () => this.enter(this.call(call.id, actor)) } });
    const pass = calls.filter((one) => one.id === "pass" && open.has(one.id)).map((one) => button(one, "is-wide"));
    const legal = calls.filter((one) => one.id !== "pass" && open.has(one.id)).map((one) => button(one, "is-call"));
    const others = calls.filter((one) => !open.has(one.id)).map((one) => button(one, "is-other"));
    const more = el("details", { class: "pad-more", open: this.isOther || this.moreOpen === true, on: { toggle: (event) => (this.moreOpen = this.isOther ? this.moreOpen : event.target.open) } },
      el("summary", { text: words.record.otherCall }),
      this.saidField(), this.earlySuit(),
      others.length ? el("div", { class: "choices two", "data-group": "others" }, ...others) : null,
    );
    return [el("div", { class: "choices two", "data-group": "calls" }, ...pass, ...legal), view.legal.optional ? el("p", { class: "quiet", text: words.record.nobodyNeeds }) : null, more].filter(Boolean);
  }

  call(bid, seat) {
    const said = this.said.trim();
    return { type: "bid_made", seat, bid, ...(this.early ? { trump: this.early } : {}), ...(said ? { said } : {}) };
  }

  saidField() {
    const field = el("input", { type: "text", id: "said", maxlength: "200", autocomplete: "off", value: this.said, on: { input: () => (this.said = field.value) } });
    return el("div", { class: "pad-field" }, el("label", { for: "said", text: this.words.record.said }), field);
  }

  /** A suit that was named with the bid, before it was his to name. */
  earlySuit() {
    const { words } = this;
    const suits = SUITS.map((suit) =>
      el("button", { type: "button", class: "choice", "aria-pressed": String(this.early === suit), on: { click: () => { this.early = this.early === suit ? null : suit; this.again(); } } }, el("span", { "aria-hidden": "true" }, pip(suit)), el("span", { class: "unseen", text: words.suit(suit) })),
    );
    return el("fieldset", { class: "facts" }, el("legend", { text: words.record.early }), el("div", { class: "choices four" }, ...suits));
  }

  // The contract

  namePad() {
    const { words, view, actor } = this;
    const later = view.state.phase === "exchange";
    const offered = this.mine ? view.legal.contracts : [];
    const enter = (contract, trump) => {
      if (later && trump) return this.enter({ type: "trump_named", seat: actor, trump });
      return this.enter({ type: "contract_named", seat: actor, contract, ...(trump ? { trump } : {}) });
    };
    const one = (contract, trump) =>
      el("button", { type: "button", class: "choice is-call", "data-contract": contract, "data-trump": trump, on: { click: () => enter(contract, trump) } },
        el("span", { class: "choice-name" }, later ? "" : words.upper(words.contract(contract, trump)), ...(trump ? [later ? words.upper(words.suit(trump)) : "", " ", pip(trump)] : [])));
    const legal = offered.flatMap(({ contract, trumps }) => (trumps.length ? trumps.map((trump) => one(contract, trump)) : [one(contract, null)]));
    return [el("div", { class: "choices two", "data-group": "contracts" }, ...legal), this.otherContract(enter)];
  }

  /** Whatever else he may have named. */
  otherContract(enter) {
    const { words } = this;
    const contracts = (this.rules?.contracts ?? []).map((one) => el("option", { value: one.id, text: one.name }));
    const contract = el("select", { id: "other-contract" }, ...contracts);
    const suits = [el("option", { value: "", text: words.record.noSuit }), ...SUITS.map((suit) => el("option", { value: suit, text: words.suit(suit) }))];
    const suit = el("select", { id: "other-suit" }, ...suits);
    const press = el("button", { type: "button", class: "worded", text: words.record.enter, on: { click: () => enter(contract.value, suit.value || null) } });
    return el("details", { class: "pad-more", open: !this.mine },
      el("summary", { text: words.record.otherContract }),
      el("div", { class: "pad-field" }, el("label", { for: "other-contract", text: words.record.contract }), contract),
      el("div", { class: "pad-field" }, el("label", { for: "other-suit", text: words.record.trumpField }), suit),
      press,
    );
  }

  // Cards

  /** The keyboard, shown for what is asked now. */
  cards({ legal = null, chosen = [], idle = false } = {}) {
    const { state } = this.view;
    this.keys.show({ trump: state.trump, contract: state.contract, gone: whereabouts(state, this.words), legal, chosen });
    this.keys.root.setAttribute("aria-disabled", String(idle));
    return this.keys.root;
  }

  tapped(card) {
    const { action } = this.view.legal ?? {};
    if (action === "turn") return this.enter({ type: "talon_turned", card });
    if (action === "play") return this.play(card);
    const picked = this.chosen.indexOf(card);
    if (picked >= 0) this.chosen.splice(picked, 1);
    else if (this.chosen.length < (action === "draw" ? this.view.legal.count : HAND)) this.chosen.push(card);
    return this.again();
  }

  turnPad() {
    const free = this.unplaced();
    return [this.cards({ legal: free }), el("div", { class: "key-row" }, this.unseenKey(HIDDEN, this.words.record.notSeen, (card) => this.enter({ type: "talon_turned", card })))];
  }

  /** The cards of which nothing says where they are. */
  unplaced() {
    const gone = whereabouts(this.view.state, this.words);
    return new Set([...this.keys.keys.keys()].filter((card) => !gone.has(card)));
  }

  /** The cards of the actor's hand, as far as they are known, and, where some are not, those that may be in it. */
  ownCards() {
    const hand = this.view.state.hands?.[this.actor] ?? { cards: [], unknown: HAND };
    return new Set([...hand.cards, ...(hand.unknown ? this.unplaced() : [])]);
  }

  playPad(legal = this.playable(), idle = false) {
    const suits = SUITS.map((suit) => this.unseenKey(`${suit}?`, this.words.card(`${suit}?`), (card) => this.play(card)));
    const row = el("div", { class: "key-row", role: "group", "aria-label": this.words.record.notSeen, "aria-disabled": String(idle) }, this.unseenKey(HIDDEN, this.words.record.notSeen, (card) => this.play(card)), ...suits);
    return [this.cards({ legal, idle }), row];
  }

  playable() {
    const { view } = this;
    return !this.mine || view.legal.seat === null ? this.ownOrAny() : new Set([...view.legal.cards, ...(view.legal.hidden ? this.unplaced() : [])]);
  }

  ownOrAny() {
    return this.actor ? this.ownCards() : null;
  }

  play(card) {
    if (this.held && (!this.held.actor || this.held.lying.has(card))) return;
    if (this.held) this.actor = this.held.actor;
    this.enter({ type: "card_played", seat: this.actor, card, ...(this.anchor ? { trick: this.anchor } : {}) });
  }

  /** A key for a card that was not seen, or of which only the suit was. */
  unseenKey(card, told, tapped) {
    const face = card === HIDDEN ? el("i", { text: this.words.record.notSeenKey }) : pip(card[0]);
    return el("button", { type: "button", class: `card-key is-unseen${card === HIDDEN ? " is-wide-key" : ""}`, "data-card": card, on: { click: () => tapped(card) } },
      el("span", { class: "key-face", "aria-hidden": "true" }, face), el("span", { class: "unseen", text: told }));
  }

  // The exchange

  exchangePad() {
    const { view, actor } = this;
    this.byCards ??= this.mine && view.state.hands?.[actor]?.unknown === 0;
    return this.byCards ? this.discardPad() : this.countPad();
  }

  countPad() {
    const { words, view } = this;
    const { min = 0, max = HAND } = this.mine ? view.legal : {};
    const counts = [...Array(HAND + 1).keys()].map((count) => {
      const open = count >= min && count <= max;
      return el("button", { type: "button", class: `choice${open ? " is-call" : " is-other"}`, "data-count": count, "data-legal": open, on: { click: () => this.exchange(count) } },
        el("span", { class: "choice-name", text: String(count) }), count ? null : el("span", { class: "choice-more", text: words.record.stands }));
    });
    return [el("div", { class: "choices five", "data-group": "counts" }, ...counts), this.wayOf(true)];
  }

  wayOf(byCards) {
    const { words } = this;
    const text = byCards ? words.record.byCards : words.record.byCount;
    return el("p", { class: "pad-way" }, el("button", { type: "button", class: "worded", "data-way": byCards ? "cards" : "count", text, on: { click: () => { this.byCards = byCards; this.chosen = []; this.again(); } } }));
  }

  /** So many cards sold and bought that nobody wrote down; of the talon what is known of it. */
  exchange(count) {
    const { view, actor } = this;
    const sold = { type: "cards_discarded", seat: actor, cards: Array(count).fill(HIDDEN) };
    const talon = view.state.talon?.cards ?? [];
    const bought = Array.from({ length: count }, (_, place) => talon[place] ?? HIDDEN);
    this.enter(sold, ...(count ? [{ type: "cards_drawn", seat: actor, cards: bought }] : []));
  }

  discardPad() {
    const { words, actor, chosen } = this;
    const press = el("button", {
      type: "button", class: "confirm", "data-enter": "discard", text: words.record.sell(chosen.length),
      on: { click: () => this.enter({ type: "cards_discarded", seat: actor, cards: [...this.chosen] }) },
    });
    return [this.cards({ legal: this.ownCards(), chosen }), press, this.wayOf(false)];
  }

  drawPad() {
    const { words, view, actor, chosen } = this;
    const { count } = view.legal;
    const known = (view.state.talon?.cards ?? []).slice(0, count).filter((card) => !card.includes("?"));
    if (!chosen.length && known.length && !this.offered) this.chosen = [...known];
    this.offered = true;
    const picked = this.chosen;
    const rest = count - picked.length;
    const press = el("button", {
      type: "button", class: "confirm", "data-enter": "draw", text: words.record.buy(picked.length, rest),
      on: { click: () => this.enter({ type: "cards_drawn", seat: actor, cards: [...this.chosen, ...Array(rest).fill(HIDDEN)] }) },
    });
    return [this.cards({ legal: new Set([...this.unplaced(), ...known]), chosen: picked }), press];
  }
}
