/**
 * The form of a slip: who, what, trumps, how it ended, one tap each. What it would pay, and why, comes from the
 * service at every tap and shown before anything is written down.
 */

import { drawPip } from "../core/cards.js";
import { formatScoreItem } from "../replay/score-panel.js";
import { el } from "../core/dom.js";
import { formatFinding, seriousFindings } from "../evening/slip-findings.js";
import { validateSlip } from "../evening/table-entries.js";
import { fitText } from "../core/fit-text.js";
import { SlipReportCache } from "./slip-report-cache.js";
import { ACTIVE_SEATS, MAX_TRICKS, emptyFacts, applyChange, missingFact, nextPlayerToCount, buildResult } from "./slip-facts.js";
import { buildChips, formatGame, formatApiError } from "../core/deal-text.js";

/** Milliseconds that a complete slip waits for its payment before it is written down. */
const JUDGE_TIMEOUT_MS = 1500;
/** Of more than this part of the screen what it pays is not kept in sight. */
const MAX_BAR_HEIGHT_SHARE = 0.5;
const TRICK_COUNTS = [...Array(MAX_TRICKS + 1).keys()];

export class SlipForm {
  /** `onConfirm(result)` writes the slip down; it is called at most once at a time. `onChange(facts)` hears of every tap. */
  constructor({ evening, words, onConfirm, onChange }) {
    this.evening = evening;
    this.words = words;
    this.onConfirm = onConfirm;
    this.onChange = onChange;
    this.facts = emptyFacts();
    this.seating = null;
    this.report = null;
    this.round = 0;
    this.isJudgeable = true;
    this.reports = new SlipReportCache();
    this.parts = {
      declarer: this.buildGroup("declarer", words.slip.declarer, "three"),
      contract: this.buildGroup("contract", words.slip.contract, "three"),
      trump: this.buildGroup("trump", words.slip.trump, "four"),
      outcome: this.buildGroup("outcome", words.slip.outcome, "three"),
      tricks: this.buildGroup("tricks", words.slip.tricks, "five"),
      more: el("div", { class: "more" }),
    };
    this.verdict = el("div", { class: "verdict", "aria-live": "polite" });
    this.button = el("button", { type: "button", class: "confirm", on: { click: () => this.submit() } });
    this.status = el("p", { class: "status", role: "status" });
    this.statusAction = el("span", {});
    this.bar = el("div", { class: "bar" }, el("div", { class: "status-row" }, this.status, this.statusAction), this.verdict, this.button);
    // In large type it would hide the questions: then it comes after the last one and scrolls with them.
    new ResizeObserver(() => this.bar.classList.toggle("is-high", this.bar.offsetHeight > innerHeight * MAX_BAR_HEIGHT_SHARE)).observe(this.bar);
    this.root = el("div", { class: "slip-form" }, ...Object.values(this.parts), this.bar);
    this.drawContracts();
  }

  buildGroup(name, legend, columns) {
    const choices = el("div", { class: `choices ${columns}`, "data-group": name });
    return el("fieldset", { class: "facts", "data-facts": name }, el("legend", { text: legend }), choices);
  }

  /** Starts a slip for the deal that `opening` opens, with these seats and what is already known of it. */
  startSlip({ opening, isJudgeable, seating, facts = emptyFacts(), label }) {
    this.opening = opening;
    this.isJudgeable = isJudgeable;
    this.seating = seating;
    this.label = label;
    this.facts = applyChange(facts, {}, (id) => this.evening.findContract(id), seating);
    this.drawDeclarers();
    this.draw();
  }

  /** Takes other seats, or another pool, for the same slip: what still fits stays. */
  reseat({ opening, isJudgeable, seating }) {
    const same = ACTIVE_SEATS.every((seat) => this.seating?.[seat] === seating[seat]);
    this.opening = opening;
    this.isJudgeable = isJudgeable;
    this.seating = seating;
    if (!same) {
      this.facts = applyChange(this.facts, {}, (id) => this.evening.findContract(id), seating);
      this.drawDeclarers();
    }
    this.draw();
  }

  applyTap(change) {
    this.showStatus("");
    this.facts = applyChange(this.facts, change, (id) => this.evening.findContract(id), this.seating);
    this.onChange(this.facts);
    this.draw();
  }

  get result() {
    return this.seating ? buildResult(this.facts, this.seating) : null;
  }

  // Drawing

  drawDeclarers() {
    const { words } = this;
    const players = ACTIVE_SEATS.map((seat) => {
      const player = this.seating[seat];
      return this.buildChoice("declarer", player, this.evening.displayName(player), words.seat(seat), () => this.applyTap({ declarer: player }));
    });
    const passed = this.buildChoice("declarer", "", words.slip.passed, "", () => this.applyTap({ passed: true }));
    passed.classList.add("is-wide");
    this.fillGroup("declarer", [...players, passed]);
  }

  drawContracts() {
    const contracts = this.evening.rules?.contracts ?? [];
    this.fillGroup("contract", contracts.map((one) => this.buildChoice("contract", one.id, one.name, "", () => this.applyTap({ contract: one.id }))));
    this.fillGroup("trump", ["S", "H", "C", "D"].map((suit) => {
      const choice = this.buildChoice("trump", suit, "", "", () => this.applyTap({ trump: suit }));
      choice.querySelector(".choice-name").append(drawPip(suit), el("span", { class: "visually-hidden", text: this.words.suit(suit) }));
      return choice;
    }));
    this.fillGroup("outcome", ["won", "bete", "codille"].map((one) =>
      this.buildChoice("outcome", one, this.words.upper(this.words.outcomeShort[one]), "", () => this.applyTap({ outcome: one })),
    ));
    this.fillGroup("tricks", TRICK_COUNTS.map((count) => this.buildChoice("tricks", String(count), String(count), "", () => this.countTricks(count))));
    this.drawMore();
  }

  /** What the rules pay in addition to the game: all nine, the first five, matadors. */
  drawMore() {
    const { rules } = this.evening;
    const { slip } = this.words;
    const switches = [
      rules?.slam && this.buildToggle("slam", "made", slip.slamMade),
      rules?.slam && this.buildToggle("slam", "failed", slip.slamFailed),
      rules?.primeras && this.buildToggle("primeras", true, slip.primeras),
    ].filter(Boolean);
    const counted = rules?.estuches ? TRICK_COUNTS.slice(3, rules.estuches + 1).map((n) => this.buildToggle("estuches", n, slip.estuches(n))) : [];
    const all = [...switches, ...counted];
    this.parts.more.hidden = !all.length;
    this.parts.more.replaceChildren(el("fieldset", { class: "facts" }, el("legend", { text: slip.more }), el("div", { class: "choices two" }, ...all)));
  }

  fillGroup(name, choices) {
    this.parts[name].querySelector(".choices").replaceChildren(...choices);
  }

  buildChoice(group, value, name, more, onTap) {
    const input = el("input", { type: "radio", name: group, value, on: { change: onTap } });
    return el("label", { class: "choice" }, input, fitText(el("span", { class: "choice-name", text: name })), more ? el("span", { class: "choice-more", text: more }) : null);
  }

  buildToggle(field, value, name) {
    const flip = () => this.applyTap({ [field]: this.facts[field] === value ? null : value });
    return el("button", { type: "button", class: "choice", "data-toggle": field, "data-value": String(value), "aria-pressed": "false", text: name, on: { click: flip } });
  }

  /** The declarer's number of tricks; then, if the outcome depends on it, the next player's. */
  async countTricks(number) {
    // Whose tricks a quick second tap counts is known when the first one has been judged.
    await this.judgement;
    const player = this.countedPlayer ?? this.facts.declarer;
    const otherTricks = player === this.facts.declarer ? {} : this.facts.tricks;
    if (number > maxTricks(otherTricks, player)) return this.draw();
    return this.applyTap({ tricks: { ...otherTricks, [player]: number } });
  }

  draw() {
    const { facts } = this;
    this.checkChoice("declarer", facts.passed ? "" : facts.declarer);
    this.checkChoice("contract", facts.contract);
    this.checkChoice("trump", facts.trump);
    this.checkChoice("outcome", facts.outcome);
    this.drawAvailable();
    for (const toggle of this.parts.more.querySelectorAll("[data-toggle]")) {
      toggle.setAttribute("aria-pressed", String(String(facts[toggle.dataset.toggle]) === toggle.dataset.value));
    }
    this.judgement = this.judgeSlip();
  }

  checkChoice(group, value) {
    for (const input of this.parts[group].querySelectorAll("input")) input.checked = value !== null && input.value === value;
  }

  /** What the chosen contract leaves open: its trumps, its ways to end. What does not apply stays in its place. */
  drawAvailable() {
    const { facts } = this;
    const contract = facts.contract ? this.evening.findContract(facts.contract) : null;
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
    const askedPlayer = facts.declarer && !facts.passed ? nextPlayerToCount(facts, this.seating, undecided) : null;
    this.countedPlayer = askedPlayer;
    const shownPlayer = askedPlayer ?? facts.declarer;
    // If nobody is asked for, a tap starts again with the declarer.
    const max = maxTricks(askedPlayer ? facts.tricks : {}, shownPlayer);
    for (const input of this.parts.tricks.querySelectorAll("input")) input.disabled = facts.passed || !facts.declarer || Number(input.value) > max;
    const countsText = Object.entries(facts.tricks).map(([player, count]) => words.slip.has(this.evening.displayName(player), count)).join(", ");
    const question = shownPlayer ? words.slip.tricksOf(this.evening.displayName(shownPlayer)) : words.slip.tricks;
    const countedText = words.upper(words.tricksOf(countsText));
    this.parts.tricks.querySelector("legend").textContent = !countsText ? question : askedPlayer ? `${countsText}. ${words.slip.tricksThen(this.evening.displayName(askedPlayer))}` : countedText;
    this.checkChoice("tricks", shownPlayer in facts.tricks ? String(facts.tricks[shownPlayer]) : null);
  }

  // What it pays

  async judgeSlip() {
    const round = (this.round += 1);
    const { result } = this;
    this.isReady = false;
    this.hasFaults = false;
    if (!result) return this.showVerdict([el("p", { class: "ask", text: this.words.slip.missing[missingFact(this.facts) ?? "declarer"] })]);
    const cachedReport = this.reports.find(this.opening, result);
    if (cachedReport) return this.showReport(cachedReport);
    if (!this.isJudgeable) return this.showUnjudged(this.words.offline.laterBehind);
    this.button.setAttribute("aria-disabled", "true");
    // Nobody waits for a service that is away: the slip can be written down, and is judged when it comes there.
    const timer = setTimeout(() => round === this.round && this.showUnjudged(this.words.offline.later), this.evening.isReachable ? JUDGE_TIMEOUT_MS : 0);
    try {
      const report = await validateSlip(this.opening, result);
      this.reports.store(this.opening, result, report);
      if (round === this.round) this.showReport(report);
    } catch (error) {
      if (round === this.round && error.status === 0) this.showUnjudged(this.words.offline.later);
      else if (round === this.round) this.showVerdict([el("p", { class: "ask", text: formatApiError(this.words, error) })]);
    } finally {
      clearTimeout(timer);
    }
    return undefined;
  }

  showReport(report) {
    this.isReady = true;
    this.hasFaults = seriousFindings(report.findings).length > 0;
    this.drawCount(!report.score.decided);
    this.showVerdict(this.buildReport(report));
  }

  /** What was tapped, where what it pays is not known now. */
  showUnjudged(reason) {
    this.isReady = true;
    const outcomeText = this.result.contract ? this.formatOutcome({ contract: this.result.contract, outcome: this.result.outcome }) : this.words.ended(this.result.outcome ?? "open", "", "");
    this.showVerdict([el("p", { class: "verdict-game", text: outcomeText }), el("p", { class: "ask", text: reason })]);
  }

  buildReport({ score, findings }) {
    return [
      el("p", { class: "verdict-game", text: this.formatOutcome(score) }),
      score.payments ? this.buildPayments(score) : el("p", { class: "ask", text: this.words.slip.undecided(this.countedPlayer ? this.evening.displayName(this.countedPlayer) : null) }),
      el("p", { class: "reasons" }, ...this.buildReasons(score)),
      ...seriousFindings(findings).map((one) => el("p", { class: "fault", text: formatFinding(this.evening, one) })),
    ];
  }

  formatOutcome(score) {
    if (!score.contract) return this.words.ended(score.outcome ?? "open", "", "");
    const game = this.words.upper(formatGame(this.evening, this.words, score.contract, this.facts.trump));
    return this.words.ended(score.outcome ?? "open", this.evening.displayName(this.facts.declarer), game);
  }

  buildPayments(score) {
    const payees = [...ACTIVE_SEATS.filter((seat) => seat in score.payments), ...Object.keys(score.payments).filter((one) => !ACTIVE_SEATS.includes(one))];
    const name = (one) => this.evening.displayName(ACTIVE_SEATS.includes(one) ? this.seating[one] : one);
    return el("dl", { class: "payments-summary" }, ...payees.map((one) =>
      el("div", {}, el("dt", { text: name(one) }), el("dd", {}, buildChips(this.words, score.payments[one]))),
    ));
  }

  buildReasons(score) {
    const { words } = this;
    const parts = score.parts ?? [score];
    const items = parts.flatMap((part) => part.items ?? []);
    const itemTexts = items.map((item) => formatScoreItem(words, item));
    const rules = [...new Set(items.map((item) => item.rule).filter(Boolean))].map((rule) => words.rule(rule));
    const pool = score.pool ? ` ${words.poolWas(score.pool)}` : "";
    return itemTexts.length ? [`${words.upper(itemTexts.join("; "))}. `, el("i", { text: rules.join(", ") }), pool] : [score.decided ? words.slip.nothing : "", pool];
  }

  showVerdict(content) {
    this.verdict.replaceChildren(...content);
    // What does not fit can be written down as it was said, but not by habit.
    this.button.textContent = this.hasFaults ? this.words.slip.confirmAnyway : this.label;
    this.button.classList.toggle("is-doubtful", this.hasFaults);
    this.button.setAttribute("aria-disabled", String(!this.isReady || this.busy === true));
  }

  /**
   * Says that something is stored, or that it waits, until something else is tapped; `statusAction` ({text, label, act}) is what can
   * be done about it.
   */
  showStatus(sentence, action = null) {
    this.status.textContent = sentence;
    this.statusAction.replaceChildren(...(action ? [el("button", { type: "button", class: "button", "aria-label": action.label, text: action.text, on: { click: action.act } })] : []));
  }

  async submit() {
    const { result } = this;
    if (!result || !this.isReady || this.busy) return;
    this.busy = true;
    this.button.setAttribute("aria-disabled", "true");
    try {
      await this.onConfirm(result);
    } finally {
      this.busy = false;
      this.button.setAttribute("aria-disabled", String(!this.isReady));
    }
  }
}

/** The most tricks that `except` can have had, where the others' are known. */
const maxTricks = (tricks, except) => MAX_TRICKS - Object.entries(tricks).reduce((sum, [player, count]) => sum + (player === except ? 0 : count), 0);
