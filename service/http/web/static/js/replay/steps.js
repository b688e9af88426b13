// @ts-check
/**
 * From frames to steps: what a reader goes through one by one.
 *
 * The deal (opening, hands, talon) is one step; every later entry is one, except notes, which belong to the step
 * they speak of. A step: `{frame, seqs, kind, trick, sentenceEvent, marginText, notes, findings, corrections, withdrawnEvents, isStop}`; `frame` is the
 * last frame in it, `sentenceEvent` the event as the sentence takes it, `marginText` what somebody wrote at too great a length for a
 * sentence (else null), `corrections` are those that belong there, `isStop` is true where stepping by tricks halts. What was
 * taken back at the table is a step of its own, at which the deal stands as before: `withdrawnEvents` is what it was, else null.
 */

/** @import { Correction, DealEvent, Finding, Frame, ReplayDocument, Seq, Step } from "./types.d.ts" */

const DEALING_EVENT_TYPES = new Set(["deal_opened", "hand_dealt", "talon_laid"]);
const UNSHOWN_EVENT_TYPES = new Set(["note_added", "deal_closed"]);

/** The longest quotation in a sentence. */
const MAX_SENTENCE_TEXT_LENGTH = 48;

/** The steps of a replay document; never empty when the document has a frame. @param {ReplayDocument} replay */
export function buildSteps(replay) {
  /** @type {Step[]} */
  const steps = [];
  for (const frame of replay.frames) {
    const type = frame.event.type;
    const last = steps.at(-1);
    if (last && UNSHOWN_EVENT_TYPES.has(type)) {
      last.seqs.push(frame.seq);
      last.after = frame;
    } else if (last?.kind === "deal" && DEALING_EVENT_TYPES.has(type)) {
      last.seqs.push(frame.seq);
      last.frame = frame;
      last.sentenceEvent = frame.event;
    } else {
      steps.push(buildStep(frame, steps.length === 0 && DEALING_EVENT_TYPES.has(type) ? "deal" : type));
    }
  }
  addCorrections(steps, replay.mendings ?? []);
  markTrickStops(steps);
  addNotes(steps, replay);
  addFindings(steps, replay.findings ?? []);
  return steps;
}

/** @type {(frame: Frame, kind: string) => Step} */
function buildStep(frame, kind) {
  const trick = kind === "card_played" ? (frame.state.tricks.at(-1)?.number ?? null) : null;
  return {
    frame,
    seqs: [frame.seq],
    kind,
    trick,
    ...splitLongText(frame.event),
    notes: [],
    findings: [],
    corrections: [],
    withdrawnEvents: null,
    isStop: false,
  };
}

/** Adds corrections to their steps, and a step after each point at which something was taken back. @type {(steps: Step[], corrections: Correction[]) => void} */
function addCorrections(steps, corrections) {
  const last = new Map();
  for (const correction of corrections) {
    const { at, event, before } = correction;
    const index = at === null ? 0 : steps.findIndex((step) => step.seqs.includes(at));
    if (index < 0) continue;
    if (event.type !== "action_withdrawn") {
      steps[index].corrections.push(correction);
      continue;
    }
    const preceding = last.get(String(at)) ?? steps[index];
    const step = buildStep({ ...steps[index].frame, seq: event.seq, event }, event.type);
    steps.splice(steps.indexOf(preceding) + 1, 0, {
      ...step,
      seqs: [...before.map(({ seq }) => seq), event.seq],
      withdrawnEvents: before,
    });
    last.set(String(at), steps[steps.indexOf(preceding) + 1]);
  }
}

/** Takes long words of somebody's own out of an event: they stand in the margin instead. @param {DealEvent} event */
function splitLongText(event) {
  const name = ["text", "reason"].find((field) => event[field]?.length > MAX_SENTENCE_TEXT_LENGTH);
  return name
    ? { sentenceEvent: { ...event, [name]: null }, marginText: event[name] }
    : { sentenceEvent: event, marginText: null };
}

/** Stepping by tricks halts at both ends, where the contract is named, before the first lead and after each trick. @param {Step[]} steps */
function markTrickStops(steps) {
  steps.forEach((step, index) => {
    const following = steps[index + 1];
    const closesTrick = step.kind === "card_played" && Boolean(step.frame.state.tricks.at(-1)?.winner);
    const beforePlay = following?.kind === "card_played" && step.kind !== "card_played";
    step.isStop = index === 0 || !following || closesTrick || beforePlay || step.kind === "contract_named";
  });
}

/**
 * The step that holds this seq. A correction's own seq leads to the first entry it put in; any other that no step
 * holds, to the last step before it.
 * @param {Step[]} steps
 * @param {Seq | null | undefined} seq
 */
export function stepAt(steps, seq) {
  /** @param {(seq: string) => boolean} fits */
  const holds = (fits) => steps.findIndex((step) => step.seqs.some((one) => fits(String(one))));
  const exact = holds((one) => one === String(seq));
  const found = exact >= 0 ? exact : holds((one) => one.startsWith(`${seq}.`));
  if (found >= 0) return found;
  const upTo = steps.findLastIndex((step) => step.seqs.some((one) => typeof one === "number" && one <= Number(seq)));
  return Math.max(0, upTo);
}

/** @type {(steps: Step[], replay: ReplayDocument) => void} */
function addNotes(steps, replay) {
  /** @type {ReplayDocument["notes"]} */
  const entries = replay.frames
    // A step whose words are hidden from the reader says nothing.
    .filter(({ event }) => event.type === "note_added" && (event.text || event.mark))
    .map((frame) => ({ text: "", ...frame.event, seq: frame.seq }));
  const known = new Set(entries.map((note) => String(note.seq)));
  const others = (replay.notes ?? []).filter((note) => !known.has(String(note.seq)));
  for (const note of [...entries, ...others]) steps[stepAt(steps, note.on ?? note.seq)]?.notes.push(note);
}

/** @type {(steps: Step[], findings: Finding[]) => void} */
function addFindings(steps, findings) {
  for (const finding of findings) {
    if (finding.seq !== null && finding.seq !== undefined) steps[stepAt(steps, finding.seq)]?.findings.push(finding);
  }
}

/** The next place where stepping by tricks halts, in `direction` 1 or -1. @type {(steps: Step[], from: number, direction: number) => number} */
export function nextStop(steps, from, direction) {
  let index = from + direction;
  while (index > 0 && index < steps.length - 1 && !steps[index].isStop) index += direction;
  return Math.min(Math.max(index, 0), steps.length - 1);
}
