/** What is said where a deal is shared. */

import { t } from "../core/texts.js";

export default {
  link: t("Copy a link to this point"),
  text: t("Copy the deal as text"),
  drawing: t("Drawing (SVG)"),
  picture: t("Picture (PNG)"),
  embed: t("Copy for a web page"),
  copied: t("Copied."),
  asPlayed: t("Drawings and other pages do not show the what-if: this is the point where it branches off."),
  copyThis: t("Copy this:"),
  failed: t("That did not work. Try again."),
  title: t("Title"),
  publish: t("Publish in the library"),
  rename: t("Give a new title"),
  takeBack: t("Take back"),
  whatPublishing: t("Everybody can see a published deal, with the players’ short names. The hands are shown once the deal is settled."),
  isPublished: t("The deal is in the library, and everybody can see it."),
  nowPublished: t("It is in the library now."),
  handsHidden: t("The record is not closed: nobody else can see the hands yet."),
  close: t("Close it, and show the hands"),
  closed: t("The record is closed, and everybody can see the hands."),
  takenBack: t("It is taken back."),
  stillPublic: {
    deal: t("It is out of the library, but everybody can still see it: the deal itself is open to all, without a title."),
    table: t("It is out of the library, but everybody can still see it: its whole table is open to all."),
    everything: t("It is out of the library, but everybody can still see it: all that is recorded here is open to all."),
  },
};
