// @ts-check
/** Cards by what is typed: the first letter of the suit and what stands on the card, "hk" for the king of hearts. */

const SUITS = [..."SHCD"];
const RANKS = [..."AKQJ765432"];

/**
 * The code of every card in the words of the page; "?" stands for what nobody saw.
 * @param {(suit: string) => string} suitName
 * @param {(rank: string) => string} letter - what stands on a card
 * @returns {Map<string, string>} the card by its code
 */
export function buildCardCodes(suitName, letter) {
  const suited = SUITS.flatMap((suit) =>
    [...RANKS, "?"].map((rank) => [suitName(suit)[0] + letter(rank), suit + rank]),
  );
  return new Map([...suited, ["?", "??"]].map(([code, card]) => [code.toLowerCase(), card]));
}

/**
 * What is typed after one more letter, and the card that it means: the one with just that code, else the first that
 * begins so. A letter that does not fit starts another code; null where it starts none.
 * @param {string} typed
 * @param {string} letter
 * @param {Map<string, string>} codes
 * @returns {{ typed: string, card: string } | null}
 */
export function typeCardCode(typed, letter, codes) {
  for (const text of new Set([typed + letter, letter])) {
    const code = codes.has(text) ? text : [...codes.keys()].find((one) => one.startsWith(text));
    if (code) return { typed: text, card: /** @type {string} */ (codes.get(code)) };
  }
  return null;
}
