// @ts-check
/** What the slip, the score sheet and a new table say. The game's own words stand in replayer.js. */

import { spanishTerms } from "../core/spanish-terms.js";
import { t } from "../core/texts.js";
import words from "./replayer.js";

/** @typedef {(name: string, game: string) => string} FormatEnd */

/** @type {Record<string, string>} */
const SUITS = spanishTerms?.suits ?? { S: t("spades"), H: t("hearts"), C: t("clubs"), D: t("diamonds") };
const MONTHS = t("January February March April May June July August September October November December").split(" ");
/** @type {Record<string, FormatEnd>} */
const ENDED_TEXTS = {
  won: (name, game) => t("{game}: {name} won", { game, name }),
  bete: (name, game) => t("{game}: {name} bête", { game, name }),
  codille: (name, game) => t("{game}: {name} codille", { game, name }),
  passed_out: () => t("All passed"),
  abandoned: (name, game) => (game ? t("{game}: {name} gave up", { game, name }) : t("Given up")),
  forfeited: (_, game) => (game ? t("{game}: forfeited", { game }) : t("Forfeited")),
  voided: () => t("Void"),
  open: (name, game) => (game ? t("{game}: {name}", { game, name }) : ""),
};

/** @param {string} text */
function formatMoment(text) {
  const at = new Date(text);
  const minute = String(at.getMinutes()).padStart(2, "0");
  const places = { day: at.getDate(), month: MONTHS[at.getMonth()], hour: at.getHours(), minute };
  return t("{day} {month}, {hour}:{minute}", places);
}

export default {
  ...words,
  moment: formatMoment,
  suit: (/** @type {string} */ code) => SUITS[code],
  inSuit: (/** @type {string} */ code) => t("in {suit}", { suit: SUITS[code] }),
  ended: (/** @type {string} */ outcome, /** @type {string} */ name, /** @type {string} */ game) =>
    (ENDED_TEXTS[outcome] ?? ENDED_TEXTS.open)(name, game),
  unfinished: t("Not finished"),
  tricksOf: (/** @type {string} */ counts) => t("tricks: {counts}", { counts }),
  unlinked: t("No network. What you see may be old."),
  withdrawn: t("Your link was withdrawn or has expired. Ask the person who keeps the table for a new one."),
  /** @type {Record<string | number, string>} */
  refused: {
    0: t("No network. Try again in a moment."),
    401: t("You need a link for that. Ask the person who keeps the table for one."),
    403: t("Your link does not allow that. Ask the person who keeps the table for another."),
    404: t("The table is not here, or your link is no longer valid."),
    413: t("That is too much to send in one go. Make it shorter, or send it in parts."),
    503: t("It cannot be written down right now. Try again in a moment."),
    "record-full": t("There is no room for more entries here. What you wrote is not written down."),
    "notes-used-up": t(
      "Your link has reached its limit of notes here. Ask the person who keeps the table to write this one.",
    ),
    "stale-version": t("Somebody else has written something meanwhile. See what is there now, and press again."),
    "other-session": t("Somebody else has logged in here meanwhile. Load the page again."),
    "too-many-requests": t("That was too fast. Try again in a moment."),
  },
  slip: {
    deal: (/** @type {number | string | undefined} */ n) => t("Deal {n}", { n }),
    deals: (/** @type {string} */ name) => t("{name} deals", { name }),
    sitsOut: (/** @type {string} */ names, /** @type {number} */ n) =>
      n === 1 ? t("{names} sits out", { names }) : t("{names} sit out", { names }),
    undecided: (/** @type {string | null | undefined} */ name) =>
      name
        ? t("What it costs depends on the tricks. How many had {name}?", { name })
        : t("The rules do not say what that costs."),
    nothing: t("Nobody pays."),
    usualReason: t("A typing error"),
    overHow: t("The table is closed."),
    reopen: t("Open it again"),
  },
  offline: {
    unlinked: (/** @type {number} */ n) => t("No network. {n} to be sent when it is back.", { n }),
    notLasting: t("This browser stores nothing: leave the page open until everything is sent."),
    thrown: t("Thrown away on this device"),
    clear: t("Forget it"),
  },
  log: {
    because: (/** @type {string | undefined} */ reason) =>
      reason ? t("Corrected: {reason}", { reason }) : t("Corrected"),
    open: t("What is paid is not settled."),
  },
  seating: { heading: t("Who dealt, and who sat where") },
  open: {
    rules: t("Rules"),
    title: t("A name (optional)"),
    tooFew: t("Write at least three names."),
    twice: (/** @type {string} */ name) => t("{name} is there twice.", { name }),
  },
};
