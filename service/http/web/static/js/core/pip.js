// @ts-check
/** A suit's sign as a component. */

import { html } from "../vendor/preact.js";
import { isRedSuit } from "./cards.js";

/** @param {{ suit: string }} props */
export const Pip = ({ suit }) => html`
  <svg viewBox="0 0 24 24" class=${`pip ${isRedSuit(suit) ? "pip-red" : "pip-black"} pip-${suit.toLowerCase()}`} aria-hidden="true">
    <use href=${`#pip-${suit}`} />
  </svg>
`;
