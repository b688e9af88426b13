// @ts-check
/** A suit's sign as a component. */

import { html } from "../vendor/preact.js";
import { isRedSuit, SUIT_PATHS } from "./cards.js";

/** @param {{ suit: string }} props */
export const Pip = ({ suit }) => html`
  <svg viewBox="0 0 24 24" class=${`pip ${isRedSuit(suit) ? "pip-red" : "pip-black"} pip-${suit.toLowerCase()}`} aria-hidden="true">
    <path d=${SUIT_PATHS[/** @type {keyof typeof SUIT_PATHS} */ (suit)]} />
  </svg>
`;
