/** Names that are set smaller where they have no room: a word is not broken in two. */

/** How wide letters are in ems, in the type of the pages: a little more than that, as no two are quite alike. */
const LETTER_WIDTHS = [[/[iljtfrI.,'’-]/u, 0.38], [/[mwMWÆŒæ@]/u, 0.95], [/\p{Lu}/u, 0.76]];
const DEFAULT_LETTER_WIDTH = 0.58;

const letterWidth = (letter) => LETTER_WIDTHS.find(([some]) => some.test(letter))?.[1] ?? DEFAULT_LETTER_WIDTH;

/** How wide the longest piece of a text is that stands in one line, in ems. */
const longestWordWidth = (text) => Math.max(1, ...text.split(/\s+|(?<=-)/).map((piece) => [...piece].reduce((sum, letter) => sum + letterWidth(letter), 0)));

/** Tells an element how wide its words are; the style sheet sets its type by that and by its room. */
export function fitText(element) {
  element.style.setProperty("--longest-word-ems", longestWordWidth(element.textContent).toFixed(2));
  return element;
}
