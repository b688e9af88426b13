// @ts-check
/** What the page says of what-ifs. */

import { t } from "../core/texts.js";

export default {
  /** @type {Record<string, (name: string) => string>} */
  may: {
    play: (name) => t("{name} may play", { name }),
    bid: (name) => t("{name} may bid", { name }),
    name: (name) => t("{name} may name", { name }),
    exchange: (name) => t("{name} may discard this many", { name }),
    draw: (name) => t("{name} draws", { name }),
  },
  asPlayed: t("as played"),
  goesOn: t("continues like this"),
  unseenCard: t("a card nobody saw"),
  insteadOf: t("Instead of"),
  nothing: t("There is no other choice here."),
  toPlay: t("To the first lead"),
  over: t("The deal is over."),
  unknownHand: t("This hand is not known here."),
  ifPlays: (/** @type {string} */ name) => t("If {name} plays", { name }),
  titled: (/** @type {string} */ name, /** @type {string} */ card) => t("If {name} plays {card}", { name, card }),
  ifDone: (/** @type {string | undefined} */ done) => t("If {done}", { done }),
  notAsPlayed: t("Not as played"),
  unnamed: t("A variation"),
  leave: t("Back to the deal"),
  left: t("Back in the deal as it was played."),
  entered: (/** @type {string} */ title) => t("A what-if: {title}.", { title }),
  name: t("Name"),
  text: t("Comment"),
  copyLink: t("Copy the link"),
  copyText: t("Copy as text"),
  keep: t("Save with the deal"),
  kept: t("It is saved as a variation of this deal."),
  forget: t("Delete"),
  forgotten: t("Deleted."),
  ownPage: t("Its own page"),
  listed: t("What-ifs of this deal"),
  here: t("from here"),
  from: (/** @type {string} */ place) => t("from {place}", { place }),
  beginning: t("the beginning"),
  failed: t("That could not be worked out just now. Try again in a moment."),
  refused: (/** @type {string} */ detail) => t("It was not stored: {detail}", { detail }),
};
