/** Hvad et spil siger som spalte. What a deal says as a column, in Danish. */

export default {
  rules: "Regler",
  dealer: (name) => `${name} gav`,
  table: (id) => `bord ${id}`,
  number: (number) => `spil ${number}`,
  board: (number) => `board ${number}`,
  pool: (chips) => `${chips} i puljen`,
  sittingOut: (names) => `${names} sad over`,
  dealt: "Kortene, som de blev givet",
  held: "Kortene før udspillet",
  talon: "Talon",
  noCards: "ingen kort tilbage",
  laterKey: "Med kursiv: et kort, der først blev kendt af det, der skete senere.",
  remark: "note",
  takes: "tager stikket",
  trick: "Stik",
};
