/** What the service has said that slips pay: said once, it is known without asking, also where nobody can be asked. */

import { ACTIVE_SEATS } from "./slip-facts.js";

export class SlipReportCache {
  constructor() {
    this.known = new Map();
  }

  store(opening, result, report) {
    this.known.set(reportKey(opening, result), report);
    // Where neither a payment nor a finding names anybody, it is the same for all players.
    const names = Object.keys(report.score.payments ?? {}).some((who) => !ACTIVE_SEATS.includes(who));
    if (!names && !report.findings.length) this.known.set(reportKey(withoutNames(opening), result), report);
  }

  /** What a slip pays; undefined where that was never said. */
  find(opening, result) {
    return this.known.get(reportKey(opening, result)) ?? this.known.get(reportKey(withoutNames(opening), result));
  }
}

const reportKey = (opening, result) => JSON.stringify([{ ...opening, id: null, seq: null, recorded_at: null, stored_at: null, recorded_by: null, number: null }, result]);

/** The opening with places for names. */
function withoutNames(opening) {
  const { players, dealer } = opening;
  const names = [...ACTIVE_SEATS.map((seat) => players[seat]), ...(players.sitting_out ?? [])];
  return { ...opening, players: names.length, dealer: dealer ? names.indexOf(dealer) : null };
}
