// @ts-check
/**
 * The deal editor: a deal in the notation and the deal as it is played, side by side. Everything written is replayed immediately; what
 * cannot be read is reported in its place; a note is added to the point that is shown.
 */

import { API_PREFIX } from "../core/api.js";
import { deleteDraft, readDraft, saveDraft } from "../core/drafts.js";
import editorWords from "../messages/deal-editor.js";
import words from "../messages/replayer.js";
import { parseReplayDocument } from "../replay/replay-document.js";
import { showDeal } from "../replay/replayer.js";
import { NotationField } from "./notation-field.js";
import { formatNote } from "./note-notation.js";

const MEDIA_TYPE = "text/vnd.spadille.deal";
const READ_DELAY_MS = 350;

class DealEditor {
  /** @type {AbortController | null} */
  request = null;
  /** @type {ReturnType<typeof showDeal> | null} */
  view = null;
  /** The text that this began with, and the text as the service writes it. */
  source = "";
  canonical = "";
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  pause;

  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    const parts = /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll("[data-editor]"));
    /** The elements with `data-editor`, by that. @type {Record<string, HTMLElement>} */
    this.parts = Object.fromEntries([...parts].map((part) => [part.dataset.editor, part]));
    this.formatButton = /** @type {HTMLButtonElement} */ (this.parts.format);
    this.importButton = /** @type {HTMLButtonElement | undefined} */ (this.parts.import);
    this.key = location.pathname;
    this.names = JSON.parse(root.dataset.names ?? "{}");
    this.text = new NotationField(this.parts, () => this.handleChange());
    this.parts.note.addEventListener("submit", (event) => this.addNote(event));
    this.formatButton.addEventListener("click", () => this.formatText());
    this.parts.reset.addEventListener("click", () => this.resetText());
    this.parts.download.addEventListener("click", () => this.downloadText());
    this.importButton?.addEventListener("click", () => this.importDeal());
  }

  /** Begins with what was left here, else with the deal that the page is about. */
  async load() {
    const draft = readDraft("editor", this.key);
    this.source = await this.fetchSource();
    this.text.setValue(draft ?? this.source);
    this.parts.reset.hidden = draft === null || draft === this.source;
    if (!this.parts.reset.hidden) this.showStatus(editorWords.draft);
    await this.replayText();
  }

  async fetchSource() {
    const { from } = this.root.dataset;
    if (!from) return editorWords.skeleton;
    const answer = await fetch(from, { headers: { Accept: MEDIA_TYPE } });
    if (!answer.ok) throw new Error(`${answer.status} ${answer.statusText}`);
    return answer.text();
  }

  /** @param {string} sentence */
  showStatus(sentence) {
    this.parts.status.textContent = sentence;
  }

  handleChange() {
    const isSaved = saveDraft("editor", this.key, this.text.value);
    this.parts.reset.hidden = this.text.value === this.source;
    clearTimeout(this.pause);
    this.pause = setTimeout(() => this.replayText(), READ_DELAY_MS);
    if (!isSaved) this.showStatus(editorWords.notKept);
  }

  /** Has the text read by the service, and shows what came of it. */
  async replayText() {
    this.request?.abort();
    const request = new AbortController();
    this.request = request;
    try {
      const headers = {
        "Content-Type": MEDIA_TYPE,
        Accept: "application/json",
        "Accept-Language": document.documentElement.lang,
      };
      const answer = await fetch(`${API_PREFIX}/replay?unread=skipped`, {
        method: "POST",
        headers,
        body: this.text.value,
        signal: request.signal,
      });
      const text = await answer.text();
      if (request !== this.request) return;
      if (answer.ok) this.showReplay(text);
      else this.showProblems(JSON.parse(text));
    } catch (error) {
      if (/** @type {Error} */ (error).name !== "AbortError") this.showStatus(editorWords.failed);
    }
  }

  /** @param {string} text */
  showReplay(text) {
    const document = parseReplayDocument(text, words.forgotten, this.names);
    const { problems, text: canonical } = /** @type {any} */ (document);
    this.canonical = canonical;
    this.text.showProblems(problems);
    this.showStatus(problems.length ? editorWords.some(problems.length) : editorWords.read);
    this.formatButton.disabled = problems.length > 0 || this.canonical === this.text.value;
    if (this.view) this.view.replaceDocument(document);
    else this.view = showDeal(this.root, document);
  }

  /** @param {{ errors?: import("./notation-field.js").Problem[], type?: string, detail: string }} problem */
  showProblems(problem) {
    this.text.showProblems(problem.errors ?? []);
    this.formatButton.disabled = true;
    const count = problem.errors?.length;
    this.showStatus(
      count
        ? `${editorWords.some(count)} ${editorWords.none}`
        : problem.type?.endsWith("/unreadable-log")
          ? editorWords.noDeal
          : problem.detail,
    );
  }

  /** Puts a note to what is seen, at the foot of the text. @param {Event} event */
  addNote(event) {
    event.preventDefault();
    const { text, mark } = /** @type {Record<string, any>} */ (
      /** @type {HTMLFormElement} */ (this.parts.note).elements
    );
    const written = text.value.trim();
    if (!this.view || !(written || mark.value)) return;
    // While a line is left out, the lines after it have other numbers than they will have.
    if (this.text.faultyLines.size) {
      this.showStatus(editorWords.correctFirst);
      return;
    }
    const { seq } = this.view.step.frame;
    this.text.setValue(`${this.text.value.trimEnd()}\n${formatNote(written, mark.value, seq)}\n`);
    text.value = "";
    mark.value = "";
    this.handleChange();
    this.showStatus(editorWords.noted);
  }

  /** Lays the text out as the service writes it. */
  formatText() {
    this.text.setValue(this.canonical);
    this.handleChange();
  }

  resetText() {
    this.text.setValue(this.source);
    deleteDraft("editor", this.key);
    this.parts.reset.hidden = true;
    this.replayText();
  }

  /** Hands the text out as a file. */
  downloadText() {
    const file = URL.createObjectURL(new Blob([this.text.value], { type: MEDIA_TYPE }));
    const link = Object.assign(document.createElement("a"), {
      href: file,
      download: `${this.root.dataset.name || "deal"}.deal`,
    });
    link.click();
    URL.revokeObjectURL(file);
  }

  /** Keeps the deal among those that are recorded here, and goes to its page. */
  async importDeal() {
    const button = /** @type {HTMLButtonElement} */ (this.importButton);
    button.disabled = true;
    try {
      const answer = await fetch(`${API_PREFIX}/import`, {
        method: "POST",
        headers: { "Content-Type": MEDIA_TYPE, Accept: "application/json" },
        body: this.text.value,
      });
      const result = await answer.json();
      const record = answer.ok ? result.records.find((/** @type {any} */ one) => one.kind === "deal") : null;
      if (!record) {
        this.showStatus(result.detail ?? editorWords.failed);
        return;
      }
      deleteDraft("editor", this.key);
      location.assign(`/deals/${record.id}`);
    } catch {
      this.showStatus(editorWords.failed);
    } finally {
      button.disabled = false;
    }
  }
}

/** @param {HTMLElement} root */
async function start(root) {
  const editor = new DealEditor(root);
  try {
    await editor.load();
  } catch (error) {
    console.error(error);
    editor.showStatus(editorWords.failed);
  }
}

start(/** @type {HTMLElement} */ (document.querySelector("main.deal-editor")));
