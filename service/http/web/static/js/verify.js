// @ts-check
/** The script of the page on which a proof is checked. */

import { startPage } from "./core/start-page.js";

startPage({
  frame: () => import("./site/frame.js"),
  verify: () => import("./verify/verify-page.js"),
});
