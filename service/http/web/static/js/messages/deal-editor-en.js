/** The texts of the deal editor, in English; deal-editor-da.js has the same in Danish. */

export default {
  skeleton: "Deal:       A deal of ours\nRules:      dlu\nForehand:   Anna\nMiddlehand: Bo\nBackhand:   Carl\n\nF bids solo\nM passes\nB passes\nF names solo in H\n\nM discards ?? ?? ?? ??\nM draws ?? ?? ?? ??\nB discards ?? ?? ??\nB draws ?? ?? ??\n\n1: F SA  M H2  B H3\n",
  draft: "This is what you left here.",
  notKept: "This browser keeps nothing: take the text with you before you leave.",
  read: "All of it can be read.",
  none: "The table shows what it was before.",
  some: (count) => (count === 1 ? "One place cannot be read." : `${count} places cannot be read.`),
  correctFirst: "Fix what cannot be read first.",
  noDeal: "There is no deal here: one begins with a line such as “Deal: The deal of the evening”.",
  failed: "That did not work. Try again.",
  noted: "The note stands at the foot of the text.",
  place: (line, column) => `Line ${line}, column ${column}:`,
};
