/** A note as the notation has it (docs/notation.md). */

/** A note of these words and this mark, either of which may be empty, on the entry `seq`. */
export function noteText(words, mark, seq) {
  const escaped = words.replace(/[\\}]/g, "\\$&").replace(/\n/g, "\\n").replace(CONTROL, coded);
  // What begins like a mark, and is none, would be read as one.
  const inner = mark ? [mark, escaped].filter(Boolean).join(" ") : escaped.replace(/^[!?]/, coded);
  return `{${inner}} on @${seq}`;
}

// eslint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g;

const coded = (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`;
