// @ts-check
/** What the pages of a table share: what they know of it, the words, the line that says how they are connected. */

import { formatApiError } from "../core/deal-text.js";
import { outbox } from "../core/outbox.js";
import { t } from "../core/texts.js";
import words from "../messages/evening.js";
import { readCachedTable, startTableCache } from "./cached-tables.js";
import { Evening } from "./evening.js";

/** @typedef {Record<string, HTMLElement>} Parts - the elements with `data-part`, by that */
/** @typedef {{ root: HTMLElement, parts: Parts, evening: Evening, words: typeof words, mayWrite: boolean }} TablePage */

/** Milliseconds before the page says that something waits. */
const WAITING_NOTICE_DELAY_MS = 1200;

/** Opens the page: reads the table, follows it, and passes its state to `draw`. @param {(page: TablePage) => unknown} draw */
export async function openTablePage(draw) {
  const root = /** @type {HTMLElement} */ (document.querySelector("[data-table]"));
  const named = /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll("[data-part]"));
  /** @type {Parts} */
  const parts = Object.fromEntries([...named].map((part) => [part.dataset.part, part]));
  const cached = root.dataset.table ? null : await readCachedTable(tableIdInAddress());
  if (!root.dataset.table && !(cached && applyCachedPageTexts(root, cached))) {
    showNotCached(root, parts.connection, cached);
    return;
  }
  const frame = cached?.frame ?? readFrame(root);
  if (cached) fillFrame(root, frame);
  const { lang } = document.documentElement;
  const rules = cached
    ? (cached.rules[lang] ?? Object.values(cached.rules)[0])
    : JSON.parse(root.dataset.rules ?? "null");
  const evening = new Evening({ table: frame.table, rules, forgottenName: words.forgotten });
  const show = () => {
    showConnection(parts, evening);
    parts.aside.textContent = evening.isSetAside ? asideText(evening.ledger.voided) : "";
  };
  try {
    await evening.load(cached);
  } catch (error) {
    if (/** @type {any} */ (error).status === undefined) throw error;
    parts.connection.textContent = formatApiError(words, error);
    return;
  }
  // The stream sends the table's opening first; the drawing needs it.
  await evening.tableLogReady;
  evening.addEventListener("link", show);
  evening.addEventListener("change", show);
  show();
  await draw({ root, parts, evening, words, mayWrite: frame.mayWrite });
  root.removeAttribute("data-waiting");
  // What a first tap opens is loaded after the page itself; without a network there is nothing to load.
  const button = /** @type {HTMLButtonElement} */ (parts.share);
  if (button && frame.mayShare) {
    runWhenConnected(evening, async () =>
      (await import("./table-sharing.js")).enableTableSharing({ button, table: evening.table }),
    );
  }
  startTableCache(evening, frame, cached ? null : { language: lang, pages: readPageTexts(root) });
}

/** @param {string} reason */
const asideText = (reason) =>
  reason
    ? t("This table is set aside and counts nowhere: {reason}", { reason })
    : t("This table is set aside and counts nowhere.");

/** Offers something once, as soon as the service can be asked. @param {Evening} evening @param {() => void} offer */
function runWhenConnected(evening, offer) {
  if (evening.isConnected) return offer();
  const handleConnect = () => {
    if (!evening.isConnected) return;
    evening.removeEventListener("link", handleConnect);
    offer();
  };
  evening.addEventListener("link", handleConnect);
}

/**
 * Nothing is kept here of the table, or of what this page needs as well: then its slip still opens.
 * @param {HTMLElement} root
 * @param {HTMLElement} line
 * @param {any} cached
 */
function showNotCached(root, line, cached) {
  if (!cached)
    return line.replaceChildren(t("There is no network, and this table has not been opened on this device before."));
  fillFrame(root, cached.frame);
  const link = document.createElement("a");
  link.href = /** @type {HTMLAnchorElement} */ (root.querySelector(".table-nav a")).href;
  link.textContent = t("To the slip");
  line.replaceChildren(t("There is no network, and this page is not kept on the device yet."), " ", link);
}

/** What the service told only this page; the slip does not need it. @param {HTMLElement} root */
function readPageTexts(root) {
  const { needs } = root.dataset;
  return needs ? { [needs]: root.dataset[needs] } : {};
}

/**
 * The same, as the device keeps it, in this language if it has that; whether it has it at all.
 * @param {HTMLElement} root
 * @param {{ pages?: Record<string, Record<string, string>> }} cached
 */
function applyCachedPageTexts(root, { pages = {} }) {
  const { needs } = root.dataset;
  if (!needs) return true;
  const all = [pages[document.documentElement.lang], ...Object.values(pages)];
  const texts = all.find((one) => one && needs in one);
  if (texts) root.dataset[needs] = texts[needs];
  return Boolean(texts);
}

const tableIdInAddress = () => location.pathname.split("/")[2] ?? "";

/** What stands around a table's pages, as the service made them. @param {HTMLElement} root */
const readFrame = ({ dataset }) => ({
  table: dataset.table,
  language: document.documentElement.lang,
  mayWrite: "mayWrite" in dataset,
  mayShare: "mayShare" in dataset,
  title: dataset.title ?? "",
  date: dataset.date ?? "",
  players: dataset.players ?? "",
});

/** The same, where the browser had the page without the service. @param {HTMLElement} root @param {any} frame */
function fillFrame(root, { table, title, date, players, mayWrite }) {
  /** @type {HTMLElement} */ (root.querySelector("h1")).textContent = title || date;
  document.title = document.title.replace("…", title || players || date);
  if (!mayWrite) for (const link of root.querySelectorAll("[data-writer]")) link.remove();
  for (const link of /** @type {NodeListOf<HTMLAnchorElement>} */ (root.querySelectorAll("a[href*='/tables/']"))) {
    link.href = (link.getAttribute("href") ?? "").replace(/\/tables\/[0-9a-f-]+/, `/tables/${table}`);
  }
}

/** What stands above everything while it is so: that there is no connection, or that nothing can be kept here. @param {Parts} parts @param {Evening} evening */
function showConnection(parts, evening) {
  const { connection, waits: queueStatus } = parts;
  const n = evening.queuedEntries.length;
  const connectionText = evening.isAccessRefused
    ? words.withdrawn
    : evening.isReachable
      ? ""
      : n
        ? words.offline.unlinked(n)
        : words.unlinked;
  const text = [connectionText, n && !outbox.isPersistent ? words.offline.notLasting : ""].filter(Boolean).join(" ");
  // Screen readers read a repeated line each time.
  if (connection.textContent !== text) connection.textContent = text;
  // What is on its way this very moment is not worth a word.
  const isLate =
    !evening.isReachable ||
    evening.queuedEntries.some(
      (/** @type {any} */ entry) =>
        entry.state !== "waiting" || Date.now() - Date.parse(entry.made_at) > WAITING_NOTICE_DELAY_MS,
    );
  if (n && !isLate) setTimeout(() => showConnection(parts, evening), WAITING_NOTICE_DELAY_MS);
  const count = n && isLate ? t("{n} not sent yet", { n }) : "";
  if (queueStatus && queueStatus.textContent !== count) queueStatus.textContent = count;
}
