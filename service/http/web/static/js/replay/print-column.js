/**
 * A deal as a column in a magazine: hands as dealt, auction, exchange, hands before the lead, tricks, what is said of them
 * beside the point that it is said of, and what was paid. Drawn whole from the replay document; nobody walks in it.
 */

import { buildDiagram, hasKnownHandCards, hasLaterKnownCards } from "./diagram.js";
import { el } from "../core/dom.js";
import { toNodes } from "../core/nodes.js";
import { useRules } from "../core/cards.js";
import { revealLaterKnownCards } from "./later-known-cards.js";
import { CardOrX } from "./markup.js";
import { Call, ExchangeRow } from "./panels.js";
import { Remarks } from "./remarks.js";
import { buildDecidedScore, buildPossibleOutcomes } from "./score-panel.js";
import { stepAt, buildSteps } from "./steps.js";
import { SEATS, buildCardTracks } from "./card-tracks.js";
import { html } from "../vendor/preact.js";

const AUCTION_EVENT_TYPES = new Set(["bid_made", "contract_named", "trump_named"]);
const EXCHANGE_EVENT_TYPES = new Set(["talon_turned", "exchange_yielded", "cards_discarded", "cards_drawn", "talon_seen"]);

/** The column's sections. `rules` is what its rules are called; `words` are the replayer's, `columnWords` the column's own. */
export function buildPrintColumn(replay, { rules, words, columnWords }) {
  return new PrintColumn(replay, { words, columnWords }).buildSections(rules);
}

class PrintColumn {
  constructor(replay, { words, columnWords }) {
    useRules(replay);
    Object.assign(this, { replay, words, columnWords, steps: buildSteps(replay) });
    const states = this.steps.map((step) => step.frame.state);
    this.tracks = revealLaterKnownCards(buildCardTracks(states), states);
    this.lastState = states.at(-1);
    this.partEnds = this.findPartEnds();
    this.remarks = new Remarks({ ...this, buildDiagram: (index) => this.buildDiagramIfHeld(index) });
  }

  /** The last step of each part of the deal, in order; a missing part ends with the one before it. */
  findPartEnds() {
    const kinds = this.steps.map(({ kind }) => kind);
    const firstPlay = kinds.indexOf("card_played");
    const auction = Math.max(0, kinds.findLastIndex((kind) => AUCTION_EVENT_TYPES.has(kind)));
    const exchange = Math.max(auction, kinds.findLastIndex((kind) => EXCHANGE_EVENT_TYPES.has(kind)));
    const heldEnd = Math.max(exchange, firstPlay < 0 ? kinds.lastIndexOf("hand_held") : firstPlay - 1);
    return { dealt: 0, auction, exchange, heldEnd, play: Math.max(heldEnd, kinds.lastIndexOf("card_played")), end: kinds.length - 1 };
  }

  buildSections(rules) {
    const { dealt, auction, exchange, heldEnd, play, end } = this.partEnds;
    const remarks = (from, to) => this.remarks.listBetween(from, to);
    return [
      this.buildFacts(rules),
      buildSection("dealt", this.buildHands(0, this.columnWords.dealt), remarks(0, dealt)),
      buildSection("auction", this.buildAuction(), remarks(dealt + 1, auction)),
      buildSection("exchange", this.buildExchange(), remarks(auction + 1, exchange)),
      buildSection("held", this.buildHeldHands(), remarks(exchange + 1, heldEnd)),
      buildSection("tricks", this.buildTricks(), remarks(heldEnd + 1, play)),
      buildSection("result", this.buildResult(), [...remarks(play + 1, end), ...this.remarks.listGeneralFindings()]),
      this.hasLaterKnownCards ? el("p", { class: "muted column-key", text: this.columnWords.laterKey }) : null,
    ].filter(Boolean);
  }

  /** By which rules, where and for what it is played. */
  buildFacts(rules) {
    const { columnWords, replay } = this;
    const opening = replay.frames.find(({ event }) => event.type === "deal_opened")?.event ?? {};
    const sittingOut = replay.players?.sitting_out ?? [];
    const facts = [
      rules ? `${columnWords.rules}: ${rules}` : null,
      ...["table", "number", "board", "dealer", "pool"].map((name) => (opening[name] || opening[name] === 0 ? columnWords[name](opening[name]) : null)),
      sittingOut.length ? columnWords.sittingOut(sittingOut.join(", ")) : null,
    ].filter(Boolean);
    return facts.length ? el("p", { class: "column-facts", text: facts.join(" · ") }) : null;
  }

  /** A diagram of the hands under a heading; null if nobody knows any of them. */
  buildHands(index, heading) {
    if (!hasKnownHandCards(this.tracks[index])) return null;
    return el("div", { class: "column-hands" }, el("h2", { text: heading }), this.buildDiagramAt(index));
  }

  buildDiagramAt(index) {
    const { words, columnWords } = this;
    this.hasLaterKnownCards ||= hasLaterKnownCards(this.tracks[index]);
    return buildDiagram({ slots: this.tracks[index], state: this.steps[index].frame.state, direction: this.replay.direction, words, columnWords });
  }

  /** A point of the play at which somebody still holds cards that can be shown. */
  buildDiagramIfHeld(index) {
    const isPlay = this.steps[index].kind === "card_played";
    return isPlay && hasKnownHandCards(this.tracks[index]) ? this.buildDiagramAt(index) : null;
  }

  /** The hands with which play begins, where they are not those that were dealt. */
  buildHeldHands() {
    const { auction, heldEnd } = this.partEnds;
    const hasExchange = this.steps.slice(auction + 1, heldEnd + 1).some(({ kind }) => EXCHANGE_EVENT_TYPES.has(kind) || kind === "hand_held");
    return hasExchange ? this.buildHands(heldEnd, this.columnWords.held) : null;
  }

  /** The calls as they fell, a column for each player; then the game. */
  buildAuction() {
    const { words, lastState } = this;
    const calls = lastState.calls ?? [];
    const rows = [];
    for (const call of calls) {
      const column = SEATS.indexOf(call.seat);
      if (!rows.length || rows.at(-1).column >= column) rows.push({ cells: SEATS.map(() => []) });
      rows.at(-1).column = column;
      rows.at(-1).cells[column] = [...toNodes(html`<${Call} call=${call} />`), ...this.remarks.buildSignAt(stepAt(this.steps, call.seq))];
    }
    const event = { seat: lastState.declarer, contract: lastState.contract, trump: lastState.trump };
    const contractText = lastState.declarer && lastState.contract ? words.upper(words.sentence("contract_named", { state: lastState, event })) : null;
    if (!rows.length && !contractText) return null;
    const body = rows.map(({ cells }) => el("tr", {}, ...cells.map((cell) => el("td", {}, ...cell))));
    return el("div", {},
      el("h2", { text: words.auction }),
      rows.length ? el("table", { class: "column-auction" }, el("thead", {}, this.buildPlayerHeads()), el("tbody", {}, ...body)) : null,
      contractText ? el("p", { class: "column-game", text: contractText }) : null);
  }

  buildPlayerHeads() {
    return el("tr", {}, ...SEATS.map((seat) => el("th", { scope: "col", text: this.words.player(this.lastState, seat) })));
  }

  buildExchange() {
    const rows = this.steps.flatMap((step, index) => {
      if (step.kind !== "cards_discarded" && step.kind !== "cards_drawn") return [];
      const [row] = toNodes(html`<${ExchangeRow} step=${step} />`);
      row.lastChild.append(...this.remarks.buildSignAt(index));
      return [row];
    });
    return rows.length ? el("div", {}, el("h2", { text: this.words.exchange }), el("ol", { class: "column-lines" }, ...rows)) : null;
  }

  /** Nine lines as on a score sheet; a sign at a card links to its remark. */
  buildTricks() {
    const { words, lastState, columnWords } = this;
    const tricks = lastState.tricks ?? [];
    if (!tricks.length) return null;
    const head = el("tr", {}, el("th", { scope: "col" }, el("span", { class: "visually-hidden", text: columnWords.trick })), ...this.buildPlayerHeads().children);
    const lines = tricks.map((trick) => el("tr", {}, el("th", { scope: "row", text: trick.number }), ...SEATS.map((seat) => this.buildTrickCell(trick, seat))));
    const won = el("tr", {}, el("td", {}), ...SEATS.map((seat) => el("td", { text: lastState.tricks_won?.[seat] ?? 0 })));
    const playedOn = tricks.filter((trick) => trick.played_on).map(({ number }) => number);
    return el("div", {},
      el("h2", { text: words.play }),
      el("table", { class: "column-tricks" }, el("thead", {}, head), el("tbody", {}, ...lines), el("tfoot", {}, won)),
      playedOn.length ? el("p", { text: words.playedOn(playedOn) }) : null,
      el("p", { class: "muted column-key", text: words.playKey }));
  }

  buildTrickCell(trick, seat) {
    const { words, columnWords } = this;
    const index = trick.seats.indexOf(seat);
    if (index < 0) return el("td", {});
    const wins = trick.winner === seat;
    const leadMark = index === 0 ? el("span", { class: "leads", role: "img", "aria-label": words.leads, text: "·" }) : null;
    return el("td", {},
      el("span", { class: wins ? "wins" : null }, leadMark, ...toNodes(html`<${CardOrX} card=${trick.cards[index]} />`), wins ? el("span", { class: "visually-hidden", text: `, ${columnWords.takes}` }) : null),
      ...this.remarks.buildSignAt(stepAt(this.steps, trick.seqs[index])));
  }

  buildResult() {
    const { words, replay, lastState } = this;
    const { score } = replay;
    const parts = !score ? [] : score.decided ? buildDecidedScore(score, lastState) : buildPossibleOutcomes(score, lastState);
    return parts.length ? el("div", { class: "column-score" }, el("h2", { text: score.decided ? words.score : words.open }), ...parts) : null;
  }
}

/** A part of the column, and its remarks; null if there is neither. */
function buildSection(name, content, remarks) {
  return content || remarks.length ? el("section", { class: `of-${name}` }, content, ...remarks) : null;
}
