// @ts-check
/** What a person is asked about an entry, or told of it: one thing at a time, in a place of its own. */

import { formatApiError } from "../core/deal-text.js";
import { outbox } from "../core/outbox.js";
import { t } from "../core/texts.js";
import words from "../messages/evening.js";
import { SEATS } from "../replay/card-tracks.js";
import { html } from "../vendor/preact.js";
import { Findings, formatEntry, formatStandingEntry } from "./entry-text.js";
import { findFormName } from "./event-forms.js";
import { formatTrickCounts } from "./table-board.js";

/** @import { DealEvent } from "./recorded-deal.js" */
/** @import { Correction, LastEntry, RecorderSession } from "./session.js" */
/** @import { QueuedEntry, Remark } from "./pending-entries.js" */
/** @typedef {{ kind: string, heading: string, body?: unknown, more?: unknown, actions: Action[] }} Question */
/** @typedef {[name: string, label: string, act: () => unknown]} Action */

/** What a player can take back at the table. */
const WITHDRAWABLE_TYPES = new Set([
  "bid_made",
  "card_played",
  "cards_discarded",
  "cards_drawn",
  "cards_shown",
  "contract_named",
  "trump_named",
  "slam_announced",
  "tricks_claimed",
  "deal_abandoned",
]);

/** What is entered on a pad; all else by its form. */
const PAD_EVENT_TYPES = new Set([
  "bid_made",
  "contract_named",
  "trump_named",
  "talon_turned",
  "cards_discarded",
  "cards_drawn",
  "card_played",
]);

/** The question, the first action to the fore. @param {{ question: Question }} props */
export function Notice({ question: { kind, heading, body, more, actions } }) {
  // While an entry is corrected, what is tapped below is to the fore.
  const main = kind === "correcting" || kind === "offer" ? -1 : 0;
  return html`<div class="notice is-${kind}" data-notice=${kind}>
    <p class="notice-head"><b>${heading}</b></p>
    ${body}
    <p class="notice-actions">${actions.map(([name, label, act], index) => html`<button key=${name} type="button" class="button ${index === main ? "is-main" : ""}" data-way=${name} onClick=${act}>${label}</button>`)}</p>
    ${more}
  </div>`;
}

/** What is asked now, or null. @type {(session: RecorderSession) => Question | null} */
export function findQuestion(session) {
  const { pending, undoTarget, correction, doubt, hasOpenOffer } = session;
  if (pending.blockedEntry) return askAboutEntry(session, pending.blockedEntry);
  if (doubt.value) return askAboutCorrection(session, doubt.value);
  if (undoTarget.value) return askUndo(session, undoTarget.value);
  if (correction.value) return askHowToCorrect(session, correction.value);
  if (pending.remark) return tellRemark(session, pending.remark);
  return hasOpenOffer && session.mayWrite ? askOffer(session) : null;
}

/** @type {(session: RecorderSession, events: DealEvent[]) => unknown} */
const entryLines = ({ record }, events) =>
  events.map(
    (event) => html`<p class="notice-entry">${formatEntry(record.withMemberNames(event), record.current.state)}</p>`,
  );

/** @type {(session: RecorderSession, entry: QueuedEntry) => Question} */
function askAboutEntry(session, entry) {
  const { pending, record } = session;
  const { problem } = entry;
  /** @type {Action} */
  const drop = ["drop", t("Throw it away"), () => pending.discard(entry)];
  /** @type {Action} */
  const again = ["again", t("Send again"), () => outbox.resend(entry.id)];
  const error = () => formatApiError(words, { type: problem.type, status: problem.status, message: problem.detail });
  if (entry.context?.kind === "begun") {
    const heading =
      entry.state === "conflict"
        ? t("Others have written something at the table meanwhile. Should this deal come after theirs?")
        : error();
    return {
      kind: "begun",
      heading,
      actions: [
        [again[0], t("Yes, put it after theirs"), again[2]],
        ["drop", t("Throw the deal away"), drop[2]],
      ],
    };
  }
  const own = entryLines(
    session,
    pending.listFrom(entry).flatMap(({ events }) => events),
  );
  if (entry.state === "conflict") {
    const body = [
      entryLines(session, entry.between.events),
      html`<p class="muted">${t("You wanted to write:")}</p>`,
      own,
    ];
    return {
      kind: "overtaken",
      heading: t("Somebody else has written meanwhile:"),
      body,
      actions: [drop, ["still", t("Write it anyway"), again[2]]],
    };
  }
  if (problem.type !== "against-the-rules")
    return { kind: "refused", heading: error(), body: own, actions: [drop, again] };
  const body = problem.findings
    ? html`<${Findings} findings=${record.withMemberNames(problem.findings)} />`
    : html`<p>${problem.detail}</p>`;
  return {
    ...againstTheRules(
      body,
      () => pending.discardMistake(entry),
      () => pending.insist(entry),
    ),
  };
}

/** @type {(body: unknown, no: () => unknown, happened: () => unknown) => Question} */
const againstTheRules = (body, no, happened) => ({
  kind: "against",
  heading: t("That is against the rules:"),
  body,
  actions: [
    ["no", t("No, correct it"), no],
    ["happened", t("It really happened"), happened],
  ],
});

/** @type {(session: RecorderSession, doubt: { findings: any[], event: DealEvent }) => Question} */
function askAboutCorrection(session, { findings, event }) {
  const goBack = () => {
    session.doubt.value = null;
  };
  return againstTheRules(html`<${Findings} findings=${findings} />`, goBack, () =>
    session.submitCorrection(event, "as_played"),
  );
}

/** @type {(session: RecorderSession, target: LastEntry) => Question} */
function askUndo(session, target) {
  const { record, point } = session;
  const { event } = target.entry;
  const keep = () => {
    session.undoTarget.value = null;
  };
  /** @type {Action[]} */
  const actions = [["strike", t("Yes, a typing error"), () => session.undo("strike")]];
  if (!target.queuedEntry && WITHDRAWABLE_TYPES.has(event.type))
    actions.push(["withdraw", t("It was taken back at the table"), () => session.undo("withdraw")]);
  actions.push(["keep", t("Leave it"), keep]);
  const sentence = formatStandingEntry(record.withMemberNames(event), record, point.value.state);
  return { kind: "undo", heading: t("Take this out?"), body: html`<p class="notice-entry">${sentence}</p>`, actions };
}

/** @type {(session: RecorderSession, correction: Correction) => Question} */
function askHowToCorrect(session, correction) {
  const { event, insertsAfter } = correction;
  const form = PAD_EVENT_TYPES.has(event.type) ? null : findFormName(event.type);
  /** @type {Action[]} */
  const actions = insertsAfter
    ? []
    : [
        ["strike", t("Strike it out"), () => session.enter([])],
        ["insert", t("Something is missing after it"), () => session.insertAfter()],
      ];
  if (form && !insertsAfter) actions.unshift(["form", t("Correct"), () => session.openForm(form, event)]);
  actions.push(["stop", t("Leave it as it is"), () => session.stopCorrecting()]);
  const changeReason = (/** @type {InputEvent} */ { target }) =>
    session.changeCorrection({ reason: /** @type {HTMLInputElement} */ (target).value });
  const more = html`
    ${correction.fault && html`<p class="ask" role="alert">${correction.fault}</p>`}
    <div class="pad-field"><label for="why">${t("Why is it corrected?")}</label><input type="text" id="why" maxlength="200" autocomplete="off" value=${correction.reason} onInput=${changeReason} /></div>
    ${SEATS.includes(event.seat) && html`<div class="choices three" role="group" aria-label=${t("Who?")}>${SEATS.map((seat) => html`<button type="button" class="choice" data-who=${seat} aria-pressed=${String(session.actor.value === seat)} onClick=${() => session.chooseSeat(seat)}>${words.player(session.point.value.state, seat)}</button>`)}</div>`}`;
  const heading = insertsAfter
    ? t("Tap below what is missing.")
    : t("Tap the right entry below, or strike this one out.");
  return { kind: "correcting", heading, body: html`<p class="notice-entry">${correction.sentence}</p>`, more, actions };
}

/** @type {(session: RecorderSession, remark: Remark) => Question} */
function tellRemark({ pending }, { kind, findings = [], text = "" }) {
  /** @type {Action[]} */
  const actions = [["well", t("Fine"), () => pending.setRemark(null)]];
  if (kind === "found")
    return {
      kind,
      heading: t("Written down, with a remark:"),
      body: html`<${Findings} findings=${findings} />`,
      actions,
    };
  return {
    kind,
    heading: kind === "same" ? t("Somebody else has already written that; it is there only once.") : text,
    actions,
  };
}

/** What the others say to a claim, or to an offer to surrender; play may go on meanwhile. @type {(session: RecorderSession) => Question} */
function askOffer(session) {
  const { state, legal } = session.point.value;
  const { claim, surrender } = state;
  const nameOf = (/** @type {string} */ seat) => words.player(state, seat);
  const heading = claim
    ? t("{name} claims ({tricks}): do the others agree?", {
        name: nameOf(claim.seat),
        tricks: formatTrickCounts(claim.tricks, state),
      })
    : t("{name} offers to surrender: what do the others say?", { name: nameOf(surrender.seat) });
  const type = claim ? "claim_answered" : "surrender_answered";
  const answers = (/** @type {string} */ name) =>
    claim
      ? { accept: t("{name} agrees", { name }), contest: t("{name} does not agree", { name }) }
      : { accept: t("{name} accepts", { name }), forbid: t("{name} forbids it", { name }) };
  const asked = SEATS.filter((seat) =>
    legal?.also?.some((/** @type {any} */ one) => one.action === "answer" && one.seat === seat),
  );
  const actions = asked.flatMap((seat) =>
    Object.entries(answers(nameOf(seat))).map(
      ([answer, label]) =>
        /** @type {Action} */ ([`${answer}-${seat}`, label, () => session.enter([{ type, seat, answer }])]),
    ),
  );
  return { kind: "offer", heading, actions };
}
