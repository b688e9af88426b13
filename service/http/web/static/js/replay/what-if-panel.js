/** The what-ifs next to the table: the possible acts here, the name of the current one, and the list. */

import { listLegalActions, isWhatIfAction, encodeAction } from "./what-if-actions.js";
import { MAX_WHAT_IF_NAME_LENGTH, MAX_WHAT_IF_TEXT_LENGTH } from "./what-if-variation.js";
import { HIDDEN_CARD, buildInlineCard } from "../core/cards.js";
import { buildManualCopyField, copyToClipboard } from "../core/clipboard.js";
import { el } from "../core/dom.js";
import { stepAt } from "./steps.js";

export class WhatIfPanel {
  /** Inside `root`, an element of details; `whatIfs` as in what-ifs.js. */
  constructor(root, whatIfs) {
    Object.assign(this, { root, whatIfs, words: whatIfs.words, replayer: whatIfs.replayer });
    this.choices = el("div", { class: "what-if-choices" });
    this.tools = el("div", { class: "what-if-tools" });
    this.list = el("div", { class: "what-if-list" });
    this.status = el("p", { class: "what-if-status", role: "status" });
    root.append(this.choices, this.status, this.tools, this.list);
    // This list contains what is listed for readers without scripts.
    root.parentElement.querySelector("[data-recorded]")?.remove();
    this.bar = el("p", { class: "what-if-bar", hidden: true });
    this.replayer.parts.sentence.before(this.bar);
  }

  /** Announces something once to screen readers; to everybody if `isVisible`. */
  announce(text, isVisible = false) {
    this.status.textContent = text;
    this.status.classList.toggle("visually-hidden", !isVisible);
  }

  /** Shows what can be done at this step. */
  show() {
    const focused = this.choices.contains(document.activeElement);
    this.choices.replaceChildren(...this.buildActionChoices(), ...this.buildReplaceButton());
    if (focused) (this.choices.querySelector("button") ?? this.bar.querySelector("button") ?? this.root.querySelector("summary")).focus({ preventScroll: true });
    this.refreshList();
  }

  // What may be done

  buildActionChoices() {
    const { words, replayer, whatIfs } = this;
    const { state, legal } = whatIfs.currentStep.frame;
    if (!legal && state.phase === "finished") return [el("p", { class: "muted", text: words.over })];
    const acts = listLegalActions(whatIfs.currentStep.frame);
    if (!acts.length) return [el("p", { class: "muted", text: words.nothing }), ...this.buildFirstLeadButton()];
    const playerText = words.may[legal.action](replayer.words.player(state, legal.seat));
    const unknown = acts[0].card === HIDDEN_CARD ? [el("p", { class: "muted", text: words.unknownHand })] : [];
    const group = el("div", { class: "what-if-cards", role: "group", "aria-label": playerText }, ...acts.map((act) => this.buildActionButton(act)));
    return [el("p", { "aria-hidden": "true", text: playerText }), ...unknown, group, ...(legal.action === "play" ? [] : this.buildFirstLeadButton())];
  }

  buildActionButton(act) {
    const { words, whatIfs } = this;
    const sign = encodeAction(act);
    const more = sign === whatIfs.playedActionCode ? words.asPlayed : sign === whatIfs.shownActionCode ? words.goesOn : null;
    return el("button", { type: "button", class: `what-if-card${more ? " is-known" : ""}`, "data-play": sign.slice(1), on: { click: () => whatIfs.performAction(act) } },
      el("span", {}, this.buildActionLabel(act)), more ? el("span", { class: "muted", text: more }) : null);
  }

  /** An act as a button has it. */
  buildActionLabel(act) {
    const { words, replayer } = this;
    if (act.type === "card_played") return act.card === HIDDEN_CARD ? words.unseenCard : buildInlineCard(act.card, replayer.words);
    if (act.type === "bid_made") return replayer.words.bid(act.bid);
    if (act.type === "contract_named") return replayer.words.contract(act.contract, act.trump);
    return String(act.cards.length);
  }

  buildFirstLeadButton() {
    const { steps } = this.replayer;
    const first = steps.findIndex((step, index) => index > this.replayer.index && step.frame.legal?.action === "play");
    if (first < 0) return [];
    return [el("button", { type: "button", class: "button", text: this.words.toPlay, on: { click: () => this.replayer.jumpTo(first) } })];
  }

  /** A reader who looks at what was done may want something else instead. */
  buildReplaceButton() {
    const { kind, frame } = this.whatIfs.currentStep;
    if (!isWhatIfAction(frame.event)) return [];
    const back = () => {
      this.replayer.jumpTo(this.replayer.index - 1);
      this.choices.querySelector("button")?.focus({ preventScroll: true });
    };
    const actionText = kind === "card_played" ? [" ", buildInlineCard(frame.event.card, this.replayer.words)] : [`: ${this.whatIfs.describeAction(frame.event)}`];
    return [el("p", {}, el("button", { type: "button", class: "plain-button inline-link", "data-act": "instead", on: { click: back } }, this.words.insteadOf, ...actionText))];
  }

  // The what-if that is shown

  /** Shows the head and the tools of a what-if; null for the deal as it was played. */
  showWhatIf(line) {
    const { bar, words, whatIfs } = this;
    bar.hidden = !line;
    if (!line) {
      bar.replaceChildren();
      this.tools.replaceChildren();
      this.shown = null;
      return;
    }
    bar.replaceChildren(
      el("span", {}, el("b", { text: `${words.notAsPlayed}: ` }), ...this.buildName(line)),
      el("button", { type: "button", class: "button", "data-act": "leave", text: words.leave, on: { click: () => this.leave() } }),
    );
    // What is being written stays where it is, also while the what-if grows.
    const shownKey = `${line.key} ${line.recorded?.id}`;
    if (this.shown === shownKey) return;
    this.shown = shownKey;
    this.tools.replaceChildren(...(line.recorded ? [this.buildPageLink(line)] : this.buildTools(line)));
  }

  leave() {
    const { root } = this;
    this.whatIfs.leave();
    root.querySelector("summary").focus({ preventScroll: true });
  }

  buildPageLink({ recorded }) {
    return el("p", {}, el("a", { class: "button", href: recorded.page, text: this.words.ownPage }));
  }

  buildTools(line) {
    const { words, whatIfs } = this;
    const saveField = (field) => (event) => whatIfs.setDescription({ [field]: event.target.value.trim() });
    const name = el("input", { type: "text", maxlength: MAX_WHAT_IF_NAME_LENGTH, value: line.name, placeholder: whatIfs.titleOf({ ...line, name: "" }), autocomplete: "off", on: { change: saveField("name") } });
    const text = el("textarea", { rows: 2, maxlength: MAX_WHAT_IF_TEXT_LENGTH, on: { change: saveField("text") } });
    text.value = line.text;
    const button = (act, run) => el("button", { type: "button", class: "button", "data-act": act, text: words[act], on: { click: run } });
    return [
      el("label", {}, el("span", { text: words.name }), name),
      el("label", {}, el("span", { text: words.text }), text),
      el("p", { class: "actions" },
        button("copyLink", () => this.copyText(() => this.replayer.linkUrl())), button("copyText", () => this.copyText(() => whatIfs.toNotation())),
        whatIfs.canStore ? button("keep", () => whatIfs.storeVariation()) : null, button("forget", () => this.forget())),
    ];
  }

  forget() {
    this.whatIfs.forget();
    this.root.querySelector("summary").focus({ preventScroll: true });
  }

  /** Copies a text, or shows it for copying by hand if the browser does not allow it. */
  async copyText(find) {
    const { words } = this;
    this.tools.querySelector(".to-copy")?.remove();
    let text;
    try {
      text = await find();
    } catch {
      return this.announce(words.failed, true);
    }
    if (await copyToClipboard(text)) return this.announce(words.copied, true);
    return this.tools.append(buildManualCopyField(text, words.toCopy));
  }

  // All of them

  /** Lists all, in the order in which they leave the deal, those from here marked. */
  refreshList() {
    const { whatIfs, words } = this;
    const steps = whatIfs.mainSteps;
    const placed = whatIfs.lines.map((line) => ({ line, at: stepAt(steps, line.at) })).sort((one, other) => one.at - other.at);
    const hereIndex = whatIfs.current ? -1 : this.replayer.index;
    const items = placed.map(({ line, at }) => this.buildItem(line, at === hereIndex ? words.here : words.from(this.formatPlace(steps[at])), at === hereIndex));
    this.list.hidden = !items.length;
    const focusedIndex = this.list.contains(document.activeElement) ? [...this.list.querySelectorAll("button")].indexOf(document.activeElement) : -1;
    this.list.replaceChildren(el("h3", { text: words.listed }), el("ul", {}, ...items));
    if (focusedIndex >= 0) this.list.querySelectorAll("button")[focusedIndex]?.focus({ preventScroll: true });
  }

  buildItem(line, index, isHere) {
    const current = line === this.whatIfs.current;
    const button = el("button", { type: "button", class: "plain-button inline-link", "aria-current": current ? "true" : null, on: { click: () => this.whatIfs.showLine(line) } }, ...this.buildName(line));
    return el("li", { class: isHere ? "is-here" : null }, button, " ", el("span", { class: "muted", text: index }), line.text ? el("p", { class: "note", text: line.text }) : null);
  }

  /** Its name, or else what is done where it leaves the deal. */
  buildName(line) {
    if (line.name || !line.acts) return [line.name || this.words.unnamed];
    const [act] = line.acts;
    const { seat, card } = act;
    if (act.type !== "card_played") return [this.words.ifDone(this.whatIfs.describeAction(act))];
    return [`${this.words.ifPlays(this.whatIfs.playerAt(seat))} `, buildInlineCard(card, this.replayer.words)];
  }

  formatPlace({ trick, frame, kind }) {
    const { words } = this.replayer;
    const next = frame.state.tricks?.at(-1);
    if (kind !== "card_played") return frame.legal?.action === "play" ? words.trickNumber((next?.number ?? 0) + 1).toLowerCase() : this.words.beginning;
    return words.trickNumber(next.winner || next.cards.length === 3 ? trick + 1 : trick).toLowerCase();
  }
}
