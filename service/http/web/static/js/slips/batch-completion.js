/**
 * A few letters, and what they mean: the choices of a cell by what was typed, best first. Pure. What a choice is called and
 * how else it may be written comes from the service, which reads the words again.
 */

const NORMALIZED_TEXTS = new Map();

/** A word as it is compared: without capitals, accents, spaces and full stops. */
export function normalizeText(text) {
  let found = NORMALIZED_TEXTS.get(text);
  if (found === undefined) {
    const plain = text.toLowerCase().normalize("NFKD").replace(/ø/g, "o").replace(/æ/g, "ae");
    found = plain.replace(/[^\p{L}\p{N}#+]/gu, "");
    NORMALIZED_TEXTS.set(text, found);
  }
  return found;
}

const splitWords = (text) => text.split(/[^\p{L}\p{N}\p{M}]+/u).filter(Boolean).map(normalizeText);

/** How well a choice fits, the lower the better; null where it does not. */
function matchRank(choice, text) {
  const word = normalizeText(text);
  const spellings = [choice.name, choice.short, ...choice.others].filter(Boolean);
  if (!word) return spellings.includes(text) ? 0 : null;
  if (spellings.some((one) => normalizeText(one) === word)) return normalizeText(choice.short) === word || normalizeText(choice.name) === word ? 0 : 1;
  if (normalizeText(choice.name).startsWith(word)) return 2;
  if (splitWords(choice.name).some((one) => one.startsWith(word))) return 3;
  if (choice.others.some((one) => normalizeText(one).startsWith(word))) return 4;
  return choice.others.some((one) => splitWords(one).some((part) => part.startsWith(word))) ? 5 : null;
}

/** The choices that what was typed can mean, the likeliest first; all of them if nothing was typed. */
export function findChoices(choices, text) {
  const typed = text.trim();
  if (!typed) return [...choices];
  return choices
    .map((choice, index) => ({ choice, index, fit: matchRank(choice, typed) }))
    .filter((one) => one.fit !== null)
    .sort((one, other) => one.fit - other.fit || one.index - other.index)
    .map((one) => one.choice);
}

/** What a cell says in full, where its letters mean something; else as it was typed. */
export function completeText(choices, text) {
  const typed = text.trim();
  if (!typed || /\d/.test(typed)) return typed;
  return findChoices(choices, typed)[0]?.name ?? typed;
}

/**
 * A whole deal in one cell, "ga s B +5": contract, suit, declarer, how it ended, and what else. Null where it is no such line.
 * `choices` by cell, `players` as choices.
 */
export function parseDealLine(text, choices, players) {
  const [first, ...rest] = text.trim().split(/\s+/);
  if (!rest.length || findChoices(choices.contract, text)[0]) return null;
  const contract = findChoices(choices.contract, first)[0];
  if (!contract) return null;
  const cells = { contract: contract.name };
  const next = (list) => (rest.length ? findChoices(list, rest[0])[0] : undefined);
  const suit = next(choices.trump);
  if (suit && (contract.trumps.length || (rest.length > 1 && findChoices(players, rest[1])[0]))) {
    cells.trump = suit.name;
    rest.shift();
  }
  if (rest.length) cells.declarer = completeText(players, rest.shift());
  if (rest.length) cells.outcome = completeText(choices.outcome, rest.shift());
  if (rest.length && choices.extras.length && findChoices(choices.extras, rest[0])[0]) cells.extras = completeText(choices.extras, rest.shift());
  if (rest.length) cells.note = rest.join(" ");
  return cells;
}
