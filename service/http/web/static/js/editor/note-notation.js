// @ts-check
/** A note as the notation has it (docs/notation.md). */

/** A note of these words and this mark, either of which may be empty, on the entry `seq`. @param {string} text @param {string} mark @param {number | string} seq */
export function formatNote(text, mark, seq) {
  const escaped = text.replace(/[\\}]/g, "\\$&").replace(/\n/g, "\\n").replace(CONTROL_CHARACTERS, escapeCharacter);
  // What begins like a mark, and is none, would be read as one.
  const inner = mark ? [mark, escaped].filter(Boolean).join(" ") : escaped.replace(/^[!?]/, escapeCharacter);
  return `{${inner}} on @${seq}`;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the notation escapes them
const CONTROL_CHARACTERS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g;

/** @param {string} letter */
const escapeCharacter = (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`;
