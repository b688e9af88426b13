// @ts-check
/** The log of an evening: what was entered for each deal, what was undone and why. Nothing goes from it. */

import { dealUrl, formatDealEnd, formatSeatingChange, formatStruckDeal, recorderUrl } from "../core/deal-text.js";
import { t, tc } from "../core/texts.js";
import words from "../messages/evening.js";
import { html } from "../vendor/preact.js";
import { Chips, CorrectionNotes, lacksPayment, UndoneNote } from "./deal-notes.js";

/** @typedef {import("./evening.js").Evening} Evening */
/** @typedef {ReturnType<Evening["listDeals"]>[number]} Deal */
/** @typedef {ReturnType<Evening["listSeatingChanges"]>[number]} SeatingChange */
/**
 * @typedef {object} LogProps
 * @property {Evening} evening
 * @property {import("./slip-findings.js").SlipFindings} findings - knows what does not fit in a deal
 * @property {boolean} isEditable - whether entries can be corrected
 * @property {(deal: Deal) => void} onCorrect
 * @property {(deal: Deal) => void} onRestore - of a deal that was struck out
 * @property {(change: SeatingChange) => void} onUndo
 */

/** The deals, and who came and went, the latest first. @param {LogProps} props */
export function TableLog(props) {
  const { evening } = props;
  const changes = evening.listSeatingChanges().reverse();
  const items = evening.listDeals().flatMap((deal) => {
    const later = changes.splice(0, changes.findLastIndex((one) => one.at > deal.at) + 1);
    return [
      ...later.map((one) => html`<${SeatingItem} ...${props} change=${one} />`),
      html`<${DealItem} key=${deal.deal} ...${props} deal=${deal} />`,
    ];
  });
  items.push(...changes.map((one) => html`<${SeatingItem} ...${props} change=${one} />`));
  return items.length ? items : html`<li class="muted">${t("No deals yet.")}</li>`;
}

/** @param {LogProps & { change: SeatingChange }} props */
function SeatingItem({ evening, isEditable, change, onUndo }) {
  const text = formatSeatingChange(evening, words, change.event);
  const canUndo = isEditable && change.isLatest && !change.undoneBy;
  return html`
    <li class="entry-line is-seating-change">
      <span class="entry-number" />
      <div class="entry-text">${change.undoneBy ? html`<${UndoneNote} text=${text} reason=${change.undoneBy.reason} />` : html`<p>${text}</p>`}</div>
      ${canUndo && html`<${LogButton} text=${t("Undo")} about=${text} act=${() => onUndo(change)} />`}
    </li>
  `;
}

/** @param {LogProps & { deal: Deal }} props */
function DealItem({ evening, findings, isEditable, deal, onCorrect, onRestore }) {
  const { number, struck, queued, line, result } = deal;
  const text = struck ? formatStruckDeal(evening, words, deal) : formatDealEnd(evening, words, deal);
  const about = words.slip.deal(number).toLowerCase();
  const link = deal.opening?.queued ? html`<b>${text}</b>` : html`<a href=${dealUrl(deal.deal)}>${text}</a>`;
  return html`
    <li class=${`entry-line${struck ? " is-struck" : ""}${queued ? " is-queued" : ""}`} data-deal=${deal.deal}>
      <span class="entry-number">${number}</span>
      <div class="entry-text">
        ${struck ? html`<p class="replaced-entry"><s>${link}</s> <i>${struck.reason ? t("Struck out: {reason}", { reason: struck.reason }) : t("Struck out")}</i></p>` : html`<p>${link}</p>`}
        ${queued && html`<p class="entry-queued">${t("Not sent yet")}</p>`}
        ${findings.listFindingTexts(deal).map((fault) => html`<p class="fault"><span class="visually-hidden">${t("Not in order")}: </span>${fault}</p>`)}
        <${CorrectionNotes} evening=${evening} deal=${deal} />
        ${line && !struck && !queued && html`<${ChipsLine} evening=${evening} deal=${deal} />`}
      </div>
      ${isEditable && !struck && isRecordedCardByCard(deal) && html`<a class="button correct-button" href=${recorderUrl(deal.deal)}>${tc("evening", "Cards")}<span class="visually-hidden"> ${about}</span></a>`}
      ${isEditable && !struck && deal.opening && !isRecordedCardByCard(deal) && canCorrect(deal) && html`<${LogButton} text=${result ? t("Correct") : t("Finish")} about=${about} act=${() => onCorrect(deal)} />`}
      ${isEditable && canRestore(deal) && html`<${LogButton} text=${t("Restore it")} about=${about} act=${() => onRestore(deal)} />`}
    </li>
  `;
}

/** What it is about is not shown, but heard. @param {{ text: string, about: string, act: () => void }} props */
const LogButton = ({ text, about, act }) =>
  html`<button type="button" class="button correct-button" onClick=${act}>${text}<span class="visually-hidden"> ${about}</span></button>`;

/** What was struck out is put in again when that is stored: until then nobody knows which entry it will be. @param {Deal} deal */
const canRestore = ({ struck }) => Boolean(struck && !struck.queued);

/** What was recorded card by card is continued and corrected there. @param {Deal} deal */
const isRecordedCardByCard = (deal) => !deal.result && Boolean(deal.line?.contract);

/** What another correction waits for is corrected when that is stored: until then nobody knows which entry it will be. @param {Deal} deal */
export const canCorrect = (deal) => !deal.queued || Boolean(deal.opening.queued);

/** @param {{ evening: Evening, deal: Deal }} props */
function ChipsLine({ evening, deal }) {
  const { line, number } = deal;
  const players = Object.keys(line.chips);
  if (lacksPayment(deal))
    return html`<p class="entry-chips entry-unsettled">${t("Deal {n} lacks its payment", { n: number })}</p>`;
  if (!line.decided) return line.contract && html`<p class="entry-chips muted">${words.log.open}</p>`;
  if (players.every((player) => !line.chips[player])) return null;
  return html`<p class="entry-chips">${players.map((player) => html`<span class="entry-share">${evening.displayName(player)} <${Chips} number=${line.chips[player]} /></span>`)}</p>`;
}
