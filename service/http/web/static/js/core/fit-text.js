// @ts-check
/** Names that are set smaller where they have no room: a word is not broken in two. */

/** How wide letters are in ems, in the type of the pages: a little more than that, as no two are quite alike. */
const LETTER_WIDTHS = /** @type {[RegExp, number][]} */ ([
  [/[iljtfrI.,'’-]/u, 0.38],
  [/[mwMWÆŒæ@]/u, 0.95],
  [/\p{Lu}/u, 0.76],
]);
const DEFAULT_LETTER_WIDTH = 0.58;

/** @param {string} letter */
const letterWidth = (letter) => LETTER_WIDTHS.find(([some]) => some.test(letter))?.[1] ?? DEFAULT_LETTER_WIDTH;

/** How wide the longest piece of a text is that stands in one line, in ems. @param {string} text */
const longestWordWidth = (text) =>
  Math.max(
    1,
    ...text.split(/\s+|(?<=-)/).map((piece) => [...piece].reduce((sum, letter) => sum + letterWidth(letter), 0)),
  );

/** What tells the style sheet how wide a text's words are: it sets its type by that and by its room. @param {string} text */
export const fitStyle = (text) => ({ "--longest-word-ems": longestWordWidth(text).toFixed(2) });
