/** What the page of the club's members says. */

import { t } from "../core/texts.js";

const MONTHS = t("January February March April May June July August September October November December").split(" ");

function formatDay(text) {
  const [year, month, number] = text.split("-").map(Number);
  return t("{day} {month} {year}", { day: number, month: MONTHS[month - 1], year });
}

export default {
  day: formatDay,
  refused: {
    0: t("No connection. It may not have arrived: check the list before you try again."),
    401: t("You need a link for that. Ask the organiser of the club for one."),
    403: t("Your link does not allow that. Ask the organiser of the club for another."),
    404: t("That member is no longer in the list."),
    503: t("It cannot be written down right now. Try again in a moment."),
    "too-many-requests": t("That was too fast. Try again in a moment."),
  },
  none: t("No members yet."),
  since: (date) => t("since {date}", { date }),
  fields: { name: t("Name"), short: t("Called at the table"), joined: t("Member since"), note: t("Remark") },
  change: t("Change"),
  changeNamed: (name) => t("Change {name}", { name }),
  forget: t("Forget"),
  forgetNamed: (name) => t("Forget {name}", { name }),
  save: t("Save"),
  saved: (name) => t("{name} is saved.", { name }),
  back: t("Cancel"),
  nameless: t("Write a name."),
  addHeading: t("A new member"),
  add: t("Add"),
  added: (name) => t("{name} is a member now.", { name }),
  twin: (name) => t("The name looks like that of {name}, who is a member. If this is somebody else, press once more.", { name }),
  forgetAsk: (name) => t("Forget {name}? You cannot undo this.", { name }),
  forgetMore:
    t("Name, short name, date and remark are erased, and the member’s links end. The deals stay, so that the accounts of the others still add up; there the name becomes “someone who left”. Names that people wrote in notes stay, and so do names in earlier backups."),
  forgetYes: t("Yes, forget"),
  forgotten: t("It is forgotten."),
};
