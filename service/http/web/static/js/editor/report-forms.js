/**
 * A report whose reader may record: what they write below it is appended to the deal's log, decided on the version that the
 * report shows; then the report is updated. An entry keeps its id until the service has answered, so that what was
 * sent twice is stored once.
 */

import { ApiError, newId, sendRequest } from "../core/api.js";
import "../core/print-button.js";
import { isTemporaryFailure } from "../core/outbox-sender.js";

const root = document.querySelector("[data-deal]");
const status = root.querySelector("[data-status]");
const reportPart = document.querySelector("[data-report]");
let isSending = false;

/** A field whose value is not valid; the text says why. */
class InvalidField extends Error {
  constructor(field, text) {
    super(text);
    this.field = field;
  }
}

/** What a form makes: one event, or several that are stored together. Throws `InvalidField`. */
function buildEvents(form) {
  for (const field of form.elements) {
    if (field.required && !field.value.trim()) throw new InvalidField(field, root.dataset.needed);
  }
  if (form.dataset.corrections) {
    const reasons = [...form.querySelectorAll("[name=reason]")].map((field) => field.value.trim());
    return JSON.parse(form.dataset.corrections).map((correction, index) => ({ ...correction, reason: reasons[index] }));
  }
  const event = { type: form.dataset.event };
  for (const field of form.elements) {
    const [name, who] = field.name?.split(/\.(.*)/s) ?? [];
    const reason = field.value?.trim();
    if (!name || !reason) continue;
    if (who === undefined) event[name] = reason;
    else (event[name] ??= {})[who] = parseWholeNumber(field, reason);
  }
  if (event.payments && root.dataset.uneven) confirmUnevenPayments(form, event.payments);
  return [event];
}

/** Where no pool gives or takes, payments that do not even out are most often a slip: sent again as they are, they are meant so. */
function confirmUnevenPayments(form, payments) {
  const paymentsKey = JSON.stringify(payments);
  const inAll = Object.values(payments).reduce((sum, chips) => sum + chips, 0);
  if (inAll === 0 || form.dataset.meant === paymentsKey) return;
  form.dataset.meant = paymentsKey;
  const chips = `${inAll > 0 ? "+" : "−"}${Math.abs(inAll)}`;
  throw new InvalidField(form.querySelector("[name^='payments.']"), root.dataset.uneven.replace("{chips}", chips));
}

function parseWholeNumber(field, text) {
  const number = Number(text.replace("−", "-").replace(/^\+/, ""));
  if (!Number.isInteger(number)) throw new InvalidField(field, root.dataset.noNumber.replace("{text}", text));
  return number;
}

/** The events with their ids: the same ones as before, where the same is sent again. */
function withStableIds(form, events) {
  const eventsKey = JSON.stringify(events);
  if (form.dataset.eventsKey !== eventsKey) {
    form.dataset.eventsKey = eventsKey;
    form.dataset.ids = events.map(() => newId()).join(" ");
  }
  const ids = form.dataset.ids.split(" ");
  return events.map((event, index) => ({ ...event, id: ids[index] }));
}

async function submitForm(form) {
  if (isSending) return;
  const answer = form.querySelector("[data-answer]");
  answer.replaceChildren();
  status.replaceChildren();
  form.querySelectorAll("[aria-invalid]").forEach((field) => field.removeAttribute("aria-invalid"));
  isSending = true;
  form.setAttribute("aria-busy", "true");
  try {
    const events = withStableIds(form, buildEvents(form));
    const session = document.body.dataset.session;
    await sendRequest("POST", `/deals/${root.dataset.deal}/events`, events, { version: reportPart.dataset.version, session });
    form.reset();
    delete form.dataset.eventsKey;
    delete form.dataset.meant;
    form.closest("details")?.removeAttribute("open");
    await reloadReport();
    status.replaceChildren(root.dataset.written);
    focusPart(reportPart.querySelector(form.dataset.corrections ? ".report-corrections" : ".report-rulings"));
  } catch (error) {
    await showError(error, answer);
  } finally {
    isSending = false;
    form.removeAttribute("aria-busy");
  }
}

/** Leads to the part of the report in which it stands now. */
function focusPart(part) {
  part.tabIndex = -1;
  part.focus();
}

/** Says why nothing was written; if others wrote meanwhile, shows the current report. */
async function showError(error, answer) {
  if (error instanceof InvalidField) {
    answer.replaceChildren(error.message);
    error.field.setAttribute("aria-invalid", "true");
    error.field.focus();
  } else if (error instanceof ApiError && error.type === "stale-version") {
    await reloadReport().catch(() => null);
    answer.replaceChildren(root.dataset.stale);
  } else if (error instanceof ApiError) {
    answer.replaceChildren(isTemporaryFailure(error) ? root.dataset.noAnswer : error.message);
  } else throw error;
}

/** The report as the service makes it now, with what it proposes; what is being written in other forms stays. */
async function reloadReport() {
  const answer = await fetch(location.href, { headers: { Accept: "text/html" } }).catch(() => null);
  if (!answer?.ok) throw new ApiError(answer?.status ?? 0);
  const newDocument = new DOMParser().parseFromString(await answer.text(), "text/html");
  const report = newDocument.querySelector("[data-report]");
  reportPart.dataset.version = report.dataset.version;
  reportPart.replaceChildren(...report.childNodes);
  root.querySelector("[data-proposals]").replaceChildren(...newDocument.querySelector("[data-proposals]").childNodes);
}

root.addEventListener("submit", (event) => {
  event.preventDefault();
  submitForm(event.target);
});
