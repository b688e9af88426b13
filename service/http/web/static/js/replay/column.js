/**
 * A deal as a column in a magazine: hands as dealt, auction, exchange, hands before the lead, tricks, what is said of them
 * beside the point that it is said of, and what was paid. Drawn whole from the replay document; nobody walks in it.
 */

import { diagram, showsHands, showsLater } from "./diagram.js";
import { el } from "../core/dom.js";
import { knownLater } from "./later.js";
import { callWords, cardCell, exchangeRow } from "./panels.js";
import { Remarks } from "./remarks.js";
import { decided, open } from "./score.js";
import { stepAt, stepsOf } from "./steps.js";
import { SEATS, tracksOf } from "./tracks.js";

const AUCTION = new Set(["bid_made", "contract_named", "trump_named"]);
const EXCHANGE = new Set(["talon_turned", "exchange_yielded", "cards_discarded", "cards_drawn", "talon_seen"]);

/** The column's sections. `rules` is what its rules are called; `words` are the replayer's, `more` the column's own. */
export function columnOf(replay, { rules, words, more }) {
  return new Column(replay, { words, more }).sections(rules);
}

class Column {
  constructor(replay, { words, more }) {
    Object.assign(this, { replay, words, more, steps: stepsOf(replay) });
    const states = this.steps.map((step) => step.frame.state);
    this.tracks = knownLater(tracksOf(states), states);
    this.last = states.at(-1);
    this.ends = this.partsOf();
    this.remarks = new Remarks({ ...this, pictured: (index) => this.pictured(index) });
  }

  /** The last step of each part of the deal, in order; a part that is not told ends where the one before it does. */
  partsOf() {
    const kinds = this.steps.map(({ kind }) => kind);
    const firstPlay = kinds.indexOf("card_played");
    const auction = Math.max(0, kinds.findLastIndex((kind) => AUCTION.has(kind)));
    const exchange = Math.max(auction, kinds.findLastIndex((kind) => EXCHANGE.has(kind)));
    const held = Math.max(exchange, firstPlay < 0 ? kinds.lastIndexOf("hand_held") : firstPlay - 1);
    return { dealt: 0, auction, exchange, held, play: Math.max(held, kinds.lastIndexOf("card_played")), end: kinds.length - 1 };
  }

  sections(rules) {
    const { dealt, auction, exchange, held, play, end } = this.ends;
    const remarks = (from, to) => this.remarks.between(from, to);
    return [
      this.opening(rules),
      section("dealt", this.hands(0, this.more.dealt), remarks(0, dealt)),
      section("auction", this.auction(), remarks(dealt + 1, auction)),
      section("exchange", this.exchange(), remarks(auction + 1, exchange)),
      section("held", this.held(), remarks(exchange + 1, held)),
      section("tricks", this.tricks(), remarks(held + 1, play)),
      section("result", this.result(), [...remarks(play + 1, end), ...this.remarks.ofAll()]),
      this.leans ? el("p", { class: "quiet column-key", text: this.more.laterKey }) : null,
    ].filter(Boolean);
  }

  /** By which rules, where and for what it is played. */
  opening(rules) {
    const { more, replay } = this;
    const opened = replay.frames.find(({ event }) => event.type === "deal_opened")?.event ?? {};
    const out = replay.players?.sitting_out ?? [];
    const facts = [
      rules ? `${more.rules}: ${rules}` : null,
      ...["table", "number", "board", "dealer", "pool"].map((name) => (opened[name] || opened[name] === 0 ? more[name](opened[name]) : null)),
      out.length ? more.sittingOut(out.join(", ")) : null,
    ].filter(Boolean);
    return facts.length ? el("p", { class: "column-facts", text: facts.join(" · ") }) : null;
  }

  /** A diagram of the hands under a heading; null where nobody knows any of them. */
  hands(index, heading) {
    if (!showsHands(this.tracks[index])) return null;
    return el("div", { class: "column-hands" }, el("h2", { text: heading }), this.diagramAt(index));
  }

  diagramAt(index) {
    const { words, more } = this;
    this.leans ||= showsLater(this.tracks[index]);
    return diagram({ slots: this.tracks[index], state: this.steps[index].frame.state, direction: this.replay.direction, words, more });
  }

  /** A point of the play at which somebody still holds cards that can be shown. */
  pictured(index) {
    const played = this.steps[index].kind === "card_played";
    return played && showsHands(this.tracks[index]) ? this.diagramAt(index) : null;
  }

  /** The hands with which play begins, where they are not those that were dealt. */
  held() {
    const { auction, held } = this.ends;
    const changed = this.steps.slice(auction + 1, held + 1).some(({ kind }) => EXCHANGE.has(kind) || kind === "hand_held");
    return changed ? this.hands(held, this.more.held) : null;
  }

  /** The calls as they fell, a column for each player; then the game. */
  auction() {
    const { words, last } = this;
    const calls = last.calls ?? [];
    const rows = [];
    for (const call of calls) {
      const column = SEATS.indexOf(call.seat);
      if (!rows.length || rows.at(-1).column >= column) rows.push({ cells: SEATS.map(() => []) });
      rows.at(-1).column = column;
      rows.at(-1).cells[column] = [...callWords(call, words), ...this.remarks.signAt(stepAt(this.steps, call.seq))];
    }
    const event = { seat: last.declarer, contract: last.contract, trump: last.trump };
    const named = last.declarer && last.contract ? words.upper(words.sentence("contract_named", { state: last, event })) : null;
    if (!rows.length && !named) return null;
    const body = rows.map(({ cells }) => el("tr", {}, ...cells.map((cell) => el("td", {}, ...cell))));
    return el("div", {},
      el("h2", { text: words.auction }),
      rows.length ? el("table", { class: "column-auction" }, el("thead", {}, this.players()), el("tbody", {}, ...body)) : null,
      named ? el("p", { class: "column-game", text: named }) : null);
  }

  players() {
    return el("tr", {}, ...SEATS.map((seat) => el("th", { scope: "col", text: this.words.player(this.last, seat) })));
  }

  exchange() {
    const rows = this.steps.flatMap((step, index) => {
      if (step.kind !== "cards_discarded" && step.kind !== "cards_drawn") return [];
      const row = exchangeRow(step, this.words);
      row.lastChild.append(...this.remarks.signAt(index));
      return [row];
    });
    return rows.length ? el("div", {}, el("h2", { text: this.words.exchange }), el("ol", { class: "column-lines" }, ...rows)) : null;
  }

  /** Nine lines as on a score sheet; a sign at a card leads to what is said of it. */
  tricks() {
    const { words, last, more } = this;
    const tricks = last.tricks ?? [];
    if (!tricks.length) return null;
    const head = el("tr", {}, el("th", { scope: "col" }, el("span", { class: "unseen", text: more.trick })), ...this.players().children);
    const lines = tricks.map((trick) => el("tr", {}, el("th", { scope: "row", text: trick.number }), ...SEATS.map((seat) => this.cell(trick, seat))));
    const won = el("tr", {}, el("td", {}), ...SEATS.map((seat) => el("td", { text: last.tricks_won?.[seat] ?? 0 })));
    return el("div", {},
      el("h2", { text: words.play }),
      el("table", { class: "column-tricks" }, el("thead", {}, head), el("tbody", {}, ...lines), el("tfoot", {}, won)),
      el("p", { class: "quiet column-key", text: words.playKey }));
  }

  cell(trick, seat) {
    const { words, more } = this;
    const place = trick.seats.indexOf(seat);
    if (place < 0) return el("td", {});
    const wins = trick.winner === seat;
    const leads = place === 0 ? el("span", { class: "leads", role: "img", "aria-label": words.leads, text: "·" }) : null;
    return el("td", {},
      el("span", { class: wins ? "wins" : null }, leads, cardCell(trick.cards[place], words), wins ? el("span", { class: "unseen", text: `, ${more.takes}` }) : null),
      ...this.remarks.signAt(stepAt(this.steps, trick.seqs[place])));
  }

  result() {
    const { words, replay, last } = this;
    const { score } = replay;
    const parts = score?.decided ? decided(score, last, words) : Object.values(score?.reachable ?? {}).some(Boolean) ? open(score, last, words) : [];
    return parts.length ? el("div", { class: "column-score" }, el("h2", { text: score.decided ? words.score : words.open }), ...parts) : null;
  }
}

/** A part of the column, and what is said of it; null where there is neither. */
function section(name, content, remarks) {
  return content || remarks.length ? el("section", { class: `of-${name}` }, content, ...remarks) : null;
}
