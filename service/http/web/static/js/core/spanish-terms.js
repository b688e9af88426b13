// @ts-check
/**
 * Spanish terms of cards and bids, where this device has chosen them; null if the page's language has its own. Only
 * words that a source has: Fournier's rules of tresillo (sections 7, 8 and 20), and Parlett's of Ombre for juego más,
 * contrabola and oros. What no source names in Spanish keeps the name that it has in the page's language.
 */

const SPANISH_TERMS = {
  letters: { A: "A", K: "R", Q: "C", J: "S" },
  suits: { S: "espadas", H: "copas", C: "bastos", D: "oros" },
  ranks: {
    A: "as",
    K: "rey",
    Q: "caballo",
    J: "sota",
    7: "siete",
    6: "seis",
    5: "cinco",
    4: "cuatro",
    3: "tres",
    2: "dos",
  },
  matadors: { spadille: "espada", manille: "mala", basta: "basto", ponto: "punto" },
  bids: {
    play: "entrada",
    "favoured-play": "entrada a palo de favor",
    voltereta: "vuelta",
    solo: "solo",
    "favoured-solo": "solo a palo de favor",
    oros: "oros",
    higher: "juego más",
    countervole: "contrabola",
  },
};

// Read from the device itself: a page that was kept for when there is no network may be older than the choice.
export const spanishTerms = /(?:^|; )spadille-terms=es(?:;|$)/.test(document.cookie) ? SPANISH_TERMS : null;
