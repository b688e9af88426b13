// @ts-check
/**
 * What is entered more rarely: notes, irregularities, rulings, claims, hands that came to be known, what was paid. Each
 * form makes one event, or several, of its fields.
 */

import { t, tc } from "../core/texts.js";
import { SeatingFields } from "../evening/seating-fields.js";
import { reseatOpening } from "../evening/table-entries.js";
import words from "../messages/evening.js";
import { SEATS } from "../replay/card-tracks.js";
import { html, useEffect, useMemo, useRef, useState } from "../vendor/preact.js";
import { FormField, readField } from "./form-fields.js";

/** @import { DealEvent, DealState } from "./recorded-deal.js" */
/** @import { RecorderSession } from "./session.js" */
/** @import { Field, Option } from "./form-fields.js" */
/**
 * What a form needs of the deal; `given` is what its fields begin with.
 * @typedef {{ rules: any, state: DealState, players: any, displayName: (player: string) => string, given: Record<string, any> }} FormContext
 */
/**
 * A form: `buildFields` are its fields and `buildEvents` what they make; `requiredFields` cannot be left out,
 * `eventType` is the kind of entry that it can correct, `isOffered` whether it is offered, `trickAnchor` the trick of the next card.
 * @typedef {object} EventForm
 * @property {string} label
 * @property {string} eventType
 * @property {string[]} requiredFields
 * @property {(at: FormContext) => boolean} [isOffered]
 * @property {(at: FormContext) => Field[]} buildFields
 * @property {(values: Record<string, any>, at: FormContext) => DealEvent[]} [buildEvents]
 * @property {(values: Record<string, any>) => number | null} [trickAnchor]
 */

const TRICKS_PER_DEAL = 9;
const TALON_SIZE = 13;
const NOTE_MARKS = ["!", "?", "!!", "??", "!?", "?!"];
const OUTCOME_CODES = /** @type {const} */ ([
  "won",
  "bete",
  "codille",
  "passed_out",
  "abandoned",
  "forfeited",
  "voided",
]);
const USUAL_IRREGULARITIES = [
  t("revoke"),
  t("lead out of turn"),
  t("bid out of turn"),
  t("wrong number drawn"),
  t("misdeal"),
  t("exposed card"),
  t("talk or signs"),
];

/** @type {(state: DealState) => Option[]} The three seats with who sits there. */
const seatOptions = (state) => SEATS.map((seat) => [seat, words.player(state, seat)]);
/** @type {(at: FormContext) => Option[]} */
const listSittingOut = (at) =>
  (at.players.sitting_out ?? []).map((/** @type {string} */ player) => [player, at.displayName(player)]);
/** @type {(at: FormContext, name?: string, label?: string, value?: string | null) => Field} */
const seatField = (at, name = "seat", label = t("Who?"), value = at.given[name]) => ({
  kind: "choice",
  name,
  label,
  options: seatOptions(at.state),
  value,
});
/** @type {(at: FormContext) => Field} */
const declarerField = (at) => seatField(at, "seat", undefined, at.given.seat ?? at.state.declarer);
/** @type {(at: FormContext, name: string, label: string, more?: Partial<Field>) => Field} */
const textField = (at, name, label, more = {}) => ({ kind: "text", name, label, value: at.given[name], ...more });
/** @type {(at: FormContext) => Field} */
const outcomeField = (at) => ({
  kind: "select",
  name: "outcome",
  label: t("Outcome"),
  options: OUTCOME_CODES.map((one) => [one, words.outcomeShort[one]]),
  value: at.given.outcome,
});
/** @type {(at: FormContext) => Field} */
const paymentsField = (at) => ({
  kind: "counts",
  name: "payments",
  label: t("Payments (plus receives, minus pays)"),
  options: [...seatOptions(at.state), ...listSittingOut(at)],
  value: at.given.payments,
  isSigned: true,
});
/** @type {(at: FormContext, value?: any) => Field} */
const tricksField = (at, value = at.given.tricks) => ({
  kind: "counts",
  name: "tricks",
  label: t("Tricks of each when the deal is over"),
  options: seatOptions(at.state),
  value,
});
/** @type {(at: FormContext, getMax: (values: Record<string, any>) => number, more?: Partial<Field>) => Field} */
const cardsField = (at, getMax, more = {}) => ({
  kind: "cards",
  name: "cards",
  label: t("The cards"),
  getMax,
  value: (at.given.cards ?? []).filter((/** @type {string} */ card) => !card.includes("?")),
  ...more,
});

/** @type {(state: DealState, seat: string | null) => number} The number of cards a seat holds now. */
const handSize = (state, seat) => {
  const hand = state.hands?.[seat ?? ""];
  return hand ? hand.cards.length + hand.unknown : TRICKS_PER_DEAL;
};

/** @type {(state: DealState) => boolean} Whether the deal is still before its first call: then a hand that is known is one that was dealt. */
const isBeforeFirstCall = (state) => state.phase === "dealing";

/** @type {Record<string, EventForm>} */
export const EVENT_FORMS = {
  note: {
    label: tc("recorder", "Note"),
    eventType: "note_added",
    requiredFields: ["text"],
    buildFields: (at) => [
      textField(at, "text", t("Text"), { isLong: true }),
      {
        kind: "choice",
        name: "mark",
        label: t("Mark"),
        options: NOTE_MARKS.map((one) => [one, one]),
        value: at.given.mark,
        columns: "four",
      },
    ],
    buildEvents: ({ text, mark }, { given }) => [
      { type: "note_added", text, ...(mark ? { mark } : {}), ...(given.on ? { on: given.on } : {}) },
    ],
  },
  irregularity: {
    label: t("Irregularity"),
    eventType: "irregularity_noted",
    requiredFields: ["seat", "kind"],
    buildFields: (at) => [
      seatField(at, "seat", t("Who was it?")),
      textField(at, "kind", t("What?"), { suggestions: USUAL_IRREGULARITIES }),
      seatField(at, "by_seat", t("Who called it?")),
      textField(at, "text", t("Text")),
    ],
  },
  ruling: {
    label: t("Ruling"),
    eventType: "ruling_made",
    requiredFields: ["text"],
    buildFields: (at) => [
      textField(at, "text", t("Text"), { isLong: true }),
      outcomeField(at),
      seatField(at, "at_fault", t("Who was at fault?")),
      paymentsField(at),
      {
        kind: "counts",
        name: "penalty",
        label: t("Penalty points"),
        options: seatOptions(at.state),
        value: at.given.penalty,
        max: 99,
      },
    ],
  },
  claim: {
    label: t("Claim"),
    eventType: "tricks_claimed",
    requiredFields: ["seat", "tricks"],
    isOffered: ({ state }) => state.phase === "play",
    buildFields: (at) => [
      declarerField(at),
      tricksField(at, at.given.tricks ?? giveRemainingTricks(at.given.seat ?? at.state.declarer, at.state)),
    ],
  },
  missing: {
    label: t("Something is missing here"),
    eventType: "gap_noted",
    requiredFields: [],
    buildFields: (at) => [
      textField(at, "text", t("Text")),
      { kind: "number", name: "trick", label: t("The next card belongs to trick no."), max: TRICKS_PER_DEAL },
    ],
    buildEvents: ({ text }) => [{ type: "gap_noted", ...(text ? { text } : {}) }],
    trickAnchor: ({ trick }) => trick,
  },
  hand: {
    label: t("A hand is known"),
    eventType: "hand_held",
    requiredFields: ["seat", "cards"],
    buildFields: (at) => [
      seatField(at),
      cardsField(at, ({ seat }) => handSize(at.state, seat), {
        fillsHidden: true,
        hint: t("Choose up to {count}; the rest are hidden.", { count: TRICKS_PER_DEAL }),
      }),
    ],
    buildEvents: (values, { state }) => [{ type: isBeforeFirstCall(state) ? "hand_dealt" : "hand_held", ...values }],
  },
  shown: {
    label: t("Cards were shown"),
    eventType: "cards_shown",
    requiredFields: ["seat", "cards"],
    buildFields: (at) => {
      const whole = at.given.whole ? at.state.hands?.[at.given.seat]?.cards : null;
      return [
        seatField(at),
        cardsField(at, () => TRICKS_PER_DEAL, whole ? { value: whole } : {}),
        textField(at, "why", t("Why?")),
      ];
    },
  },
  talon: {
    label: t("Order of the talon"),
    eventType: "talon_laid",
    requiredFields: ["cards"],
    isOffered: ({ state }) => isBeforeFirstCall(state),
    buildFields: (at) => [
      cardsField(at, () => TALON_SIZE, { fillsHidden: true, hint: t("Choose them from the top down.") }),
    ],
  },
  seen: {
    label: t("The talon was seen"),
    eventType: "talon_seen",
    requiredFields: ["cards", "seats"],
    isOffered: ({ state }) => state.phase === "play" || state.phase === "finished",
    buildFields: (at) => [
      {
        kind: "choices",
        name: "seats",
        label: t("Who saw it?"),
        options: seatOptions(at.state),
        value: at.given.seats,
      },
      cardsField(at, () => at.state.talon?.count ?? TALON_SIZE, {
        fillsHidden: true,
        hint: t("Choose them from the top down."),
      }),
    ],
  },
  over: {
    label: t("Another takes the hand"),
    eventType: "hand_taken_over",
    requiredFields: ["seat", "player"],
    buildFields: (at) => {
      const others = listSittingOut(at);
      const player = t("Who takes the hand?");
      return [
        seatField(at, "seat", t("Whose hand?")),
        others.length
          ? { kind: "choice", name: "player", label: player, options: others, value: at.given.player }
          : textField(at, "player", player),
      ];
    },
  },
  abandon: {
    label: t("Gives up"),
    eventType: "deal_abandoned",
    requiredFields: ["seat"],
    buildFields: (at) => [
      declarerField(at),
      {
        kind: "choice",
        name: "pays",
        label: t("Paid as"),
        options: [
          ["bete", words.outcomeShort.bete],
          ["codille", words.outcomeShort.codille],
        ],
        value: at.given.pays,
        columns: "two",
      },
    ],
  },
  slam: {
    label: t("Tries for all nine"),
    eventType: "slam_announced",
    requiredFields: ["seat"],
    buildFields: (at) => [declarerField(at)],
  },
  surrender: {
    label: t("Offers to surrender"),
    eventType: "surrender_offered",
    requiredFields: ["seat"],
    isOffered: ({ rules }) => Boolean(rules?.surrender),
    buildFields: (at) => [declarerField(at)],
  },
  settled: {
    label: t("Paid at the table"),
    eventType: "deal_settled",
    requiredFields: ["payments"],
    buildFields: (at) => [paymentsField(at)],
  },
  reserved: {
    label: t("Puesta set aside"),
    eventType: "puesta_reserved",
    requiredFields: ["seat"],
    isOffered: ({ rules }) => Boolean(rules?.pool),
    buildFields: (at) => [declarerField(at)],
  },
  voided: {
    label: t("Void"),
    eventType: "deal_voided",
    requiredFields: ["reason"],
    buildFields: (at) => [textField(at, "reason", t("Why?"))],
  },
  opening: {
    label: words.seating.heading,
    eventType: "deal_opened",
    requiredFields: ["reason"],
    isOffered: () => false,
    buildFields: (at) => {
      const { opening, ledger } = at.given;
      const rounds = (ledger?.following ?? [])
        .flatMap((/** @type {any} */ next) => [next.seating, ...(next.then ?? [])])
        .filter(Boolean);
      const displayName = (/** @type {string} */ player) => ledger?.names[player] ?? at.displayName(player);
      const element = new SeatingFields({
        words,
        seating: { ...opening.event.players, dealer: opening.event.dealer },
        players: ledger?.players ?? [],
        rounds,
        displayName,
      });
      return [
        { kind: "element", name: "seating", label: "", element },
        textField(at, "reason", t("Why is it corrected?"), { value: words.slip.usualReason }),
      ];
    },
    buildEvents: ({ seating, reason }, { given: { opening } }) => [
      { type: "correction_made", replaces: [opening.address], with: [reseatOpening(opening.event, seating)], reason },
    ],
  },
  result: {
    label: t("The result"),
    eventType: "result_recorded",
    requiredFields: [],
    buildFields: (at) => [
      seatField(at, "declarer", t("Who had the bid?"), at.given.declarer ?? at.state.declarer),
      {
        kind: "select",
        name: "contract",
        label: t("Game"),
        options: (at.rules?.contracts ?? []).map((/** @type {any} */ one) => [one.id, one.name]),
        value: at.given.contract ?? at.state.contract,
      },
      {
        kind: "choice",
        name: "trump",
        label: t("Trumps"),
        options: ["S", "H", "C", "D"].map((one) => [one, words.suit(one)]),
        value: at.given.trump,
        columns: "four",
      },
      outcomeField(at),
      tricksField(at),
    ],
  },
};

/** @type {(seat: string | null, state: DealState) => Record<string, number>} All tricks that are left to one seat, on top of what each has. */
function giveRemainingTricks(seat, state) {
  const won = Object.fromEntries(SEATS.map((one) => [one, state.tricks_won?.[one] ?? 0]));
  const rest = TRICKS_PER_DEAL - SEATS.reduce((all, one) => all + won[one], 0);
  return seat ? { ...won, [seat]: won[seat] + rest } : won;
}

/** @type {(type: string) => string | null} The form that enters such an event; null if it is entered by its pad alone. */
export const findFormName = (type) =>
  Object.keys(EVENT_FORMS).find(
    (name) => EVENT_FORMS[name].eventType === type || (name === "hand" && type === "hand_dealt"),
  ) ?? null;

/** @type {(session: RecorderSession, given?: Record<string, any>) => FormContext} */
export function buildFormContext({ rules, record, point }, given = {}) {
  return {
    rules,
    state: point.value.state,
    players: record.players,
    displayName: (player) => record.withMemberNames(player),
    given,
  };
}

/** The form that is open, in a dialog. @param {{ session: RecorderSession, name: string, given: Record<string, any> }} props */
export function EventFormDialog({ session, name, given }) {
  const dialog = useRef(/** @type {HTMLDialogElement | null} */ (null));
  const form = EVENT_FORMS[name];
  const context = useMemo(() => buildFormContext(session, given), []);
  const fields = useMemo(() => form.buildFields(context), []);
  const [values, setValues] = useState(() => Object.fromEntries(fields.map((field) => [field.name, field.value])));
  const [fault, setFault] = useState("");
  useEffect(() => dialog.current?.showModal(), []);
  const close = () => {
    session.form.value = null;
  };
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    const entered = Object.fromEntries(fields.map((field) => [field.name, readField(field, values)]));
    const invalid = fields.find((field) => entered[field.name] === undefined);
    const missing = fields.find((field) => form.requiredFields.includes(field.name) && entered[field.name] === null);
    if (invalid) return setFault(`${t("Something here cannot be read:")} ${invalid.label}`);
    if (missing) return setFault(t("Still missing: {field}", { field: missing.label.toLowerCase() }));
    const given = Object.fromEntries(Object.entries(entered).filter(([, value]) => value !== null));
    const events = form.buildEvents?.(given, context) ?? [{ type: form.eventType, ...given }];
    close();
    const anchor = form.trickAnchor?.(given);
    session.enter(events);
    if (anchor) session.anchor.value = anchor;
    return undefined;
  };
  return html`<dialog ref=${dialog} class="sharing record-form" aria-labelledby="form-name" onClose=${close}>
    <form onSubmit=${submit}>
      <h2 id="form-name">${form.label}</h2>
      ${fields.map((field) => html`<${FormField} key=${field.name} field=${field} value=${values[field.name]} values=${values} state=${context.state} onChange=${(/** @type {any} */ value) => setValues((all) => ({ ...all, [field.name]: value }))} />`)}
      <p class="ask" role="alert">${fault}</p>
      <button type="submit" class="confirm">${tc("recorder", "Write it down")}</button>
      <p class="form-end"><button type="button" class="button" onClick=${() => dialog.current?.close()}>${t("Cancel")}</button></p>
    </form>
  </dialog>`;
}
