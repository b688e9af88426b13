/** The slip of a table: the next deal's result, what has been entered, and correcting it. */

import { Company } from "../evening/company.js";
import { Decisions } from "./decisions.js";
import { amended, closeTable, correctResult, recordDeal, recordResult, reopenTable, restoreDeal, strikeDeal } from "./entries.js";
import { el } from "../core/dom.js";
import { Doubts } from "./doubts.js";
import { factsOf } from "./facts.js";
import { canBeMended, drawLog } from "../evening/logged.js";
import { outbox } from "../core/outbox.js";
import { SlipDraft, keptDraft } from "./slip-draft.js";
import { SlipForm } from "./slip-form.js";
import { opened } from "../core/table-page.js";
import { chipsTold } from "../core/told.js";

const PREVIEWED = "00000000-0000-7000-8000-000000000000";
/** So many milliseconds the service has to store something before it is said that it waits. */
const AT_ONCE = 600;

class Slip {
  constructor(page) {
    Object.assign(this, page);
    this.form = new SlipForm({ evening: this.evening, words: this.words, confirm: (result) => this.confirm(result), changed: (facts) => this.fill(facts) });
    this.heading = el("h2", { class: "deal-number", tabindex: "-1" });
    this.seats = el("p", { class: "deal-seats" });
    this.games = el("div", { class: "choices two", role: "group", "aria-label": this.words.slip.whichGame });
    this.aside = el("div", { class: "mending" });
    this.ending = el("p", { class: "ending" });
    this.standing = el("div", { class: "standing" });
    this.game = this.draft.half?.game ?? null;
    this.editing = null;
    this.decisions = new Decisions({ ...page, mend: (entry) => this.amend(entry) });
    this.doubts = new Doubts(this.evening, () => this.drawLog());
    this.evening.addEventListener("change", () => this.draw());
    if (this.mayWrite) {
      this.company = new Company({ evening: this.evening, words: this.words, offersMembers: "offersMembers" in this.root.dataset });
      this.parts.form.replaceChildren(this.decisions.root, this.games, this.heading, this.seats, this.aside, this.form.root, this.standing, this.company.root, this.ending);
      this.next();
    } else {
      this.parts.form.replaceChildren(this.heading, this.seats, this.standing);
    }
    this.draw();
  }

  /** The game that is due next: where several play at one table, the one that was chosen, or the first. */
  get due() {
    const following = this.evening.following();
    return following.find((one) => one.game === this.game) ?? following[0] ?? null;
  }

  draw() {
    this.drawHead();
    this.drawLog();
    if (!this.mayWrite) {
      this.drawStanding();
      return;
    }
    this.decisions.draw();
    if (this.evening.closed) this.drawStanding();
    else this.standing.replaceChildren();
    const closed = this.evening.closed && !this.editing;
    this.form.root.hidden = closed || (!this.editing && !this.due);
    this.company.root.hidden = this.evening.closed || Boolean(this.editing);
    this.drawGames();
    this.drawEnding();
    if (!this.editing && this.due) this.form.reseat(this.nextSlip());
  }

  drawLog() {
    drawLog(this.parts.log, {
      evening: this.evening,
      words: this.words,
      doubts: this.doubts,
      mend: this.mayWrite && !this.evening.closed ? (deal) => this.mend(deal) : null,
      restore: this.mayWrite && !this.evening.closed ? (deal) => this.restore(deal) : null,
      undo: this.mayWrite && !this.evening.closed ? (coming) => this.company.undo(coming) : null,
    });
    this.doubts.look();
  }

  drawHead() {
    const { words, evening, editing } = this;
    const seating = editing ? editing.seating : this.due?.seating;
    const number = editing ? editing.number : this.due?.number;
    const left = evening.dealsLeft;
    if (!editing && evening.closed) {
      this.heading.textContent = words.slip.over;
      return this.seats.replaceChildren();
    }
    if (!seating) {
      this.heading.textContent = words.slip.tooFew;
      return this.seats.replaceChildren();
    }
    this.heading.textContent = editing ? words.slip.mending(number) : words.slip.deal(number);
    const out = (seating.sitting_out ?? []).map((player) => evening.called(player));
    const told = [
      seating.dealer ? words.slip.deals(evening.called(seating.dealer)) : "",
      out.length ? words.slip.sitsOut(words.listed(out), out.length) : "",
      !editing && left !== null ? words.slip.left(left) : "",
    ].filter(Boolean);
    // Each of them stands in one line as long as it has room there.
    this.seats.replaceChildren(...told.flatMap((one, place) => [place ? " · " : "", el("span", { text: one })]));
  }

  /** Who looks on has nothing to fill in, and when the evening is over nobody has: they see how it stands. */
  drawStanding() {
    const { evening, words } = this;
    const { lines, standings } = evening.ledger;
    const rows = standings.map(({ player, chips }) => el("div", {}, el("dt", { text: evening.called(player) }), el("dd", {}, chipsTold(words, chips))));
    this.standing.replaceChildren(...(lines.length ? [el("h3", { text: words.slip.standing }), el("dl", {}, ...rows)] : []));
  }

  drawGames() {
    const following = this.evening.following();
    this.games.hidden = following.length < 2 || Boolean(this.editing);
    this.games.replaceChildren(...following.map((one) =>
      el("button", {
        type: "button", class: "choice", "aria-pressed": String(one.game === this.due?.game), text: this.words.listed(["forehand", "middlehand", "backhand"].map((seat) => this.evening.called(one.seating[seat]))),
        on: { click: () => { this.game = one.game; this.draw(); } },
      }),
    ));
  }

  drawEnding() {
    const { words, evening } = this;
    const done = evening.dealsLeft === 0;
    if (this.editing) return this.ending.replaceChildren();
    const stands = evening.closed ? "closed" : String(done);
    if (this.ending.firstChild && this.ending.dataset.done === stands) return undefined;
    this.ending.dataset.done = stands;
    if (evening.closed) return this.drawReopening();
    const button = el("button", { type: "button", class: done ? "worded is-main" : "worded", text: words.slip.end, on: { click: () => this.askToEnd() } });
    return this.ending.replaceChildren(done ? words.slip.planned : "", " ", button);
  }

  /** Closed by mistake, or something has to be mended: one tap opens it again, and the record keeps both. */
  drawReopening() {
    const { words, evening } = this;
    // What has still to be sent has no place in the log yet that could be taken back.
    const open = evening.ledger.closed ? [el("button", { type: "button", class: "worded", text: words.slip.reopen, on: { click: () => reopenTable(evening, words.slip.reopenReason) } })] : [];
    const sheet = el("a", { class: "worded is-main", href: document.querySelector(".table-nav a[href*='/sheet']").href, text: words.slip.toSheet });
    return this.ending.replaceChildren(sheet, " ", words.slip.overHow, " ", ...open);
  }

  askToEnd() {
    const { words } = this;
    const numbers = this.evening.unfinished().map((deal) => String(deal.number)).reverse();
    const open = numbers.length ? `${words.slip.endOpen(words.listed(numbers), numbers.length)} ` : "";
    const yes = el("button", { type: "button", class: "worded is-main", text: words.slip.endYes, on: { click: () => closeTable(this.evening) } });
    const no = el("button", { type: "button", class: "worded", text: words.slip.endNo, on: { click: () => { this.ending.replaceChildren(); this.drawEnding(); } } });
    this.ending.replaceChildren(open + words.slip.endAsk, " ", yes, " ", no);
    yes.focus();
  }

  // The next deal

  next() {
    if (this.due) this.form.begin({ ...this.nextSlip(), facts: this.draft.factsFor(this.due) });
  }

  /** What was tapped is kept until it is written down; what is tapped in a correction belongs to that. */
  fill(facts) {
    if (!this.editing && this.due) this.draft.take(this.due, facts);
  }

  nextSlip() {
    const { rules } = this.evening;
    const { seating, pool, reserved } = this.due;
    const opened = this.evening.log(this.evening.table)[0] ?? {};
    return {
      opening: openingFor(rules, opened, seating, pool === null || pool === undefined ? {} : { pool, ...(reserved.length ? { reserved } : {}) }),
      // What lies in the pool hangs on deals that wait: then nobody can say yet what this one pays.
      judged: pool !== undefined,
      seating,
      label: this.words.slip.confirm,
    };
  }

  async confirm(result) {
    const { editing, words } = this;
    if (editing) return this.confirmMended(result);
    const { due } = this;
    const entry = await recordDeal(this.evening, due, result);
    this.draft.done();
    this.next();
    this.draw();
    return this.sayWhen(entry, ({ answers }) => words.slip.written(numberIn(answers) ?? due.number), words.offline.kept(due.number));
  }

  /**
   * Says what was done, with the next slip before the eyes: that it is stored, as `told` says it of its outcome, or that it
   * is kept here until then.
   */
  async sayWhen(entry, told, kept) {
    this.shown();
    const end = await outbox.outcome(entry.id, this.evening.reached ? AT_ONCE : 0);
    if (end.state === "stored") return this.form.say(told(end), this.wayBack(entry));
    // The question stands above the form, with all its answers.
    if (end.state !== "waiting") return this.form.say("");
    this.form.say(kept, this.wayBack(entry));
    outbox.outcome(entry.id, Infinity).then((late) => {
      // What is asked stands above the form, and may be out of sight.
      if (this.form.status.textContent !== kept) return;
      if (late.state === "stored") this.form.say(told(late), this.wayBack(entry));
      else this.form.say(this.words.offline.above);
    });
    return undefined;
  }

  /** The way to mend what was just written of a deal, beside the sentence that says so. */
  wayBack(entry) {
    const [, kind, id] = entry.writes.at(-1).stream.split("/");
    const find = () => this.evening.deals().find((one) => one.deal === id);
    const deal = kind === "deals" ? find() : null;
    if (!deal || !canBeMended(deal)) return null;
    const { log } = this.words;
    return { text: log.mend, label: log.mendDeal(deal.number, true), act: () => this.mend(find()) };
  }

  shown() {
    if (this.parts.form.getBoundingClientRect().top < 0) this.parts.form.scrollIntoView({ block: "start" });
    this.heading.focus({ preventScroll: true });
  }

  // An earlier deal

  mend(deal) {
    const { words } = this;
    const seating = { ...(deal.line?.seating ?? deal.opening?.players) };
    const first = !deal.result;
    this.reason = el("input", { type: "text", id: "reason", maxlength: "200", value: first ? "" : words.slip.usualReason, autocomplete: "off" });
    const field = el("div", { class: "reason" }, el("label", { for: "reason", text: words.slip.reason }), this.reason);
    // Which entry of the table it is, is known only when it is stored.
    const strike = deal.opening.queued ? null : el("button", { type: "button", class: "worded", text: words.slip.strike, on: { click: () => this.askToStrike() } });
    this.edit({ ...deal, seating }, { facts: factsOf(deal.result?.event, seating), label: first ? words.slip.confirm : words.slip.confirmMended, above: [field], ways: [strike] });
  }

  /** What the service did not take is changed before it is sent again; they sat as they sat. */
  amend(entry) {
    const { words } = this;
    const { seating, number, result } = entry.told;
    this.edit({ number, seating: { ...seating }, entry }, { facts: factsOf(result, seating), label: words.offline.confirmAmended, above: [], ways: [] });
  }

  /** Takes an earlier deal into the form, with what can be done besides. */
  edit(editing, { facts, label, above, ways }) {
    const { words } = this;
    this.editing = editing;
    this.form.say("");
    const back = el("button", { type: "button", class: "worded", text: words.slip.back, on: { click: () => this.stopMending() } });
    this.ways = el("p", { class: "mending-ways" }, back, ...ways.filter(Boolean));
    this.aside.replaceChildren(...above, this.ways);
    this.form.begin({ opening: this.openingOf(editing), judged: true, seating: editing.seating, facts, label });
    this.draw();
    this.parts.form.scrollIntoView({ block: "start" });
    this.heading.focus({ preventScroll: true });
  }

  /** The opening of an earlier deal; of one that is not stored, as the table will complete it. */
  openingOf({ opening, seating }) {
    if (opening?.ruleset) return opening;
    return openingFor(this.evening.rules, this.evening.log(this.evening.table)[0] ?? {}, seating, {});
  }

  stopMending() {
    this.editing = null;
    this.form.say("");
    this.aside.replaceChildren();
    this.next();
    this.draw();
  }

  async confirmMended(result) {
    const { editing, evening, words } = this;
    if (editing.entry) return this.confirmAmended(result);
    const reason = this.reasonGiven();
    if (editing.result && !reason) return undefined;
    const deal = { ...editing, address: editing.result?.address };
    const entry = await (editing.result ? correctResult(evening, deal, result, reason) : recordResult(evening, deal, result));
    this.stopMending();
    const done = editing.result ? words.slip.mended : words.slip.written;
    return this.sayWhen(entry, () => done(editing.number), words.offline.kept(editing.number));
  }

  async confirmAmended(result) {
    const { editing, words } = this;
    const { entry, seating, number } = editing;
    const [events, rest] = amended(entry, seating, result);
    await outbox.amend(entry.id, events, { rest, told: { ...entry.told, seating, result } });
    this.stopMending();
    return this.sayWhen(entry, ({ answers }) => words.slip.written(numberIn(answers) ?? number), words.offline.kept(number));
  }

  /** What takes a deal out of the evening is asked about once, in the place of what led there. */
  askToStrike() {
    const { words, ways } = this;
    if (!this.reasonGiven()) return;
    const before = [...ways.childNodes];
    const yes = el("button", { type: "button", class: "worded is-main", text: words.slip.strikeYes, on: { click: () => this.strike() } });
    const no = el("button", { type: "button", class: "worded", text: words.slip.endNo, on: { click: () => { ways.replaceChildren(...before); before.at(-1).focus(); } } });
    ways.replaceChildren(el("span", { text: words.slip.strikeAsk(this.editing.number) }), yes, no);
    yes.focus();
  }

  async strike() {
    const { editing, words } = this;
    const reason = this.reasonGiven();
    if (!reason) return;
    const entry = await strikeDeal(this.evening, editing, reason);
    this.stopMending();
    this.sayWhen(entry, () => words.slip.struck(editing.number), words.offline.kept(editing.number));
  }

  async restore(deal) {
    const { words } = this;
    const entry = await restoreDeal(this.evening, deal, words.slip.restoreReason);
    this.sayWhen(entry, () => words.slip.restored(deal.number), words.offline.kept(deal.number));
  }

  reasonGiven() {
    const reason = this.reason.value.trim();
    if (!reason) {
      this.form.say(this.words.slip.needsReason);
      this.reason.focus();
    }
    return reason;
  }
}

/** The number that a deal has got, which is another where others wrote first; undefined where none was started. */
const numberIn = (answers = []) => answers.flatMap((one) => one?.table?.events ?? []).find((event) => event.type === "deal_started")?.number;

/** The opening that a slip is judged by before it is stored. */
function openingFor(rules, { ruleset, revision, switches }, seating, pool) {
  const { forehand, middlehand, backhand, sitting_out, dealer } = seating;
  const players = { forehand, middlehand, backhand, ...(sitting_out?.length ? { sitting_out } : {}) };
  return {
    type: "deal_opened", id: PREVIEWED, ruleset: ruleset ?? rules?.id, players, dealer, ...pool,
    ...(revision ?? rules?.revision ? { revision: revision ?? rules.revision } : {}),
    ...(switches ? { switches } : {}),
  };
}

opened(async (page) => {
  const { table } = page.evening;
  return new Slip({ ...page, draft: new SlipDraft(table, page.mayWrite ? await keptDraft(table) : null) });
});
