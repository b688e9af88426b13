/** Names that are set smaller where they have no room: a word is not broken in two. */

/** How wide letters are in ems, in the type of the pages: a little more than that, as no two are quite alike. */
const WIDE = [[/[iljtfrI.,'’-]/u, 0.38], [/[mwMWÆŒæ@]/u, 0.95], [/\p{Lu}/u, 0.76]];
const USUAL = 0.58;

const wide = (letter) => WIDE.find(([some]) => some.test(letter))?.[1] ?? USUAL;

/** How wide the longest piece of a text is that stands in one line, in ems. */
const widest = (text) => Math.max(1, ...text.split(/\s+|(?<=-)/).map((piece) => [...piece].reduce((sum, letter) => sum + wide(letter), 0)));

/** Tells an element how wide its words are; the style sheet sets its type by that and by its room. */
export function fitted(element) {
  element.style.setProperty("--ems", widest(element.textContent).toFixed(2));
  return element;
}
