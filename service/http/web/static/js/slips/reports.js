/** What the service has said that slips pay: said once, it is known without asking, also where nobody can be asked. */

import { ACTIVE } from "./facts.js";

export class Reports {
  constructor() {
    this.known = new Map();
  }

  keep(opening, result, report) {
    this.known.set(keyOf(opening, result), report);
    // Where neither a payment nor a finding names anybody, it is the same whoever sits there.
    const names = Object.keys(report.score.payments ?? {}).some((who) => !ACTIVE.includes(who));
    if (!names && !report.findings.length) this.known.set(keyOf(nameless(opening), result), report);
  }

  /** What a slip pays; undefined where that was never said. */
  of(opening, result) {
    return this.known.get(keyOf(opening, result)) ?? this.known.get(keyOf(nameless(opening), result));
  }
}

const keyOf = (opening, result) => JSON.stringify([{ ...opening, id: null, seq: null, recorded_at: null, stored_at: null, recorded_by: null, number: null }, result]);

/** The opening with places for names. */
function nameless(opening) {
  const { players, dealer } = opening;
  const names = [...ACTIVE.map((seat) => players[seat]), ...(players.sitting_out ?? [])];
  return { ...opening, players: names.length, dealer: dealer ? names.indexOf(dealer) : null };
}
