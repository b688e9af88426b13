/**
 * The deal editor: a deal in the notation and the deal as it is played, side by side. Everything written is replayed immediately; what
 * cannot be read is reported in its place; a note is added to the point that is shown.
 */

import { API_PREFIX } from "../core/api.js";
import { formatNote } from "./note-notation.js";
import { NotationField } from "./notation-field.js";
import { parseReplayDocument } from "../replay/replay-document.js";
import { readDraft, deleteDraft, saveDraft } from "../core/drafts.js";
import { showDeal } from "../replay/replayer.js";
import editorWords from "../messages/deal-editor.js";
import words from "../messages/replayer.js";

const MEDIA_TYPE = "text/vnd.spadille.deal";
const READ_DELAY_MS = 350;

class DealEditor {
  constructor(root, words, editorWords) {
    Object.assign(this, { root, words, editorWords });
    this.parts = Object.fromEntries([...root.querySelectorAll("[data-editor]")].map((part) => [part.dataset.editor, part]));
    this.key = location.pathname;
    this.names = JSON.parse(root.dataset.names ?? "{}");
    this.text = new NotationField(this.parts, editorWords, () => this.handleChange());
    this.request = null;
    this.view = null;
    this.parts.note.addEventListener("submit", (event) => this.addNote(event));
    this.parts.format.addEventListener("click", () => this.formatText());
    this.parts.reset.addEventListener("click", () => this.resetText());
    this.parts.download.addEventListener("click", () => this.downloadText());
    this.parts.import?.addEventListener("click", () => this.importDeal());
  }

  /** Begins with what was left here, else with the deal that the page is about. */
  async load() {
    const draft = readDraft("editor", this.key);
    this.source = await this.fetchSource();
    this.text.setValue(draft ?? this.source);
    this.parts.reset.hidden = draft === null || draft === this.source;
    if (!this.parts.reset.hidden) this.showStatus(this.editorWords.draft);
    await this.replayText();
  }

  async fetchSource() {
    const { from } = this.root.dataset;
    if (!from) return this.editorWords.skeleton;
    const answer = await fetch(from, { headers: { Accept: MEDIA_TYPE } });
    if (!answer.ok) throw new Error(`${answer.status} ${answer.statusText}`);
    return answer.text();
  }

  showStatus(sentence) {
    this.parts.status.textContent = sentence;
  }

  handleChange() {
    const isSaved = saveDraft("editor", this.key, this.text.value);
    this.parts.reset.hidden = this.text.value === this.source;
    clearTimeout(this.pause);
    this.pause = setTimeout(() => this.replayText(), READ_DELAY_MS);
    if (!isSaved) this.showStatus(this.editorWords.notKept);
  }

  /** Has the text read by the service, and shows what came of it. */
  async replayText() {
    this.request?.abort();
    const request = (this.request = new AbortController());
    try {
      const headers = { "Content-Type": MEDIA_TYPE, Accept: "application/json", "Accept-Language": document.documentElement.lang };
      const answer = await fetch(`${API_PREFIX}/replay?unread=skipped`, { method: "POST", headers, body: this.text.value, signal: request.signal });
      const text = await answer.text();
      if (request !== this.request) return;
      if (answer.ok) this.showReplay(text);
      else this.showProblems(JSON.parse(text));
    } catch (error) {
      if (error.name !== "AbortError") this.showStatus(this.editorWords.failed);
    }
  }

  showReplay(text) {
    const document = parseReplayDocument(text, this.words.forgotten, this.names);
    this.canonical = document.text;
    this.text.showProblems(document.problems);
    this.showStatus(document.problems.length ? this.editorWords.some(document.problems.length) : this.editorWords.read);
    this.parts.format.disabled = document.problems.length > 0 || this.canonical === this.text.value;
    if (this.view) this.view.replaceDocument(document);
    else this.view = showDeal(this.root, document);
  }

  showProblems(problem) {
    this.text.showProblems(problem.errors ?? []);
    this.parts.format.disabled = true;
    const count = problem.errors?.length;
    this.showStatus(count ? `${this.editorWords.some(count)} ${this.editorWords.none}` : problem.type?.endsWith("/unreadable-log") ? this.editorWords.noDeal : problem.detail);
  }

  /** Puts a note to what is seen, at the foot of the text. */
  addNote(event) {
    event.preventDefault();
    const { elements } = this.parts.note;
    const written = elements.text.value.trim();
    const mark = elements.mark.value;
    if (!this.view || !(written || mark)) return;
    // While a line is left out, the lines after it have other numbers than they will have.
    if (this.text.faultyLines.size) {
      this.showStatus(this.editorWords.correctFirst);
      return;
    }
    const { seq } = this.view.step.frame;
    this.text.setValue(`${this.text.value.trimEnd()}\n${formatNote(written, mark, seq)}\n`);
    elements.text.value = "";
    elements.mark.value = "";
    this.handleChange();
    this.showStatus(this.editorWords.noted);
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
    const link = Object.assign(document.createElement("a"), { href: file, download: `${this.root.dataset.name || "deal"}.deal` });
    link.click();
    URL.revokeObjectURL(file);
  }

  /** Keeps the deal among those that are recorded here, and goes to its page. */
  async importDeal() {
    this.parts.import.disabled = true;
    try {
      const answer = await fetch(`${API_PREFIX}/import`, { method: "POST", headers: { "Content-Type": MEDIA_TYPE, Accept: "application/json" }, body: this.text.value });
      const result = await answer.json();
      const record = answer.ok ? result.records.find((one) => one.kind === "deal") : null;
      if (!record) {
        this.showStatus(result.detail ?? this.editorWords.failed);
        return;
      }
      deleteDraft("editor", this.key);
      location.assign(`/deals/${record.id}`);
    } catch {
      this.showStatus(this.editorWords.failed);
    } finally {
      this.parts.import.disabled = false;
    }
  }
}

async function start(root) {
  const editor = new DealEditor(root, words, editorWords);
  try {
    await editor.load();
  } catch (error) {
    console.error(error);
    editor.showStatus(editorWords.failed);
  }
}

start(document.querySelector("main.deal-editor"));
