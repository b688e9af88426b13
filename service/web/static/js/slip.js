/** The slip of a table: the next deal's result, what has been entered, and correcting it. */

import { closeTable, correctResult, draft, recordDeal, recordResult, strikeDeal } from "./entries.js";
import { newId } from "./api.js";
import { el } from "./dom.js";
import { factsOf } from "./facts.js";
import { drawLog } from "./logged.js";
import { SlipForm } from "./slip-form.js";
import { opened } from "./table-page.js";
import { refusalTold } from "./told.js";

const PREVIEWED = "00000000-0000-7000-8000-000000000000";

class Slip {
  constructor(page) {
    Object.assign(this, page);
    this.form = new SlipForm({ evening: this.evening, words: this.words, confirm: (result) => this.confirm(result) });
    this.heading = el("h2", { class: "deal-number", tabindex: "-1" });
    this.seats = el("p", { class: "deal-seats" });
    this.games = el("div", { class: "choices two", role: "group", "aria-label": this.words.slip.whichGame });
    this.aside = el("div", { class: "mending" });
    this.ending = el("p", { class: "ending" });
    this.game = null;
    this.editing = null;
    this.sending = null;
    this.evening.addEventListener("change", () => this.draw());
    if (this.mayWrite) {
      this.parts.form.replaceChildren(this.games, this.heading, this.seats, this.aside, this.form.root, this.ending);
      this.next();
    } else {
      this.parts.form.replaceChildren(this.heading, this.seats);
    }
    this.draw();
  }

  /** The game that is due next: where several play at one table, the one that was chosen, or the first. */
  get due() {
    const following = this.evening.ledger.following;
    return following.find((one) => one.game === this.game) ?? following[0] ?? null;
  }

  draw() {
    this.drawHead();
    drawLog(this.parts.log, {
      evening: this.evening,
      words: this.words,
      mend: this.mayWrite && !this.evening.ledger.closed ? (deal) => this.mend(deal) : null,
    });
    if (!this.mayWrite) return;
    const closed = this.evening.ledger.closed && !this.editing;
    this.form.root.hidden = closed || (!this.editing && !this.due);
    this.drawGames();
    this.drawEnding();
    if (!this.editing && this.due && !this.sending) this.form.reseat(this.nextSlip());
  }

  drawHead() {
    const { words, evening, editing } = this;
    const seating = editing ? editing.seating : this.due?.seating;
    const number = editing ? editing.number : this.due?.number;
    const left = evening.ledger.deals_left;
    if (!editing && evening.ledger.closed) {
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
    this.seats.textContent = told.join(" · ");
  }

  drawGames() {
    const { following } = this.evening.ledger;
    this.games.hidden = following.length < 2 || Boolean(this.editing);
    this.games.replaceChildren(...following.map((one) =>
      el("button", {
        type: "button", class: "choice", "aria-pressed": String(one === this.due), text: this.words.listed(["forehand", "middlehand", "backhand"].map((seat) => this.evening.called(one.seating[seat]))),
        on: { click: () => { this.game = one.game; this.draw(); } },
      }),
    ));
  }

  drawEnding() {
    const { words, evening } = this;
    const done = evening.ledger.deals_left === 0;
    if (evening.ledger.closed || this.editing) return this.ending.replaceChildren();
    if (this.ending.firstChild && this.ending.dataset.done === String(done)) return undefined;
    this.ending.dataset.done = String(done);
    const button = el("button", { type: "button", class: done ? "worded is-main" : "worded", text: words.slip.end, on: { click: () => this.askToEnd() } });
    return this.ending.replaceChildren(done ? words.slip.planned : "", " ", button);
  }

  askToEnd() {
    const { words } = this;
    const id = newId();
    const yes = el("button", { type: "button", class: "worded is-main", text: words.slip.endYes, on: { click: () => this.trying(() => closeTable(this.evening, id)) } });
    const no = el("button", { type: "button", class: "worded", text: words.slip.endNo, on: { click: () => { this.ending.replaceChildren(); this.drawEnding(); } } });
    this.ending.replaceChildren(words.slip.endAsk, " ", yes, " ", no);
    yes.focus();
  }

  // The next deal

  next() {
    this.ids = draft();
    if (this.due) this.form.begin(this.nextSlip());
  }

  nextSlip() {
    const { rules } = this.evening;
    const { seating, pool, reserved } = this.due;
    const opened = this.evening.log(this.evening.table)[0] ?? {};
    return {
      opening: openingFor(rules, opened, seating, pool === null ? {} : { pool, ...(reserved.length ? { reserved } : {}) }),
      seating,
      label: this.words.slip.confirm,
    };
  }

  async confirm(result) {
    if (this.editing) return this.confirmMended(result);
    // What has set out keeps its seats and its ids until it is answered, whatever is told meanwhile.
    this.sending ??= { ids: this.ids, seating: this.due.seating, number: this.due.number, result };
    const { ids, seating, number } = this.sending;
    const done = await this.trying(() => recordDeal(this.evening, ids, seating, this.sending.result));
    this.form.hold(done === "kept");
    if (done === "kept") return undefined;
    this.sending = null;
    if (done !== "done") {
      this.ids = draft();
      return this.draw();
    }
    this.next();
    this.draw();
    return this.stored(this.words.slip.written(number));
  }

  /** Says what is stored now, with the next slip before the eyes. */
  stored(sentence) {
    this.form.say(sentence);
    if (this.parts.form.getBoundingClientRect().top < 0) this.parts.form.scrollIntoView({ block: "start" });
    this.heading.focus({ preventScroll: true });
  }

  /** "done"; "kept" where nobody answered and the same is to be sent again; "refused" where it cannot be so. */
  async trying(act) {
    try {
      await act();
      return "done";
    } catch (refused) {
      if (refused.status === undefined) throw refused;
      this.form.say(refusalTold(this.words, refused));
      return refused.status === 0 || refused.status >= 500 || refused.status === 429 ? "kept" : "refused";
    }
  }

  // An earlier deal

  mend(deal) {
    const { words } = this;
    const seating = deal.line?.seating ?? deal.opening?.players;
    this.editing = { ...deal, seating: { ...seating }, ids: draft() };
    const first = !deal.result;
    this.reason = el("input", { type: "text", id: "reason", maxlength: "200", value: first ? "" : words.slip.usualReason, autocomplete: "off" });
    const back = el("button", { type: "button", class: "worded", text: words.slip.back, on: { click: () => this.stopMending() } });
    const strike = el("button", { type: "button", class: "worded", text: words.slip.strike, on: { click: () => this.strike() } });
    const field = el("div", { class: "reason" }, el("label", { for: "reason", text: words.slip.reason }), this.reason);
    this.aside.replaceChildren(field, el("p", { class: "mending-ways" }, back, strike));
    this.form.begin({
      opening: deal.opening,
      seating: this.editing.seating,
      facts: factsOf(deal.result?.event, this.editing.seating),
      label: first ? words.slip.confirm : words.slip.confirmMended,
    });
    this.draw();
    this.parts.form.scrollIntoView({ block: "start" });
    this.heading.focus({ preventScroll: true });
  }

  stopMending() {
    this.editing = null;
    this.aside.replaceChildren();
    this.next();
    this.draw();
  }

  async confirmMended(result) {
    const { editing, words } = this;
    const reason = this.reasonGiven();
    if (editing.result && !reason) return undefined;
    const act = editing.result
      ? () => correctResult(this.evening, editing.ids, { deal: editing.deal, address: editing.result.address, result, reason })
      : () => recordResult(this.evening, editing.ids, editing.deal, result);
    if ((await this.trying(act)) !== "done") return undefined;
    this.stopMending();
    return this.stored(editing.result ? words.slip.mended(editing.number) : words.slip.written(editing.number));
  }

  async strike() {
    const { editing, words } = this;
    const reason = this.reasonGiven();
    if (!reason) return;
    if ((await this.trying(() => strikeDeal(this.evening, editing.ids, { address: editing.address, reason }))) !== "done") return;
    this.stopMending();
    this.stored(words.slip.struck(editing.number));
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

opened((page) => new Slip(page));
