/** Names that are set smaller where they have no room: a word is not broken in two. */

/** So many letters the longest piece of a name has that stands in one line. */
const longest = (name) => Math.max(1, ...name.split(/\s+|(?<=-)/).map((piece) => piece.length));

/** Tells an element how long its words are; the style sheet sets its type by that and by its room. */
export function fitted(element) {
  element.style.setProperty("--letters", String(longest(element.textContent)));
  return element;
}
