// @ts-check
/**
 * A report whose reader may record: what they write below it is appended to the deal's log, decided on the version that the
 * report shows; then the report is updated. An entry keeps its id until the service has answered, so that what was
 * sent twice is stored once.
 */

import { ApiError, newId, sendRequest } from "../core/api.js";
import "../core/print-button.js";
import { isTemporaryFailure } from "../core/outbox-sender.js";

/** @typedef {HTMLInputElement} FormField */

const root = /** @type {HTMLElement} */ (document.querySelector("[data-deal]"));
const status = /** @type {HTMLElement} */ (root.querySelector("[data-status]"));
const reportPart = /** @type {HTMLElement} */ (document.querySelector("[data-report]"));
let isSending = false;

/** A field whose value is not valid; the text says why. */
class InvalidField extends Error {
  /** @param {FormField} field @param {string | undefined} text */
  constructor(field, text) {
    super(text);
    this.field = field;
  }
}

/** What a form makes: one event, or several that are stored together. Throws `InvalidField`. @param {HTMLFormElement} form @returns {Record<string, any>[]} */
function buildEvents(form) {
  const fields = /** @type {FormField[]} */ ([...form.elements]);
  for (const field of fields) {
    if (field.required && !field.value.trim()) throw new InvalidField(field, root.dataset.needed);
  }
  if (form.dataset.corrections) {
    const reasons = [.../** @type {NodeListOf<FormField>} */ (form.querySelectorAll("[name=reason]"))].map((field) =>
      field.value.trim(),
    );
    return JSON.parse(form.dataset.corrections).map(
      (/** @type {object} */ correction, /** @type {number} */ index) => ({ ...correction, reason: reasons[index] }),
    );
  }
  /** @type {Record<string, any>} */
  const event = { type: form.dataset.event };
  for (const field of fields) {
    const [name, who] = field.name?.split(/\.(.*)/s) ?? [];
    const reason = field.value?.trim();
    if (!name || !reason) continue;
    if (who === undefined) event[name] = reason;
    else {
      event[name] ??= {};
      event[name][who] = parseWholeNumber(field, reason);
    }
  }
  if (event.payments && root.dataset.uneven) confirmUnevenPayments(form, event.payments);
  return [event];
}

/** Where no pool gives or takes, payments that do not even out are most often a slip: sent again as they are, they are meant so. @param {HTMLFormElement} form @param {Record<string, number>} payments */
function confirmUnevenPayments(form, payments) {
  const paymentsKey = JSON.stringify(payments);
  const inAll = Object.values(payments).reduce((sum, chips) => sum + chips, 0);
  if (inAll === 0 || form.dataset.meant === paymentsKey) return;
  form.dataset.meant = paymentsKey;
  const chips = `${inAll > 0 ? "+" : "−"}${Math.abs(inAll)}`;
  const field = /** @type {FormField} */ (form.querySelector("[name^='payments.']"));
  throw new InvalidField(field, root.dataset.uneven?.replace("{chips}", chips));
}

/** @param {FormField} field @param {string} text */
function parseWholeNumber(field, text) {
  const number = Number(text.replace("−", "-").replace(/^\+/, ""));
  if (!Number.isInteger(number)) throw new InvalidField(field, root.dataset.noNumber?.replace("{text}", text));
  return number;
}

/** The events with their ids: the same ones as before, where the same is sent again. @param {HTMLFormElement} form @param {Record<string, any>[]} events */
function withStableIds(form, events) {
  const eventsKey = JSON.stringify(events);
  if (form.dataset.eventsKey !== eventsKey) {
    form.dataset.eventsKey = eventsKey;
    form.dataset.ids = events.map(() => newId()).join(" ");
  }
  const ids = form.dataset.ids?.split(" ") ?? [];
  return events.map((event, index) => ({ ...event, id: ids[index] }));
}

/** @param {HTMLFormElement} form */
async function submitForm(form) {
  if (isSending) return;
  const answer = /** @type {HTMLElement} */ (form.querySelector("[data-answer]"));
  answer.replaceChildren();
  status.replaceChildren();
  for (const field of form.querySelectorAll("[aria-invalid]")) field.removeAttribute("aria-invalid");
  isSending = true;
  form.setAttribute("aria-busy", "true");
  try {
    const events = withStableIds(form, buildEvents(form));
    const session = document.body.dataset.session;
    await sendRequest("POST", `/deals/${root.dataset.deal}/events`, events, {
      version: reportPart.dataset.version,
      session,
    });
    form.reset();
    delete form.dataset.eventsKey;
    delete form.dataset.meant;
    form.closest("details")?.removeAttribute("open");
    await reloadReport();
    status.replaceChildren(root.dataset.written ?? "");
    const written = reportPart.querySelector(form.dataset.corrections ? ".report-corrections" : ".report-rulings");
    focusPart(/** @type {HTMLElement} */ (written));
  } catch (error) {
    await showError(error, answer);
  } finally {
    isSending = false;
    form.removeAttribute("aria-busy");
  }
}

/** Leads to the part of the report in which it stands now. @param {HTMLElement} part */
function focusPart(part) {
  part.tabIndex = -1;
  part.focus();
}

/** Says why nothing was written; if others wrote meanwhile, shows the current report. @param {unknown} error @param {HTMLElement} answer */
async function showError(error, answer) {
  if (error instanceof InvalidField) {
    answer.replaceChildren(error.message);
    error.field.setAttribute("aria-invalid", "true");
    error.field.focus();
  } else if (error instanceof ApiError && error.type === "stale-version") {
    await reloadReport().catch(() => null);
    answer.replaceChildren(root.dataset.stale ?? "");
  } else if (error instanceof ApiError) {
    answer.replaceChildren(isTemporaryFailure(error) ? (root.dataset.noAnswer ?? "") : error.message);
  } else throw error;
}

/** The report as the service makes it now, with what it proposes; what is being written in other forms stays. */
async function reloadReport() {
  const answer = await fetch(location.href, { headers: { Accept: "text/html" } }).catch(() => null);
  if (!answer?.ok) throw new ApiError(answer?.status ?? 0);
  const newDocument = new DOMParser().parseFromString(await answer.text(), "text/html");
  const report = /** @type {HTMLElement} */ (newDocument.querySelector("[data-report]"));
  reportPart.dataset.version = report.dataset.version;
  reportPart.replaceChildren(...report.childNodes);
  const proposals = newDocument.querySelector("[data-proposals]")?.childNodes ?? [];
  root.querySelector("[data-proposals]")?.replaceChildren(...proposals);
}

root.addEventListener("submit", (event) => {
  event.preventDefault();
  submitForm(/** @type {HTMLFormElement} */ (event.target));
});
