/** What stands beside the table of what-ifs: what may be done here, what the one that is shown is called, and all of them. */

import { actsAt, isAct, signOf } from "./acts.js";
import { LONGEST_NAME, LONGEST_TEXT } from "./branches.js";
import { HIDDEN, cardInText } from "./cards.js";
import { byHand, toClipboard } from "../core/copying.js";
import { el } from "../core/dom.js";
import { stepAt } from "./steps.js";

export class BranchPanel {
  /** Inside `root`, an element of details; `whatIfs` as in branching.js. */
  constructor(root, whatIfs) {
    Object.assign(this, { root, whatIfs, words: whatIfs.words, walk: whatIfs.walk });
    this.choices = el("div", { class: "what-if-choices" });
    this.tools = el("div", { class: "what-if-tools" });
    this.list = el("div", { class: "what-if-list" });
    this.told = el("p", { class: "what-if-told", role: "status" });
    root.append(this.choices, this.told, this.tools, this.list);
    // What was listed for who has no scripts is in this list.
    root.parentElement.querySelector("[data-recorded]")?.remove();
    this.bar = el("p", { class: "what-if-bar", hidden: true });
    this.walk.parts.sentence.before(this.bar);
  }

  /** Says something once to those who listen; to everybody where it has to be `seen`. */
  tell(text, seen = false) {
    this.told.textContent = text;
    this.told.classList.toggle("unseen", !seen);
  }

  /** Shows what can be done at this step. */
  show() {
    const focused = this.choices.contains(document.activeElement);
    this.choices.replaceChildren(...this.offers(), ...this.insteadOf());
    if (focused) (this.choices.querySelector("button") ?? this.bar.querySelector("button") ?? this.root.querySelector("summary")).focus({ preventScroll: true });
    this.relist();
  }

  // What may be done

  offers() {
    const { words, walk, whatIfs } = this;
    const { state, legal } = whatIfs.step.frame;
    if (!legal && state.phase === "finished") return [el("p", { class: "quiet", text: words.over })];
    const acts = actsAt(whatIfs.step.frame);
    if (!acts.length) return [el("p", { class: "quiet", text: words.nothing }), ...this.toPlay()];
    const who = words.may[legal.action](walk.words.player(state, legal.seat));
    const unknown = acts[0].card === HIDDEN ? [el("p", { class: "quiet", text: words.unknownHand })] : [];
    const group = el("div", { class: "what-if-cards", role: "group", "aria-label": who }, ...acts.map((act) => this.offer(act)));
    return [el("p", { "aria-hidden": "true", text: who }), ...unknown, group, ...(legal.action === "play" ? [] : this.toPlay())];
  }

  offer(act) {
    const { words, whatIfs } = this;
    const sign = signOf(act);
    const more = sign === whatIfs.asPlayed ? words.asPlayed : sign === whatIfs.goesOn ? words.goesOn : null;
    return el("button", { type: "button", class: `what-if-card${more ? " is-known" : ""}`, "data-play": sign.slice(1), on: { click: () => whatIfs.act(act) } },
      el("span", {}, this.face(act)), more ? el("span", { class: "quiet", text: more }) : null);
  }

  /** An act as a button has it. */
  face(act) {
    const { words, walk } = this;
    if (act.type === "card_played") return act.card === HIDDEN ? words.unseenCard : cardInText(act.card, walk.words);
    if (act.type === "bid_made") return walk.words.bid(act.bid);
    if (act.type === "contract_named") return walk.words.contract(act.contract, act.trump);
    return String(act.cards.length);
  }

  toPlay() {
    const { steps } = this.walk;
    const first = steps.findIndex((step, index) => index > this.walk.index && step.frame.legal?.action === "play");
    if (first < 0) return [];
    return [el("button", { type: "button", class: "worded", text: this.words.toPlay, on: { click: () => this.walk.reach(first) } })];
  }

  /** Whoever looks at what was done may want something else in its place. */
  insteadOf() {
    const { kind, frame } = this.whatIfs.step;
    if (!isAct(frame.event)) return [];
    const back = () => {
      this.walk.reach(this.walk.index - 1);
      this.choices.querySelector("button")?.focus({ preventScroll: true });
    };
    const done = kind === "card_played" ? [" ", cardInText(frame.event.card, this.walk.words)] : [`: ${this.whatIfs.doneBy(frame.event)}`];
    return [el("p", {}, el("button", { type: "button", class: "plain linked", "data-act": "instead", on: { click: back } }, this.words.insteadOf, ...done))];
  }

  // The what-if that is shown

  /** Shows the head and the tools of a what-if; null for the deal as it was played. */
  head(line) {
    const { bar, words, whatIfs } = this;
    bar.hidden = !line;
    if (!line) {
      bar.replaceChildren();
      this.tools.replaceChildren();
      this.shown = null;
      return;
    }
    bar.replaceChildren(
      el("span", {}, el("b", { text: `${words.notAsPlayed}: ` }), ...this.called(line)),
      el("button", { type: "button", class: "worded", "data-act": "leave", text: words.leave, on: { click: () => this.leave() } }),
    );
    // What is being written stays where it is, also while the what-if grows.
    const shown = `${line.key} ${line.recorded?.id}`;
    if (this.shown === shown) return;
    this.shown = shown;
    this.tools.replaceChildren(...(line.recorded ? [this.ownPage(line)] : this.ownTools(line)));
  }

  leave() {
    const { root } = this;
    this.whatIfs.leave();
    root.querySelector("summary").focus({ preventScroll: true });
  }

  ownPage({ recorded }) {
    return el("p", {}, el("a", { class: "worded", href: recorded.page, text: this.words.ownPage }));
  }

  ownTools(line) {
    const { words, whatIfs } = this;
    const said = (field) => (event) => whatIfs.describe({ [field]: event.target.value.trim() });
    const name = el("input", { type: "text", maxlength: LONGEST_NAME, value: line.name, placeholder: whatIfs.titleOf({ ...line, name: "" }), autocomplete: "off", on: { change: said("name") } });
    const text = el("textarea", { rows: 2, maxlength: LONGEST_TEXT, on: { change: said("text") } });
    text.value = line.text;
    const button = (act, run) => el("button", { type: "button", class: "worded", "data-act": act, text: words[act], on: { click: run } });
    return [
      el("label", {}, el("span", { text: words.name }), name),
      el("label", {}, el("span", { text: words.text }), text),
      el("p", { class: "ways" },
        button("copyLink", () => this.copy(() => this.walk.link())), button("copyText", () => this.copy(() => whatIfs.asText())),
        whatIfs.mayKeep ? button("keep", () => whatIfs.keep()) : null, button("forget", () => this.forget())),
    ];
  }

  forget() {
    this.whatIfs.forget();
    this.root.querySelector("summary").focus({ preventScroll: true });
  }

  /** Copies a text, or shows it to be copied by hand where the browser does not let us. */
  async copy(find) {
    const { words } = this;
    this.tools.querySelector(".to-copy")?.remove();
    let text;
    try {
      text = await find();
    } catch {
      return this.tell(words.failed, true);
    }
    if (await toClipboard(text)) return this.tell(words.copied, true);
    return this.tools.append(byHand(text, words.toCopy));
  }

  // All of them

  /** Lists all, in the order in which they leave the deal, those from here marked. */
  relist() {
    const { whatIfs, words } = this;
    const steps = whatIfs.mainSteps;
    const placed = whatIfs.lines.map((line) => ({ line, at: stepAt(steps, line.at) })).sort((one, other) => one.at - other.at);
    const here = whatIfs.current ? -1 : this.walk.index;
    const items = placed.map(({ line, at }) => this.item(line, at === here ? words.here : words.from(this.place(steps[at])), at === here));
    this.list.hidden = !items.length;
    const kept = this.list.contains(document.activeElement) ? [...this.list.querySelectorAll("button")].indexOf(document.activeElement) : -1;
    this.list.replaceChildren(el("h3", { text: words.listed }), el("ul", {}, ...items));
    if (kept >= 0) this.list.querySelectorAll("button")[kept]?.focus({ preventScroll: true });
  }

  item(line, place, here) {
    const current = line === this.whatIfs.current;
    const button = el("button", { type: "button", class: "plain linked", "aria-current": current ? "true" : null, on: { click: () => this.whatIfs.enter(line) } }, ...this.called(line));
    return el("li", { class: here ? "is-here" : null }, button, " ", el("span", { class: "quiet", text: place }), line.text ? el("p", { class: "note", text: line.text }) : null);
  }

  /** Its name, or else what is done where it leaves the deal. */
  called(line) {
    if (line.name || !line.acts) return [line.name || this.words.unnamed];
    const [act] = line.acts;
    const { seat, card } = act;
    if (act.type !== "card_played") return [this.words.ifDone(this.whatIfs.doneBy(act))];
    return [`${this.words.ifPlays(this.whatIfs.playerIn(seat))} `, cardInText(card, this.walk.words)];
  }

  place({ trick, frame, kind }) {
    const { words } = this.walk;
    const next = frame.state.tricks?.at(-1);
    if (kind !== "card_played") return frame.legal?.action === "play" ? words.trickNumber((next?.number ?? 0) + 1).toLowerCase() : this.words.beginning;
    return words.trickNumber(next.winner || next.cards.length === 3 ? trick + 1 : trick).toLowerCase();
  }
}
