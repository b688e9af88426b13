// @ts-check
/** The what-ifs next to the table: the possible acts here, the name of the current one, and the list. */

import { HIDDEN_CARD } from "../core/cards.js";
import dealWords from "../messages/replayer.js";
import words from "../messages/what-if.js";
import { html, useEffect, useLayoutEffect, useRef } from "../vendor/preact.js";
import { CopyButton } from "./copy-button.js";
import { Card } from "./markup.js";
import { stepAt } from "./steps.js";
import { encodeAction, isWhatIfAction, listLegalActions } from "./what-if-actions.js";
import { MAX_WHAT_IF_NAME_LENGTH, MAX_WHAT_IF_TEXT_LENGTH } from "./what-if-variation.js";

/** @import { FieldEvent, Step } from "./types.d.ts" */
/** @import { Action } from "./what-if-actions.js" */
/** @import { Line, WhatIfs } from "./what-ifs.js" */
/** @typedef {{ whatIfs: WhatIfs }} Props */

/** Over the sentence, while something is shown that was not played. @param {Props} props */
export function WhatIfBar({ whatIfs }) {
  const line = whatIfs.current.value;
  useLayoutEffect(() => {
    whatIfs.view.root.classList.toggle("is-what-if", line !== null);
  }, [line]);
  return (
    line &&
    html`<p class="what-if-bar">
    <span><b>${words.notAsPlayed}: </b><${LineName} whatIfs=${whatIfs} line=${line} /></span>
    <button type="button" class="button" data-act="leave" onClick=${() => leave(whatIfs)}>${words.leave}</button>
  </p>`
  );
}

/** @param {WhatIfs} whatIfs */
function leave(whatIfs) {
  whatIfs.leave();
  focusTool();
}

const focusTool = () =>
  /** @type {HTMLElement | null} */ (document.querySelector('[data-tool="what-if"]'))?.focus({ preventScroll: true });

/** @param {Props} props */
export function WhatIfPanel({ whatIfs }) {
  const choices = useRef(/** @type {HTMLElement | null} */ (null));
  const line = whatIfs.current.value;
  const { text, isVisible } = whatIfs.status.value;
  const { index } = whatIfs.view;
  useEffect(() => {
    whatIfs.loadStored();
  }, []);
  useEffect(() => {
    // The button that was pressed is gone, as there are fewer choices here.
    if (document.activeElement === document.body && index.value)
      choices.current?.querySelector("button")?.focus({ preventScroll: true });
  }, [whatIfs.status.value]);
  return html`<div class="what-if-panel" data-part="branching">
    <div class="what-if-choices" ref=${choices}>
      <${Choices} whatIfs=${whatIfs} /><${InsteadButton} whatIfs=${whatIfs} />
    </div>
    <p class=${`what-if-status${isVisible ? "" : " visually-hidden"}`} role="status">${text}</p>
    <div class="what-if-tools">
      ${line && (line.recorded ? html`<p><a class="button" href=${line.recorded.page}>${words.ownPage}</a></p>` : html`<${LineTools} key=${line.key} whatIfs=${whatIfs} line=${line} />`)}
    </div>
    <${LineList} whatIfs=${whatIfs} />
  </div>`;
}

/** What may be done at this step. @param {Props} props */
function Choices({ whatIfs }) {
  const { frame } = whatIfs.currentStep;
  const { state, legal } = frame;
  if (!legal && state.phase === "finished") return html`<p class="muted">${words.over}</p>`;
  const acts = listLegalActions(frame);
  const isPlay = legal?.action === "play";
  if (!legal || !acts.length)
    return html`<p class="muted">${words.nothing}</p><${FirstLeadButton} whatIfs=${whatIfs} />`;
  const name = dealWords.player(state, legal.seat);
  const label = dealWords.upper(
    /** @type {Record<string, (name: string) => string>} */ (words.may)[legal.action](name),
  );
  const { playedActionCode, shownActionCode } = whatIfs;
  const buttons = acts.map((act, place) => {
    const code = encodeAction(act);
    const remark = code === playedActionCode ? words.asPlayed : code === shownActionCode ? words.goesOn : null;
    return html`<button type="button" key=${place} class=${`what-if-card${remark ? " is-known" : ""}`} data-play=${code.slice(1)} onClick=${() => whatIfs.performAction(act)}>
      <span><${ActionLabel} act=${act} /></span>${remark && html`<span class="muted">${remark}</span>`}
    </button>`;
  });
  return html`
    <p aria-hidden="true">${label}</p>
    ${acts[0].card === HIDDEN_CARD && html`<p class="muted">${words.unknownHand}</p>`}
    <div class="what-if-cards" role="group" aria-label=${label}>${buttons}</div>
    ${!isPlay && html`<${FirstLeadButton} whatIfs=${whatIfs} />`}`;
}

/** @param {{ act: Action }} props */
function ActionLabel({ act }) {
  if (act.card) return act.card === HIDDEN_CARD ? words.unseenCard : html`<${Card} card=${act.card} />`;
  if (act.bid) return dealWords.bid(act.bid);
  if (act.contract) return dealWords.contract(act.contract, act.trump);
  return act.cards?.length;
}

/** @param {Props} props */
function FirstLeadButton({ whatIfs: { view } }) {
  const first = view.steps.value.findIndex((step, at) => at > view.index.value && step.frame.legal?.action === "play");
  return first < 0
    ? null
    : html`<button type="button" class="button" onClick=${() => view.jumpTo(first)}>${words.toPlay}</button>`;
}

/** A reader who looks at what was done may want something else instead. @param {Props} props */
function InsteadButton({ whatIfs }) {
  const { kind, frame } = whatIfs.currentStep;
  if (!isWhatIfAction(frame.event)) return null;
  const what =
    kind === "card_played" ? html` <${Card} card=${frame.event.card} />` : `: ${whatIfs.describeAction(frame.event)}`;
  return html`<p>
    <button type="button" class="plain-button inline-link" data-act="instead" onClick=${() => whatIfs.view.runMove("back")}>${words.insteadOf}${what}</button>
  </p>`;
}

/** Its name, or else what is done where it leaves the deal. @param {Props & { line: Line }} props */
function LineName({ whatIfs, line }) {
  if (line.name || !line.acts) return line.name || words.unnamed;
  const [act] = line.acts;
  if (!act.card) return words.ifDone(whatIfs.describeAction(act));
  return html`${words.ifPlays(whatIfs.playerAt(act.seat))} <${Card} card=${act.card} />`;
}

/** What can be done with a what-if that is not stored. @param {Props & { line: Line }} props */
function LineTools({ whatIfs, line }) {
  /** @param {"name" | "text"} field */
  const save = (field) => (/** @type {FieldEvent} */ event) =>
    whatIfs.setDescription({ [field]: event.target.value.trim() });
  const forget = () => {
    whatIfs.forget();
    focusTool();
  };
  return html`
    <label><span>${words.name}</span>
      <input type="text" maxlength=${MAX_WHAT_IF_NAME_LENGTH} value=${line.name} placeholder=${whatIfs.titleOf({ ...line, name: "" })} autocomplete="off" onChange=${save("name")} />
    </label>
    <label><span>${words.text}</span><textarea rows="2" maxlength=${MAX_WHAT_IF_TEXT_LENGTH} value=${line.text} onChange=${save("text")} /></label>
    <div class="actions">
      <${CopyButton} act="copyLink" label=${words.copyLink} getText=${() => whatIfs.view.linkUrl} say=${(/** @type {string} */ text) => whatIfs.announce(text, true)} />
      <${CopyButton} act="copyText" label=${words.copyText} getText=${() => whatIfs.toNotation()} say=${(/** @type {string} */ text) => whatIfs.announce(text, true)} />
      ${whatIfs.canStore && html`<button type="button" class="button" data-act="keep" onClick=${() => whatIfs.storeVariation()}>${words.keep}</button>`}
      <button type="button" class="button" data-act="forget" onClick=${forget}>${words.forget}</button>
    </div>`;
}

/** All of them, in the order in which they leave the deal, those from here marked. @param {Props} props */
function LineList({ whatIfs }) {
  const steps = whatIfs.mainSteps;
  const current = whatIfs.current.value;
  const hereIndex = current ? -1 : whatIfs.view.index.value;
  const placed = whatIfs.lines.value
    .map((line) => ({ line, at: stepAt(steps, line.at) }))
    .sort((one, other) => one.at - other.at);
  if (!placed.length) return null;
  return html`<div class="what-if-list"><h3>${words.listed}</h3><ul>
    ${placed.map(
      ({ line, at }) => html`<li key=${line.key} class=${at === hereIndex ? "is-here" : null}>
      <button type="button" class="plain-button inline-link" aria-current=${line.key === current?.key ? "true" : null} onClick=${() => whatIfs.showLine(line)}>
        <${LineName} whatIfs=${whatIfs} line=${line} />
      </button>
      ${" "}<span class="muted">${at === hereIndex ? words.here : words.from(formatPlace(steps[at]))}</span>
      ${line.text && html`<p class="note">${line.text}</p>`}
    </li>`,
    )}
  </ul></div>`;
}

/** @param {Step} step */
function formatPlace({ trick, frame, kind }) {
  const last = frame.state.tricks?.at(-1);
  if (kind === "card_played" && trick && last) {
    return dealWords.trickNumber(last.winner || last.cards.length === 3 ? trick + 1 : trick).toLowerCase();
  }
  return frame.legal?.action === "play"
    ? dealWords.trickNumber((last?.number ?? 0) + 1).toLowerCase()
    : words.beginning;
}
