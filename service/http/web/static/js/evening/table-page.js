/** What the pages of a table share: what they know of it, the words, the line that says how they are connected. */

import { el } from "../core/dom.js";
import { Evening } from "./evening.js";
import { startTableCache, readCachedTable } from "./cached-tables.js";
import { outbox } from "../core/outbox.js";
import { formatApiError } from "../core/deal-text.js";
import words from "../messages/evening.js";

/** Milliseconds before the page says that something waits. */
const WAITING_NOTICE_DELAY_MS = 1200;

/** Opens the page: reads the table, follows it, and passes its state to `draw`. */
export async function openTablePage(draw) {
  const root = document.querySelector("[data-table]");
  const parts = Object.fromEntries([...root.querySelectorAll("[data-part]")].map((part) => [part.dataset.part, part]));
  const cached = root.dataset.table ? null : await readCachedTable(tableIdInAddress());
  if (!root.dataset.table && !(cached && applyCachedPageTexts(root, cached))) {
    showNotCached(root, parts.connection, words, cached);
    return;
  }
  const frame = cached?.frame ?? readFrame(root);
  if (cached) fillFrame(root, frame);
  const rules = cached ? cached.rules[document.documentElement.lang] ?? Object.values(cached.rules)[0] : JSON.parse(root.dataset.rules);
  const evening = new Evening({ table: frame.table, rules, forgottenName: words.forgotten });
  const show = () => {
    showConnection(parts, evening, words);
    const { voided } = evening.ledger;
    parts.aside.textContent = evening.isSetAside ? words.aside.line(voided) : "";
  };
  try {
    await evening.load(cached);
  } catch (error) {
    if (error.status === undefined) throw error;
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
  if (parts.share && frame.mayShare) runWhenConnected(evening, () => import("./table-sharing.js").then(({ enableTableSharing }) => enableTableSharing({ button: parts.share, table: evening.table, words })));
  startTableCache(evening, frame, cached ? null : { language: document.documentElement.lang, pages: readPageTexts(root) });
}

/** Offers something once, as soon as the service can be asked. */
function runWhenConnected(evening, offer) {
  if (evening.isConnected) return offer();
  const handleConnect = () => {
    if (!evening.isConnected) return;
    evening.removeEventListener("link", handleConnect);
    offer();
  };
  return evening.addEventListener("link", handleConnect);
}

/** Nothing is kept here of the table, or of what this page needs as well: then its slip still opens. */
function showNotCached(root, line, { offline }, cached) {
  if (!cached) return line.replaceChildren(offline.notKept);
  fillFrame(root, cached.frame);
  return line.replaceChildren(offline.notKeptPage, " ", el("a", { href: root.querySelector(".table-nav a").href, text: offline.toSlip }));
}

/** What the service told only this page; the slip does not need it. */
function readPageTexts(root) {
  const { needs } = root.dataset;
  return needs ? { [needs]: root.dataset[needs] } : {};
}

/** The same, as the device keeps it, in this language if it has that; whether it has it at all. */
function applyCachedPageTexts(root, { pages = {} }) {
  const { needs } = root.dataset;
  if (!needs) return true;
  const all = [pages[document.documentElement.lang], ...Object.values(pages)];
  const texts = all.find((one) => one && needs in one);
  if (texts) root.dataset[needs] = texts[needs];
  return Boolean(texts);
}

const tableIdInAddress = () => location.pathname.split("/")[2] ?? "";

/** What stands around a table's pages, as the service made them. */
function readFrame(root) {
  return {
    table: root.dataset.table, language: document.documentElement.lang, mayWrite: "mayWrite" in root.dataset, mayShare: "mayShare" in root.dataset,
    title: root.dataset.title ?? "", date: root.dataset.date ?? "", players: root.dataset.players ?? "",
  };
}

/** The same, where the browser had the page without the service. */
function fillFrame(root, { table, title, date, players, mayWrite }) {
  root.querySelector("h1").textContent = title || date;
  document.title = document.title.replace("…", title || players || date);
  if (!mayWrite) for (const link of root.querySelectorAll("[data-writer]")) link.remove();
  for (const link of root.querySelectorAll("a[href*='/tables/']")) link.href = link.getAttribute("href").replace(/\/tables\/[0-9a-f-]+/, `/tables/${table}`);
}

/** What stands above everything while it is so: that there is no connection, or that nothing can be kept here. */
function showConnection({ connection, waits: queueStatus }, evening, words) {
  const { offline } = words;
  const { length } = evening.queuedEntries;
  const connectionText = evening.isAccessRefused ? words.withdrawn : evening.isReachable ? "" : length ? offline.unlinked(length) : words.unlinked;
  const text = [connectionText, length && !outbox.isPersistent ? offline.notLasting : ""].filter(Boolean).join(" ");
  // Screen readers read a repeated line each time.
  if (connection.textContent !== text) connection.textContent = text;
  // What is on its way this very moment is not worth a word.
  const isLate = !evening.isReachable || evening.queuedEntries.some((entry) => entry.state !== "waiting" || Date.now() - Date.parse(entry.made_at) > WAITING_NOTICE_DELAY_MS);
  if (length && !isLate) setTimeout(() => showConnection({ connection, waits: queueStatus }, evening, words), WAITING_NOTICE_DELAY_MS);
  const count = length && isLate ? offline.waiting(length) : "";
  if (queueStatus && queueStatus.textContent !== count) queueStatus.textContent = count;
}
