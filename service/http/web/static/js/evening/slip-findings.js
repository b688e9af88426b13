// @ts-check
/** What does not fit in the slips of an evening: one question to the service for all of which that is not known yet. */

import { sendRequest } from "../core/api.js";
import { withoutBookkeeping } from "../core/corrections.js";
import { signal } from "../vendor/preact.js";

/** @typedef {import("./evening.js").Evening} Evening */
/** @typedef {{ severity: string, message: string }} Finding */
/** @typedef {{ deal: string, opening: any, result: any, queued?: boolean, struck?: any }} Deal - as `Evening.listDeals` has it */

const SERIOUS_SEVERITIES = new Set(["impossible", "error"]);
const OPENING_FIELDS = ["type", "id", "ruleset", "revision", "switches", "players", "dealer", "pool", "reserved"];

/** What of `findings` a person is asked about before it is written down, and what marks it afterwards. @param {Finding[]} findings */
export const seriousFindings = (findings) => findings.filter((one) => SERIOUS_SEVERITIES.has(one.severity));

/** Such a finding in words, with the names of this evening. @param {Evening} evening @param {Finding} finding */
export function formatFinding(evening, finding) {
  const names = Object.keys(evening.ledger?.names ?? {});
  return names.reduce((text, id) => text.replaceAll(id, evening.displayName(id)), finding.message);
}

export class SlipFindings {
  /** @type {Map<string, Finding[]>} */
  findingsByKey = new Map();
  isAsking = false;
  /** Counts the answers. */
  revision = signal(0);

  /** @param {Evening} evening @param {() => void} onFound - called when there is a new answer */
  constructor(evening, onFound = () => undefined) {
    this.evening = evening;
    this.onFound = onFound;
  }

  /** What does not fit in a deal, in words; nothing if that is not known. @param {Deal} deal */
  listFindingTexts(deal) {
    this.revision.value;
    return (this.findingsByKey.get(slipKey(deal)) ?? []).map((finding) => formatFinding(this.evening, finding));
  }

  /** Asks about the slips of which nothing is known yet; nobody waits for it. */
  async refresh() {
    const unchecked = this.evening
      .listDeals()
      .filter((deal) => isStoredSlip(deal) && !this.findingsByKey.has(slipKey(deal)));
    if (this.isAsking || !unchecked.length || !this.evening.isReachable) return;
    this.isAsking = true;
    try {
      const events = unchecked.flatMap(({ opening, result }) => [
        pickOpeningFields(opening),
        withoutBookkeeping(result?.event ?? {}),
      ]);
      const { reports } = await sendRequest("POST", "/validate", events);
      for (const deal of unchecked) this.findingsByKey.set(slipKey(deal), []);
      for (const { deal, findings } of reports)
        this.findingsByKey.set(slipKey(unchecked[deal - 1]), seriousFindings(findings));
      if (reports.some((/** @type {{ findings: Finding[] }} */ { findings }) => seriousFindings(findings).length)) {
        this.revision.value += 1;
        this.onFound();
      }
    } catch (error) {
      // Without an answer nothing is marked; the next change asks again.
      if (/** @type {any} */ (error).status === undefined) throw error;
    } finally {
      this.isAsking = false;
    }
  }
}

/** A slip that the service has whole: what waits here was judged when it was written, and is judged when it comes there. @param {Deal} deal */
const isStoredSlip = ({ result, opening, queued, struck }) => Boolean(result && opening?.ruleset && !queued && !struck);

/** @param {Deal} deal */
const slipKey = ({ deal, opening, result }) =>
  JSON.stringify([deal, opening && pickOpeningFields(opening), result && withoutBookkeeping(result.event)]);
/** @param {any} opening */
const pickOpeningFields = (opening) => {
  const present = OPENING_FIELDS.filter((name) => opening[name] !== null && opening[name] !== undefined);
  return Object.fromEntries(present.map((name) => [name, opening[name]]));
};
