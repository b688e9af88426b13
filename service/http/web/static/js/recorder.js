// @ts-check
/** The script of the pages on which a deal is recorded card by card. */

import { startPage } from "./core/start-page.js";

startPage({
  frame: () => import("./site/frame.js"),
  recorder: () => import("./recorder/recorder.js"),
  "new-deal": () => import("./recorder/new-deal-page.js"),
  "next-deal": () => import("./recorder/next-deal-page.js"),
});
