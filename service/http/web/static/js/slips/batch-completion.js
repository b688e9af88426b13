// @ts-check
/**
 * A few letters, and what they mean: the choices of a cell by what was typed, best first. Pure. What a choice is called and
 * how else it may be written comes from the service, which reads the words again.
 */

/** @typedef {{ name: string, short: string, others: string[], trumps?: string[] }} Choice */
/** @typedef {Record<string, Choice[]>} Choices - by column */

/** @type {Map<string, string>} */
const NORMALIZED_TEXTS = new Map();

/** A word as it is compared: without capitals, accents, spaces and full stops. @param {string} text */
export function normalizeText(text) {
  let found = NORMALIZED_TEXTS.get(text);
  if (found === undefined) {
    const plain = text.toLowerCase().normalize("NFKD").replace(/ø/g, "o").replace(/æ/g, "ae");
    found = plain.replace(/[^\p{L}\p{N}#+]/gu, "");
    NORMALIZED_TEXTS.set(text, found);
  }
  return found;
}

/** @param {string} text */
const splitWords = (text) =>
  text
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .filter(Boolean)
    .map(normalizeText);

/** How well a choice fits, the lower the better; null if it does not. @param {Choice} choice @param {string} text */
function matchRank({ name, short, others }, text) {
  const word = normalizeText(text);
  const spellings = [name, short, ...others].filter(Boolean);
  if (!word) return spellings.includes(text) ? 0 : null;
  if ([name, short].some((one) => normalizeText(one) === word)) return 0;
  /** @param {string} one */
  const begins = (one) => normalizeText(one).startsWith(word);
  const ranks = [
    others.some((one) => normalizeText(one) === word),
    begins(name),
    splitWords(name).some(begins),
    others.some(begins),
    others.flatMap(splitWords).some(begins),
  ];
  const rank = ranks.indexOf(true);
  return rank < 0 ? null : rank + 1;
}

/** The choices that what was typed can mean, the likeliest first; all of them if nothing was typed. @param {Choice[]} choices @param {string} text */
export function findChoices(choices, text) {
  const typed = text.trim();
  if (!typed) return [...choices];
  return choices
    .map((choice) => ({ choice, rank: matchRank(choice, typed) ?? Number.NaN }))
    .filter(({ rank }) => rank >= 0)
    .sort((one, other) => one.rank - other.rank)
    .map(({ choice }) => choice);
}

/** What a cell says in full, where its letters mean something; else as it was typed. @param {Choice[]} choices @param {string} text */
export function completeText(choices, text) {
  const typed = text.trim();
  if (!typed || /\d/.test(typed)) return typed;
  return findChoices(choices, typed)[0]?.name ?? typed;
}

/**
 * A whole deal in one cell, "ga s B +5": contract, suit, declarer, how it ended, and what else. Null if it is no such line.
 * @param {string} text
 * @param {Choices} choices
 * @param {Choice[]} players
 */
export function parseDealLine(text, choices, players) {
  const [first, ...rest] = text.trim().split(/\s+/);
  if (!rest.length || findChoices(choices.contract, text)[0]) return null;
  const contract = findChoices(choices.contract, first)[0];
  if (!contract) return null;
  /** @type {Record<string, string>} */
  const cells = { contract: contract.name };
  /** @param {Choice[]} list @param {string} [word] */
  const find = (list, word) => (word ? findChoices(list, word)[0] : undefined);
  const suit = find(choices.trump, rest[0]);
  if (suit && (contract.trumps?.length || find(players, rest[1]))) {
    cells.trump = suit.name;
    rest.shift();
  }
  /** @param {string} column @param {Choice[]} list */
  const take = (column, list) => {
    const word = rest.shift();
    if (word) cells[column] = completeText(list, word);
  };
  take("declarer", players);
  take("outcome", choices.outcome);
  if (find(choices.extras, rest[0])) take("extras", choices.extras);
  if (rest.length) cells.note = rest.join(" ");
  return cells;
}
