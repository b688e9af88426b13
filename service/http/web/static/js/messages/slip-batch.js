/** What the page for a batch of slips says: slips that are typed from paper after the evening. */

import { t, tc } from "../core/texts.js";

const deals = (n) => (n === 1 ? t("1 deal") : t("{n} deals", { n }));
const ENTRY_TEXTS = {
  player_joined: (name) => t("{name} has come to the table.", { name }),
  player_left: (name) => t("{name} has left the table.", { name }),
  seats_set: () => t("The seats at the table were changed."),
  payment_made: () => t("A payment outside the deals was written down."),
  penalty_given: () => t("Penalty points were written down."),
  table_closed: () => t("The table was closed."),
  table_voided: () => t("The table was set aside."),
};

export default {
  caption: t("The batch: a row for every deal"),
  heads: {
    ready: t("Ready"), number: t("No."), dealer: t("Dealer"), sits_out: t("Out"), contract: t("Contract"), trump: t("Suit"), declarer: t("Declarer"),
    outcome: t("Outcome"), extras: t("Besides"), note: tc("slip-batch", "Note"), paper: t("Paper"),
  },
  marks: { blank: "", waiting: "…", incomplete: "…", unreadable: "!", doubt: "?", ready: "✓" },
  cell: (n, head) => t("Deal {n}, {head}", { n, head: head.toLowerCase() }),
  readyOf: (n) => t("Deal {n} is to be written down", { n }),
  meanings: t("What the letters can mean"),
  pass: t("pass"),
  total: (n) => (n > 0 ? `+${n}` : String(n).replace("-", "−")),
  kept: t("The batch is stored on this device until you write it down or log out. Others see it only after you write it down."),
  found: (n) => t("The batch is still here: {deals}.", { deals: deals(n) }),
  notKept: t("This browser does not store the batch: leave the page open until it is written down."),
  start: t("Type what the slip says: a letter or two is enough. You can type a whole deal in Contract: so h Bo 5"),
  closed: t("The table is closed. To write more deals, open it again on the slip."),
  seeBelow: t("See the text below the row."),
  lacks: (what) => t("Still missing: {what}.", { what }),
  undecided: t("What it costs depends on the tricks: write all three numbers, the declarer’s first, such as 3-5-1."),
  toolbar: t("The row"),
  tools: { copyAbove: t("As above"), insert: t("Insert"), remove: t("Delete"), undo: t("Undo") },
  keys: { copyAbove: t("Copy the row above (Ctrl+D)"), insert: t("Insert a row here (Ctrl+Enter)"), remove: t("Delete the row (Ctrl+Delete)"), undo: t("Undo (Ctrl+Z)") },
  noUndo: t("There is nothing more to undo."),
  keysHeading: t("Keys"),
  keyList: [
    [t("Enter"), t("the next row: after Tab, the cell where the row was begun; with Shift, the row before")],
    [t("Tab"), t("the next cell; at the end of a row, the next row")],
    ["↑ ↓ ← →", t("the cell to the left or right; further left also who sits out, dealer, number and mark")],
    [t("Alt+↓"), t("everything the cell can hold")],
    [t("Space"), t("on the mark: write the row down, or not yet")],
    [t("F2"), t("edit the cell")],
    [t("Esc"), t("undo the edit")],
    [t("Ctrl+D"), t("copy the row above")],
    [t("Ctrl+Enter"), t("insert a row here")],
    [t("Ctrl+Delete"), t("delete the row")],
    [t("Ctrl+Z, Ctrl+Y"), t("undo, redo")],
    [t("Ctrl+Home, Ctrl+End"), t("the first and the last row")],
    [t("Ctrl+S"), t("write it down")],
  ],
  pasteHeading: t("Paste from a spreadsheet"),
  pasteHow: t("Rows of a spreadsheet, with or without headings. You can also paste them straight into a cell."),
  pastePlaceholder: t("No; declarer; contract; suit; tricks …"),
  pasteRead: t("Read it"),
  pasted: (rows, columns) => `${rows === 1 ? t("1 row") : t("{rows} rows", { rows })}, ${columns === 1 ? t("1 column") : t("{columns} columns", { columns })}`,
  byHead: t("The columns are read by their headings. If one is something else, choose it above the column."),
  byCells: t("There are no headings; the columns are guessed from their contents. Correct what is wrong."),
  preview: t("What was pasted"),
  column: (n, head) => t("Column {n}", { n }) + (head ? `, ${head}` : ""),
  nothing: t("not used"),
  chipsOf: (name) => t("chips: {name}", { name }),
  whatChips: t("What is in the players’ columns?"),
  passedOver: (rows) => t("Left out, because it adds up the others: {rows}", { rows: rows.join("; ") }),
  moreRows: (n) => t("… and {n} more.", { n }),
  takeRows: (n) => (n === 1 ? t("Insert the row") : t("Insert the {n} rows", { n })),
  wasPasted: (text) => t("Pasted: {text}", { text }),
  back: t("Cancel"),
  paperLabel: t("The cell Paper is compared with"),
  paperShows: { totals: t("the totals after the deal"), chips: t("what the deal brought") },
  differs: (name, paper) => `${name} ${paper.replace("-", "−").replace(".", tc("decimal mark", "."))}`,
  paperSays: (what) => t("The paper says {what}.", { what }),
  firstDiffers: (n, what) => t("The paper first differs at deal {n}: {what}.", { n, what }),
  goThere: t("Go there"),
  send: (n, left, doubts) => {
    if (!n) return tc("slip-batch", "Write it down");
    const asked = doubts ? ` (${doubts === 1 ? t("1 with a question") : t("{n} with questions", { n: doubts })})` : "";
    if (left) return (n === 1 ? t("Write down the one that is ready") : t("Write down the {n} that are ready", { n })) + asked;
    return (n === 1 ? t("Write the deal down") : t("Write all {n} down", { n })) + asked;
  },
  sent: (n, left) => {
    const written = n === 1 ? t("The deal is written down.") : t("{n} deals are written down.", { n });
    if (!left) return written;
    return `${written} ${left === 1 ? t("1 deal is still in the batch.") : t("{n} deals are still in the batch.", { n: left })}`;
  },
  unread: t("No connection: the totals follow when it is back. What you type is stored here."),
  later: t("No network. The batch is stored here and is written down once, when the network is back."),
  look: t("The batch is not written down: see the marked rows, then press again."),
  sendLater: t("Write it down when the network is back"),
  sendsLater: t("Is written down when the network is back"),
  unsure: t("No connection. It may not have arrived: press again, and it is written only once."),
  stale: t("Others have written something at the table meanwhile. See above, and choose how to continue."),
  already: t("Part of the batch was already written down. See what is left, and press again."),
  hadArrived: (what) => t("This had arrived and is taken out of the batch: {what}. If it is wrong, correct it on the slip.", { what }),
  meanwhile: t("Meanwhile something else was written at the table"),
  meanwhileAsk: t("If some of these are in your batch too, delete them there. The rest of the batch follows them, with new numbers and dealers."),
  goOn: t("Seen: continue after them"),
  theirDeal: (n, end) => t("Deal {n}", { n }) + (end ? `: ${end}` : ""),
  entry: (type, name) => (ENTRY_TEXTS[type] ?? (() => t("The table’s log was corrected.")))(name),
  clear: t("Throw the batch away"),
  clearAsk: t("Throw the whole batch away?"),
  clearYes: t("Yes, throw it away"),
  cleared: t("The batch is empty. Undo brings it back."),
};
