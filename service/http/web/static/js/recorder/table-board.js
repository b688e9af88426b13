/** The state of a deal: who sits where, whose turn it is, the trick on the table, tricks won, and all tricks so far. */

import { buildCardElement, buildInlineCard, isKnown, drawPip, showCardFace, joinWithSpaces, groupBySuit } from "../core/cards.js";
import { el } from "../core/dom.js";
import { SEATS } from "../replay/card-tracks.js";

/** The number of tricks in a deal. */
const TRICKS_PER_DEAL = 9;

/** The number of lines below a player's name for what they have done. */
const MAX_ACTION_LINES = 3;

export class TableBoard {
  /** `onChooseSeat(seat)` is called when another seat is tapped; null where nobody may write. */
  constructor(root, { words, onChooseSeat }) {
    this.words = words;
    this.status = el("span", {});
    this.dealInfo = el("span", { class: "board-about" });
    this.line = el("p", { class: "board-line" }, this.status, this.dealInfo);
    this.seats = Object.fromEntries(SEATS.map((seat) => [seat, buildSeat(seat, onChooseSeat)]));
    const strip = el("div", { class: "board-seats", role: "group", "aria-label": words.record.seats }, ...SEATS.map((seat) => this.seats[seat].root));
    root.replaceChildren(el("div", { class: "board-cloth" }, this.line, strip));
  }

  /** Shows a state; `actingSeat` is the seat whose act is entered next, `seatOnTurn` the one whose turn it is, `trickCounts` the tricks of each, `dealInfo` says who dealt. */
  draw(state, actingSeat, seatOnTurn, trickCounts, dealInfo) {
    const { words } = this;
    const trick = state.tricks?.at(-1);
    this.dealInfo.textContent = dealInfo;
    this.status.replaceChildren(...this.buildStatus(state, trick));
    for (const seat of SEATS) {
      const { tile, name, contractLabel, won, cardBox, card, actionList } = this.seats[seat];
      tile.classList.toggle("is-actor", seat === actingSeat);
      tile.classList.toggle("is-on-turn", seat === seatOnTurn);
      if (tile.tagName === "BUTTON") tile.setAttribute("aria-pressed", String(seat === actingSeat));
      name.textContent = words.player(state, seat);
      contractLabel.replaceChildren(...this.buildContractLabel(state, seat));
      won.replaceChildren(String(trickCounts[seat] ?? 0), el("span", { class: "visually-hidden", text: ` ${words.record.tricksWord}` }));
      const at = trick?.seats.indexOf(seat) ?? -1;
      const playing = state.phase === "play" || Boolean(trick);
      actionList.hidden = playing;
      won.hidden = !playing;
      cardBox.hidden = !playing;
      if (!playing) actionList.replaceChildren(...this.listActions(state, seat));
      cardBox.classList.toggle("is-empty", at < 0);
      cardBox.classList.toggle("is-next", at < 0 && seat === actingSeat);
      card.hidden = at < 0;
      if (at < 0) continue;
      showCardFace(card, trick.cards[at], words);
      card.classList.toggle("is-won", trick.winner === seat);
      cardBox.setAttribute("data-card-name", words.card(trick.cards[at]));
    }
  }

  buildStatus(state, trick) {
    const { words } = this;
    if (trick) return [words.upper(words.trickNumber(trick.number)), ...this.buildTrump(state)];
    const talon = state.talon?.count ?? 0;
    const turned = state.talon?.turned;
    if (state.contract && state.phase !== "play") return [words.talon(talon), ...(turned ? [" · ", words.record.turned, " ", buildInlineCard(turned, words)] : []), ...this.buildTrump(state)];
    return [state.phase === "play" ? words.record.beforePlay : words.auction, ...this.buildTrump(state)];
  }

  buildTrump(state) {
    return state.trump ? [" · ", el("span", { class: "board-trump" }, drawPip(state.trump), ` ${this.words.record.trump}`)] : [];
  }

  /** Who declares, and what. */
  buildContractLabel(state, seat) {
    const { words } = this;
    if (state.declarer === seat && state.contract) return [el("i", { text: words.bid(state.contract) }), ...(state.trump ? [" ", drawPip(state.trump)] : [])];
    return [el("span", { class: "tile-seat", text: words.seat(seat) })];
  }

  /** What each player has done before the play: the latest calls, then the exchange. */
  listActions(state, seat) {
    const { words } = this;
    const sold = state.discards?.[seat];
    const bought = state.draws?.[seat];
    const exchanged = sold ? [words.sold(sold.count), ...(bought ? [words.bought(bought.count)] : [])] : [];
    const calls = (state.calls ?? []).filter((one) => one.seat === seat).map((one) => one.said ?? words.bid(one.bid));
    return [...calls.map((one) => el("i", { text: one })), ...exchanged.map((one) => el("span", { text: one }))].slice(-MAX_ACTION_LINES).map((one) => el("li", {}, one));
  }
}

function buildSeat(seat, choose) {
  const name = el("b", { class: "tile-name" });
  const contractLabel = el("span", { class: "tile-contract" });
  const won = el("span", { class: "tile-tricks" });
  const card = buildCardElement();
  card.classList.add("is-in-trick");
  card.hidden = true;
  const cardBox = el("div", { class: "seat-card is-empty" }, card);
  const actionList = el("ul", { class: "tile-actions" });
  const inside = [name, el("span", { class: "seat-line" }, won, contractLabel)];
  const tile = choose
    ? el("button", { type: "button", class: "seat-tile", "data-seat": seat, on: { click: () => choose(seat) } }, ...inside)
    : el("div", { class: "seat-tile", "data-seat": seat }, ...inside);
  return { root: el("div", { class: "board-seat" }, tile, cardBox, actionList), tile, name, contractLabel, won, cardBox, card, actionList };
}

/** How many tricks each has, or is to have. */
export const formatTrickCounts = (tricks, state, words) => words.listed(SEATS.filter((seat) => seat in tricks).map((seat) => `${words.player(state, seat)} ${tricks[seat]}`));

/** The hands whose cards this reader may know, as they are now; for a player, the own hand. */
export function buildKnownHands(state, words) {
  return SEATS.map((seat) => [seat, state.hands[seat].cards.filter(isKnown)]).filter(([, known]) => known.length).map(([seat, known]) => {
    const groups = groupBySuit(known, state.trump, state.contract).map((group) => el("span", { class: "hand-suit" }, ...joinWithSpaces(group.cards.map((card) => buildInlineCard(card, words)))));
    return el("section", { class: "known-hand" }, el("h3", { text: words.record.handOfPlayer(words.player(state, seat)) }), el("p", {}, ...groups));
  });
}

/** The tricks so far, laid out like a score sheet, with a line for each trick to come; `trickCounts` is how many each has. */
export function buildTricksTable(state, trickCounts, words) {
  const tricks = state.tricks ?? [];
  const rows = Array.from({ length: Math.max(TRICKS_PER_DEAL, tricks.length) }, (_, index) => {
    const trick = tricks[index];
    return el("tr", {}, el("th", { scope: "row", text: String(index + 1) }), ...SEATS.map((seat) => buildTrickCell(trick, seat, words)));
  });
  const head = el("tr", {}, el("td", {}), ...SEATS.map((seat) => el("th", { scope: "col", text: words.player(state, seat) })));
  const footer = el("tr", {}, el("td", {}), ...SEATS.map((seat) => el("td", { text: String(trickCounts[seat] ?? 0) })));
  return el("table", { class: "tricks-table" }, el("caption", { class: "visually-hidden", text: words.play }), el("thead", {}, head), el("tbody", {}, ...rows), el("tfoot", {}, footer));
}

function buildTrickCell(trick, seat, words) {
  const at = trick?.seats.indexOf(seat) ?? -1;
  if (at < 0) return el("td", {});
  const leadMark = at === 0 ? el("span", { class: "leads", role: "img", "aria-label": words.leads, text: "·" }) : null;
  const card = trick.cards[at];
  const cardElement = card[0] === "?" ? el("span", { class: "card-text" }, el("span", { class: "visually-hidden", text: words.hiddenCard }), el("i", { "aria-hidden": "true", text: "x" })) : buildInlineCard(card, words);
  return el("td", { class: trick.winner === seat ? "is-winner" : null }, el("span", { class: "played" }, leadMark, cardElement));
}
