// @ts-check
/** The facts of a slip: who, what, trumps, how it ended. Pure: what is tapped goes in, an event's fields come out. */

/** @typedef {"forehand" | "middlehand" | "backhand"} Seat */
/** @typedef {Record<Seat, string> & { dealer?: string | null, sitting_out?: string[] }} Seating */
/** @typedef {{ id: string, name: string, trumps: string[], outcomes: string[], nolo: boolean }} Contract */
/** @typedef {(id: string) => Contract} FindContract */
/**
 * @typedef {object} Facts - players by their ids
 * @property {boolean} passed
 * @property {string | null} declarer
 * @property {string | null} contract
 * @property {string | null} trump
 * @property {string | null} outcome
 * @property {Record<string, number>} tricks
 * @property {string | null} slam
 * @property {boolean | null} primeras
 * @property {number | null} estuches
 */
/** @typedef {Partial<Omit<Facts, "passed" | "tricks">> & { tricks?: Partial<Record<Seat, number>> }} Result - of `result_recorded` */

/** @type {Seat[]} */
export const ACTIVE_SEATS = ["forehand", "middlehand", "backhand"];
export const MAX_TRICKS = 9;

/** A slip on which nothing is written. @returns {Facts} */
export const emptyFacts = () => ({
  passed: false,
  declarer: null,
  contract: null,
  trump: null,
  outcome: null,
  tricks: {},
  slam: null,
  primeras: null,
  estuches: null,
});

/** The facts that an entered result states. @param {any} result @param {Seating} seating @returns {Facts} */
export function readFacts(result, seating) {
  if (!result) return emptyFacts();
  const isPassedOut = result.outcome === "passed_out";
  const counted = ACTIVE_SEATS.filter((seat) => seat in (result.tricks ?? {}));
  const tricks = Object.fromEntries(counted.map((seat) => [seating[seat], result.tricks[seat]]));
  return {
    passed: isPassedOut,
    declarer: result.declarer ? seating[/** @type {Seat} */ (result.declarer)] : null,
    contract: result.contract ?? null,
    trump: result.trump ?? null,
    outcome: isPassedOut || counted.length ? null : (result.outcome ?? null),
    tricks,
    slam: result.slam ?? null,
    primeras: result.primeras ?? null,
    estuches: result.estuches ?? null,
  };
}

/** Who sits in a seat, the other way round. @param {Seating} seating @param {string | null} player */
const findSeat = (seating, player) => ACTIVE_SEATS.find((seat) => seating[seat] === player) ?? null;

/**
 * What is still to be tapped before the slip says anything; null if nothing is.
 * @param {Facts} facts
 * @returns {"declarer" | "contract" | "end" | null}
 */
export function missingFact(facts) {
  if (facts.passed) return null;
  if (!facts.declarer) return "declarer";
  if (!facts.contract) return "contract";
  return facts.outcome || facts.declarer in facts.tricks ? null : "end";
}

/** The fields of `result_recorded`; null while something is missing. @param {Facts} facts @param {Seating} seating @returns {Result | null} */
export function buildResult(facts, seating) {
  if (facts.passed) return { outcome: "passed_out" };
  if (missingFact(facts)) return null;
  const { contract, trump, outcome, slam, primeras, estuches } = facts;
  const hasTricks = Object.keys(facts.tricks).length > 0;
  const fields = { declarer: findSeat(seating, facts.declarer), contract, trump, slam, primeras, estuches };
  const stated = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
  return { ...stated, ...(hasTricks ? { tricks: tricksBySeat(facts.tricks, seating) } : { outcome }) };
}

/** Tricks by seat; where two players' are known, the third has the rest. @param {Facts["tricks"]} tricks @param {Seating} seating */
function tricksBySeat(tricks, seating) {
  const known = ACTIVE_SEATS.filter((seat) => seating[seat] in tricks);
  const counts = Object.fromEntries(known.map((seat) => [seat, tricks[seating[seat]]]));
  const rest = ACTIVE_SEATS.filter((seat) => !known.includes(seat));
  const sum = Object.values(counts).reduce((all, count) => all + count, 0);
  return rest.length === 1 && sum <= MAX_TRICKS ? { ...counts, [rest[0]]: MAX_TRICKS - sum } : counts;
}

/**
 * Whose tricks are asked for next: the declarer's, then, if the payment depends on it, the next player's.
 * @param {Facts} facts
 * @param {Seating} seating
 * @param {boolean} isUndecided
 */
export function nextPlayerToCount(facts, seating, isUndecided) {
  if (facts.passed || !facts.declarer) return null;
  if (!(facts.declarer in facts.tricks)) return facts.declarer;
  const defender = countedDefender(facts, seating);
  return isUndecided && defender && !(defender in facts.tricks) ? defender : null;
}

/** The defender whose tricks are counted, if any are; the other's are the rest. @param {Facts} facts @param {Seating} seating */
export function countedDefender({ declarer, tricks }, seating) {
  const defenders = ACTIVE_SEATS.map((seat) => seating[seat]).filter((player) => player !== declarer);
  return declarer ? (defenders.find((player) => player in tricks) ?? defenders[0]) : null;
}

/** The most tricks that `except` can have had, where the others' are known. @param {Facts["tricks"]} tricks @param {string | null} except */
export const maxTricks = (tricks, except) =>
  Object.entries(tricks).reduce((left, [player, count]) => (player === except ? left : left - count), MAX_TRICKS);

/**
 * The facts after a tap. What no longer fits the contract or the seats falls away.
 * @param {Facts} facts
 * @param {Partial<Facts>} change
 * @param {FindContract} findContract
 * @param {Seating} seating
 * @returns {Facts}
 */
export function applyChange(facts, change, findContract, seating) {
  if (change.passed) return { ...emptyFacts(), passed: true };
  const next = { ...facts, ...change };
  if (change.declarer !== undefined) Object.assign(next, { passed: false, tricks: {} });
  if (change.outcome) next.tricks = {};
  if (change.tricks && Object.keys(change.tricks).length) next.outcome = null;
  const contract = next.contract ? findContract(next.contract) : null;
  if (next.declarer && !findSeat(seating, next.declarer)) Object.assign(next, { declarer: null, tricks: {} });
  if (contract && next.trump && !contract.trumps.includes(next.trump)) next.trump = null;
  if (contract && next.outcome && !contract.outcomes.includes(next.outcome)) next.outcome = null;
  return next;
}
