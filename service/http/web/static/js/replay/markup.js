// @ts-check
/** Cards within a sentence or a table, and the panels next to the table. */

import { isHidden, isSuitOnly, rankOf, splitAtCards, suitOf } from "../core/cards.js";
import { Pip } from "../core/pip.js";
import words from "../messages/replayer.js";
import { html } from "../vendor/preact.js";

/** A card: its suit's sign and its letter, or x, with its name for those who listen. @param {{ card: string }} props */
export const Card = ({ card }) =>
  isHidden(card)
    ? html`<span class="card-text">${words.hiddenCard}</span>`
    : html`<span class="card-text"><span class="visually-hidden">${words.card(card)}</span><span class="card-sign" aria-hidden="true"><${Pip} suit=${suitOf(card)} />${isSuitOnly(card) ? html`<i>x</i>` : words.letter(rankOf(card))}</span></span>`;

/** Cards in a row. @param {{ cards: string[] }} props */
export const Cards = ({ cards }) =>
  cards.map((card, index) => html`${index ? " " : ""}<${Card} card=${card} key=${index} />`);

/** A card in the list of tricks, where an unseen one is the book's x. @param {{ card: string }} props */
export const CardOrX = ({ card }) =>
  isHidden(card)
    ? html`<span class="card-text"><span class="visually-hidden">${words.hiddenCard}</span><i aria-hidden="true">x</i></span>`
    : html`<${Card} card=${card} />`;

/** A sentence of the service, with the codes of cards drawn as cards. @param {{ text: string }} props */
export const TextWithCards = ({ text }) =>
  splitAtCards(text).map((/** @type {string} */ piece, /** @type {number} */ index) =>
    index % 2 ? html`<${Card} card=${piece} />` : piece,
  );

/** The dot at the card that leads to a trick. */
export const LeadMark = () => html`<span class="leads" role="img" aria-label=${words.leads}>·</span>`;

/** A panel under its heading. @param {{ name: string, title: string, children: unknown }} props */
export const Panel = ({ name, title, children }) =>
  html`<section class=${`panel ${name}`}><h2>${title}</h2>${children}</section>`;
