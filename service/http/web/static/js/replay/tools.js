// @ts-check
/** The toolbar of a deal, and the tool that is open below it. */

import { t, tc } from "../core/texts.js";
import { html, useLayoutEffect, useRef, useState } from "../vendor/preact.js";
import { BestPlayPanel } from "./best-play.js";
import { SharingPanel, TextPanel } from "./deal-sharing.js";
import { GuessPanel } from "./guess-panel.js";
import { CardSwitch, ViewPanel } from "./view-options.js";
import { WhatIfPanel } from "./what-if-panel.js";

/** @import { DealView } from "./deal-view.js" */
/** @typedef {{ view: DealView }} Props */

/** Whether there is a card to guess. @param {DealView} view */
const hasPlay = ({ isFinished, facts, steps }) =>
  isFinished && facts.what_ifs && steps.value.some(({ kind }) => kind === "card_played");

/** @type {{ name: string, label: string, isThere: (view: DealView) => unknown, Panel: (props: Props) => unknown }[]} */
const TOOLS = [
  {
    name: "what-if",
    label: t("What if"),
    isThere: ({ whatIfs }) => whatIfs,
    Panel: ({ view: { whatIfs } }) => whatIfs && html`<${WhatIfPanel} whatIfs=${whatIfs} />`,
  },
  {
    name: "best-play",
    label: t("Best play"),
    isThere: ({ bestPlay }) => bestPlay,
    Panel: ({ view }) => view.bestPlay && html`<${BestPlayPanel} view=${view} bestPlay=${view.bestPlay} />`,
  },
  { name: "guess", label: t("Guess"), isThere: hasPlay, Panel: GuessPanel },
  { name: "sharing", label: t("Share"), isThere: ({ facts }) => facts.links?.text, Panel: SharingPanel },
  { name: "text", label: t("Text"), isThere: ({ facts }) => facts.links?.text, Panel: TextPanel },
  { name: "seeing", label: t("View"), isThere: () => true, Panel: ViewPanel },
];

/** The tools that are used less. */
const OTHER_TOOLS = ["guess", "seeing", "text"];

/** Whether a card is hidden in an entry, or in a hand during the play. @param {DealView} view */
const hasHiddenCards = ({ steps }) =>
  steps.value.some(({ frame: { event, state } }) => {
    const hands = state.phase === "play" ? Object.values(state.hands ?? {}) : [];
    return (
      [event.card, ...(event.cards ?? [])].some((card) => card?.includes("?")) || hands.some((hand) => hand.unknown)
    );
  });

/** The address of the page of hidden cards, at the entry that is looked at. @param {DealView} view */
function hiddenCardsUrl({ facts, step, viewer }) {
  const address = new URL(facts.links?.hidden_cards ?? "", location.href);
  address.searchParams.set("at", String(step.frame.seq));
  if (viewer !== "all") address.searchParams.set("viewer", viewer);
  return address.pathname + address.search;
}

/** What makes no sense of a slip. */
const CARD_TOOLS = new Set(["what-if", "best-play", "guess", "seeing"]);
/** So many stand in one line; of more, those that are used less fold away. */
const MAX_TOOLS = 4;

/** @param {Props & { isSlip: boolean }} props */
export function Tools({ view, isSlip }) {
  const [isUnfolded, setUnfolded] = useState(false);
  const { links = {}, variations = [] } = view.facts;
  const open = TOOLS.find(({ name }) => name === view.tool.value);
  const panel = useRef(/** @type {HTMLElement | null} */ (null));
  const isJustPressed = useRef(false);
  useLayoutEffect(() => {
    if (isJustPressed.current) panel.current?.scrollIntoView({ block: "nearest" });
    isJustPressed.current = false;
  }, [open]);
  /** @param {string | null} name */
  const press = (name) => {
    isJustPressed.current = true;
    view.tool.value = name;
  };
  /** @type {(name: string) => unknown} */
  const tool = (name) => {
    const { label, isThere } = /** @type {typeof TOOLS[number]} */ (TOOLS.find((one) => one.name === name));
    if (!isThere(view) || (isSlip && CARD_TOOLS.has(name))) return null;
    const isOpen = name === open?.name;
    return html`<button type="button" key=${name} class="tool" data-tool=${name} aria-expanded=${String(isOpen)} onClick=${() => press(isOpen ? null : name)}>${label}</button>`;
  };
  /** @type {(url: string | undefined, label: string) => unknown} */
  const link = (url, label) => url && html`<a class="tool" key=${label} href=${url}>${label}</a>`;
  const hasHidden = links.hidden_cards && !isSlip && !view.whatIfs?.current.value && hasHiddenCards(view);
  const first = [tool("what-if"), tool("best-play"), link(links.print, t("Print")), tool("sharing")].filter(Boolean);
  const others = [
    ...OTHER_TOOLS.map(tool),
    link(links.report, tc("tool", "Report")),
    link(hasHidden ? hiddenCardsUrl(view) : undefined, t("Hidden cards")),
    link(links.compare, t("Compare")),
  ].filter(Boolean);
  const canFold = first.length + others.length > MAX_TOOLS;
  const isOtherOpen = OTHER_TOOLS.some((name) => name === open?.name);
  const isShown = !canFold || isUnfolded || isOtherOpen;
  const toggle = () => {
    setUnfolded(!isShown);
    if (isOtherOpen) view.tool.value = null;
  };
  return html`<section class="panel tools" aria-label=${t("Tools")}>
    <div class="toolbar">
      ${first}
      ${canFold && html`<button type="button" class="tool" data-tool="more" aria-expanded=${String(isShown)} onClick=${toggle}>${t("More")}</button>`}
      ${isShown && (canFold ? html`<div class="other-tools">${others}</div>` : others)}
    </div>
    ${!isSlip && html`<${CardSwitch} view=${view} />`}
    ${open && html`<div class="tool-panel" ref=${panel} data-part=${open.name}><h2 class="visually-hidden">${open.label}</h2><${open.Panel} view=${view} /></div>`}
    ${
      open?.name !== "what-if" &&
      variations.length > 0 &&
      html`<ul class="recorded">
      ${variations.map(({ url, title, result }) => html`<li><a href=${url}>${title ?? t("Deal")}</a>${result && ` – ${result}`}</li>`)}
    </ul>`
    }
  </section>`;
}
