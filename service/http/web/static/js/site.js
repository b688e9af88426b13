// @ts-check
/** The script of lists, reports and other pages of text. */

import { startPage } from "./core/start-page.js";

startPage({
  "demo-evening": () => import("./site/demo-evening.js"),
  frame: () => import("./site/frame.js"),
  login: () => import("./site/login.js"),
  offline: () => import("./site/offline-page.js"),
  print: () => import("./core/print-button.js"),
});
