// @ts-check
/** What the deal editor says. */

import { t } from "../core/texts.js";

export default {
  skeleton: t(
    "Deal:       A deal of ours\nRules:      dlu\nForehand:   Anna\nMiddlehand: Bo\nBackhand:   Carl\n\nF bids solo\nM passes\nB passes\nF names solo in H\n\nM discards ?? ?? ?? ??\nM draws ?? ?? ?? ??\nB discards ?? ?? ??\nB draws ?? ?? ??\n\n1: F SA  M H2  B H3\n",
  ),
  draft: t("This is the text that you left here."),
  notKept: t("This browser stores nothing: save the text before you leave."),
  read: t("Everything can be read."),
  none: t("The table shows the last version that could be read."),
  some: (/** @type {number} */ count) =>
    count === 1 ? t("One place cannot be read.") : t("{count} places cannot be read.", { count }),
  correctFirst: t("Fix what cannot be read first."),
  noDeal: t("There is no deal here: one begins with a line such as “Deal: The deal of the evening”."),
  failed: t("That did not work. Try again."),
  noted: t("The note is at the end of the text."),
  place: (/** @type {number} */ line, /** @type {number} */ column) =>
    t("Line {line}, column {column}:", { line, column }),
};
