/** The facts of a slip: who, what, trumps, how it ended. Pure: what is tapped goes in, an event's fields come out. */

export const ACTIVE_SEATS = ["forehand", "middlehand", "backhand"];
export const MAX_TRICKS = 9;

/** A slip on which nothing is written. */
export const emptyFacts = () => ({
  passed: false, declarer: null, contract: null, trump: null, outcome: null, tricks: {}, slam: null, primeras: null, estuches: null,
});

/** The facts that an entered result states; `seating` says who sat where. */
export function readFacts(result, seating) {
  if (!result) return emptyFacts();
  const isPassedOut = result.outcome === "passed_out";
  const tricks = Object.fromEntries(Object.entries(result.tricks ?? {}).map(([seat, count]) => [seating[seat], count]));
  return {
    ...emptyFacts(),
    passed: isPassedOut,
    declarer: result.declarer ? seating[result.declarer] : null,
    contract: result.contract ?? null,
    trump: result.trump ?? null,
    outcome: isPassedOut || Object.keys(tricks).length ? null : result.outcome ?? null,
    tricks,
    slam: result.slam ?? null,
    primeras: result.primeras ?? null,
    estuches: result.estuches ?? null,
  };
}

/** Who sits in a seat, the other way round. */
export const findSeat = (seating, player) => ACTIVE_SEATS.find((seat) => seating[seat] === player) ?? null;

/** What is still to be tapped before the slip says anything: "declarer", "contract", "end", or null. */
export function missingFact(facts) {
  if (facts.passed) return null;
  if (!facts.declarer) return "declarer";
  if (!facts.contract) return "contract";
  return facts.outcome || facts.declarer in facts.tricks ? null : "end";
}

/** The fields of `result_recorded`; null while something is missing. */
export function buildResult(facts, seating) {
  if (facts.passed) return { outcome: "passed_out" };
  if (missingFact(facts)) return null;
  const { contract, trump, outcome, slam, primeras, estuches } = facts;
  const hasTricks = Object.keys(facts.tricks).length > 0;
  const fields = { declarer: findSeat(seating, facts.declarer), contract, trump, slam, primeras, estuches };
  const stated = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
  return { ...stated, ...(hasTricks ? { tricks: tricksBySeat(facts.tricks, seating) } : { outcome }) };
}

/** Tricks by seat; where two players' are known, the third has the rest. */
function tricksBySeat(tricks, seating) {
  const known = ACTIVE_SEATS.filter((seat) => seating[seat] in tricks);
  const counts = Object.fromEntries(known.map((seat) => [seat, tricks[seating[seat]]]));
  const rest = ACTIVE_SEATS.filter((seat) => !known.includes(seat));
  const sum = Object.values(counts).reduce((all, count) => all + count, 0);
  return rest.length === 1 && sum <= MAX_TRICKS ? { ...counts, [rest[0]]: MAX_TRICKS - sum } : counts;
}

/** Whose tricks are asked for next: the declarer's, then, if the outcome depends on it, the next player's. */
export function nextPlayerToCount(facts, seating, isUndecided) {
  if (!(facts.declarer in facts.tricks)) return facts.declarer;
  const others = ACTIVE_SEATS.map((seat) => seating[seat]).filter((player) => player !== facts.declarer);
  return isUndecided && !others.some((player) => player in facts.tricks) ? others[0] : null;
}

/** The facts after a tap. What no longer fits the contract or the seats falls away. */
export function applyChange(facts, change, findContract, seating) {
  const next = { ...facts, ...change };
  if (change.declarer !== undefined) Object.assign(next, { passed: false, tricks: {} });
  if (change.passed) return { ...emptyFacts(), passed: true };
  if (change.outcome) next.tricks = {};
  if (change.tricks && Object.keys(change.tricks).length) next.outcome = null;
  return dropInvalidFacts(next, findContract, seating);
}

function dropInvalidFacts(facts, contractOf, seating) {
  const contract = facts.contract ? contractOf(facts.contract) : null;
  const next = { ...facts };
  if (next.declarer && !findSeat(seating, next.declarer)) Object.assign(next, { declarer: null, tricks: {} });
  if (contract && !contract.trumps.includes(next.trump)) next.trump = null;
  if (contract && next.outcome && !contract.outcomes.includes(next.outcome)) next.outcome = null;
  return next;
}
