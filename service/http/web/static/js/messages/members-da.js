/** Klubbens egne siders dansk: medlemmerne. */

const MONTHS = "januar februar marts april maj juni juli august september oktober november december".split(" ");

function formatDay(text) {
  const [year, month, number] = text.split("-").map(Number);
  return `${number}. ${MONTHS[month - 1]} ${year}`;
}

export default {
  day: formatDay,
  refused: {
    0: "Ingen forbindelse. Det er ikke sikkert, at det nåede frem: se listen igen, før du prøver én gang til.",
    401: "Det kræver et link. Bed klubbens leder om et.",
    403: "Dit link giver ikke lov til det. Bed klubbens leder om et andet.",
    404: "Medlemmet er ikke på listen længere.",
    503: "Det kan ikke skrives ned lige nu. Prøv igen om lidt.",
    "too-many-requests": "Det går for hurtigt lige nu. Prøv igen om et øjeblik.",
  },
  none: "Endnu ingen medlemmer.",
  since: (date) => `siden ${date}`,
  fields: { name: "Navn", short: "Kaldes ved bordet", joined: "Medlem siden", note: "Bemærkning" },
  change: "Ret",
  changeNamed: (name) => `Ret ${name}`,
  forget: "Glem",
  forgetNamed: (name) => `Glem ${name}`,
  save: "Gem",
  saved: (name) => `${name} er gemt.`,
  back: "Annuller",
  nameless: "Skriv et navn.",
  addHeading: "Et nyt medlem",
  add: "Tilføj",
  added: (name) => `${name} er nu medlem.`,
  twin: (name) => `Navnet ligner ${name}, som allerede er medlem. Er det en anden, så tryk igen.`,
  forgetAsk: (name) => `Skal ${name} glemmes? Det kan ikke gøres om.`,
  forgetMore:
    "Navn, kaldenavn, dato og bemærkning slettes, og de link, der er givet medlemmet, holder op. Spillene bliver stående, så de andres regnskab stadig går op; i dem står “en, der er gået ud”. Navne, nogen har skrevet i noter, findes ikke på den måde, og en sikkerhedskopi fra før har, hvad den har.",
  forgetYes: "Ja, glem",
  forgotten: "Det er glemt.",
};
