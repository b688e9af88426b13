/**
 * What is entered more rarely: notes, irregularities, rulings, claims, hands that came to be known, what was paid. Each
 * form makes one event, or several, of its fields.
 */

import { el } from "../core/dom.js";
import { buildCardsField, buildChoiceField, buildCountsField, buildNumberField, buildSelectField, seatOptions, buildMultiChoiceField, buildTextField } from "./form-fields.js";
import { SEATS } from "../replay/card-tracks.js";
import { SeatingFields } from "../evening/seating-fields.js";
import { reseatOpening } from "../evening/table-entries.js";

const TRICKS_PER_DEAL = 9;
const TALON_SIZE = 13;
const NOTE_MARKS = ["!", "?", "!!", "??", "!?", "?!"];
const OUTCOME_CODES = ["won", "bete", "codille", "passed_out", "abandoned", "forfeited", "voided"];

const seatField = (at, name = "seat", label = at.words.record.field.seat, value = at.given[name] ?? null) =>
  buildChoiceField({ name, label, options: seatOptions(at.words, at.state), value });
const textField = (at, name, label, options = {}) => buildTextField({ name, label, value: at.given[name], ...options });
const trumpField = (at, name) => buildChoiceField({ name, label: at.words.record.field.trump, options: ["S", "H", "C", "D"].map((one) => [one, at.words.suit(one)]), value: at.given[name] ?? null, columns: "four" });
const outcomeField = (at) => buildSelectField({ name: "outcome", label: at.words.record.field.outcome, options: OUTCOME_CODES.map((one) => [one, at.words.outcomeShort[one]]), value: at.given.outcome, words: at.words });
const listSittingOut = (at) => (at.players.sitting_out ?? []).map((player) => [player, at.displayName(player)]);
const tricksField = (at, value = at.given.tricks) => buildCountsField({ name: "tricks", label: at.words.record.field.tricks, labels: seatOptions(at.words, at.state), value });

/** A field of cards that follows the seat chosen next to it. */
function handCardsField(at, name, { getMax, fillsHidden, hint, seat = null, offer = null }) {
  const field = buildCardsField({ name, label: at.words.record.field.cards, words: at.words, state: { ...at.state, hands: {} }, getMax, fillsHidden, hint, value: at.given[name] ?? offer?.(seat) ?? [] });
  return field;
}

/** The number of cards a seat holds now. */
const handSize = (state, seat) => (state.hands?.[seat] ? state.hands[seat].cards.length + state.hands[seat].unknown : TRICKS_PER_DEAL);

/** Whether the deal is still before its first call: then a hand that is known is one that was dealt. */
const isBeforeFirstCall = (state) => state.phase === "dealing";

/**
 * The forms by name. `buildFields(at)` are its fields and `buildEvents(values, at)` what they make; `requiredFields` are the fields that
 * cannot be left out, `eventType` the kind of entry that it can correct, `isOffered(at)` whether it is offered.
 * `at`: `{words, rules, state, score, players, displayName, given}`.
 */
export const EVENT_FORMS = {
  note: {
    eventType: "note_added", requiredFields: ["text"],
    buildFields: (at) => [textField(at, "text", at.words.record.field.text, { isLong: true }), buildChoiceField({ name: "mark", label: at.words.record.field.mark, options: NOTE_MARKS.map((one) => [one, one]), value: at.given.mark, columns: "four" })],
    buildEvents: ({ text: words, mark }, { given }) => [{ type: "note_added", text: words, ...(mark ? { mark } : {}), ...(given.on ? { on: given.on } : {}) }],
  },
  irregularity: {
    eventType: "irregularity_noted", requiredFields: ["seat", "kind"],
    buildFields: (at) => [
      seatField(at, "seat", at.words.record.field.offender), textField(at, "kind", at.words.record.field.kind, { suggestions: at.words.record.usualKinds }),
      seatField(at, "by_seat", at.words.record.field.bySeat), textField(at, "text", at.words.record.field.text),
    ],
    buildEvents: (values) => [{ type: "irregularity_noted", ...withoutEmpty(values) }],
  },
  ruling: {
    eventType: "ruling_made", requiredFields: ["text"],
    buildFields: (at) => [
      textField(at, "text", at.words.record.field.text, { isLong: true }), outcomeField(at), seatField(at, "at_fault", at.words.record.field.atFault),
      buildCountsField({ name: "payments", label: at.words.record.field.payments, labels: [...seatOptions(at.words, at.state), ...listSittingOut(at)], value: at.given.payments, isSigned: true }),
      buildCountsField({ name: "penalty", label: at.words.record.field.penalty, labels: seatOptions(at.words, at.state), value: at.given.penalty, max: 99 }),
    ],
    buildEvents: (values) => [{ type: "ruling_made", ...withoutEmpty(values) }],
  },
  claim: {
    eventType: "tricks_claimed", requiredFields: ["seat", "tricks"], isOffered: ({ state }) => state.phase === "play",
    buildFields: (at) => [seatField(at, "seat", undefined, at.given.seat ?? at.state.declarer), tricksField(at, at.given.tricks ?? giveRemainingTricks(at.given.seat ?? at.state.declarer, at.state))],
    buildEvents: (values) => [{ type: "tricks_claimed", ...withoutEmpty(values) }],
  },
  missing: {
    eventType: "gap_noted", requiredFields: [],
    buildFields: (at) => [textField(at, "text", at.words.record.field.text), buildNumberField({ name: "trick", label: at.words.record.field.trick, max: TRICKS_PER_DEAL })],
    buildEvents: ({ text: words }) => [{ type: "gap_noted", ...(words ? { text: words } : {}) }],
    trickAnchor: ({ trick }) => trick,
  },
  hand: {
    eventType: "hand_held", requiredFields: ["seat", "cards"],
    buildFields: (at) => {
      const handSeatField = seatField(at);
      const field = handCardsField(at, "cards", { getMax: () => handSize(at.state, handSeatField.value()), fillsHidden: true, hint: at.words.record.handOf(TRICKS_PER_DEAL) });
      handSeatField.root.addEventListener("click", () => field.refresh());
      return [handSeatField, field];
    },
    buildEvents: (values, { state }) => [{ type: isBeforeFirstCall(state) ? "hand_dealt" : "hand_held", ...withoutEmpty(values) }],
  },
  shown: {
    eventType: "cards_shown", requiredFields: ["seat", "cards"],
    buildFields: (at) => {
      const known = (one) => at.state.hands?.[one]?.cards ?? [];
      const handSeatField = seatField(at);
      const field = handCardsField(at, "cards", { getMax: () => TRICKS_PER_DEAL, hint: "", seat: at.given.seat, offer: (one) => (at.given.whole && one ? known(one) : []) });
      return [handSeatField, field, textField(at, "why", at.words.record.field.why)];
    },
    buildEvents: (values) => [{ type: "cards_shown", ...withoutEmpty(values) }],
  },
  talon: {
    eventType: "talon_laid", requiredFields: ["cards"], isOffered: ({ state }) => isBeforeFirstCall(state),
    buildFields: (at) => [handCardsField(at, "cards", { getMax: () => TALON_SIZE, fillsHidden: true, hint: at.words.record.inOrder })],
    buildEvents: (values) => [{ type: "talon_laid", ...withoutEmpty(values) }],
  },
  seen: {
    eventType: "talon_seen", requiredFields: ["cards", "seats"], isOffered: ({ state }) => state.phase === "play" || state.phase === "finished",
    buildFields: (at) => [buildMultiChoiceField({ name: "seats", label: at.words.record.field.seats, options: seatOptions(at.words, at.state), value: at.given.seats }), handCardsField(at, "cards", { getMax: () => at.state.talon?.count ?? TALON_SIZE, fillsHidden: true, hint: at.words.record.inOrder })],
    buildEvents: (values) => [{ type: "talon_seen", ...withoutEmpty(values) }],
  },
  over: {
    eventType: "hand_taken_over", requiredFields: ["seat", "player"],
    buildFields: (at) => [seatField(at, "seat", at.words.record.field.whose), listSittingOut(at).length ? buildChoiceField({ name: "player", label: at.words.record.field.player, options: listSittingOut(at), value: at.given.player }) : textField(at, "player", at.words.record.field.player)],
    buildEvents: (values) => [{ type: "hand_taken_over", ...withoutEmpty(values) }],
  },
  abandon: {
    eventType: "deal_abandoned", requiredFields: ["seat"],
    buildFields: (at) => [seatField(at, "seat", undefined, at.given.seat ?? at.state.declarer), buildChoiceField({ name: "pays", label: at.words.record.field.pays, options: ["bete", "codille"].map((one) => [one, at.words.outcomeShort[one]]), value: at.given.pays, columns: "two" })],
    buildEvents: (values) => [{ type: "deal_abandoned", ...withoutEmpty(values) }],
  },
  slam: {
    eventType: "slam_announced", requiredFields: ["seat"],
    buildFields: (at) => [seatField(at, "seat", undefined, at.given.seat ?? at.state.declarer)],
    buildEvents: (values) => [{ type: "slam_announced", ...withoutEmpty(values) }],
  },
  surrender: {
    eventType: "surrender_offered", requiredFields: ["seat"], isOffered: ({ rules }) => Boolean(rules?.surrender),
    buildFields: (at) => [seatField(at, "seat", undefined, at.given.seat ?? at.state.declarer)],
    buildEvents: (values) => [{ type: "surrender_offered", ...withoutEmpty(values) }],
  },
  settled: {
    eventType: "deal_settled", requiredFields: ["payments"],
    buildFields: (at) => [buildCountsField({ name: "payments", label: at.words.record.field.payments, labels: [...seatOptions(at.words, at.state), ...listSittingOut(at)], value: at.given.payments, isSigned: true })],
    buildEvents: (values) => [{ type: "deal_settled", ...withoutEmpty(values) }],
  },
  reserved: {
    eventType: "puesta_reserved", requiredFields: ["seat"], isOffered: ({ rules }) => Boolean(rules?.pool),
    buildFields: (at) => [seatField(at, "seat", undefined, at.given.seat ?? at.state.declarer)],
    buildEvents: (values) => [{ type: "puesta_reserved", ...withoutEmpty(values) }],
  },
  voided: {
    eventType: "deal_voided", requiredFields: ["reason"],
    buildFields: (at) => [textField(at, "reason", at.words.record.field.reason)],
    buildEvents: (values) => [{ type: "deal_voided", ...withoutEmpty(values) }],
  },
  opening: {
    eventType: "deal_opened", requiredFields: ["reason"], isOffered: () => false,
    buildFields: (at) => {
      const { opening: { event }, ledger } = at.given;
      const rounds = (ledger?.following ?? []).flatMap((next) => [next.seating, ...(next.then ?? [])]).filter(Boolean);
      const fields = new SeatingFields({ words: at.words, seating: { ...event.players, dealer: event.dealer }, players: ledger?.players ?? [], rounds, displayName: (player) => ledger?.names[player] ?? at.displayName(player) });
      return [{ name: "seating", label: "", root: fields.root, value: () => fields.value }, textField(at, "reason", at.words.record.reason, { value: at.words.slip.usualReason })];
    },
    buildEvents: ({ seating, reason }, { given: { opening } }) => [{ type: "correction_made", replaces: [opening.address], with: [reseatOpening(opening.event, seating)], reason }],
  },
  result: {
    eventType: "result_recorded", requiredFields: [],
    buildFields: (at) => [
      seatField(at, "declarer", at.words.record.field.declarer, at.given.declarer ?? at.state.declarer),
      buildSelectField({ name: "contract", label: at.words.record.field.contract, options: (at.rules?.contracts ?? []).map((one) => [one.id, one.name]), value: at.given.contract ?? at.state.contract, words: at.words }),
      trumpField(at, "trump"), outcomeField(at), tricksField(at),
    ],
    buildEvents: (values) => [{ type: "result_recorded", ...withoutEmpty(values) }],
  },
};

/** All tricks that are left to one seat, on top of what each has. */
function giveRemainingTricks(seat, state) {
  const won = Object.fromEntries(SEATS.map((one) => [one, state.tricks_won?.[one] ?? 0]));
  const remainingTricks = TRICKS_PER_DEAL - SEATS.reduce((all, one) => all + won[one], 0);
  return seat ? { ...won, [seat]: won[seat] + remainingTricks } : won;
}

const withoutEmpty = (values) => Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null && value !== undefined));

/** The form that enters such an event; null where it is entered by its pad alone. */
export const findFormName = (type) => Object.keys(EVENT_FORMS).find((name) => EVENT_FORMS[name].eventType === type || (name === "hand" && type === "hand_dealt")) ?? null;

/** Opens a form in a dialog; `onSubmit(events, {anchor})` is called with what it made, `onClose()` when it is gone. */
export function openEventForm(name, context, { onSubmit, onClose = () => {} }) {
  const { words } = context;
  const form = EVENT_FORMS[name];
  const fields = form.buildFields(context);
  const fault = el("p", { class: "ask", role: "alert" });
  const submit = (event) => {
    event.preventDefault();
    const values = Object.fromEntries(fields.map((field) => [field.name, field.value()]));
    const invalidField = fields.find((field) => values[field.name] === undefined);
    const missingField = fields.find((field) => form.requiredFields.includes(field.name) && values[field.name] === null);
    if (invalidField || missingField) {
      fault.textContent = invalidField ? `${words.record.someWrong} ${invalidField.label}` : words.record.needs(missingField.label);
      return;
    }
    dialog.close();
    onSubmit(form.buildEvents(values, context), { anchor: form.trickAnchor?.(values) ?? null });
  };
  const cancel = el("button", { type: "button", class: "button", text: words.record.cancel, on: { click: () => dialog.close() } });
  const enter = el("button", { type: "submit", class: "confirm", text: words.record.write });
  const dialog = el("dialog", { class: "sharing record-form", "aria-labelledby": "form-name" },
    el("form", { on: { submit } }, el("h2", { id: "form-name", text: words.record.kinds[name] }), ...fields.map((field) => field.root), fault, enter, el("p", { class: "form-end" }, cancel)),
  );
  dialog.addEventListener("close", () => { dialog.remove(); onClose(); });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}
