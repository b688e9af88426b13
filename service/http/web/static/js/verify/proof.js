// @ts-check
/**
 * Checks proof files with WebCrypto, without a service (docs/transparency.md): that what they show is in the log of a
 * checkpoint, that a record says the same, and who signed the checkpoint.
 */

import { t } from "../core/texts.js";

/** @typedef {Uint8Array<ArrayBuffer>} Bytes */
/** @typedef {{ position: number, seq: number, id: string, storedAt: string, commitment: Bytes, body: string | null, isErased: boolean, path: Bytes[] }} ProvenEvent */
/** @typedef {{ root: string, stream: string, events: ProvenEvent[] }} ProvenStream */
/** @typedef {{ name: string, keyId: string, value: Bytes }} Signature */
/** @typedef {{ text: string, origin: string, size: number, root: string, signatures: Signature[] }} Note */
/** @typedef {{ note: Note, streams: ProvenStream[] }} Proof */
/** @typedef {{ name: string, keyId: string, publicKey: Bytes }} PublicKey */
/** @typedef {{ number: number, event: Record<string, any> | null }} RecordLine */
/** @typedef {{ kind: "changed" | "missing" | "added" | "moved" | "unreadable", stream?: string, seq?: number, line?: number, fields?: string }} Difference */
/** @typedef {"signed" | "unsigned" | "unavailable"} SignatureState */
/** @typedef {"proved" | "changed" | "other-checkpoint" | "unsigned" | "unchecked" | "unanchored"} Outcome */
/** @typedef {{ outcome: Outcome, differences: Difference[], shown: number, hidden: number, erased: number, records: number, unprovedLines: number[], signature: SignatureState | null, note: Note }} Verdict */
/** @typedef {{ proof: Proof, record?: RecordLine[], checkpoints?: Note[], keys?: PublicKey[] }} Files */

const PROOF_FORMAT = "spadille-proof/1";
const ED25519 = 1;
const HASH_BYTES = 32;
const SALT_BYTES = 16;
const SIGNATURE_PREFIX = "— ";
const LEAVES_HEADER = "leaves ";
const KEY_LINE = /^([^\s+]{1,200})\+([0-9a-f]{8})\+([A-Za-z0-9+/=]+)$/;

const encoder = new TextEncoder();

/** A file is not what it should be; the message says what was expected. */
export class UnreadableFile extends Error {}

/** Whether this browser can calculate hashes: it can on https, and on the computer that runs the service. */
export const canCalculate = () => Boolean(globalThis.crypto?.subtle);

// Bytes

/** @param {Uint8Array[]} parts @returns {Bytes} */
function concat(...parts) {
  const bytes = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    bytes.set(part, offset);
    offset += part.length;
  }
  return bytes;
}

/** @param {Uint8Array[]} parts @returns {Promise<Bytes>} */
const sha256 = async (...parts) => new Uint8Array(await crypto.subtle.digest("SHA-256", concat(...parts)));

/** @param {Uint8Array} bytes */
const encodeBase64 = (bytes) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));

/** @param {Uint8Array} bytes */
const encodeHex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** The bytes, or null unless they are in canonical form. @param {unknown} text @returns {Bytes | null} */
function decodeBase64(text) {
  if (typeof text !== "string") return null;
  try {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    return encodeBase64(bytes) === text ? bytes : null;
  } catch {
    return null;
  }
}

/** @param {unknown} value @param {number} length @param {string} place */
function requireBytes(value, length, place) {
  const bytes = decodeBase64(value);
  if (bytes?.length !== length) throw unreadable(place, `${length} bytes, base64`);
  return bytes;
}

/** @param {any} value @param {number} maximum @param {string} place @returns {number} */
function requireInteger(value, maximum, place) {
  if (!Number.isSafeInteger(value) || value < 0 || value > maximum) throw unreadable(place, `0–${maximum}`);
  return value;
}

/** @param {any} value @param {string} place @returns {string} */
function requireText(value, place) {
  if (typeof value !== "string") throw unreadable(place, '"…"');
  return value;
}

/** @param {any} value @param {string} place @returns {any[]} */
function requireList(value, place) {
  if (!Array.isArray(value)) throw unreadable(place, "[…]");
  return value;
}

/** @param {string} place @param {string} expected */
const unreadable = (place, expected) =>
  new UnreadableFile(t("The file is damaged at {place}: expected {expected}.", { place, expected }));

// Files

/** What a file is, by its text. @param {string} text @returns {"proof" | "checkpoint" | "keys" | "record" | null} */
export function recognizeFile(text) {
  const start = text.trimStart();
  if (start.startsWith("{")) {
    const format = readLine(text)?.format;
    return format === PROOF_FORMAT ? "proof" : format === undefined ? "record" : null;
  }
  if (KEY_LINE.test(start.split("\n", 1)[0].trim())) return "keys";
  return new RegExp(`\n\r?\n${SIGNATURE_PREFIX}`).test(text) ? "checkpoint" : null;
}

/** Reads a proof file, without checking it. @param {string} text @returns {Promise<Proof>} */
export async function readProof(text) {
  const data = JSON.parse(text);
  const note = readNote(requireText(data.checkpoint, "/checkpoint"));
  const hashes = requireList(data.hashes, "/hashes").map((one, at) => requireBytes(one, HASH_BYTES, `/hashes/${at}`));
  const streams = requireList(data.streams, "/streams").map(async (stream, at) => ({
    root: requireText(stream?.root, `/streams/${at}/root`),
    stream: requireText(stream?.stream, `/streams/${at}/stream`),
    events: await Promise.all(
      requireList(stream.events, `/streams/${at}/events`).map((event, place) =>
        readProvenEvent(event, hashes, `/streams/${at}/events/${place}`),
      ),
    ),
  }));
  if (streams.length === 0) throw new UnreadableFile(t("The proof is of no record, so it proves nothing."));
  return { note, streams: await Promise.all(streams) };
}

/** @param {any} event @param {Bytes[]} hashes @param {string} place @returns {Promise<ProvenEvent>} */
async function readProvenEvent(event, hashes, place) {
  const isHidden = "commitment" in Object(event);
  const body = isHidden ? null : requireText(event?.body, `${place}/body`);
  const path = requireList(event.path, `${place}/path`);
  return {
    position: requireInteger(event.position, Number.MAX_SAFE_INTEGER, `${place}/position`),
    seq: requireInteger(event.seq, Number.MAX_SAFE_INTEGER, `${place}/seq`),
    id: requireText(event.id, `${place}/id`),
    storedAt: requireText(event.stored_at, `${place}/stored_at`),
    commitment:
      body === null
        ? requireBytes(event.commitment, HASH_BYTES, `${place}/commitment`)
        : await sha256(requireBytes(event.salt, SALT_BYTES, `${place}/salt`), encoder.encode(body)),
    body,
    isErased: isHidden && event.erased === true,
    path: path.map((one, at) => hashes[requireInteger(one, hashes.length - 1, `${place}/path/${at}`)]),
  };
}

/** Reads a checkpoint with its signatures. @param {string} text @returns {Note} */
function readNote(text) {
  const end = text.lastIndexOf("\n\n");
  const [origin, size, root] = text.slice(0, Math.max(0, end)).split("\n");
  const isRoot = decodeBase64(root)?.length === HASH_BYTES;
  if (!origin || !/^(0|[1-9]\d{0,15})$/.test(size ?? "") || !isRoot || !text.endsWith("\n")) {
    throw new UnreadableFile(t("A checkpoint has three lines, an empty line and a signature; this one does not."));
  }
  const signatures = text
    .slice(end + 2, -1)
    .split("\n")
    .map(readSignature);
  return { text: text.slice(0, end + 1), origin, size: Number(size), root, signatures };
}

/** @param {string} line @returns {Signature} */
function readSignature(line) {
  const [name, value] = line.slice(SIGNATURE_PREFIX.length).split(" ");
  const bytes = decodeBase64(value);
  if (!line.startsWith(SIGNATURE_PREFIX) || !name || !bytes || bytes.length < 5) {
    throw new UnreadableFile(t("A checkpoint has three lines, an empty line and a signature; this one does not."));
  }
  return { name, keyId: encodeHex(bytes.subarray(0, 4)), value: bytes.slice(4) };
}

/** Reads the checkpoints that somebody kept; the leaf hashes among them are not needed. @param {string} text @returns {Note[]} */
export function readCheckpoints(text) {
  const blocks = text
    .replaceAll("\r\n", "\n")
    .split("\n\n")
    .map((block) => block.replace(/^\n+|\n+$/g, ""))
    .filter((block) => block && !block.startsWith(LEAVES_HEADER));
  const notes = [];
  for (let at = 0; at < blocks.length; at += 2) notes.push(readNote(`${blocks[at]}\n\n${blocks[at + 1] ?? ""}\n`));
  return notes;
}

/** Reads public keys, one on each line. @param {string} text @returns {Promise<PublicKey[]>} */
export async function readKeys(text) {
  const lines = text.split("\n").map((line) => line.trim());
  return Promise.all(lines.filter(Boolean).map(readKey));
}

/** @param {string} line @returns {Promise<PublicKey>} */
async function readKey(line) {
  const [, name, keyId, value] = line.match(KEY_LINE) ?? [];
  const bytes = decodeBase64(value);
  const isKey = bytes?.length === 33 && bytes[0] === ED25519;
  const digest = isKey ? await sha256(encoder.encode(`${name}\n`), bytes) : null;
  if (!bytes || !digest || encodeHex(digest.subarray(0, 4)) !== keyId) {
    throw new UnreadableFile(t("A public key is a line such as “name+a1b2c3d4+AQ…”; this is none, or incomplete."));
  }
  return { name, keyId, publicKey: bytes.slice(1) };
}

/** The lines of a record as JSON Lines; the event of a line that cannot be read is null. @param {string} text @returns {RecordLine[]} */
export function readRecord(text) {
  return text.split("\n").flatMap((line, at) => (line.trim() ? [{ number: at + 1, event: readLine(line) }] : []));
}

/** The object that a text is; null where it is none. @param {string} line @returns {Record<string, any> | null} */
function readLine(line) {
  try {
    const event = JSON.parse(line);
    return typeof event === "object" && !Array.isArray(event) ? event : null;
  } catch {
    return null;
  }
}

// The log

/** @param {string} text */
function netstring(text) {
  const bytes = encoder.encode(text);
  return concat(encoder.encode(`${bytes.length}:`), bytes, encoder.encode(","));
}

/** @param {ProvenStream} stream @param {ProvenEvent} event */
function hashLeaf({ root, stream }, { seq, id, storedAt, commitment }) {
  const names = [root, stream, String(seq), id, storedAt].map(netstring);
  return sha256(new Uint8Array([0]), encoder.encode("spadille event 1\n"), ...names, commitment);
}

/** The root that a leaf and its audit path give (RFC 6962, 2.1.1); null where the path has another length. @param {number} index @param {number} size @param {Bytes} leaf @param {Bytes[]} path */
async function rootFromPath(index, size, leaf, path) {
  if (index < 0 || index >= size) return null;
  let node = leaf;
  let [at, last] = [index, size - 1];
  const up = () => ([at, last] = [Math.floor(at / 2), Math.floor(last / 2)]);
  for (const sibling of path) {
    if (last === 0) return null;
    const isRight = at % 2 === 1 || at === last;
    node = isRight ? await hashNode(sibling, node) : await hashNode(node, sibling);
    // A last node without a sibling goes up as it is.
    while (isRight && at % 2 === 0 && at > 0) up();
    up();
  }
  return last === 0 ? encodeBase64(node) : null;
}

/** @param {Bytes} left @param {Bytes} right */
const hashNode = (left, right) => sha256(new Uint8Array([1]), left, right);

/** What in a proof is not in the log of its checkpoint, or not in its place. @param {Proof} proof @returns {Promise<Difference[]>} */
async function checkProof({ note, streams }) {
  const found = [];
  for (const stream of streams) {
    found.push(...checkOrder(stream));
    for (const event of stream.events) {
      const root = await rootFromPath(event.position - 1, note.size, await hashLeaf(stream, event), event.path);
      if (root !== note.root)
        found.push({ kind: /** @type {const} */ ("changed"), stream: stream.stream, seq: event.seq });
    }
  }
  return found;
}

/** The first event of a stream that is not in its place. @param {ProvenStream} stream @returns {Difference[]} */
function checkOrder({ stream, events }) {
  const numbers = events.map(({ seq }) => seq);
  const at = numbers.findIndex((seq, place) => seq !== place + 1);
  if (at < 0) return [];
  if (!numbers.includes(at + 1)) return [{ kind: "missing", stream, seq: at + 1 }];
  return [{ kind: numbers.indexOf(numbers[at]) < at ? "added" : "moved", stream, seq: numbers[at] }];
}

// The record

/** What a record says otherwise than the proof. @param {Proof} proof @param {RecordLine[]} lines @returns {Difference[]} */
function compareRecord({ streams }, lines) {
  /** @type {Difference[]} */
  const found = lines.flatMap(({ number, event }) => (event ? [] : [{ kind: "unreadable", line: number }]));
  const groups = streams.map((stream) => ({ stream, lines: /** @type {RecordLine[]} */ ([]) }));
  const byId = new Map(groups.flatMap((group) => group.stream.events.map(({ id }) => [id, group])));
  let current = groups[0];
  for (const line of lines.filter(({ event }) => event)) {
    // A line that no stream knows belongs to the stream of the line before.
    current = byId.get(line.event?.id) ?? current;
    current?.lines.push(line);
  }
  return [...found, ...groups.flatMap((group) => compareStream(group.stream, group.lines))];
}

/** The changed lines, up to the first that is in another place. @param {ProvenStream} stream @param {RecordLine[]} lines @returns {Difference[]} */
function compareStream({ stream, events }, lines) {
  /** @type {Difference[]} */
  const found = [];
  for (const [at, event] of events.entries()) {
    const line = lines[at];
    if (line?.event?.id === event.id) {
      const fields = listDifferingFields(event, line.event).join(", ");
      if (fields) found.push({ kind: "changed", stream, seq: event.seq, line: line.number, fields });
      continue;
    }
    const isThere = lines.some(({ event: other }) => other?.id === event.id);
    if (!line || !isThere) return [...found, { kind: "missing", stream, seq: event.seq }];
    const isKnown = events.some(({ id }) => id === line.event?.id);
    return [
      ...found,
      { kind: isKnown ? "moved" : "added", stream, seq: isKnown ? event.seq : undefined, line: line.number },
    ];
  }
  const rest = lines.slice(events.length);
  return [...found, ...rest.map(({ number }) => ({ kind: /** @type {const} */ ("added"), stream, line: number }))];
}

/** The fields in which a line differs from the proven event; null is as good as no field. @param {ProvenEvent} event @param {Record<string, any>} line */
function listDifferingFields({ id, seq, storedAt, body }, line) {
  const place = { id, seq, stored_at: storedAt };
  const proven = body === null ? place : readLine(body);
  if (!proven) return ["body"];
  const names = Object.keys(body === null ? place : { ...proven, ...line });
  return names.filter((name) => !isSame(proven[/** @type {"id"} */ (name)] ?? null, line[name] ?? null));
}

/** @param {any} one @param {any} other @returns {boolean} */
function isSame(one, other) {
  if (typeof one !== "object" || typeof other !== "object" || !one || !other) return one === other;
  const names = Object.keys(one);
  if (Array.isArray(one) !== Array.isArray(other) || names.length !== Object.keys(other).length) return false;
  return names.every((name) => Object.hasOwn(other, name) && isSame(one[name], other[name]));
}

// The signature

/** Whether one of the keys signed one of the notes. @param {Note[]} notes @param {PublicKey[]} keys @returns {Promise<SignatureState>} */
async function checkSignature(notes, keys) {
  try {
    for (const { name, keyId, publicKey } of keys) {
      const key = await crypto.subtle.importKey("raw", publicKey, { name: "Ed25519" }, false, ["verify"]);
      for (const { text, signatures } of notes) {
        for (const signature of signatures.filter((one) => one.name === name && one.keyId === keyId)) {
          if (await crypto.subtle.verify("Ed25519", key, signature.value, encoder.encode(text))) return "signed";
        }
      }
    }
    return "unsigned";
  } catch {
    // An older browser does not have Ed25519.
    return "unavailable";
  }
}

// The verdict

/** Checks a proof, and a record with it, against what somebody kept: checkpoints, or public keys. @param {Files} files @returns {Promise<Verdict>} */
export async function verifyFiles({ proof, record, checkpoints, keys }) {
  const { note, streams } = proof;
  const events = streams.flatMap((stream) => stream.events);
  const differences = [...(record ? compareRecord(proof, record) : []), ...(await checkProof(proof))];
  const known = checkpoints?.filter(({ size }) => size === note.size) ?? [];
  const isKnown = known.length > 0 && known.every(({ origin, root }) => origin === note.origin && root === note.root);
  const signature = keys ? await checkSignature([note, ...known], keys) : null;
  const hidden = events.filter(({ body }) => body === null);
  const erased = hidden.filter(({ isErased }) => isErased).length;
  const hiddenIds = new Set(hidden.map(({ id }) => id));
  return {
    outcome: decide(differences, checkpoints ? isKnown : null, signature),
    differences,
    shown: events.length - hidden.length,
    hidden: hidden.length - erased,
    erased,
    records: streams.length,
    unprovedLines: (record ?? []).filter(({ event }) => hiddenIds.has(event?.id)).map(({ number }) => number),
    signature,
    note,
  };
}

/** @param {Difference[]} differences @param {boolean | null} isKnown - null without a checkpoint @param {SignatureState | null} signature @returns {Outcome} */
function decide(differences, isKnown, signature) {
  if (differences.length) return "changed";
  if (isKnown === false) return "other-checkpoint";
  if (signature === "unsigned") return "unsigned";
  if (isKnown || signature === "signed") return "proved";
  return signature === "unavailable" ? "unchecked" : "unanchored";
}
