/** How a deal stands: who sits where, whose turn it is, the trick on the table, tricks won, and all tricks so far. */

import { blankCard, cardInText, isKnown, pip, showFace, spaced, suitGroups } from "../replay/cards.js";
import { el } from "../core/dom.js";
import { SEATS } from "../replay/tracks.js";

/** So many tricks a deal has. */
const NINE = 9;

/** So many lines of what a player has done stand below his name. */
const LINES = 3;

export class Board {
  /** `choose(seat)` is called when another seat is tapped; null where nobody may write. `about` says who dealt. */
  constructor(root, { words, choose, about }) {
    this.words = words;
    this.stands = el("span", {});
    this.line = el("p", { class: "board-line" }, this.stands, el("span", { class: "board-about", text: about }));
    this.seats = Object.fromEntries(SEATS.map((seat) => [seat, seatPlace(seat, choose)]));
    const strip = el("div", { class: "board-seats", role: "group", "aria-label": words.record.seats }, ...SEATS.map((seat) => this.seats[seat].root));
    root.replaceChildren(el("div", { class: "board-cloth" }, this.line, strip));
  }

  /** Shows a state; `actor` is the seat whose act is entered next, `due` the one whose turn it is, `held` the tricks of each. */
  draw(state, actor, due, held) {
    const { words } = this;
    const trick = state.tricks?.at(-1);
    this.stands.replaceChildren(...this.said(state, trick));
    for (const seat of SEATS) {
      const { tile, name, more, won, place, card, did } = this.seats[seat];
      tile.classList.toggle("is-actor", seat === actor);
      tile.classList.toggle("is-due", seat === due);
      if (tile.tagName === "BUTTON") tile.setAttribute("aria-pressed", String(seat === actor));
      name.textContent = words.player(state, seat);
      more.replaceChildren(...this.declares(state, seat));
      won.replaceChildren(String(held[seat] ?? 0), el("span", { class: "unseen", text: ` ${words.record.tricksWord}` }));
      const at = trick?.seats.indexOf(seat) ?? -1;
      const playing = state.phase === "play" || Boolean(trick);
      did.hidden = playing;
      won.hidden = !playing;
      place.hidden = !playing;
      if (!playing) did.replaceChildren(...this.doings(state, seat));
      place.classList.toggle("is-empty", at < 0);
      place.classList.toggle("is-next", at < 0 && seat === actor);
      card.hidden = at < 0;
      if (at < 0) continue;
      showFace(card, trick.cards[at], words);
      card.classList.toggle("is-won", trick.winner === seat);
      place.setAttribute("data-told", words.card(trick.cards[at]));
    }
  }

  said(state, trick) {
    const { words } = this;
    if (trick) return [words.upper(words.trickNumber(trick.number)), ...this.trumps(state)];
    const talon = state.talon?.count ?? 0;
    const turned = state.talon?.turned;
    if (state.contract && state.phase !== "play") return [words.talon(talon), ...(turned ? [" · ", words.record.turned, " ", cardInText(turned, words)] : []), ...this.trumps(state)];
    return [state.phase === "play" ? words.record.beforePlay : words.auction, ...this.trumps(state)];
  }

  trumps(state) {
    return state.trump ? [" · ", el("span", { class: "board-trump" }, pip(state.trump), ` ${this.words.record.trump}`)] : [];
  }

  /** Who declares, and what. */
  declares(state, seat) {
    const { words } = this;
    if (state.declarer === seat && state.contract) return [el("i", { text: words.bid(state.contract) }), ...(state.trump ? [" ", pip(state.trump)] : [])];
    return [el("span", { class: "seat-word", text: words.seat(seat) })];
  }

  /** What each has done before the play: his calls, the latest of them, then what he sold and bought. */
  doings(state, seat) {
    const { words } = this;
    const sold = state.discards?.[seat];
    const bought = state.draws?.[seat];
    const exchanged = sold ? [words.sold(sold.count), ...(bought ? [words.bought(bought.count)] : [])] : [];
    const calls = (state.calls ?? []).filter((one) => one.seat === seat).map((one) => one.said ?? words.bid(one.bid));
    return [...calls.map((one) => el("i", { text: one })), ...exchanged.map((one) => el("span", { text: one }))].slice(-LINES).map((one) => el("li", {}, one));
  }
}

function seatPlace(seat, choose) {
  const name = el("b", { class: "seat-called" });
  const more = el("span", { class: "seat-says" });
  const won = el("span", { class: "seat-won" });
  const card = blankCard();
  card.classList.add("is-in-trick");
  card.hidden = true;
  const place = el("div", { class: "seat-card is-empty" }, card);
  const did = el("ul", { class: "seat-did" });
  const inside = [name, el("span", { class: "seat-line" }, won, more)];
  const tile = choose
    ? el("button", { type: "button", class: "seat-tile", "data-seat": seat, on: { click: () => choose(seat) } }, ...inside)
    : el("div", { class: "seat-tile", "data-seat": seat }, ...inside);
  return { root: el("div", { class: "board-seat" }, tile, place, did), tile, name, more, won, place, card, did };
}

/** How many tricks each has, or is to have. */
export const tricksTold = (tricks, state, words) => words.listed(SEATS.filter((seat) => seat in tricks).map((seat) => `${words.player(state, seat)} ${tricks[seat]}`));

/** The hands of which this reader may know cards: a player his own, as it is by now. */
export function handsTold(state, words) {
  return SEATS.map((seat) => [seat, state.hands[seat].cards.filter(isKnown)]).filter(([, known]) => known.length).map(([seat, known]) => {
    const groups = suitGroups(known, state.trump, state.contract).map((group) => el("span", { class: "hand-suit" }, ...spaced(group.cards.map((card) => cardInText(card, words)))));
    return el("section", { class: "hand-told" }, el("h3", { text: words.record.handOfPlayer(words.player(state, seat)) }), el("p", {}, ...groups));
  });
}

/** The tricks so far as on a score sheet, with a line for each that is to come; `held` is how many each has. */
export function tricksTable(state, held, words) {
  const tricks = state.tricks ?? [];
  const rows = Array.from({ length: Math.max(NINE, tricks.length) }, (_, index) => {
    const trick = tricks[index];
    return el("tr", {}, el("th", { scope: "row", text: String(index + 1) }), ...SEATS.map((seat) => trickCell(trick, seat, words)));
  });
  const head = el("tr", {}, el("td", {}), ...SEATS.map((seat) => el("th", { scope: "col", text: words.player(state, seat) })));
  const foot = el("tr", {}, el("td", {}), ...SEATS.map((seat) => el("td", { text: String(held[seat] ?? 0) })));
  return el("table", { class: "tricks-table" }, el("caption", { class: "unseen", text: words.play }), el("thead", {}, head), el("tbody", {}, ...rows), el("tfoot", {}, foot));
}

function trickCell(trick, seat, words) {
  const at = trick?.seats.indexOf(seat) ?? -1;
  if (at < 0) return el("td", {});
  const leads = at === 0 ? el("span", { class: "leads", role: "img", "aria-label": words.leads, text: "·" }) : null;
  const card = trick.cards[at];
  const told = card[0] === "?" ? el("span", { class: "card-text" }, el("span", { class: "unseen", text: words.hiddenCard }), el("i", { "aria-hidden": "true", text: "x" })) : cardInText(card, words);
  return el("td", { class: trick.winner === seat ? "is-winner" : null }, el("span", { class: "played" }, leads, told));
}
