// @ts-check
/** What the service has said that slips pay: said once, it is known without asking, also where nobody can be asked. */

import { ACTIVE_SEATS } from "./slip-facts.js";

/** @typedef {{ score: any, findings: any[] }} Report - a report of `/validate` */

export class SlipReportCache {
  /** @type {Map<string, Report>} */
  known = new Map();

  /** @param {any} opening @param {object} result @param {Report} report */
  store(opening, result, report) {
    this.known.set(reportKey(opening, result), report);
    // Where neither a payment nor a finding names anybody, it is the same for all players.
    const seats = /** @type {string[]} */ (ACTIVE_SEATS);
    const names = Object.keys(report.score.payments ?? {}).some((who) => !seats.includes(who));
    if (!names && !report.findings.length) this.known.set(reportKey(withoutNames(opening), result), report);
  }

  /** What a slip pays; undefined if that was never said. @param {any} opening @param {object} result */
  find(opening, result) {
    return this.known.get(reportKey(opening, result)) ?? this.known.get(reportKey(withoutNames(opening), result));
  }
}

const UNPAID_FIELDS = { id: null, seq: null, recorded_at: null, stored_at: null, recorded_by: null, number: null };

/** @param {object} opening @param {object} result */
const reportKey = (opening, result) => JSON.stringify([{ ...opening, ...UNPAID_FIELDS }, result]);

/** The opening with places for names. @param {any} opening */
function withoutNames(opening) {
  const { players, dealer } = opening;
  const names = [...ACTIVE_SEATS.map((seat) => players[seat]), ...(players.sitting_out ?? [])];
  return { ...opening, players: names.length, dealer: dealer ? names.indexOf(dealer) : null };
}
