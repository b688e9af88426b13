/** What is said where a deal is shared, in Danish; sharing-en.js has the same in English. */

export default {
  link: "Kopiér link hertil",
  text: "Kopiér spillet som tekst",
  drawing: "Tegning (SVG)",
  picture: "Billede (PNG)",
  embed: "Kopiér til en hjemmeside",
  copied: "Kopieret.",
  asPlayed: "Tegninger og andre sider viser ikke, hvad der kunne være sket: her er spillet dér, hvor det forlades.",
  copyThis: "Kopiér selv:",
  failed: "Det gik ikke. Prøv igen.",
  title: "Titel",
  publish: "Udgiv i biblioteket",
  rename: "Giv ny titel",
  takeBack: "Træk tilbage",
  whatPublishing: "Et udgivet spil kan ses af alle, med spillernes korte navne. Hænderne vises, når spillet er gjort op.",
  isPublished: "Spillet står i biblioteket, og alle kan se det.",
  nowPublished: "Nu står det i biblioteket.",
  handsHidden: "Optegnelsen er ikke lukket: hænderne kan endnu ikke ses af andre.",
  close: "Luk den, og vis hænderne",
  closed: "Optegnelsen er lukket, og alle kan se hænderne.",
  takenBack: "Det er trukket tilbage.",
  stillPublic: {
    deal: "Det står ikke længere i biblioteket, men alle kan stadig se det: selve spillet er åbent for alle, uden titel.",
    table: "Det står ikke længere i biblioteket, men alle kan stadig se det: hele bordet er åbent for alle.",
    everything: "Det står ikke længere i biblioteket, men alle kan stadig se det: alt, hvad der er noteret her, er åbent for alle.",
  },
};
