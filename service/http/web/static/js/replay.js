// @ts-check
/** The script of the pages on which a deal is replayed, edited and reported. */

import { startPage } from "./core/start-page.js";

startPage({
  frame: () => import("./site/frame.js"),
  "web-font": () => import("./site/web-font.js"),
  replay: () => import("./replay/replayer.js"),
  "print-column": () => import("./replay/print-column-page.js"),
  "deal-editor": () => import("./editor/deal-editor.js"),
  "report-forms": () => import("./editor/report-forms.js"),
});
