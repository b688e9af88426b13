// @ts-check
/**
 * The form of a slip: who, what, trumps, how it ended, one tap each; what it pays, and why, comes in at the foot. Where
 * there is no room for all of it, what is answered folds to a line.
 */

import { formatGame } from "../core/deal-text.js";
import { fitStyle } from "../core/fit-text.js";
import { Pip } from "../core/pip.js";
import { isTight } from "../core/room.js";
import { RuleLink } from "../core/rule-link.js";
import { t, tc } from "../core/texts.js";
import { Chips } from "../evening/deal-notes.js";
import { formatFinding, seriousFindings } from "../evening/slip-findings.js";
import words from "../messages/evening.js";
import { formatScoreItem } from "../replay/score-panel.js";
import { html, useEffect, useRef, useSignal } from "../vendor/preact.js";
import { ACTIVE_SEATS, countedDefender, MAX_TRICKS, maxTricks } from "./slip-facts.js";
import { missingText } from "./slip-judge.js";

/** @typedef {import("./slip-judge.js").SlipJudge} SlipJudge */
/** @typedef {import("./slip-facts.js").Seat} Seat */
/** @typedef {{ text: string, action?: { text: string, label: string, act: () => void } | null }} Status */

const SUITS = ["S", "H", "C", "D"];
const OUTCOMES = /** @type {const} */ (["won", "bete", "codille"]);
const TRICK_COUNTS = [...Array(MAX_TRICKS + 1).keys()];
/** Milliseconds after a slip is written in which a tap is taken for the second half of a double tap. */
const DOUBLE_TAP_MS = 500;
/** The same for *All pass*, of which no second tap is asked: a slow hand taps twice. */
const DOUBLE_PASS_MS = 2000;
/** @param {string} outcome */
const outcomeName = (outcome) => words.upper(/** @type {Record<string, string>} */ (words.outcomeShort)[outcome]);

/**
 * @param {{ judge: SlipJudge, evening: import("../evening/evening.js").Evening, label: string, status: Status, passesAtOnce: boolean, onConfirm: (result: object) => Promise<unknown> }} props
 * `onConfirm` writes the slip down; it is called at most once at a time. `passesAtOnce`: whether one tap writes down
 * that all passed.
 */
export function SlipForm({ judge, evening, label, status, passesAtOnce, onConfirm }) {
  /** The answered question that was opened again. */
  const opened = useSignal("");
  const isBusy = useSignal(false);
  const isByKey = useRef(false);
  const deal = /** @type {import("./slip-judge.js").SlipDeal} */ (judge.deal.value);
  const facts = judge.facts.value;
  const contract = facts.contract ? evening.findContract(facts.contract) : null;
  const name = (/** @type {string | null} */ player) => (player ? evening.displayName(player) : "");

  /** @param {string} question @param {Partial<import("./slip-facts.js").Facts>} change */
  const tap = (question, change) => {
    // By keys one walks through the answers: the question stays until the focus leaves it.
    opened.value = isByKey.current ? question : "";
    judge.tap(change);
  };
  const countTricks = (/** @type {number} */ count) => {
    opened.value = isByKey.current ? "tricks" : "";
    judge.countTricks(count);
  };
  /** @param {string} question @param {string} answer @param {boolean} isAnswered */
  const folding = (question, answer, isAnswered) => ({
    question,
    answer,
    isFolded: isTight.value && isAnswered && opened.value !== question,
    onOpen: () => {
      opened.value = question;
    },
    onLeave: () => {
      if (opened.value === question) opened.value = "";
    },
  });
  const write = async (/** @type {object} */ result) => {
    isBusy.value = true;
    opened.value = "";
    try {
      await onConfirm(result);
    } finally {
      // A stray second tap would answer the first question of the next slip.
      setTimeout(() => (isBusy.value = false), DOUBLE_TAP_MS);
    }
  };
  const confirm = () => {
    const result = judge.result.value;
    if (result && judge.isReady.value && !isBusy.value) write(result);
  };
  const lastPass = useRef(-DOUBLE_PASS_MS);
  const pass = (/** @type {Event} */ { timeStamp }) => {
    if (isBusy.value || timeStamp - lastPass.current < DOUBLE_PASS_MS) return;
    lastPass.current = timeStamp;
    write({ outcome: "passed_out" });
  };

  // Where the result scrolls with the answers it comes into sight with its button.
  const button = useRef(/** @type {HTMLElement | null} */ (null));
  const isDecided = judge.verdict.value !== null;
  useEffect(() => {
    if (isTight.value && isDecided && judge.wasTapped) button.current?.scrollIntoView({ block: "nearest" });
  }, [isDecided]);
  const counted = Object.entries(facts.tricks).map(([player, count]) => `${name(player)} ${count}`);
  const hasEnd = Boolean(facts.outcome) || (counted.length > 0 && !judge.countedPlayer.value);
  const hasTrumps = contract === null || contract.trumps.length > 0;
  const contracts = evening.rules?.contracts ?? [];
  return html`
    <div
      class=${`slip-form${isTight.value ? " is-tight" : ""}${isDecided ? " is-decided" : ""}${isBusy.value ? " is-busy" : ""}`}
      onKeyDown=${() => (isByKey.current = true)}
      onPointerDown=${() => (isByKey.current = false)}
    >
      <${Question} label=${t("Declarer")} ...${folding("declarer", facts.passed ? t("All passed") : name(facts.declarer), facts.passed || facts.declarer !== null)}>
        <div class="choices declarers" data-group="declarer">
          ${ACTIVE_SEATS.map((seat) => {
            const player = deal.seating[seat];
            return html`<${Choice} group="declarer" value=${player} name=${name(player)} isChosen=${facts.declarer === player} onTap=${() => tap("declarer", { declarer: player })}>
              <span class="choice-more">${words.seat(seat)}</span>
            <//>`;
          })}
          ${
            passesAtOnce
              ? html`<button type="button" class="choice is-passed" onClick=${pass}><span class="choice-name" style=${fitStyle(tc("tile", "All pass"))}>${tc("tile", "All pass")}</span></button>`
              : html`<${Choice} group="declarer" value="" class="is-passed" name=${tc("tile", "All pass")} isChosen=${facts.passed} onTap=${() => tap("declarer", { passed: true })} />`
          }
        </div>
      <//>
      <${Question} label=${t("Contract")} ...${folding("contract", contract?.name ?? "–", contract !== null || facts.passed)}>
        <div class="choices three" data-group="contract">
          ${contracts.map((/** @type {import("./slip-facts.js").Contract} */ one) => html`<${Choice} group="contract" value=${one.id} name=${one.name} isChosen=${facts.contract === one.id} isDisabled=${facts.passed} onTap=${() => tap("contract", { contract: one.id })} />`)}
        </div>
      <//>
      <${Question} label=${t("Trumps")} isAtSide ...${folding("trump", facts.trump ? words.suit(facts.trump) : "–", facts.trump !== null || !hasTrumps || facts.passed)}>
        <div class="choices four" data-group="trump">
          ${SUITS.map(
            (
              suit,
            ) => html`<${Choice} group="trump" value=${suit} isChosen=${facts.trump === suit} isDisabled=${facts.passed || !contract?.trumps.includes(suit)} onTap=${() => tap("trump", { trump: suit })}>
            <span class="choice-name"><${Pip} suit=${suit} /><span class="visually-hidden">${words.suit(suit)}</span></span>
          <//>`,
          )}
        </div>
      <//>
      <${Question} label=${t("Outcome")} isAtSide ...${folding("outcome", facts.outcome ? outcomeName(facts.outcome) : "–", hasEnd || facts.passed)}>
        <div class="choices three" data-group="outcome">
          ${OUTCOMES.map((one) => html`<${Choice} group="outcome" value=${one} name=${outcomeName(one)} isChosen=${facts.outcome === one} isDisabled=${facts.passed || (contract !== null && !contract.outcomes.includes(one))} onTap=${() => tap("outcome", { outcome: one })} />`)}
        </div>
      <//>
      <${Tricks} judge=${judge} name=${name} onCount=${countTricks} ...${folding("tricks", counted.join(", ") || "–", hasEnd || facts.passed)} />
      <${Extras} judge=${judge} rules=${evening.rules} isDisabled=${facts.passed || Boolean(contract?.nolo)} />
      <div class="bar">
        <div class="status-row">
          <p class="status" role="status">${status.text}</p>
          ${status.action && html`<button type="button" class="button" aria-label=${status.action.label} onClick=${status.action.act}>${status.action.text}</button>`}
        </div>
        <div class="verdict" aria-live="polite">
          ${judge.verdict.value ? html`<${Verdict} judge=${judge} evening=${evening} />` : html`<p class="ask">${missingText(facts)}</p>`}
        </div>
        <button
          ref=${button}
          type="button"
          class=${`confirm${judge.hasFaults.value ? " is-doubtful" : ""}${judge.isUndecided.value ? " is-unsettled" : ""}`}
          aria-disabled=${String(!judge.isReady.value || isBusy.value)}
          onClick=${confirm}
        >
          ${judge.hasFaults.value ? t("Write it down anyway") : judge.isUndecided.value ? t("Write without payment") : label}
        </button>
      </div>
    </div>
  `;
}

/**
 * A question with its answers; folded it is a line with the answer, which opens it again.
 * @param {{ question: string, label: string, answer: string, isFolded: boolean, isAtSide?: boolean, isLabelHidden?: boolean, onOpen: () => void, onLeave: () => void, children?: unknown }} props
 */
function Question({
  question,
  label,
  answer,
  isFolded,
  isAtSide = false,
  isLabelHidden = false,
  onOpen,
  onLeave,
  children,
}) {
  const ref = useRef(/** @type {HTMLElement | null} */ (null));
  const hadFocus = useRef(false);
  // The focus stays where it was: on the line in place of the answers, on the chosen answer in place of the line.
  const focusInside = () => {
    if (!hadFocus.current || ref.current?.contains(document.activeElement)) return;
    const place = ref.current?.querySelector("button, input:checked") ?? ref.current?.querySelector("input");
    /** @type {HTMLElement | null | undefined} */ (place)?.focus({ preventScroll: true });
  };
  useEffect(focusInside, [isFolded]);
  /** @param {FocusEvent} event */
  const leave = (event) => {
    const to = /** @type {Node | null} */ (event.relatedTarget);
    if (!to || ref.current?.contains(to)) return;
    hadFocus.current = false;
    onLeave();
  };
  const id = `label-${question}`;
  return html`
    <div ref=${ref} class=${`facts${isFolded ? " is-folded" : isAtSide ? " is-at-side" : ""}`} data-facts=${question} role="group" aria-labelledby=${id} onFocusIn=${() => (hadFocus.current = true)} onFocusOut=${leave}>
      ${
        isFolded
          ? html`<button type="button" class="facts-line" onClick=${onOpen}><span id=${id} class="facts-label">${label}</span> <b>${answer}</b></button>`
          : html`<p id=${id} class=${isLabelHidden ? "visually-hidden" : "facts-label"}>${label}</p>${children}`
      }
    </div>
  `;
}

/** One answer. @param {{ group: string, value: string, name?: string, isChosen: boolean, isDisabled?: boolean, class?: string, onTap: () => void, children?: unknown }} props */
const Choice = ({ group, value, name, isChosen, isDisabled = false, class: className = "", onTap, children }) => html`
  <label class=${`choice ${className}`.trim()}>
    <input type="radio" name=${group} value=${value} checked=${isChosen} disabled=${isDisabled} onChange=${onTap} />
    ${name && html`<span class="choice-name" style=${fitStyle(name)}>${name}</span>`}${children}
  </label>
`;

/** The tricks of the declarer and of a defender, a row for each; what is tapped counts for the row to the fore. @param {any} props */
function Tricks({ judge, name, onCount, ...folding }) {
  const facts = judge.facts.value;
  const { declarer, tricks, passed } = facts;
  // If nobody is asked for, a tap starts again with the declarer.
  const shown = judge.countedPlayer.value ?? declarer;
  const max = maxTricks(shown === declarer ? {} : { [declarer]: tricks[declarer] }, shown);
  const rows = [
    { player: declarer, label: name(declarer) || t("Declarer"), isDisabled: !declarer },
    {
      player: countedDefender(facts, judge.deal.value.seating),
      label: name(countedDefender(facts, judge.deal.value.seating)) || t("Defence"),
      isDisabled: !(declarer in tricks),
    },
  ];
  const choose = (/** @type {string} */ player) => {
    judge.chosenRow.value = player;
  };
  return html`
    <${Question} label=${t("Tricks")} isAtSide isLabelHidden ...${folding}>
      <div class="trick-rows">
        ${rows.map(({ player, label, isDisabled }) => html`<button type="button" class="trick-row" disabled=${isDisabled || passed} aria-pressed=${String(Boolean(shown) && player === shown)} onClick=${() => choose(player)}><span>${t("Tricks: {name}", { name: label })}</span> <b>${tricks[player] ?? "–"}</b></button>`)}
      </div>
      <div class="choices five" data-group="tricks">
        ${TRICK_COUNTS.map((count) => html`<${Choice} group="tricks" value=${String(count)} name=${String(count)} isChosen=${tricks[shown] === count} isDisabled=${passed || !declarer || count > max} onTap=${() => onCount(count)} />`)}
      </div>
    <//>
  `;
}

/** What the rules pay in addition to the game: all nine, the first five, matadors. @param {{ judge: SlipJudge, rules: any, isDisabled: boolean }} props */
function Extras({ judge, rules, isDisabled }) {
  /** @type {["slam" | "primeras" | "estuches", string | boolean | number, string][]} */
  const extras = [];
  if (rules?.slam) extras.push(["slam", "made", t("All nine made")], ["slam", "failed", t("All nine failed")]);
  if (rules?.primeras) extras.push(["primeras", true, t("The first five")]);
  for (const n of TRICK_COUNTS.slice(3, (rules?.estuches ?? 0) + 1))
    extras.push(["estuches", n, t("{n} estuches", { n })]);
  if (!extras.length) return null;
  const facts = judge.facts.value;
  return html`
    <div class="facts is-at-side more" role="group" aria-labelledby="label-more">
      <p id="label-more" class="facts-label">${t("Besides")}</p>
      <div class="choices two">
        ${extras.map(([field, value, text]) => html`<button type="button" class="choice" data-toggle=${field} disabled=${isDisabled} aria-pressed=${String(facts[field] === value)} onClick=${() => judge.tap({ [field]: facts[field] === value ? null : value })}>${text}</button>`)}
      </div>
    </div>
  `;
}

/** What a slip pays, and why; or why that is not known. @param {{ judge: SlipJudge, evening: import("../evening/evening.js").Evening }} props */
function Verdict({ judge, evening }) {
  const { facts, seating, report, reason } = /** @type {import("./slip-judge.js").Verdict} */ (judge.verdict.value);
  const score = report?.score ?? { contract: facts.contract, outcome: facts.passed ? "passed_out" : facts.outcome };
  const game = score.contract ? words.upper(formatGame(evening, words, score.contract, facts.trump)) : "";
  const ended = words.ended(score.outcome ?? "open", evening.displayName(facts.declarer), game);
  const asked = judge.countedPlayer.value;
  const askedText = words.slip.undecided(asked && evening.displayName(asked));
  return html`
    <p class="verdict-game">${ended}</p>
    ${score.payments && html`<${Payments} payments=${score.payments} evening=${evening} seating=${seating} />`}
    <div class="verdict-why">
      ${!score.payments && html`<p class="ask">${report ? askedText : reason}</p>`}
      ${report && html`<${Reasons} score=${score} />`}
      ${seriousFindings(report?.findings ?? []).map((one) => html`<p class="fault">${formatFinding(evening, one)}</p>`)}
    </div>
  `;
}

/** @param {{ payments: Record<string, number>, evening: import("../evening/evening.js").Evening, seating: import("./slip-facts.js").Seating }} props */
function Payments({ payments, evening, seating }) {
  const seats = /** @type {string[]} */ (ACTIVE_SEATS);
  const payees = [
    ...seats.filter((seat) => seat in payments),
    ...Object.keys(payments).filter((one) => !seats.includes(one)),
  ];
  const name = (/** @type {string} */ one) =>
    evening.displayName(seats.includes(one) ? seating[/** @type {Seat} */ (one)] : one);
  return html`
    <dl class="payments-summary">
      ${payees.map((one) => html`<div><dt>${name(one)}</dt><dd><${Chips} number=${payments[one]} /></dd></div>`)}
    </dl>
  `;
}

/** @param {{ score: any }} props */
function Reasons({ score }) {
  const items = (score.parts ?? [score]).flatMap((/** @type {any} */ part) => part.items ?? []);
  const rules = [...new Set(items.map((/** @type {any} */ item) => item.rule).filter(Boolean))].map(
    (rule, index) => html`${index ? ", " : ""}<${RuleLink} rule=${rule} name=${words.rule(rule)} />`,
  );
  const pool = score.pool ? ` ${words.poolWas(score.pool)}` : "";
  const texts = items.map((/** @type {any} */ item) => formatScoreItem(item)).join("; ");
  if (!texts) return html`<p class="reasons">${score.decided ? words.slip.nothing : ""}${pool}</p>`;
  return html`<p class="reasons">${words.upper(texts)}. <i>${rules}</i>${pool}</p>`;
}
