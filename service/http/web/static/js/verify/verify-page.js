// @ts-check
/** The page on which a proof is checked: takes files, says what they are and what they prove. Nothing is sent. */

import { t } from "../core/texts.js";
import { html, render, signal } from "../vendor/preact.js";
import {
  canCalculate,
  readCheckpoints,
  readKeys,
  readProof,
  readRecord,
  recognizeFile,
  UnreadableFile,
  verifyFiles,
} from "./proof.js";

/** @import { Difference, Files, Outcome, Verdict } from "./proof.js" */
/** @typedef {"proof" | "record" | "checkpoint" | "keys"} FileKind */
/** @typedef {{ kind: FileKind, name: string, text: string }} KnownFile */
/** @typedef {{ verdict?: Verdict, message?: string }} Result */

const MAX_DIFFERENCES = 20;

/** @type {Record<FileKind, string>} */
const KIND_NAMES = {
  proof: t("the proof"),
  record: t("the record"),
  checkpoint: t("the checkpoint that you kept"),
  keys: t("the public key"),
};

/** @type {Record<Outcome, [heading: string, meaning: string]>} */
const OUTCOMES = {
  proved: [t("Proved"), t("Nothing was changed, removed, moved or added since the checkpoint.")],
  changed: [t("Not the same record"), t("These files do not say what was recorded:")],
  "other-checkpoint": [
    t("Not the same record"),
    t("The proof leads to another checkpoint than the one that you kept."),
  ],
  unsigned: [t("Not signed by this key"), t("The record fits the proof, but nobody with this key signed it.")],
  unchecked: [
    t("The signature could not be checked here"),
    t(
      "The record fits the proof. This browser cannot check signatures: use a newer one, or a checkpoint that you kept.",
    ),
  ],
  unanchored: [
    t("Not proved yet"),
    t(
      "The record fits the proof, but anybody can make such a pair. Add the checkpoint that you kept, or the public key.",
    ),
  ],
};

/** @type {import("@preact/signals").Signal<KnownFile[]>} */
const files = signal([]);
/** @type {import("@preact/signals").Signal<Result>} */
const result = signal({});

/** Takes files, each in the place of the last of its kind, and checks what there is. @param {FileList | null | undefined} chosen */
async function takeFiles(chosen) {
  const unknown = [];
  const known = [...files.value];
  for (const file of chosen ?? []) {
    const text = await file.text();
    const kind = recognizeFile(text);
    if (!kind) unknown.push(file.name);
    else known.splice(0, known.length, ...known.filter((one) => one.kind !== kind), { kind, name: file.name, text });
  }
  files.value = known;
  result.value = unknown.length
    ? { message: t("{names}: this is no proof, record, checkpoint or key.", { names: unknown.join(", ") }) }
    : await checkFiles();
}

/** @returns {Promise<Result>} */
async function checkFiles() {
  /** @param {FileKind} kind */
  const find = (kind) => files.value.find((one) => one.kind === kind);
  const proof = find("proof");
  if (!proof) return { message: t("Add the proof file too.") };
  let reading = proof;
  /** @type {<Read>(kind: FileKind, read: (text: string) => Read) => Read | undefined} */
  const readFile = (kind, read) => {
    const file = find(kind);
    if (!file) return undefined;
    reading = file;
    return read(file.text);
  };
  try {
    const keys = await readFile("keys", readKeys);
    const checkpoints = readFile("checkpoint", readCheckpoints);
    const record = readFile("record", readRecord);
    reading = proof;
    return { verdict: await verifyFiles({ proof: await readProof(proof.text), record, checkpoints, keys }) };
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    return { message: `${reading.name}: ${error.message}` };
  }
}

/** @param {Difference} difference */
function describeDifference({ kind, seq = 0, line, fields = "" }) {
  if (kind === "unreadable") return t("Line {line} cannot be read.", { line: line ?? "" });
  if (kind === "missing") return t("Entry {seq} is missing.", { seq });
  if (kind === "moved") return t("Entry {seq} is in another place.", { seq });
  if (kind === "added") return line ? t("Line {line} was added.", { line }) : t("Entry {seq} was added.", { seq });
  return line
    ? t("Line {line} (entry {seq}) was changed: {fields}.", { line, seq, fields })
    : t("Entry {seq} is not in the log of the checkpoint.", { seq });
}

/** @param {{ verdict: Verdict }} props */
function VerdictView({ verdict }) {
  const { outcome, differences, shown, hidden, erased, records, unprovedLines, signature, note } = verdict;
  const [heading, meaning] = OUTCOMES[outcome];
  const numbers = { count: shown, records };
  return html`<section class=${`verify-verdict is-${outcome}`}>
    <h2>${heading}</h2>
    <p>${meaning}</p>
    ${
      differences.length > 0 &&
      html`<ul>${differences.slice(0, MAX_DIFFERENCES).map((one, at) => html`<li key=${at}>${describeDifference(one)}${records > 1 && one.stream && html` <span class="muted">…${one.stream.slice(-6)}</span>`}</li>`)}
      ${differences.length > MAX_DIFFERENCES && html`<li>${t("And {count} more.", { count: differences.length - MAX_DIFFERENCES })}</li>`}</ul>`
    }
    ${outcome === "proved" && html`<p>${t("Proved entries: {count}. Records: {records}.", numbers)}</p>`}
    ${hidden > 0 && html`<p>${t("Hidden entries, of which only the place is proved: {count}.", { count: hidden })}</p>`}
    ${erased > 0 && html`<p>${t("Erased entries, of which only the place is proved: {count}.", { count: erased })}</p>`}
    ${unprovedLines.length > 0 && html`<p>${t("What these lines say is not proved: {lines}.", { lines: unprovedLines.join(", ") })}</p>`}
    ${outcome === "proved" && signature === "signed" && html`<p>${t("The checkpoint is signed by this key.")}</p>`}
    ${outcome === "proved" && signature === "unavailable" && html`<p>${t("The signature could not be checked in this browser.")}</p>`}
    <p class="muted">${t("Checkpoint: {origin}, {size} entries", { origin: note.origin, size: note.size })}</p>
  </section>`;
}

function VerifyPage() {
  const { verdict, message } = result.value;
  /** @param {DragEvent} event */
  const drop = (event) => {
    event.preventDefault();
    takeFiles(event.dataTransfer?.files);
  };
  const reset = () => {
    files.value = [];
    result.value = {};
  };
  /** @param {Event & { target: HTMLInputElement }} event */
  const choose = async ({ target }) => {
    await takeFiles(target.files);
    // The same file can be chosen again.
    target.value = "";
  };
  return html`
    <label class="verify-drop" onDragOver=${(/** @type {Event} */ event) => event.preventDefault()} onDrop=${drop}>
      <b>${t("Choose files, or drop them here")}</b>
      <input class="visually-hidden" type="file" multiple onChange=${choose} />
    </label>
    ${
      files.value.length > 0 &&
      html`<ul class="verify-files">${files.value.map(({ kind, name }) => html`<li key=${kind}>${name} <span class="muted">${KIND_NAMES[kind]}</span></li>`)}</ul>
      <p><button type="button" class="button" onClick=${reset}>${t("Start again")}</button></p>`
    }
    <div role="status">${message && html`<p>${message}</p>`}${verdict && html`<${VerdictView} verdict=${verdict} />`}</div>`;
}

const root = /** @type {HTMLElement} */ (document.querySelector('[data-part="verify"]'));
const cannot = t("This browser checks proofs only over https, or on the computer that runs Spadille.");
render(canCalculate() ? html`<${VerifyPage} />` : html`<p>${cannot}</p>`, root);
root.removeAttribute("data-waiting");
