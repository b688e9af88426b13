/** What is said at a desk, in Danish; desk-en.js has the same in English. */

export default {
  skeleton: "Deal:       Et spil fra klubben\nRules:      dlu\nForehand:   Anna\nMiddlehand: Bo\nBackhand:   Carl\n\nF bids solo\nM passes\nB passes\nF names solo in H\n\nM discards ?? ?? ?? ??\nM draws ?? ?? ?? ??\nB discards ?? ?? ??\nB draws ?? ?? ??\n\n1: F SA  M H2  B H3\n",
  draft: "Sådan forlod du det.",
  notKept: "Denne browser gemmer intet: tag teksten med, før du går.",
  read: "Det hele kan læses.",
  none: "Bordet viser det, der stod før.",
  some: (count) => (count === 1 ? "Ét sted kan ikke læses." : `${count} steder kan ikke læses.`),
  mendFirst: "Ret først det, der ikke kan læses.",
  noDeal: "Her er intet spil: et spil begynder med en linje som »Giv: Aftenens spil«.",
  failed: "Det gik ikke. Prøv igen.",
  noted: "Noten står nederst i teksten.",
  place: (line, column) => `Linje ${line}, tegn ${column}:`,
};
