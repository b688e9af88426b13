/** What only who walks through a deal is told, of corrections, rulings, notes and what was known later: in both languages. */

/** What somebody can be called to account for (engine.view); any other word is the recorder's own. */
const DANISH_IRREGULARITIES = {
  revoke: "kulørsvigt", wrong_seat: "uden for tur", wrong_phase: "på et forkert tidspunkt", bid_too_low: "for lav melding",
  exchange_count: "for få eller for mange kort byttet", exchange_mismatch: "solgt og købt stemmer ikke", exposed_card: "vist kort",
  misdeal: "fejlgivning", talking: "snak om spillet", looked_at_cards: "har set kort", irregularity: "noget er ikke, som det skal være",
};

const DANISH_MESSAGES = {
  correction: "Rettelse",
  stood: (what, puts) => (what ? `${puts ? "Her stod" : "Taget ud"}: ${what}` : puts ? "Sat ind senere." : "En rettelse gælder ikke mere."),
  played: (who, card) => `${who} lægger ${card}.`,
  ruling: "Afgørelse", fault: (who) => `Fejlen er hos ${who}.`, paid: (amounts) => `Der betales: ${amounts}.`, penalty: (points) => `Straf: ${points}.`,
  note: "Note", hasNote: "Der er en note.", hasCorrection: "Der er en rettelse.", hasFinding: "Der er en fejl.",
  irregularity: (kind) => DANISH_IRREGULARITIES[kind] ?? kind,
  knownLater: "senere kendt:",
  corrected: "Skrevet om ved en senere rettelse.",
  stepOf: (n, all) => `trin ${n} af ${all}`,
  playOn: "Afspil",
  pause: "Hold pause",
  mayDo: "Kan nu",
  mayBe: "kan være:",
  orAlso: "kan også:",
  mayAlso: { abandon: "kaste kortene", surrender: "give op", slam: "gå efter tout", claim: "lægge op" },
};

const ENGLISH_MESSAGES = {
  correction: "Correction",
  stood: (what, puts) => (what ? `${puts ? "Here stood" : "Taken out"}: ${what}` : puts ? "Put in later." : "A correction no longer counts."),
  played: (who, card) => `${who} plays ${card}.`,
  ruling: "Ruling", fault: (who) => `${who} is at fault.`, paid: (amounts) => `Paid: ${amounts}.`, penalty: (points) => `Penalty: ${points}.`,
  note: "Note", hasNote: "There is a note.", hasCorrection: "There is a correction.", hasFinding: "There is a finding.",
  irregularity: (kind) => kind.replaceAll("_", " "),
  knownLater: "known later:",
  corrected: "Entered anew by a later correction.",
  stepOf: (n, all) => `step ${n} of ${all}`,
  playOn: "Play",
  pause: "Pause",
  mayDo: "May now",
  mayBe: "may be:",
  orAlso: "also open:",
  mayAlso: { abandon: "give up", surrender: "surrender", slam: "go for all nine", claim: "claim" },
};

export const stepMessages = document.documentElement.lang.startsWith("da") ? DANISH_MESSAGES : ENGLISH_MESSAGES;
