/** What is said where a deal is shared, in English; sharing-da.js has the same in Danish. */

export default {
  link: "Copy a link to this point",
  text: "Copy the deal as text",
  drawing: "Drawing (SVG)",
  picture: "Picture (PNG)",
  embed: "Copy for a web page",
  copied: "Copied.",
  asPlayed: "Drawings and other pages show no what-if: here is the deal where it is left.",
  copyThis: "Copy this:",
  failed: "That did not work. Try again.",
  title: "Title",
  publish: "Publish in the library",
  rename: "Give a new title",
  takeBack: "Take back",
  whatPublishing: "Everybody can see a published deal, with the players’ short names. The hands are shown once the deal is settled.",
  isPublished: "The deal stands in the library, and everybody can see it.",
  nowPublished: "It stands in the library now.",
  handsHidden: "The record is not closed: nobody else can see the hands yet.",
  close: "Close it, and show the hands",
  closed: "The record is closed, and everybody can see the hands.",
  takenBack: "It was taken back.",
  stillPublic: {
    deal: "It is out of the library, but everybody can still see it: the deal itself is open to all, without a title.",
    table: "It is out of the library, but everybody can still see it: its whole table is open to all.",
    everything: "It is out of the library, but everybody can still see it: all that is recorded here is open to all.",
  },
};
