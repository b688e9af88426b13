// @ts-check
/** Cards within a sentence or a table, and the panels next to the table. */

import { buildInlineCard, buildTextWithCards } from "../core/cards.js";
import { toVNode } from "../core/nodes.js";
import words from "../messages/replayer.js";
import { html } from "../vendor/preact.js";

/** A card: its suit's sign and its letter. @param {{ card: string }} props */
export const Card = ({ card }) => toVNode(buildInlineCard(card, words));

/** Cards in a row. @param {{ cards: string[] }} props */
export const Cards = ({ cards }) =>
  cards.map((card, index) => html`${index ? " " : ""}<${Card} card=${card} key=${index} />`);

/** A card in the list of tricks, where an unseen one is the book's x. @param {{ card: string }} props */
export const CardOrX = ({ card }) =>
  card[0] === "?"
    ? html`<span class="card-text"><span class="visually-hidden">${words.hiddenCard}</span><i aria-hidden="true">x</i></span>`
    : html`<${Card} card=${card} />`;

/** A sentence of the service, with the codes of cards drawn as cards. @param {{ text: string }} props */
export const TextWithCards = ({ text }) => buildTextWithCards(text, words).map(toVNode);

/** A panel under its heading. @param {{ name: string, title: string, children: unknown }} props */
export const Panel = ({ name, title, children }) =>
  html`<section class=${`panel ${name}`}><h2>${title}</h2>${children}</section>`;
