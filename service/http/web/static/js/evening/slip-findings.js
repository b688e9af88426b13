/** What does not fit in the slips of an evening: one question to the service for all of which that is not known yet. */

import { sendRequest } from "../core/api.js";
import { withoutBookkeeping } from "../core/corrections.js";

const SERIOUS_SEVERITIES = new Set(["impossible", "error"]);
const OPENING_FIELDS = ["type", "id", "ruleset", "revision", "switches", "players", "dealer", "pool", "reserved"];

/** What of `findings` a person is asked about before it is written down, and what marks it afterwards. */
export const seriousFindings = (findings) => findings.filter((one) => SERIOUS_SEVERITIES.has(one.severity));

/** Such a finding in words, with the names of this evening. */
export function formatFinding(evening, finding) {
  const names = Object.keys(evening.ledger?.names ?? {});
  return names.reduce((text, id) => text.replaceAll(id, evening.displayName(id)), finding.message);
}

export class SlipFindings {
  /** `onFound()` is called when there is a new answer. */
  constructor(evening, onFound) {
    Object.assign(this, { evening, onFound });
    this.findingsByKey = new Map();
    this.isAsking = false;
  }

  /** What does not fit in a deal (as `Evening.listDeals` has it), in words; nothing where that is not known. */
  listFindingTexts(deal) {
    return (this.findingsByKey.get(slipKey(deal)) ?? []).map((finding) => formatFinding(this.evening, finding));
  }

  /** Asks about the slips of which nothing is known yet; nobody waits for it. */
  async refresh() {
    const unchecked = this.evening.listDeals().filter((deal) => isStoredSlip(deal) && !this.findingsByKey.has(slipKey(deal)));
    if (this.isAsking || !unchecked.length || !this.evening.isReachable) return;
    this.isAsking = true;
    try {
      const { reports } = await sendRequest("POST", "/validate", unchecked.flatMap(({ opening, result }) => [pickOpeningFields(opening), withoutBookkeeping(result.event)]));
      for (const deal of unchecked) this.findingsByKey.set(slipKey(deal), []);
      for (const { deal, findings } of reports) this.findingsByKey.set(slipKey(unchecked[deal - 1]), seriousFindings(findings));
      if (reports.some(({ findings }) => seriousFindings(findings).length)) this.onFound();
    } catch (error) {
      // Where nobody answers nothing is marked; the next change asks again.
      if (error.status === undefined) throw error;
    } finally {
      this.isAsking = false;
    }
  }
}

/** A slip that the service has whole: what waits here was judged when it was written, and is judged when it comes there. */
const isStoredSlip = ({ result, opening, queued, struck }) => Boolean(result && opening?.ruleset && !queued && !struck);

const slipKey = ({ deal, opening, result }) => JSON.stringify([deal, opening && pickOpeningFields(opening), result && withoutBookkeeping(result.event)]);
const pickOpeningFields = (opening) => Object.fromEntries(OPENING_FIELDS.filter((name) => opening[name] !== null && opening[name] !== undefined).map((name) => [name, opening[name]]));
