import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import {
  readCheckpoints,
  readKeys,
  readProof,
  readRecord,
  recognizeFile,
  UnreadableFile,
  verifyFiles,
} from "../../service/http/web/static/js/verify/proof.js";

/** Files that the service made; tests/golden/test_proofs.py holds that Python verifies them. */
const load = (name) => readFileSync(new URL(`../golden/proofs/${name}`, import.meta.url), "utf-8");

async function verify(record, { kept = load("kept.txt"), key, proof = load("evening.jsonl.proof") } = {}) {
  return verifyFiles({
    proof: await readProof(proof),
    record: record === null ? undefined : readRecord(record),
    checkpoints: kept ? readCheckpoints(kept) : undefined,
    keys: key ? await readKeys(key) : undefined,
  });
}

/** A difference as it is shown of a single record. */
const withoutStream = (difference) => JSON.parse(JSON.stringify({ ...difference, stream: undefined }));

const RECORD = load("evening.jsonl");
const LINES = RECORD.split("\n");

test("a record is proved by a checkpoint that somebody kept, or by the key that signed it", async () => {
  for (const anchor of [{}, { kept: null, key: load("key.txt") }, { key: load("key.txt") }]) {
    const { outcome, shown, hidden, records, differences } = await verify(RECORD, anchor);
    assert.deepEqual([outcome, shown, hidden, records, differences], ["proved", 11, 0, 3, []]);
  }
  assert.equal((await verify(null)).outcome, "proved");
  assert.equal((await verify(RECORD, { kept: null })).outcome, "unanchored");
});

test("what is hidden is proved by its place alone", async () => {
  const found = await verify(load("hidden.jsonl"), { proof: load("hidden.jsonl.proof") });
  assert.deepEqual([found.outcome, found.shown, found.hidden], ["proved", 5, 1]);
  assert.deepEqual(found.unprovedLines, [2]);
  // A proof of the deal with its hands open fits the same checkpoint, and no line of it is unproved.
  assert.deepEqual((await verify(RECORD)).unprovedLines, []);
});

test("each way in which a record was changed is named", async () => {
  /** @type {[string, object[]][]} */
  const changed = [
    [RECORD.replace('"outcome":"won"', '"outcome":"bete"'), [{ kind: "changed", seq: 2, line: 5, fields: "outcome" }]],
    [RECORD.replace('"won"', '"won","tricks":null'), []],
    [LINES.toSpliced(4, 1).join("\n"), [{ kind: "missing", seq: 2 }]],
    [LINES.toSpliced(5, 2, LINES[6], LINES[5]).join("\n"), [{ kind: "moved", seq: 1, line: 6 }]],
    [`${RECORD}{"type":"note_added","id":"x"}`, [{ kind: "added", line: 12 }]],
    [
      RECORD.replace("{", "("),
      [
        { kind: "unreadable", line: 1 },
        { kind: "missing", seq: 1 },
      ],
    ],
  ];
  for (const [record, expected] of changed) {
    const { outcome, differences } = await verify(record);
    assert.deepEqual(differences.map(withoutStream), expected);
    assert.equal(outcome, expected.length ? "changed" : "proved");
  }
});

test("a proof that does not lead to its checkpoint proves nothing", async () => {
  const text = load("evening.jsonl.proof");
  const body = text.replace('\\"outcome\\":\\"won\\"', '\\"outcome\\":\\"bete\\"');
  assert.deepEqual((await verify(null, { proof: body })).differences.map(withoutStream), [{ kind: "changed", seq: 2 }]);
  const place = text.replace('"position":5', '"position":4');
  assert.equal((await verify(null, { proof: place })).outcome, "changed");
  const proof = JSON.parse(text);
  proof.streams[0].events.pop();
  proof.streams[1].events.shift();
  const { differences } = await verify(null, { proof: JSON.stringify(proof) });
  assert.deepEqual(differences, [{ kind: "missing", stream: proof.streams[1].stream, seq: 1 }]);
});

test("another checkpoint, another key and a signature that is none are told apart", async () => {
  const kept = load("kept.txt");
  const other = kept.replace(/\n11\n./, (root) => (root.endsWith("A") ? "\n11\nB" : "\n11\nA"));
  assert.equal((await verify(RECORD, { kept: other })).outcome, "other-checkpoint");
  assert.equal((await verify(RECORD, { kept: kept.replace("\n11\n", "\n10\n") })).outcome, "other-checkpoint");
  const key = load("key.txt");
  const sameName = await createKey(key.split("+")[0]);
  assert.equal((await verify(RECORD, { kept: null, key: sameName })).outcome, "unsigned");
  assert.equal((await verify(RECORD, { kept: null, key: `${sameName}\n${key}` })).outcome, "proved");
  const forged = load("evening.jsonl.proof").replace(/— (\S+) (.{20})./, (_, name, start) => `— ${name} ${start}A`);
  assert.equal((await verify(RECORD, { kept: null, key, proof: forged })).outcome, "unsigned");
});

/** A line with a new public key of that name. @param {string} name */
async function createKey(name) {
  const { publicKey } = await crypto.subtle.generateKey("Ed25519", true, ["sign", "verify"]);
  const bytes = Buffer.concat([Buffer.from([1]), Buffer.from(await crypto.subtle.exportKey("raw", publicKey))]);
  const digest = await crypto.subtle.digest("SHA-256", Buffer.concat([Buffer.from(`${name}\n`), bytes]));
  return `${name}+${Buffer.from(digest).toString("hex").slice(0, 8)}+${bytes.toString("base64")}`;
}

test("a browser without Ed25519 says so, and a kept checkpoint is enough there", async (context) => {
  context.mock.method(crypto.subtle, "importKey", () => Promise.reject(new DOMException("", "NotSupportedError")));
  const key = load("key.txt");
  assert.equal((await verify(RECORD, { kept: null, key })).outcome, "unchecked");
  const { outcome, signature } = await verify(RECORD, { key });
  assert.deepEqual([outcome, signature], ["proved", "unavailable"]);
});

test("files are known by what stands in them", async () => {
  const kinds = ["evening.jsonl", "evening.jsonl.proof", "kept.txt", "key.txt"].map((name) =>
    recognizeFile(load(name)),
  );
  assert.deepEqual(kinds, ["record", "proof", "checkpoint", "keys"]);
  for (const text of ["Deal: Thursday", '{"format": "spadille-consistency/1"}'])
    assert.equal(recognizeFile(text), null);
  // Leaf hashes may stand below a checkpoint.
  assert.equal(readCheckpoints(`${load("kept.txt")}\nleaves 0\nAAAA\n`).length, 1);
  const text = load("evening.jsonl.proof");
  await assert.rejects(readProof(text.replace(/"salt":"../, '"salt":"')), UnreadableFile);
  await assert.rejects(readProof(text.replace('"path":[', '"path":[99,')), UnreadableFile);
  // A proof of nothing fits every record.
  await assert.rejects(readProof(JSON.stringify({ ...JSON.parse(text), streams: [] })), UnreadableFile);
  await assert.rejects(readKeys(load("key.txt").replace("+", "x+")), UnreadableFile);
});
