/** The texts of the deal editor, in Danish; deal-editor-en.js has the same in English. */

export default {
  skeleton: "Giv:        Et spil fra klubben\nRegler:     dlu\nForhånd:    Anna\nMellemhånd: Bo\nBaghånd:    Carl\n\nF melder solo\nM passer\nB passer\nF nævner solo i hjerter\n\nM sælger ?? ?? ?? ??\nM køber ?? ?? ?? ??\nB sælger ?? ?? ??\nB køber ?? ?? ??\n\n1: F sE  M h2  B h3\n",
  draft: "Sådan forlod du det.",
  notKept: "Denne browser gemmer intet: tag teksten med, før du går.",
  read: "Det hele kan læses.",
  none: "Bordet viser det, der stod før.",
  some: (count) => (count === 1 ? "Ét sted kan ikke læses." : `${count} steder kan ikke læses.`),
  correctFirst: "Ret først det, der ikke kan læses.",
  noDeal: "Her er intet spil: et spil begynder med en linje som »Giv: Aftenens spil«.",
  failed: "Det gik ikke. Prøv igen.",
  noted: "Noten står nederst i teksten.",
  place: (line, column) => `Linje ${line}, tegn ${column}:`,
};
