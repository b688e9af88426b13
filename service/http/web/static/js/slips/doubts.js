/** What does not fit in the slips of an evening: one question to the service for all of which that is not known yet. */

import { sent } from "../core/api.js";

const GRAVE = new Set(["impossible", "error"]);
const OPENING = ["type", "id", "ruleset", "revision", "switches", "players", "dealer", "pool", "reserved"];
/** What an entry bears beside its own fields. */
const BOOKKEEPING = new Set(["seq", "recorded_at", "stored_at", "recorded_by", "id", "kept", "queued"]);

/** What of `findings` a person is asked about before it is written down, and what marks it afterwards. */
export const faultsOf = (findings) => findings.filter((one) => GRAVE.has(one.severity));

/** Such a finding in words, with the names of this evening. */
export function faultTold(evening, finding) {
  const names = Object.keys(evening.ledger?.names ?? {});
  return names.reduce((text, id) => text.replaceAll(id, evening.called(id)), finding.message);
}

export class Doubts {
  /** `found()` is called when something in doubt has come to be known. */
  constructor(evening, found) {
    Object.assign(this, { evening, found });
    this.known = new Map();
    this.asking = false;
  }

  /** What does not fit in a deal (as `Evening.deals` has it), in words; nothing where that is not known. */
  of(deal) {
    return (this.known.get(keyOf(deal)) ?? []).map((finding) => faultTold(this.evening, finding));
  }

  /** Asks about the slips of which nothing is known yet; nobody waits for it. */
  async look() {
    const asked = this.evening.deals().filter((deal) => isStored(deal) && !this.known.has(keyOf(deal)));
    if (this.asking || !asked.length || !this.evening.reached) return;
    this.asking = true;
    try {
      const { reports } = await sent("POST", "/validate", asked.flatMap(({ opening, result }) => [bare(opening), own(result.event)]));
      for (const deal of asked) this.known.set(keyOf(deal), []);
      for (const { deal, findings } of reports) this.known.set(keyOf(asked[deal - 1]), faultsOf(findings));
      if (reports.some(({ findings }) => faultsOf(findings).length)) this.found();
    } catch (refused) {
      // Where nobody answers nothing is marked; the next change asks again.
      if (refused.status === undefined) throw refused;
    } finally {
      this.asking = false;
    }
  }
}

/** A slip that the service has whole: what waits here was judged when it was written, and is judged when it comes there. */
const isStored = ({ result, opening, queued, struck }) => Boolean(result && opening?.ruleset && !queued && !struck);

const keyOf = ({ deal, opening, result }) => JSON.stringify([deal, opening && bare(opening), result && own(result.event)]);
const bare = (opening) => Object.fromEntries(OPENING.filter((name) => opening[name] !== null && opening[name] !== undefined).map((name) => [name, opening[name]]));
const own = (event) => Object.fromEntries(Object.entries(event).filter(([name, value]) => !BOOKKEEPING.has(name) && value !== null));
