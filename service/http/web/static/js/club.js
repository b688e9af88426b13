// @ts-check
/** The script of the pages of an evening. */

import { startPage } from "./core/start-page.js";

startPage({
  frame: () => import("./site/frame.js"),
  slip: () => import("./slips/slip-page.js"),
  "slip-batch": () => import("./slips/slip-batch.js"),
  "blank-slips": () => import("./slips/blank-slips.js"),
  "score-sheet": () => import("./evening/score-sheet-page.js"),
  "new-table": () => import("./evening/new-table-page.js"),
  members: () => import("./site/members-page.js"),
});
