// @ts-check
/**
 * What-ifs, pure: how one is sent to the service, how its document is added to that of the deal, and how an address encodes it.
 *
 * A what-if: `{at, acts, name, text}`. It leaves the deal after the entry `at` and continues with its own acts (what-if-actions.js);
 * `name` and `text` are what its maker calls it and says of it. Entries of its own are called by where it leaves and their
 * number in its own log: `26~2`, `26~3`.
 */

import { decodeAction, encodeAction, isWhatIfAction } from "./what-if-actions.js";

/** @import { ReplayDocument, Seq } from "./types.d.ts" */
/** @import { Action } from "./what-if-actions.js" */
/** @typedef {{ at: Seq, acts: Action[], name: string, text: string }} WhatIf */

const SEQ_PATTERN = /^\d+(\.\d+)*$/;
/** What begins the number of an entry that a variation has from its deal. */
const SHARED_PREFIX = "1.";

/** The number of cards in three hands, and twice that number before the play. */
const MAX_ACTIONS = 81;
/** The longest name and comment that an address may contain. */
export const MAX_WHAT_IF_NAME_LENGTH = 100;
export const MAX_WHAT_IF_TEXT_LENGTH = 500;

/**
 * The log of a what-if, as the service takes it: a variation of `deal`. `opening` is how that deal is opened.
 * @param {WhatIf} whatIf
 * @param {{ deal: string, opening: any, parentVersion: number | null, [member: string]: any }} parent
 */
export function buildVariationLog({ at, acts, text }, { deal, opening, parentVersion, ...context }) {
  const { ruleset, players } = opening;
  const branch = { deal, at, ...(parentVersion ? { known: parentVersion } : {}) };
  const note = text ? [{ type: "note_added", text, on: 2 }] : [];
  return [{ type: "deal_opened", ruleset, players, branch, ...context }, ...acts, ...note];
}

/** Whether two go the same way as far as the first goes. @type {(acts: Action[], others: Action[]) => boolean} */
export const isActionPrefix = (acts, others) =>
  acts.every((act, index) => others[index] && encodeAction(others[index]) === encodeAction(act));

/** The part after the `#` in an address that shows this what-if at its entry `seq`. @type {(whatIf: WhatIf, seq: Seq) => string} */
export function encodeWhatIf({ at, acts, name, text }, seq) {
  const codes = acts.map(encodeAction).join(".");
  const words = new URLSearchParams({ ...(name ? { name } : {}), ...(text ? { text } : {}) }).toString();
  return `at=${seq}&from=${at}&if=${codes.replaceAll("??", "%3F%3F")}${words ? `&${words}` : ""}`;
}

/** The number of an entry, as documents have it. @param {string} text @returns {Seq} */
const parseSeq = (text) => (text.includes(".") ? text : Number(text));

/** @type {(frame: { seq: Seq }) => boolean} */
const isShared = ({ seq }) => String(seq).startsWith(SHARED_PREFIX);

/** What an entry of a variation that leaves the deal after `at` is called in the document put onto the deal's. @type {(seq: Seq, at: Seq) => Seq} */
export const renumberSeq = (seq, at) =>
  isShared({ seq }) ? parseSeq(String(seq).slice(SHARED_PREFIX.length)) : `${at}~${seq}`;

/** The what-if in an address; null if there is none that is possible. The trick of a card is left open. @param {string} fragment @returns {WhatIf | null} */
export function decodeWhatIf(fragment) {
  const params = new URLSearchParams(fragment);
  const from = params.get("from") ?? "";
  const acts = (params.get("if") ?? "").split(".").map(decodeAction);
  if (!SEQ_PATTERN.test(from) || acts.length > MAX_ACTIONS || !acts.every((act) => act !== null)) return null;
  return {
    at: parseSeq(from),
    acts,
    name: (params.get("name") ?? "").slice(0, MAX_WHAT_IF_NAME_LENGTH),
    text: (params.get("text") ?? "").slice(0, MAX_WHAT_IF_TEXT_LENGTH),
  };
}

/** Where a document names entries. */
const SEQ_MEMBERS = new Set(["seq", "on", "of"]);
const SEQ_LIST_MEMBERS = new Set(["seqs", "evidence", "replaces"]);

/** Any part of a document, its entries called as `call` has it. @param {any} value @param {(seq: Seq) => Seq} call @returns {any} */
function renumberEntries(value, call) {
  if (Array.isArray(value)) return value.map((one) => renumberEntries(one, call));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => {
      if (SEQ_MEMBERS.has(name) && one !== null) return [name, call(one)];
      return [name, SEQ_LIST_MEMBERS.has(name) && Array.isArray(one) ? one.map(call) : renumberEntries(one, call)];
    }),
  );
}

/**
 * The document of a variation put onto that of the deal: up to where it leaves, the deal's own entries with its notes, then
 * what is its own. Null if its beginning is not what the deal says now: then it was made before a correction.
 * @type {(deal: ReplayDocument, variation: ReplayDocument, at: Seq) => ReplayDocument | null}
 */
export function graftVariation(deal, variation, at) {
  const upTo = deal.frames.findIndex((frame) => String(frame.seq) === String(at)) + 1;
  const branchLength = variation.frames.findLastIndex(isShared) + 1;
  /** @type {(frame: ReplayDocument["frames"][number], index: number) => boolean} */
  const same = (frame, index) =>
    frame.event.type === variation.frames[index].event.type && frame.event.card === variation.frames[index].event.card;
  if (!upTo || upTo !== branchLength || !deal.frames.slice(0, upTo).every(same)) return null;
  /** @param {Seq} seq */
  const call = (seq) => renumberSeq(seq, at);
  const before = new Set(deal.frames.slice(0, upTo).map((frame) => String(frame.seq)));
  const sharedNotes = deal.notes.filter((note) => before.has(String(note.on ?? note.seq)));
  const ownFrames = variation.frames.slice(branchLength);
  // That it does not say yet how the deal ends is no fault of what is being thought of.
  /** @param {ReplayDocument["findings"][number]} finding */
  const open = (finding) => finding.code === "incomplete" && String(finding.seq) === String(ownFrames.at(-1)?.seq);
  return {
    ...deal,
    frames: [...deal.frames.slice(0, upTo), ...renumberEntries(ownFrames, call)],
    findings: renumberEntries(
      variation.findings.filter((finding) => !open(finding)),
      call,
    ),
    notes: [
      ...sharedNotes,
      ...renumberEntries(
        variation.notes.filter((note) => !isShared(note)),
        call,
      ),
    ],
    score: variation.score,
  };
}

/** The acts of a variation's own entries; null if it has others, such as a claim. @param {ReplayDocument} document @returns {Action[] | null} */
export function listOwnActions(document) {
  const ownEvents = document.frames.filter((frame) => !isShared(frame)).map(({ event }) => event);
  const actions = ownEvents.filter(({ type }) => !["note_added", "deal_closed"].includes(type));
  return actions.every(isWhatIfAction) ? actions : null;
}
