/**
 * The desk: a deal in the notation and the deal as it is played, side by side. What is written is replayed at once; what
 * cannot be read is told where it stands; a note is put to whatever is seen.
 */

import { PREFIX } from "../core/api.js";
import { noteText } from "./desk-notes.js";
import { DeskText } from "./desk-text.js";
import { withNames } from "../replay/documents.js";
import { draftOf, dropDraft, keepDraft } from "../core/drafts.js";
import { Replay } from "../replay/replay.js";

const MEDIA_TYPE = "text/vnd.spadille.deal";
const PAUSE = 350;

class Desk {
  constructor(root, words, said) {
    Object.assign(this, { root, words, said });
    this.parts = Object.fromEntries([...root.querySelectorAll("[data-desk]")].map((part) => [part.dataset.desk, part]));
    this.key = location.pathname;
    this.names = JSON.parse(root.dataset.names ?? "{}");
    this.text = new DeskText(this.parts, said, () => this.changed());
    this.asking = null;
    this.replay = null;
    this.parts.note.addEventListener("submit", (event) => this.addNote(event));
    this.parts.tidy.addEventListener("click", () => this.tidy());
    this.parts.afresh.addEventListener("click", () => this.afresh());
    this.parts.take.addEventListener("click", () => this.take());
    this.parts.keep?.addEventListener("click", () => this.keep());
  }

  /** Begins with what was left here, else with the deal that the page is about. */
  async begin() {
    const draft = draftOf("desk", this.key);
    this.source = await this.asItWas();
    this.text.set(draft ?? this.source);
    this.parts.afresh.hidden = draft === null || draft === this.source;
    if (!this.parts.afresh.hidden) this.say(this.said.draft);
    await this.read();
  }

  async asItWas() {
    const { from } = this.root.dataset;
    if (!from) return this.said.skeleton;
    const answer = await fetch(from, { headers: { Accept: MEDIA_TYPE } });
    if (!answer.ok) throw new Error(`${answer.status} ${answer.statusText}`);
    return answer.text();
  }

  say(sentence) {
    this.parts.said.textContent = sentence;
  }

  changed() {
    const kept = keepDraft("desk", this.key, this.text.value);
    this.parts.afresh.hidden = this.text.value === this.source;
    clearTimeout(this.pause);
    this.pause = setTimeout(() => this.read(), PAUSE);
    if (!kept) this.say(this.said.notKept);
  }

  /** Has the text read by the service, and shows what came of it. */
  async read() {
    this.asking?.abort();
    const asking = (this.asking = new AbortController());
    try {
      const headers = { "Content-Type": MEDIA_TYPE, Accept: "application/json", "Accept-Language": document.documentElement.lang };
      const answer = await fetch(`${PREFIX}/replay?unread=skipped`, { method: "POST", headers, body: this.text.value, signal: asking.signal });
      const told = await answer.text();
      if (asking !== this.asking) return;
      if (answer.ok) this.show(told);
      else this.refused(JSON.parse(told));
    } catch (error) {
      if (error.name !== "AbortError") this.say(this.said.failed);
    }
  }

  show(told) {
    const document = withNames(told, this.words.forgotten, this.names);
    this.canonical = document.text;
    this.text.problems(document.problems);
    this.say(document.problems.length ? this.said.some(document.problems.length) : this.said.read);
    this.parts.tidy.disabled = document.problems.length > 0 || this.canonical === this.text.value;
    this.root.removeAttribute("data-waiting");
    if (this.replay) this.replay.retake(document);
    else this.replay = new Replay(this.root, document, this.words);
  }

  refused(problem) {
    this.text.problems(problem.errors ?? []);
    this.parts.tidy.disabled = true;
    const count = problem.errors?.length;
    this.say(count ? `${this.said.some(count)} ${this.said.none}` : problem.type?.endsWith("/unreadable-log") ? this.said.noDeal : problem.detail);
  }

  /** Puts a note to what is seen, at the foot of the text. */
  addNote(event) {
    event.preventDefault();
    const { elements } = this.parts.note;
    const written = elements.text.value.trim();
    const mark = elements.mark.value;
    if (!this.replay || !(written || mark)) return;
    // While a line is left out, what stands behind it has other numbers than it will have.
    if (this.text.amiss.size) {
      this.say(this.said.mendFirst);
      return;
    }
    const { seq } = this.replay.steps[this.replay.index].frame;
    this.text.set(`${this.text.value.trimEnd()}\n${noteText(written, mark, seq)}\n`);
    elements.text.value = "";
    elements.mark.value = "";
    this.changed();
    this.say(this.said.noted);
  }

  /** Lays the text out as the service writes it. */
  tidy() {
    this.text.set(this.canonical);
    this.changed();
  }

  afresh() {
    this.text.set(this.source);
    dropDraft("desk", this.key);
    this.parts.afresh.hidden = true;
    this.read();
  }

  /** Hands the text out as a file. */
  take() {
    const file = URL.createObjectURL(new Blob([this.text.value], { type: MEDIA_TYPE }));
    const link = Object.assign(document.createElement("a"), { href: file, download: `${this.root.dataset.name || "deal"}.deal` });
    link.click();
    URL.revokeObjectURL(file);
  }

  /** Keeps the deal among those that are recorded here, and goes to its page. */
  async keep() {
    this.parts.keep.disabled = true;
    try {
      const answer = await fetch(`${PREFIX}/import`, { method: "POST", headers: { "Content-Type": MEDIA_TYPE, Accept: "application/json" }, body: this.text.value });
      const told = await answer.json();
      const record = answer.ok ? told.records.find((one) => one.kind === "deal") : null;
      if (!record) {
        this.say(told.detail ?? this.said.failed);
        return;
      }
      dropDraft("desk", this.key);
      location.assign(`/deals/${record.id}`);
    } catch {
      this.say(this.said.failed);
    } finally {
      this.parts.keep.disabled = false;
    }
  }
}

async function start(root) {
  const danish = document.documentElement.lang.startsWith("da");
  const [{ default: words }, { default: said }, mended] = await Promise.all([
    import(danish ? "../messages/words-da.js" : "../messages/words-en.js"),
    import(danish ? "../messages/desk-da.js" : "../messages/desk-en.js"),
    import("../replay/mended.js"),
  ]);
  const desk = new Desk(root, { ...words, ...mended }, said);
  try {
    await desk.begin();
  } catch (error) {
    console.error(error);
    desk.say(said.failed);
  }
}

start(document.querySelector("main.desk"));
