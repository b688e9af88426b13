/**
 * The form of a slip: who, what, trumps, how it ended, one tap each. What it would pay, and why, is asked of the
 * service at every tap and shown before anything is written down.
 */

import { pip } from "../replay/cards.js";
import { itemTold } from "../replay/score.js";
import { el } from "../core/dom.js";
import { faultTold, faultsOf } from "./doubts.js";
import { judged } from "./entries.js";
import { fitted } from "../core/fitting.js";
import { Reports } from "./reports.js";
import { ACTIVE, MOST_TRICKS, blank, changed, missing, nextToCount, resultOf } from "./facts.js";
import { chipsTold, gameOf, refusalTold } from "../core/told.js";

/** So many milliseconds a slip that could be written down waits for what it pays. */
const PATIENT = 1500;
/** Of more than this part of the screen what it pays is not kept in sight. */
const MOST_OF_SCREEN = 0.5;
const TRICKS = [...Array(MOST_TRICKS + 1).keys()];

export class SlipForm {
  /** `confirm(result)` writes the slip down; it is called at most once at a time. `changed(facts)` hears of every tap. */
  constructor({ evening, words, confirm, changed }) {
    this.evening = evening;
    this.words = words;
    this.confirm = confirm;
    this.heard = changed;
    this.facts = blank();
    this.seating = null;
    this.report = null;
    this.round = 0;
    this.judgeable = true;
    this.reports = new Reports();
    this.parts = {
      declarer: this.group("declarer", words.slip.declarer, "three"),
      contract: this.group("contract", words.slip.contract, "three"),
      trump: this.group("trump", words.slip.trump, "four"),
      outcome: this.group("outcome", words.slip.outcome, "three"),
      tricks: this.group("tricks", words.slip.tricks, "five"),
      more: el("div", { class: "more" }),
    };
    this.verdict = el("div", { class: "verdict", "aria-live": "polite" });
    this.button = el("button", { type: "button", class: "confirm", on: { click: () => this.press() } });
    this.status = el("p", { class: "status", role: "status" });
    this.way = el("span", {});
    this.bar = el("div", { class: "bar" }, el("div", { class: "said" }, this.status, this.way), this.verdict, this.button);
    // In large type it would hide what is asked: then it stands behind the last question and moves with the rest.
    new ResizeObserver(() => this.bar.classList.toggle("is-high", this.bar.offsetHeight > innerHeight * MOST_OF_SCREEN)).observe(this.bar);
    this.root = el("div", { class: "slip-form" }, ...Object.values(this.parts), this.bar);
    this.drawContracts();
  }

  group(name, legend, columns) {
    const choices = el("div", { class: `choices ${columns}`, "data-group": name });
    return el("fieldset", { class: "facts", "data-facts": name }, el("legend", { text: legend }), choices);
  }

  /** Begins a slip: for the deal that `opening` opens, seated so, with what is known of it already. */
  begin({ opening, judged, seating, facts = blank(), label }) {
    this.opening = opening;
    this.judgeable = judged;
    this.seating = seating;
    this.label = label;
    this.facts = changed(facts, {}, (id) => this.evening.contract(id), seating);
    this.drawDeclarers();
    this.draw();
  }

  /** Takes other seats, or another pool, for the same slip: what still fits stays. */
  reseat({ opening, judged, seating }) {
    const same = ACTIVE.every((seat) => this.seating?.[seat] === seating[seat]);
    this.opening = opening;
    this.judgeable = judged;
    this.seating = seating;
    if (!same) {
      this.facts = changed(this.facts, {}, (id) => this.evening.contract(id), seating);
      this.drawDeclarers();
    }
    this.draw();
  }

  tap(change) {
    this.say("");
    this.facts = changed(this.facts, change, (id) => this.evening.contract(id), this.seating);
    this.heard(this.facts);
    this.draw();
  }

  get result() {
    return this.seating ? resultOf(this.facts, this.seating) : null;
  }

  // Drawing

  drawDeclarers() {
    const { words } = this;
    const players = ACTIVE.map((seat) => {
      const player = this.seating[seat];
      return this.choice("declarer", player, this.evening.called(player), words.seat(seat), () => this.tap({ declarer: player }));
    });
    const passed = this.choice("declarer", "", words.slip.passed, "", () => this.tap({ passed: true }));
    passed.classList.add("is-wide");
    this.fill("declarer", [...players, passed]);
  }

  drawContracts() {
    const contracts = this.evening.rules?.contracts ?? [];
    this.fill("contract", contracts.map((one) => this.choice("contract", one.id, one.name, "", () => this.tap({ contract: one.id }))));
    this.fill("trump", ["S", "H", "C", "D"].map((suit) => {
      const choice = this.choice("trump", suit, "", "", () => this.tap({ trump: suit }));
      choice.querySelector(".choice-name").append(pip(suit), el("span", { class: "unseen", text: this.words.suit(suit) }));
      return choice;
    }));
    this.fill("outcome", ["won", "bete", "codille"].map((one) =>
      this.choice("outcome", one, this.words.upper(this.words.outcomeShort[one]), "", () => this.tap({ outcome: one })),
    ));
    this.fill("tricks", TRICKS.map((count) => this.choice("tricks", String(count), String(count), "", () => this.count(count))));
    this.drawMore();
  }

  /** What the rules pay beside the game: all nine, the first five, matadors. */
  drawMore() {
    const { rules } = this.evening;
    const { slip } = this.words;
    const switches = [
      rules?.slam && this.toggle("slam", "made", slip.slamMade),
      rules?.slam && this.toggle("slam", "failed", slip.slamFailed),
      rules?.primeras && this.toggle("primeras", true, slip.primeras),
    ].filter(Boolean);
    const counted = rules?.estuches ? TRICKS.slice(3, rules.estuches + 1).map((n) => this.toggle("estuches", n, slip.estuches(n))) : [];
    const all = [...switches, ...counted];
    this.parts.more.hidden = !all.length;
    this.parts.more.replaceChildren(el("fieldset", { class: "facts" }, el("legend", { text: slip.more }), el("div", { class: "choices two" }, ...all)));
  }

  fill(name, choices) {
    this.parts[name].querySelector(".choices").replaceChildren(...choices);
  }

  choice(group, value, name, more, onTap) {
    const input = el("input", { type: "radio", name: group, value, on: { change: onTap } });
    return el("label", { class: "choice" }, input, fitted(el("span", { class: "choice-name", text: name })), more ? el("span", { class: "choice-more", text: more }) : null);
  }

  toggle(field, value, name) {
    const flip = () => this.tap({ [field]: this.facts[field] === value ? null : value });
    return el("button", { type: "button", class: "choice", "data-toggle": field, "data-value": String(value), "aria-pressed": "false", text: name, on: { click: flip } });
  }

  /** A number of tricks is the declarer's; then, where the outcome hangs on it, that of the next player. */
  async count(number) {
    // Whose tricks a quick second tap counts is known when the first one has been judged.
    await this.judging;
    const whose = this.counting ?? this.facts.declarer;
    const others = whose === this.facts.declarer ? {} : this.facts.tricks;
    if (number > mostOf(others, whose)) return this.draw();
    return this.tap({ tricks: { ...others, [whose]: number } });
  }

  draw() {
    const { facts } = this;
    this.check("declarer", facts.passed ? "" : facts.declarer);
    this.check("contract", facts.contract);
    this.check("trump", facts.trump);
    this.check("outcome", facts.outcome);
    this.drawOpen();
    for (const toggle of this.parts.more.querySelectorAll("[data-toggle]")) {
      toggle.setAttribute("aria-pressed", String(String(facts[toggle.dataset.toggle]) === toggle.dataset.value));
    }
    this.judging = this.judge();
  }

  check(group, value) {
    for (const input of this.parts[group].querySelectorAll("input")) input.checked = value !== null && input.value === value;
  }

  /** What the chosen contract leaves open: its trumps, its ways to end. What does not apply stays in its place. */
  drawOpen() {
    const { facts } = this;
    const contract = facts.contract ? this.evening.contract(facts.contract) : null;
    const within = (group, allowed) => {
      for (const input of this.parts[group].querySelectorAll("input")) input.disabled = facts.passed || !allowed(input.value);
    };
    within("contract", () => true);
    within("trump", (suit) => Boolean(contract?.trumps.includes(suit)));
    within("outcome", (outcome) => !contract || contract.outcomes.includes(outcome));
    for (const toggle of this.parts.more.querySelectorAll("[data-toggle]")) toggle.disabled = facts.passed || Boolean(contract?.nolo);
    this.drawCount(false);
  }

  drawCount(undecided) {
    const { facts, words } = this;
    const asked = facts.declarer && !facts.passed ? nextToCount(facts, this.seating, undecided) : null;
    this.counting = asked;
    const shown = asked ?? facts.declarer;
    // Where nobody is asked for, a tap begins with the declarer anew.
    const most = mostOf(asked ? facts.tricks : {}, shown);
    for (const input of this.parts.tricks.querySelectorAll("input")) input.disabled = facts.passed || !facts.declarer || Number(input.value) > most;
    const told = Object.entries(facts.tricks).map(([player, count]) => words.slip.has(this.evening.called(player), count)).join(", ");
    const question = shown ? words.slip.tricksOf(this.evening.called(shown)) : words.slip.tricks;
    const done = words.upper(words.tricksOf(told));
    this.parts.tricks.querySelector("legend").textContent = !told ? question : asked ? `${told}. ${words.slip.tricksThen(this.evening.called(asked))}` : done;
    this.check("tricks", shown in facts.tricks ? String(facts.tricks[shown]) : null);
  }

  // What it pays

  async judge() {
    const round = (this.round += 1);
    const { result } = this;
    this.ready = false;
    this.doubtful = false;
    if (!result) return this.showVerdict([el("p", { class: "ask", text: this.words.slip.missing[missing(this.facts) ?? "declarer"] })]);
    const known = this.reports.of(this.opening, result);
    if (known) return this.showReport(known);
    if (!this.judgeable) return this.showUnjudged(this.words.offline.laterBehind);
    this.button.setAttribute("aria-disabled", "true");
    // Nobody waits for a service that is away: the slip can be written down, and is judged when it comes there.
    const patience = setTimeout(() => round === this.round && this.showUnjudged(this.words.offline.later), this.evening.reached ? PATIENT : 0);
    try {
      const report = await judged(this.opening, result);
      this.reports.keep(this.opening, result, report);
      if (round === this.round) this.showReport(report);
    } catch (refused) {
      if (round === this.round && refused.status === 0) this.showUnjudged(this.words.offline.later);
      else if (round === this.round) this.showVerdict([el("p", { class: "ask", text: refusalTold(this.words, refused) })]);
    } finally {
      clearTimeout(patience);
    }
    return undefined;
  }

  showReport(report) {
    this.ready = true;
    this.doubtful = faultsOf(report.findings).length > 0;
    this.drawCount(!report.score.decided);
    this.showVerdict(this.told(report));
  }

  /** What was tapped, where what it pays is not known now. */
  showUnjudged(why) {
    this.ready = true;
    const told = this.result.contract ? this.game({ contract: this.result.contract, outcome: this.result.outcome }) : this.words.ended(this.result.outcome ?? "open", "", "");
    this.showVerdict([el("p", { class: "verdict-game", text: told }), el("p", { class: "ask", text: why })]);
  }

  told({ score, findings }) {
    return [
      el("p", { class: "verdict-game", text: this.game(score) }),
      score.payments ? this.payments(score) : el("p", { class: "ask", text: this.words.slip.undecided(this.counting ? this.evening.called(this.counting) : null) }),
      el("p", { class: "reasons" }, ...this.reasons(score)),
      ...faultsOf(findings).map((one) => el("p", { class: "fault", text: faultTold(this.evening, one) })),
    ];
  }

  game(score) {
    if (!score.contract) return this.words.ended(score.outcome ?? "open", "", "");
    const game = this.words.upper(gameOf(this.evening, this.words, score.contract, this.facts.trump));
    return this.words.ended(score.outcome ?? "open", this.evening.called(this.facts.declarer), game);
  }

  payments(score) {
    const who = [...ACTIVE.filter((seat) => seat in score.payments), ...Object.keys(score.payments).filter((one) => !ACTIVE.includes(one))];
    const name = (one) => this.evening.called(ACTIVE.includes(one) ? this.seating[one] : one);
    return el("dl", { class: "payments-told" }, ...who.map((one) =>
      el("div", {}, el("dt", { text: name(one) }), el("dd", {}, chipsTold(this.words, score.payments[one]))),
    ));
  }

  reasons(score) {
    const { words } = this;
    const game = score.contract ? this.evening.contract(score.contract).name : "";
    const parts = score.parts ?? [score];
    const items = parts.flatMap((part) => part.items ?? []);
    const told = items.map((item) => itemTold(words, item, game));
    const rules = [...new Set(items.map((item) => item.rule).filter(Boolean))].map((rule) => words.rule(rule));
    const pool = score.pool ? ` ${words.poolWas(score.pool)}` : "";
    return told.length ? [`${words.upper(told.join("; "))}. `, el("i", { text: rules.join(", ") }), pool] : [score.decided ? words.slip.nothing : "", pool];
  }

  showVerdict(content) {
    this.verdict.replaceChildren(...content);
    // What does not fit can be written down as it was said, but not by habit.
    this.button.textContent = this.doubtful ? this.words.slip.confirmAnyway : this.label;
    this.button.classList.toggle("is-doubtful", this.doubtful);
    this.button.setAttribute("aria-disabled", String(!this.ready || this.busy === true));
  }

  /**
   * Says that something is stored, or that it waits, until something else is tapped; `way` ({text, label, act}) is what can
   * be done about it.
   */
  say(sentence, way = null) {
    this.status.textContent = sentence;
    this.way.replaceChildren(...(way ? [el("button", { type: "button", class: "worded", "aria-label": way.label, text: way.text, on: { click: way.act } })] : []));
  }

  async press() {
    const { result } = this;
    if (!result || !this.ready || this.busy) return;
    this.busy = true;
    this.button.setAttribute("aria-disabled", "true");
    try {
      await this.confirm(result);
    } finally {
      this.busy = false;
      this.button.setAttribute("aria-disabled", String(!this.ready));
    }
  }
}

/** So many tricks `whose` can have had, where the others' are known. */
const mostOf = (tricks, whose) => MOST_TRICKS - Object.entries(tricks).reduce((sum, [player, count]) => sum + (player === whose ? 0 : count), 0);
