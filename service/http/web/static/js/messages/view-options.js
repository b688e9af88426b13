/** How the table is seen. */

import { t } from "../core/texts.js";

export default {
  by: t("Seen by "), all: t("all hands"), onlooker: t("an onlooker"),
  later: t("With what was known only later"), turn: t("Turn the table"), shade: t("Shade cards that may not be played"),
  motion: t("Move the cards"),
};
