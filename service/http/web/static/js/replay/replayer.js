// @ts-check
/** The replayer: fetches a deal's document and lets a reader step through it. */

import { t } from "../core/texts.js";
import words from "../messages/replayer.js";
import stepWords from "../messages/steps.js";
import { html, render, useEffect, useLayoutEffect, useRef } from "../vendor/preact.js";
import { repeatWhileHeld, SPEEDS } from "./autoplay.js";
import { DealView } from "./deal-view.js";
import { FindingsPanel } from "./findings-panel.js";
import { KeysDialog } from "./keys-dialog.js";
import { Panel } from "./markup.js";
import { NotesPanel, PrintedNotes } from "./notes-panel.js";
import { AuctionPanel, ExchangePanel, HandsPanel, TricksPanel } from "./panels.js";
import { loadReplayDocument } from "./replay-document.js";
import { ScorePanel } from "./score-panel.js";
import { isSlip, SlipStage } from "./slip-stage.js";
import { formatStep, Sentence, SpokenRemarks } from "./step-sentence.js";
import { TableDrawing } from "./table-drawing.js";
import { Tools } from "./tools.js";
import { WhatIfBar } from "./what-if-panel.js";

/** @import { FieldEvent, PageFacts, ReplayDocument, Step } from "./types.d.ts" */
/** @typedef {{ view: DealView }} ViewProps */

const MIN_SWIPE_PX = 40;
const PRINTED_TABLE_SIZE = { width: 330, height: 350 };
/** Of the longest sentences one takes the most lines. */
const MEASURED_SENTENCES = 5;

/** The buttons that step: name, label and drawing. */
const MOVES = [
  ["start", t("To the deal"), "M6 5v14M19 5l-9 7 9 7Z"],
  ["trick-back", t("Back a trick"), "M12 5l-8 7 8 7ZM20.5 5l-8 7 8 7Z"],
  ["back", t("Back a card"), "M16 5l-9 7 9 7Z"],
  ["on", t("Forward a card"), "M8 5l9 7-9 7Z"],
  ["trick-on", t("Forward a trick"), "M12 5l8 7-8 7ZM3.5 5l8 7-8 7Z"],
  ["end", t("To the end"), "M18 5v14M5 5l9 7-9 7Z"],
];
const BACKWARD_MOVES = new Set(["start", "trick-back", "back"]);

/** What is seen of the deal: the table, or the slip if nobody wrote down the cards. @param {ViewProps} props */
const DealStage = ({ view }) => (isSlip(view) ? html`<${SlipStage} view=${view} />` : html`<${Stage} view=${view} />`);

/** The table and what steps through the deal. @param {ViewProps} props */
function Stage({ view }) {
  const { step } = view;
  const walk = useRef(/** @type {HTMLElement | null} */ (null));
  useFit(view, walk);
  return html`
    <${Table} view=${view} />
    <div class="step-controls" data-part="walk" ref=${walk}>
      ${view.whatIfs && html`<${WhatIfBar} whatIfs=${view.whatIfs} />`}
      <p class="sentence" data-part="sentence" role="status" aria-live="polite">
        ${view.message.value || html`<${Sentence} step=${step} /><${SpokenRemarks} step=${step} />`}
      </p>
      <${Controls} view=${view} />
    </div>`;
}

/** The table, as another module draws it. @param {ViewProps} props */
function Table({ view }) {
  const root = useRef(/** @type {HTMLElement | null} */ (null));
  const drawing = useRef(/** @type {TableDrawing | null} */ (null));
  const document = view.document.value;
  const options = view.options.value;
  useLayoutEffect(() => {
    const { findings = [], direction } = document;
    const table = new TableDrawing(/** @type {HTMLElement} */ (root.current), {
      steps: view.steps.value,
      findings,
      direction,
      view: options,
      later: view.later,
    });
    drawing.current = table;
    return () => table.destroy();
  }, [document, options]);
  const index = view.index.value;
  const { whatIfs } = view;
  useLayoutEffect(() => {
    drawing.current?.show(index);
    for (const card of root.current?.querySelectorAll(".card") ?? []) {
      card.classList.toggle("can-be-played", whatIfs?.findCardPlay(cardOf(card)) !== undefined);
    }
  });
  useEffect(() => {
    // On paper the table takes a column's size.
    window.addEventListener("beforeprint", () => drawing.current?.lockSize(PRINTED_TABLE_SIZE));
    window.addEventListener("afterprint", () => drawing.current?.lockSize(null));
    listenForSwipes(/** @type {HTMLElement} */ (root.current), (move) => view.runMove(move));
  }, []);
  /** A card of the table begins a what-if. @param {MouseEvent} event */
  const playCard = (event) => {
    const act = whatIfs?.findCardPlay(cardOf(/** @type {Element} */ (event.target).closest(".card")));
    if (!act) return;
    view.tool.value = "what-if";
    whatIfs?.performAction(act);
  };
  return html`<div class="table" data-part="table" role="img" aria-label=${t("The table, seen from above")} ref=${root} onClick=${playCard}></div>`;
}

/** The card that an element of the table shows; null if it lies face down. @param {Element | null} element */
const cardOf = (element) =>
  element instanceof HTMLElement && !element.classList.contains("is-hidden") ? (element.dataset.card ?? null) : null;

/**
 * @param {HTMLElement} table
 * @param {(move: string) => void} runMove
 */
function listenForSwipes(table, runMove) {
  /** @type {PointerEvent | null} */
  let from = null;
  table.addEventListener("pointerdown", (event) => (from = event.pointerType === "touch" ? event : null));
  table.addEventListener("pointercancel", () => (from = null));
  table.addEventListener("pointerup", (event) => {
    const deltaX = from ? event.clientX - from.clientX : 0;
    const deltaY = from ? Math.abs(event.clientY - from.clientY) : 0;
    from = null;
    if (Math.abs(deltaX) > MIN_SWIPE_PX && deltaY < Math.abs(deltaX)) runMove(deltaX < 0 ? "on" : "back");
  });
}

/** @param {ViewProps} props */
function Controls({ view }) {
  const { lastIndex, autoplay } = view;
  const index = view.index.value;
  const buttons = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => repeatWhileHeld(/** @type {HTMLElement} */ (buttons.current), (move) => view.runMove(move)), []);
  const moveButton = (/** @type {string[]} */ [move, label, path]) => {
    const isAtEnd = index === (BACKWARD_MOVES.has(move) ? 0 : lastIndex);
    const names = { "data-move": move, "aria-label": label, title: label };
    return html`<button type="button" key=${move} ...${names} aria-disabled=${String(isAtEnd)} onClick=${() => view.runMove(move)}>
      <svg viewBox="0 0 24 24" aria-hidden="true"><path d=${path} /></svg>
    </button>`;
  };
  const playLabel = autoplay.isPlaying.value ? stepWords.pause : stepWords.playOn;
  return html`<div class="controls" role="group" aria-label=${t("Step through the deal")}>
    <div class="step-buttons" ref=${buttons}>
      ${MOVES.map(moveButton)}
    </div>
    <div class="scrub-row">
      <button type="button" class="play-button" data-part="play" data-plays=${String(autoplay.isPlaying.value)} aria-label=${playLabel} title=${playLabel} onClick=${() => autoplay.toggle()}>
        <svg viewBox="0 0 24 24" aria-hidden="true"><path class="to-play" d="M7 4.5v15L19.500 12Z" /><path class="to-pause" d="M7 5v14M17 5v14" /></svg>
      </button>
      <div class="scrub">
        <input type="range" min="0" max=${lastIndex} step="1" value=${index} disabled=${lastIndex < 1} data-part="scrubber"
          aria-label=${t("Where in the deal")} aria-valuetext=${stepWords.stepOf(index + 1, lastIndex + 1)}
          onInput=${(/** @type {FieldEvent} */ event) => view.jumpTo(Number(event.target.value))} />
        <${Ticks} steps=${view.steps.value} costly=${view.bestPlay?.costly.value} />
      </div>
      <${Speed} autoplay=${autoplay} />
    </div>
  </div>`;
}

/** Under the slider: the number of each trick where it ends, and a sign where something is found or noted, or a card cost something. @param {{ steps: Step[], costly?: Map<string, unknown> }} props */
function Ticks({ steps, costly }) {
  /** @type {(index: number, kind: string, text?: string | number) => unknown} */
  const tick = (index, kind, text = "") =>
    html`<span class=${`tick ${kind}`} style=${{ "--tick-position": String(index / Math.max(1, steps.length - 1)) }}>${text}</span>`;
  const ticks = steps.flatMap((step, index) => [
    step.isStop && step.kind === "card_played" && step.trick && tick(index, "", step.trick),
    step.findings.some((finding) => finding.severity !== "info")
      ? tick(index, "tick-finding", "?")
      : step.notes.length > 0 && tick(index, "tick-note"),
    costly?.has(String(step.frame.seq)) && tick(index, "tick-costly"),
  ]);
  return html`<div class="ticks" aria-hidden="true">${ticks}</div>`;
}

/** How fast the deal plays itself: each press is another speed. @param {{ autoplay: DealView["autoplay"] }} props */
function Speed({ autoplay }) {
  const speed = autoplay.speed.value;
  const next = SPEEDS[(SPEEDS.indexOf(speed) + 1) % SPEEDS.length];
  const text = speed === 0.5 ? "½×" : `${speed}×`;
  return html`<button type="button" class="speed-button" data-part="speed" aria-label=${`${text} ${t("speed")}`} title=${t("Speed")}
    onClick=${() => (autoplay.speed.value = next)}>${text}</button>`;
}

/**
 * Gives the table what the screen has left above the walk. Room is kept for the longest sentence, so that no button
 * moves under the finger.
 * @param {DealView} view
 * @param {{ current: HTMLElement | null }} walk
 */
function useFit(view, walk) {
  const document = view.document.value;
  const whatIf = view.whatIfs?.current.value;
  useLayoutEffect(() => {
    const fit = () => walk.current && fitToScreen(view, walk.current);
    fit();
    globalThis.document.fonts?.ready.then(fit);
    window.addEventListener("resize", fit);
    return () => window.removeEventListener("resize", fit);
  }, [document, whatIf]);
}

/**
 * @param {DealView} view
 * @param {HTMLElement} walk
 */
function fitToScreen({ root, steps }, walk) {
  const sentence = /** @type {HTMLElement} */ (walk.querySelector(".sentence"));
  const trial = /** @type {HTMLElement} */ (sentence.cloneNode(false));
  trial.removeAttribute("role");
  trial.classList.add("is-measuring");
  trial.style.minHeight = "0";
  sentence.after(trial);
  const longest = steps.value
    .map(formatStep)
    .sort((one, other) => other.length - one.length)
    .slice(0, MEASURED_SENTENCES);
  const heights = longest.map((text) => {
    trial.textContent = text;
    return trial.scrollHeight;
  });
  trial.remove();
  sentence.style.minHeight = `${Math.max(...heights)}px`;
  // Not asked of the table itself, which may have stuck to the window's edge on the way down the page.
  const head = /** @type {Element} */ (root.querySelector(".deal-head")).getBoundingClientRect();
  const above = head.bottom + window.scrollY + Number.parseFloat(getComputedStyle(root).rowGap);
  const stage = /** @type {HTMLElement} */ (walk.parentElement);
  stage.style.setProperty("--reserved-height", `${Math.ceil(above + walk.offsetHeight)}px`);
}

/** What stands next to the table. @param {ViewProps} props */
function Margin({ view }) {
  const { facts, step } = view;
  const { findings = [] } = view.document.value;
  const panel = {
    steps: view.steps.value,
    index: view.index.value,
    goto: (/** @type {number} */ index) => view.jumpTo(index),
  };
  const isOnlySlip = isSlip(view);
  const course =
    !isOnlySlip &&
    html`<${ScorePanel} key=${JSON.stringify(step.frame.score)} frame=${step.frame} />
    <${AuctionPanel} ...${panel} />
    <${ExchangePanel} ...${panel} />
    <${TricksPanel} ...${panel} />
    <${HandsPanel} ...${panel} later=${view.later} />`;
  return html`
    ${(isOnlySlip ? panel.steps : [step]).map((one) => html`<${NotesPanel} key=${one.frame.seq} step=${one} />`)}
    <${Tools} view=${view} isSlip=${isOnlySlip} />
    ${course}
    <${FindingsPanel} ...${panel} findings=${findings} />
    <${KeysDialog} view=${view} />
    <${PrintedNotes} steps=${panel.steps.slice(0, panel.index + 1)} />
    ${facts.source && html`<${Panel} name="source-panel" title=${t("Source")}><p>${facts.source}</p><//>`}
    ${
      (facts.readings?.length ?? 0) > 0 &&
      html`<${Panel} name="readings" title=${t("Other readings")}>
      <ul>${facts.readings?.map(({ url, title }) => html`<li><a href=${url}>${title}</a></li>`)}</ul>
    <//>`
    }`;
}

/**
 * Shows a deal in the parts of `root`.
 * @param {HTMLElement} root
 * @param {ReplayDocument} replay
 */
export function showDeal(root, replay) {
  const facts = /** @type {PageFacts} */ (JSON.parse(root.dataset.facts ?? "{}"));
  const view = new DealView(root, replay, facts);
  const draw = () => {
    render(html`<${DealStage} view=${view} />`, findPart(root, "stage"));
    render(html`<${Margin} view=${view} />`, findPart(root, "margin"));
    root.removeAttribute("data-waiting");
  };
  // What is not yet what it will be would move.
  if (view.opening) view.opening.finally(draw);
  else draw();
  return view;
}

/** @type {(root: HTMLElement, name: string) => HTMLElement} */
const findPart = (root, name) => /** @type {HTMLElement} */ (root.querySelector(`[data-part="${name}"]`));

/** @param {HTMLElement} root */
async function start(root) {
  const sentence = findPart(root, "sentence");
  sentence.textContent = words.loading;
  try {
    const replay = await loadReplayDocument(root.dataset.replay ?? "", words);
    if (replay.frames.length) return showDeal(root, replay);
    sentence.textContent = words.empty;
  } catch (error) {
    console.error(error);
    const retry = html`${words.failed} <button type="button" class="button" onClick=${() => start(root)}>${words.again}</button>`;
    render(retry, sentence);
  }
  root.removeAttribute("data-waiting");
}

for (const root of document.querySelectorAll("[data-replay]")) start(/** @type {HTMLElement} */ (root));
