// @ts-check
/** Texts of the steps of a deal: corrections, rulings, notes and what became known later. */

import { t, tc } from "../core/texts.js";

/** What somebody can be called to account for (engine.view); any other word is the recorder's own. */
/** @type {Record<string, string>} */
const IRREGULARITIES = {
  revoke: tc("finding", "revoke"),
  wrong_seat: tc("step", "wrong seat"),
  wrong_phase: tc("step", "wrong phase"),
  bid_too_low: tc("step", "bid too low"),
  exchange_count: tc("step", "exchange count"),
  exchange_mismatch: tc("step", "exchange mismatch"),
  exposed_card: tc("step", "exposed card"),
  misdeal: tc("step", "misdeal"),
  talking: tc("step", "talking"),
  looked_at_cards: tc("step", "looked at cards"),
  irregularity: tc("step", "irregularity"),
};

export default {
  correction: t("Correction"),
  stood: (/** @type {string} */ what, /** @type {boolean} */ puts) => {
    if (!what) return puts ? t("Inserted later.") : t("A correction no longer counts.");
    return puts ? t("Before: {what}", { what }) : t("Taken out: {what}", { what });
  },
  played: (/** @type {string} */ who, /** @type {string} */ card) => t("{who} plays {card}.", { who, card }),
  ruling: t("Ruling"),
  fault: (/** @type {string} */ who) => t("At fault: {who}.", { who }),
  paid: (/** @type {string} */ amounts) => t("Paid: {amounts}.", { amounts }),
  penalty: (/** @type {string} */ points) => t("Penalty: {points}.", { points }),
  note: tc("step", "Note"),
  hasNote: t("There is a note."),
  hasCorrection: t("There is a correction."),
  hasFinding: t("There is a finding."),
  irregularity: (/** @type {string} */ kind) => IRREGULARITIES[kind] ?? kind.replaceAll("_", " "),
  knownLater: t("known later:"),
  corrected: t("Entered again by a later correction."),
  stepOf: (/** @type {number} */ n, /** @type {number} */ all) => t("step {n} of {all}", { n, all }),
  playOn: t("Play"),
  pause: t("Pause"),
  mayDo: t("May now"),
  mayBe: t("may be:"),
  orAlso: t("also possible:"),
  /** @type {Record<string, string>} */
  mayAlso: { abandon: t("give up"), surrender: tc("step", "surrender"), slam: t("go for all nine"), claim: t("claim") },
};
