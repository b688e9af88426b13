/** The English of the club's own pages: its members. */

const MONTHS = "January February March April May June July August September October November December".split(" ");

function formatDay(text) {
  const [year, month, number] = text.split("-").map(Number);
  return `${number} ${MONTHS[month - 1]} ${year}`;
}

export default {
  day: formatDay,
  refused: {
    0: "No connection. It may not have arrived: see the list again before you try once more.",
    401: "That takes a link. Ask the organiser of the club for one.",
    403: "Your link does not let you do that. Ask the organiser of the club for another.",
    404: "That member is not in the list any more.",
    503: "It cannot be written down just now. Try again in a moment.",
    "too-many-requests": "That is too fast just now. Try again in a moment.",
  },
  none: "No members yet.",
  since: (date) => `since ${date}`,
  fields: { name: "Name", short: "Called at the table", joined: "Member since", note: "Remark" },
  change: "Change",
  changeNamed: (name) => `Change ${name}`,
  forget: "Forget",
  forgetNamed: (name) => `Forget ${name}`,
  save: "Save",
  saved: (name) => `${name} is saved.`,
  back: "Never mind",
  nameless: "Write a name.",
  addHeading: "A new member",
  add: "Add",
  added: (name) => `${name} is a member now.`,
  twin: (name) => `The name looks like that of ${name}, who is a member. If this is somebody else, press once more.`,
  forgetAsk: (name) => `Is ${name} to be forgotten? That cannot be undone.`,
  forgetMore:
    "Name, short name, date and remark are erased, and links made out to the member end. The deals stay, so that the accounts of the others still add up; in them stands “someone who left”. Names written by hand into notes are not found by this, and a backup made before keeps what it has.",
  forgetYes: "Yes, forget",
  forgotten: "It is forgotten.",
};
