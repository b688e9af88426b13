/** What a deal says as a column. */

import { t } from "../core/texts.js";

export default {
  rules: t("Rules"),
  dealer: (name) => t("{name} dealt", { name }),
  table: (id) => t("table {id}", { id }),
  number: (number) => t("deal {number}", { number }),
  board: (number) => t("board {number}", { number }),
  pool: (chips) => t("{chips} in the pool", { chips }),
  sittingOut: (names) => t("{names} sat out", { names }),
  dealt: t("As dealt"),
  held: t("As play begins"),
  talon: t("Talon"),
  noCards: t("no cards left"),
  laterKey: t("In italics: a card known only from what came later."),
  remark: t("remark"),
  takes: t("takes the trick"),
  trick: t("Trick"),
};
