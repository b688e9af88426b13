// @ts-check
/** What all pages of the service share. */

import "./display-preferences.js";
import "./offline-support.js";
import "./web-font.js";

if (document.querySelector("[data-logout]")) import("./logout.js");
if (document.querySelector("main[data-glossary]")) import("./glossary-links.js");
