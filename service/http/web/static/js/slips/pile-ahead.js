/**
 * A few letters, and what they mean: the choices of a cell by what was typed, best first. Pure. What a choice is called and
 * how else it may be written comes from the service, which reads the words again.
 */

const FOLDED = new Map();

/** A word as it is compared: without capitals, accents, spaces and full stops. */
export function folded(text) {
  let found = FOLDED.get(text);
  if (found === undefined) {
    const plain = text.toLowerCase().normalize("NFKD").replace(/ø/g, "o").replace(/æ/g, "ae");
    found = plain.replace(/[^\p{L}\p{N}#+]/gu, "");
    FOLDED.set(text, found);
  }
  return found;
}

const wordsOf = (text) => text.split(/[^\p{L}\p{N}\p{M}]+/u).filter(Boolean).map(folded);

/** How well a choice fits, the lower the better; null where it does not. */
function rank(choice, text) {
  const word = folded(text);
  const spellings = [choice.name, choice.short, ...choice.others].filter(Boolean);
  if (!word) return spellings.includes(text) ? 0 : null;
  if (spellings.some((one) => folded(one) === word)) return folded(choice.short) === word || folded(choice.name) === word ? 0 : 1;
  if (folded(choice.name).startsWith(word)) return 2;
  if (wordsOf(choice.name).some((one) => one.startsWith(word))) return 3;
  if (choice.others.some((one) => folded(one).startsWith(word))) return 4;
  return choice.others.some((one) => wordsOf(one).some((part) => part.startsWith(word))) ? 5 : null;
}

/** The choices that what was typed can mean, the likeliest first; all of them where nothing was typed. */
export function meant(choices, text) {
  const said = text.trim();
  if (!said) return [...choices];
  return choices
    .map((choice, place) => ({ choice, place, fit: rank(choice, said) }))
    .filter((one) => one.fit !== null)
    .sort((one, other) => one.fit - other.fit || one.place - other.place)
    .map((one) => one.choice);
}

/** What a cell says in full, where its letters mean something; else as it was typed. */
export function completed(choices, text) {
  const said = text.trim();
  if (!said || /\d/.test(said)) return said;
  return meant(choices, said)[0]?.name ?? said;
}

/**
 * A whole deal in one cell, "ga s B +5": contract, suit, declarer, how it ended, and what else. Null where it is no such line.
 * `choices` by cell, `players` as choices.
 */
export function lineOf(text, choices, players) {
  const [first, ...rest] = text.trim().split(/\s+/);
  if (!rest.length || meant(choices.contract, text)[0]) return null;
  const contract = meant(choices.contract, first)[0];
  if (!contract) return null;
  const cells = { contract: contract.name };
  const next = (list) => (rest.length ? meant(list, rest[0])[0] : undefined);
  const suit = next(choices.trump);
  if (suit && (contract.trumps.length || (rest.length > 1 && meant(players, rest[1])[0]))) {
    cells.trump = suit.name;
    rest.shift();
  }
  if (rest.length) cells.declarer = completed(players, rest.shift());
  if (rest.length) cells.outcome = completed(choices.outcome, rest.shift());
  if (rest.length && choices.extras.length && meant(choices.extras, rest[0])[0]) cells.extras = completed(choices.extras, rest.shift());
  if (rest.length) cells.note = rest.join(" ");
  return cells;
}
