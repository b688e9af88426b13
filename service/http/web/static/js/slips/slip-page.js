// @ts-check
/** The slip of a table: the next deal's result, what has been entered, and correcting it. */

import { outbox } from "../core/outbox.js";
import { isTight, RoomProbe } from "../core/room.js";
import { t, tc } from "../core/texts.js";
import { Chips, lacksPayment } from "../evening/deal-notes.js";
import { SeatingLists } from "../evening/seating-fields.js";
import { SeatingPanel } from "../evening/seating-panel.js";
import { SetAsidePanel } from "../evening/set-aside-panel.js";
import { SlipFindings } from "../evening/slip-findings.js";
import {
  buildAmendedEvents,
  closeTable,
  correctResult,
  recordDeal,
  recordResult,
  reopenTable,
  reseatOpening,
  restoreDeal,
  strikeDeal,
  withdrawTableEntry,
} from "../evening/table-entries.js";
import { canCorrect, TableLog } from "../evening/table-log.js";
import { openTablePage } from "../evening/table-page.js";
import { createTableRequest } from "../evening/table-request.js";
import words from "../messages/evening.js";
import { createRef, html, render, signal, useEffect, useRef, useSignal } from "../vendor/preact.js";
import { DiscardedEntries, PendingDecisions } from "./pending-decisions.js";
import { readSlipDraft, SlipDraft } from "./slip-draft.js";
import { ACTIVE_SEATS, readFacts } from "./slip-facts.js";
import { SlipForm } from "./slip-form.js";
import { SlipJudge } from "./slip-judge.js";

/** @typedef {import("../evening/table-log.js").Deal} Deal */
/** @typedef {import("../evening/table-entries.js").Address} Address */
/** @typedef {import("./slip-facts.js").Seating} Seating */
/** @typedef {import("./pending-decisions.js").Entry} Entry - of the outbox */
/**
 * @typedef {object} Editing - an earlier deal, or an entry that waits, as it is open in the form
 * @property {number} number
 * @property {Seating} seating
 * @property {Deal} [deal]
 * @property {Entry} [entry]
 * @property {any} [reseated] - its opening, with other places
 */

const PREVIEW_DEAL_ID = "00000000-0000-7000-8000-000000000000";
/** Milliseconds the service has to store something before the page says that it waits. */
const WAITING_NOTICE_DELAY_MS = 600;

/** What the page knows and does; its views are the components below. */
class SlipPage {
  /** The game that was chosen, where several are played at the table. */
  game = signal(/** @type {string | null} */ (null));
  editing = signal(/** @type {Editing | null} */ (null));
  status = signal(/** @type {import("./slip-form.js").Status} */ ({ text: "" }));
  /** The entry of the outbox that was confirmed last. @type {any} */
  confirmedEntry = null;
  reason = signal("");
  heading = createRef();
  reasonField = createRef();

  /** @param {import("../evening/table-page.js").TablePage} page @param {SlipDraft} draft */
  constructor({ root, parts, evening, mayWrite }, draft) {
    this.evening = evening;
    this.draft = draft;
    this.mayWrite = mayWrite;
    this.offersMembers = "offersMembers" in root.dataset;
    this.formRoot = parts.form;
    this.game.value = draft.draft?.game ?? null;
    this.seatingRequest = createTableRequest(evening);
    this.judge = new SlipJudge(evening, (facts) => this.saveDraft(facts));
    this.findings = new SlipFindings(evening);
    if (this.nextDeal) this.startNextSlip();
    evening.addEventListener("change", () => this.update());
    this.findings.refresh();
  }

  /** Takes what is new of the evening into the form. */
  update() {
    if (!this.editing.value && this.nextDeal) this.judge.reseat(this.buildNextSlip());
    this.findings.refresh();
  }

  /** The game that is due next: where several play at one table, the one that was chosen, or the first. */
  get nextDeal() {
    const following = this.evening.listNextDeals();
    return following.find((/** @type {any} */ one) => one.game === this.game.value) ?? following[0] ?? null;
  }

  /** Whether deals can be corrected. */
  get isEditable() {
    return this.mayWrite && !this.evening.isClosed;
  }

  get isOver() {
    return this.evening.isClosed || this.evening.isSetAside;
  }

  /** @param {string} game */
  chooseGame(game) {
    this.game.value = game;
    this.update();
  }

  // The next deal

  startNextSlip() {
    const { nextDeal } = this;
    if (nextDeal) this.judge.start(this.buildNextSlip(), this.draft.factsFor(nextDeal));
  }

  /** What was tapped is kept until it is written down; what is tapped in a correction belongs to that. @param {import("./slip-facts.js").Facts} facts */
  saveDraft(facts) {
    this.status.value = { text: "" };
    if (!this.editing.value && this.nextDeal) this.draft.update(this.nextDeal, facts);
  }

  buildNextSlip() {
    const { seating, pool, reserved } = this.nextDeal;
    const stakes = pool === null || pool === undefined ? {} : { pool, ...(reserved.length ? { reserved } : {}) };
    // The pool depends on deals that wait: what this one pays is not known yet.
    return { opening: this.buildPreviewOpening(seating, stakes), isJudgeable: pool !== undefined, seating };
  }

  /** The opening that a slip is judged by before it is stored. @param {Seating} seating @param {object} stakes */
  buildPreviewOpening(seating, stakes) {
    const { evening } = this;
    const { ruleset, revision, switches } = evening.logWithQueued(evening.table)[0] ?? {};
    const { forehand, middlehand, backhand, sitting_out, dealer } = seating;
    const known = revision ?? evening.rules?.revision;
    return {
      type: "deal_opened",
      id: PREVIEW_DEAL_ID,
      ruleset: ruleset ?? evening.rules?.id,
      players: { forehand, middlehand, backhand, ...(sitting_out?.length ? { sitting_out } : {}) },
      dealer,
      ...stakes,
      ...(known ? { revision: known } : {}),
      ...(switches ? { switches } : {}),
    };
  }

  /** @param {object} result */
  async confirmSlip(result) {
    const editing = this.editing.value;
    if (editing?.entry) return this.confirmAmendment(editing.entry, result);
    if (editing?.deal) return this.confirmCorrection(editing.deal, result);
    const { nextDeal } = this;
    const entry = await recordDeal(this.evening, nextDeal, result);
    this.draft.discard();
    this.startNextSlip();
    this.update();
    // The next slip can be filled in while this one is sent.
    this.showOutcome(entry, nextDeal.number, (number) => t("Deal {n} is written down.", { n: number }));
  }

  /**
   * Says what was done, with the next slip before the eyes: that it is stored, or that it is kept here until then.
   * @param {any} entry - of the outbox
   * @param {number} number
   * @param {(number: number) => string} formatStored
   */
  async showOutcome(entry, number, formatStored) {
    this.showForm();
    this.confirmedEntry = entry;
    const show = (/** @type {any} */ { answers }) =>
      this.say(formatStored(startedDealNumber(answers) ?? number), entry);
    const end = await outbox.waitForOutcome(entry.id, this.evening.isReachable ? WAITING_NOTICE_DELAY_MS : 0);
    // The next slip may have been confirmed meanwhile: the status is about that.
    if (this.confirmedEntry !== entry) return;
    if (end.state === "stored") return show(end);
    // The question stands above the form, with all its answers.
    if (end.state !== "waiting") return this.say("");
    this.say(t("Deal {n} is stored here and sent later.", { n: number }), entry);
    const said = this.status.value;
    outbox.waitForOutcome(entry.id, Infinity).then((/** @type {any} */ outcome) => {
      if (this.status.value !== said) return;
      // What is asked stands above the form, and may be out of sight.
      if (outcome.state === "stored") show(outcome);
      else this.say(t("See the question above."));
    });
  }

  /** Says something until something else is tapped, with the button to correct the deal that `entry` wrote. @param {string} text @param {any} [entry] */
  say(text, entry) {
    const [, kind, id] = entry?.writes.at(-1).stream.split("/") ?? [];
    const find = () => this.evening.listDeals().find((one) => one.deal === id);
    const deal = kind === "deals" ? find() : undefined;
    const act = () => this.correctDeal(/** @type {Deal} */ (find()));
    const action =
      deal && canCorrect(deal) ? { text: t("Correct"), label: t("Correct deal {n}", { n: deal.number }), act } : null;
    this.status.value = { text, action };
  }

  showForm() {
    if (this.formRoot.getBoundingClientRect().top < 0) this.formRoot.scrollIntoView({ block: "start" });
    this.heading.current?.focus({ preventScroll: true });
  }

  // An earlier deal

  /** @param {Deal} deal */
  correctDeal(deal) {
    const seating = { ...(deal.line?.seating ?? deal.opening?.players) };
    this.reason.value = !deal.result ? "" : lacksPayment(deal) ? t("The tricks were missing") : words.slip.usualReason;
    this.openInForm({ number: deal.number, seating, deal }, deal.result?.event, deal.opening);
  }

  /** What the service did not take is changed before it is sent again; they sat as they sat. @param {Entry} entry */
  amendEntry(entry) {
    const { seating, number, result } = entry.context;
    this.openInForm({ number, seating: { ...seating }, entry }, result, null);
  }

  /** @param {Editing} editing @param {object | undefined} result @param {any} opening - as the table will complete it, where it is not stored */
  openInForm(editing, result, opening) {
    const { seating } = editing;
    this.editing.value = editing;
    this.status.value = { text: "" };
    const known = opening?.ruleset ? opening : this.buildPreviewOpening(seating, {});
    this.judge.start({ opening: known, isJudgeable: true, seating }, readFacts(result, seating));
    this.formRoot.scrollIntoView({ block: "start" });
    this.heading.current?.focus({ preventScroll: true });
  }

  /** The earlier deal with other places, and what it then pays. @param {Seating} seating */
  reseatEdited(seating) {
    const editing = /** @type {Editing} */ (this.editing.value);
    const reseated = reseatOpening(editing.deal?.opening, seating);
    this.editing.value = { ...editing, seating, reseated };
    this.judge.reseat({ opening: reseated, isJudgeable: true, seating });
  }

  stopEditing() {
    this.editing.value = null;
    this.status.value = { text: "" };
    this.startNextSlip();
    this.update();
  }

  /** @param {Deal} deal @param {object} result */
  async confirmCorrection(deal, result) {
    const { number, seating, reseated } = /** @type {Editing} */ (this.editing.value);
    const needsReason = Boolean(deal.result || reseated);
    const reason = needsReason ? this.readReason() : "";
    if (needsReason && !reason) return;
    const opening = reseated ? { address: /** @type {Address} */ (deal.openingAddress), event: reseated } : null;
    const corrected = { ...deal, number, seating, address: /** @type {Address} */ (deal.result?.address), opening };
    const entry = await (deal.result ? correctResult : recordResult)(this.evening, corrected, result, reason);
    this.stopEditing();
    const done = (/** @type {number} */ n) =>
      deal.result ? t("Deal {n} is corrected.", { n }) : t("Deal {n} is written down.", { n });
    this.showOutcome(entry, number, done);
  }

  /** @param {Entry} entry @param {object} result */
  async confirmAmendment(entry, result) {
    const { number, seating } = /** @type {Editing} */ (this.editing.value);
    const [events, rest] = /** @type {any[]} */ (buildAmendedEvents(entry, seating, result));
    await outbox.amend(entry.id, events, { rest, context: { ...entry.context, seating, result } });
    this.stopEditing();
    this.showOutcome(entry, number, (n) => t("Deal {n} is written down.", { n }));
  }

  /** @param {Deal} deal */
  async strikeDeal(deal) {
    const reason = this.readReason();
    if (!reason) return;
    const entry = await strikeDeal(this.evening, deal, reason);
    this.stopEditing();
    await this.showOutcome(entry, deal.number, (n) => t("Deal {n} is struck out.", { n }));
  }

  /** @param {Deal} deal */
  async restoreDeal(deal) {
    const entry = await restoreDeal(this.evening, deal, t("Restored"));
    await this.showOutcome(entry, deal.number, (n) => t("Deal {n} counts again.", { n }));
  }

  /** Takes back that somebody came or went. @param {import("../evening/table-log.js").SeatingChange} change */
  undoChange({ address }) {
    const act = (/** @type {string} */ id) =>
      withdrawTableEntry(this.evening, id, { address, reason: words.slip.usualReason });
    return this.seatingRequest.run(`undo ${address}`, act, t("It is undone."));
  }

  readReason() {
    const reason = this.reason.value.trim();
    if (!reason) {
      this.say(t("Say why it is corrected."));
      this.reasonField.current?.focus();
    }
    return reason;
  }
}

/** The number that a deal has got, which is another where others wrote first; undefined where none was started. @param {any[]} answers */
const startedDealNumber = (answers = []) =>
  answers.flatMap((one) => one?.table?.events ?? []).find((event) => event.type === "deal_started")?.number;

/** @param {{ page: SlipPage }} props */
function SlipView({ page }) {
  const { evening, mayWrite, isOver } = page;
  const editing = page.editing.value;
  if (!mayWrite) return html`<${Strip} page=${page} /><${Standings} evening=${evening} />`;
  const isFormShown = editing !== null || (!isOver && page.nextDeal !== null && page.judge.deal.value !== null);
  const isFirst = !editing?.deal?.result;
  return html`
    <${RoomProbe} />
    <${Strip} page=${page} />
    <${PendingDecisions} evening=${evening} onAmend=${(/** @type {Entry} */ entry) => page.amendEntry(entry)} />
    ${!editing && html`<${GameChoices} page=${page} />`}
    ${editing && html`<${Correction} key=${editing.number} page=${page} editing=${editing} />`}
    ${
      isFormShown &&
      html`<${SlipForm} judge=${page.judge} evening=${evening} status=${page.status.value} passesAtOnce=${!editing} onConfirm=${(/** @type {object} */ result) => page.confirmSlip(result)}
        label=${isFirst ? tc("evening", "Write it down") : t("Write the correction")} />`
    }
    ${(isOver || isTight.value) && !editing && html`<${Standings} evening=${evening} />`}
    ${!isOver && !editing && html`<${SeatingPanel} evening=${evening} offersMembers=${page.offersMembers} request=${page.seatingRequest} />`}
    ${!editing && !evening.isSetAside && html`<${Ending} evening=${evening} />`}
    ${!editing && html`<${SetAsidePanel} evening=${evening} />`}
  `;
}

/** Which deal it is, who deals, who sits out, how all stand; and which deal lacks its payment, until that is settled. @param {{ page: SlipPage }} props */
function Strip({ page }) {
  const { evening } = page;
  const editing = page.editing.value;
  const shown = editing ?? (page.isOver ? null : page.nextDeal);
  const { lines, standings } = evening.ledger;
  return html`
    <header class="slip-strip">
      <h2 ref=${page.heading} class="deal-number" tabindex="-1">${stripHeading(page, shown?.number)}</h2>
      <${Seats} evening=${evening} seating=${shown?.seating} left=${editing ? null : evening.dealsLeft} />
      ${
        page.mayWrite &&
        !page.isOver &&
        !isTight.value &&
        html`<dl class="deal-totals" aria-label=${t("How it stands")}>
          ${(lines.length ? standings : evening.ledger.players.map((/** @type {string} */ player) => ({ player, chips: 0 }))).map((/** @type {any} */ { player, chips }) => html`<div key=${player}><dt>${evening.displayName(player)}</dt><dd><${Chips} number=${chips} /></dd></div>`)}
        </dl>`
      }
      <${Unsettled} page=${page} />
    </header>
  `;
}

/** @param {SlipPage} page @param {number | undefined} number */
function stripHeading(page, number) {
  if (page.editing.value) return t("Correct deal {n}", { n: number });
  if (page.evening.isSetAside) return t("The table is set aside");
  if (page.evening.isClosed) return t("The evening is over");
  return number === undefined ? t("There are too few players at the table") : words.slip.deal(number);
}

/** @param {{ evening: import("../evening/evening.js").Evening, seating?: Seating, left: number | null }} props */
function Seats({ evening, seating, left }) {
  const sittingOut = (seating?.sitting_out ?? []).map((player) => evening.displayName(player));
  const parts = [
    seating?.dealer && words.slip.deals(evening.displayName(seating.dealer)),
    sittingOut.length > 0 && words.slip.sitsOut(words.listed(sittingOut), sittingOut.length),
    seating && left !== null && (left === 1 ? t("the last deal") : t("{n} left", { n: left })),
  ].filter(Boolean);
  // Each of them stands in one line as long as it has room there.
  return html`<p class="deal-seats">${parts.map((one, index) => html`<span>${one}${index < parts.length - 1 && " ·"}</span>${" "}`)}</p>`;
}

/** @param {{ page: SlipPage }} props */
function Unsettled({ page }) {
  const deals = page.evening.listDeals().filter(lacksPayment).reverse();
  if (!deals.length || page.editing.value) return null;
  const numbers = words.listed(deals.map((deal) => String(deal.number)));
  const [first] = deals;
  return html`
    <p class="unsettled" role="status">
      <span>${deals.length === 1 ? t("Deal {n} lacks its payment", { n: numbers }) : t("Deals {numbers} lack their payment", { numbers })}</span>
      ${page.isEditable && html`<button type="button" class="button" aria-label=${t("Add tricks: deal {n}", { n: first.number })} onClick=${() => page.correctDeal(first)}>${t("Add tricks")}</button>`}
    </p>
  `;
}

/** Onlookers, and everybody after the evening, have nothing to fill in: they see the standings. @param {{ evening: import("../evening/evening.js").Evening }} props */
function Standings({ evening }) {
  const { lines, standings } = evening.ledger;
  if (!lines.length) return html`<div class="current-standings" />`;
  return html`
    <div class="current-standings">
      <h3>${t("How it stands")}</h3>
      <dl>${standings.map((/** @type {any} */ { player, chips }) => html`<div><dt>${evening.displayName(player)}</dt><dd><${Chips} number=${chips} /></dd></div>`)}</dl>
    </div>
  `;
}

/** @param {{ page: SlipPage }} props */
function GameChoices({ page }) {
  const following = page.evening.listNextDeals();
  if (page.isOver || following.length < 2) return null;
  const names = (/** @type {Seating} */ seating) =>
    words.listed(ACTIVE_SEATS.map((seat) => page.evening.displayName(seating[seat])));
  return html`
    <div class="choices two" role="group" aria-label=${t("Which game")}>
      ${following.map((/** @type {any} */ one) => html`<button type="button" class="choice" aria-pressed=${String(one.game === page.nextDeal?.game)} onClick=${() => page.chooseGame(one.game)}>${names(one.seating)}</button>`)}
    </div>
  `;
}

/** What can be done with the deal that is corrected, besides another result. @param {{ page: SlipPage, editing: Editing }} props */
function Correction({ page, editing: { deal, number } }) {
  const isAsking = useSignal(false);
  const strike = useRef(/** @type {HTMLElement | null} */ (null));
  const answer = useRef(/** @type {HTMLElement | null} */ (null));
  const wasAsking = useRef(false);
  useEffect(() => {
    if (isAsking.value !== wasAsking.current) (isAsking.value ? answer : strike).current?.focus();
    wasAsking.current = isAsking.value;
  }, [isAsking.value]);
  const ask = () => {
    if (page.readReason()) isAsking.value = true;
  };
  return html`
    <div class="correction-fields">
      ${
        deal &&
        html`
        <div class="reason">
          <label for="reason">${t("Why is it corrected?")}</label>
          <input ref=${page.reasonField} type="text" id="reason" maxlength="200" autocomplete="off" value=${page.reason.value} onInput=${(/** @type {any} */ event) => (page.reason.value = event.target.value)} />
        </div>
      `
      }
      ${deal && !deal.opening.queued && html`<${SeatingChange} page=${page} seating=${{ ...(deal.line?.seating ?? deal.opening?.players) }} />`}
      ${
        isAsking.value && deal
          ? html`
            <p class="form-actions" key="asking">
              <span>${t("Strike deal {n} out? Then it no longer counts.", { n: number })}</span>
              <button ref=${answer} type="button" class="button is-main" onClick=${() => page.strikeDeal(deal)}>${t("Yes, strike it out")}</button>
              <button type="button" class="button" onClick=${() => (isAsking.value = false)}>${t("No")}</button>
            </p>
          `
          : html`
            <p class="form-actions" key="actions">
              <button type="button" class="button" onClick=${() => page.stopEditing()}>${t("Cancel")}</button>
              ${deal && !deal.opening.queued && html`<button ref=${strike} type="button" class="button" onClick=${ask}>${t("Strike the deal out")}</button>`}
            </p>
          `
      }
    </div>
  `;
}

/** Where who dealt, who sat where and who sat out is corrected. @param {{ page: SlipPage, seating: Seating }} props */
function SeatingChange({ page, seating }) {
  const { evening } = page;
  const rounds = evening.ledger.following
    .flatMap((/** @type {any} */ next) => [next.seating, ...(next.then ?? [])])
    .filter(Boolean);
  return html`
    <details class="seating-change">
      <summary>${words.seating.heading}</summary>
      <${SeatingLists} seating=${seating} players=${evening.ledger.players} rounds=${rounds} displayName=${(/** @type {string} */ player) => evening.displayName(player)} onChange=${(/** @type {Seating} */ changed) => page.reseatEdited(changed)} />
    </details>
  `;
}

/** The end of the evening; closed by mistake, one tap opens it again, and the record keeps both. @param {{ evening: import("../evening/evening.js").Evening }} props */
function Ending({ evening }) {
  const isAsking = useSignal(false);
  const answer = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => answer.current?.focus(), [isAsking.value]);
  const close = () => {
    isAsking.value = false;
    closeTable(evening);
  };
  if (evening.isClosed) {
    const sheet = /** @type {HTMLAnchorElement} */ (document.querySelector(".table-nav a[href*='/sheet']")).href;
    // What has still to be sent has no place in the log yet that could be taken back.
    return html`
      <p class="end-actions">
        <a class="button is-main" href=${sheet}>${t("See the score sheet")}</a> ${words.slip.overHow}
        ${evening.ledger.closed && html` <button type="button" class="button" onClick=${() => reopenTable(evening, t("The table was opened again"))}>${words.slip.reopen}</button>`}
      </p>
    `;
  }
  if (!isAsking.value) {
    const isPlanDone = evening.dealsLeft === 0;
    return html`
      <p class="end-actions">
        ${isPlanDone && `${t("That was the last deal agreed on.")} `}
        <button type="button" class=${isPlanDone ? "button is-main" : "button"} onClick=${() => (isAsking.value = true)}>${t("That is all for tonight")}</button>
      </p>
    `;
  }
  const open = evening
    .listUnfinishedDeals()
    .map((deal) => String(deal.number))
    .reverse();
  const numbers = words.listed(open);
  const warning =
    open.length === 1
      ? t("Deal {numbers} is not finished.", { numbers })
      : t("Deals {numbers} are not finished.", { numbers });
  return html`
    <p class="end-actions">
      ${open.length > 0 && `${warning} `}${t("Close the table? After that, nobody can write more deals.")}
      <button ref=${answer} type="button" class="button is-main" onClick=${close}>${t("Yes, close it")}</button>
      <button type="button" class="button" onClick=${() => (isAsking.value = false)}>${t("No")}</button>
    </p>
  `;
}

/** @param {{ page: SlipPage }} props */
function LogView({ page }) {
  return html`<${TableLog} evening=${page.evening} findings=${page.findings} isEditable=${page.isEditable}
    onCorrect=${(/** @type {Deal} */ deal) => page.correctDeal(deal)} onRestore=${(/** @type {Deal} */ deal) => page.restoreDeal(deal)}
    onUndo=${(/** @type {import("../evening/table-log.js").SeatingChange} */ change) => page.undoChange(change)} />`;
}

/** @param {{ page: SlipPage }} props */
function DiscardedView({ page }) {
  return page.mayWrite && html`<${DiscardedEntries} evening=${page.evening} />`;
}

openTablePage(async (tablePage) => {
  const { evening, mayWrite, parts } = tablePage;
  const page = new SlipPage(
    tablePage,
    new SlipDraft(evening.table, mayWrite ? await readSlipDraft(evening.table) : null),
  );
  parts.form.replaceChildren();
  render(html`<${SlipView} page=${page} />`, parts.form);
  render(html`<${LogView} page=${page} />`, parts.log);
  render(html`<${DiscardedView} page=${page} />`, parts.discarded);
});
