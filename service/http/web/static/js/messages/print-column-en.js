/** What a deal says as a column, in English. */

export default {
  rules: "Rules",
  dealer: (name) => `${name} dealt`,
  table: (id) => `table ${id}`,
  number: (number) => `deal ${number}`,
  board: (number) => `board ${number}`,
  pool: (chips) => `${chips} in the pool`,
  sittingOut: (names) => `${names} sat out`,
  dealt: "As dealt",
  held: "As play begins",
  talon: "Talon",
  noCards: "no cards left",
  laterKey: "In italics: a card that was known only from what came later.",
  remark: "remark",
  takes: "takes the trick",
  trick: "Trick",
};
