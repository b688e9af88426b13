/**
 * What is entered more rarely: notes, irregularities, rulings, claims, hands that came to be known, what was paid. Each
 * form makes one event, or several, of its fields.
 */

import { el } from "../core/dom.js";
import { cards, choice, counts, number, pick, seatOptions, several, text } from "./record-fields.js";
import { SEATS } from "../replay/tracks.js";

const NINE = 9;
const TALON = 13;
const MARKS = ["!", "?", "!!", "??", "!?", "?!"];
const OUTCOMES = ["won", "bete", "codille", "passed_out", "abandoned", "forfeited", "voided"];

const seat = (at, name = "seat", label = at.words.record.field.seat, value = at.given[name] ?? null) =>
  choice({ name, label, options: seatOptions(at.words, at.state), value });
const said = (at, name, label, more = {}) => text({ name, label, value: at.given[name], ...more });
const suits = (at, name) => choice({ name, label: at.words.record.field.trump, options: ["S", "H", "C", "D"].map((one) => [one, at.words.suit(one)]), value: at.given[name] ?? null, columns: "four" });
const outcomes = (at) => pick({ name: "outcome", label: at.words.record.field.outcome, options: OUTCOMES.map((one) => [one, at.words.outcomeShort[one]]), value: at.given.outcome, words: at.words });
const sitters = (at) => (at.players.sitting_out ?? []).map((player) => [player, at.called(player)]);
const tricksField = (at, value = at.given.tricks) => counts({ name: "tricks", label: at.words.record.field.tricks, who: seatOptions(at.words, at.state), value });

/** A field of cards that follows the seat chosen beside it. */
function hand(at, name, { most, filled, told, whose = null, offer = null }) {
  const field = cards({ name, label: at.words.record.field.cards, words: at.words, state: { ...at.state, hands: {} }, most, filled, told, value: at.given[name] ?? offer?.(whose) ?? [] });
  return field;
}

/** So many cards a seat holds now. */
const held = (state, whose) => (state.hands?.[whose] ? state.hands[whose].cards.length + state.hands[whose].unknown : NINE);

/** Whether the deal is still before its first call: then a hand that is known is one that was dealt. */
const isDealing = (state) => state.phase === "dealing";

/**
 * The forms by name. `fields(at)` are its fields and `events(values, at)` what they make; `needs` are the fields that
 * cannot be left out, `of` the kind of entry that it can correct, `when(at)` whether it is offered.
 * `at`: `{words, rules, state, score, players, called, given}`.
 */
export const FORMS = {
  note: {
    of: "note_added", needs: ["text"],
    fields: (at) => [said(at, "text", at.words.record.field.text, { long: true }), choice({ name: "mark", label: at.words.record.field.mark, options: MARKS.map((one) => [one, one]), value: at.given.mark, columns: "four" })],
    events: ({ text: words, mark }, { given }) => [{ type: "note_added", text: words, ...(mark ? { mark } : {}), ...(given.on ? { on: given.on } : {}) }],
  },
  irregularity: {
    of: "irregularity_noted", needs: ["seat", "kind"],
    fields: (at) => [
      seat(at, "seat", at.words.record.field.offender), said(at, "kind", at.words.record.field.kind, { usual: at.words.record.usualKinds }),
      seat(at, "by_seat", at.words.record.field.bySeat), said(at, "text", at.words.record.field.text),
    ],
    events: (values) => [{ type: "irregularity_noted", ...stated(values) }],
  },
  ruling: {
    of: "ruling_made", needs: ["text"],
    fields: (at) => [
      said(at, "text", at.words.record.field.text, { long: true }), outcomes(at), seat(at, "at_fault", at.words.record.field.atFault),
      counts({ name: "payments", label: at.words.record.field.payments, who: [...seatOptions(at.words, at.state), ...sitters(at)], value: at.given.payments, signed: true }),
      counts({ name: "penalty", label: at.words.record.field.penalty, who: seatOptions(at.words, at.state), value: at.given.penalty, most: 99 }),
    ],
    events: (values) => [{ type: "ruling_made", ...stated(values) }],
  },
  claim: {
    of: "tricks_claimed", needs: ["seat", "tricks"], when: ({ state }) => state.phase === "play",
    fields: (at) => [seat(at, "seat", undefined, at.given.seat ?? at.state.declarer), tricksField(at, at.given.tricks ?? allTo(at.given.seat ?? at.state.declarer, at.state))],
    events: (values) => [{ type: "tricks_claimed", ...stated(values) }],
  },
  missing: {
    of: "gap_noted", needs: [],
    fields: (at) => [said(at, "text", at.words.record.field.text), number({ name: "trick", label: at.words.record.field.trick, most: NINE })],
    events: ({ text: words }) => [{ type: "gap_noted", ...(words ? { text: words } : {}) }],
    anchors: ({ trick }) => trick,
  },
  hand: {
    of: "hand_held", needs: ["seat", "cards"],
    fields: (at) => {
      const whose = seat(at);
      const field = hand(at, "cards", { most: () => held(at.state, whose.value()), filled: true, told: at.words.record.handOf(NINE) });
      whose.root.addEventListener("click", () => field.refresh());
      return [whose, field];
    },
    events: (values, { state }) => [{ type: isDealing(state) ? "hand_dealt" : "hand_held", ...stated(values) }],
  },
  shown: {
    of: "cards_shown", needs: ["seat", "cards"],
    fields: (at) => {
      const known = (one) => at.state.hands?.[one]?.cards ?? [];
      const whose = seat(at);
      const field = hand(at, "cards", { most: () => NINE, told: "", whose: at.given.seat, offer: (one) => (at.given.whole && one ? known(one) : []) });
      return [whose, field, said(at, "why", at.words.record.field.why)];
    },
    events: (values) => [{ type: "cards_shown", ...stated(values) }],
  },
  talon: {
    of: "talon_laid", needs: ["cards"], when: ({ state }) => isDealing(state),
    fields: (at) => [hand(at, "cards", { most: () => TALON, filled: true, told: at.words.record.inOrder })],
    events: (values) => [{ type: "talon_laid", ...stated(values) }],
  },
  seen: {
    of: "talon_seen", needs: ["cards", "seats"], when: ({ state }) => state.phase === "play" || state.phase === "finished",
    fields: (at) => [several({ name: "seats", label: at.words.record.field.seats, options: seatOptions(at.words, at.state), value: at.given.seats }), hand(at, "cards", { most: () => at.state.talon?.count ?? TALON, filled: true, told: at.words.record.inOrder })],
    events: (values) => [{ type: "talon_seen", ...stated(values) }],
  },
  over: {
    of: "hand_taken_over", needs: ["seat", "player"],
    fields: (at) => [seat(at, "seat", at.words.record.field.whose), sitters(at).length ? choice({ name: "player", label: at.words.record.field.player, options: sitters(at), value: at.given.player }) : said(at, "player", at.words.record.field.player)],
    events: (values) => [{ type: "hand_taken_over", ...stated(values) }],
  },
  abandon: {
    of: "deal_abandoned", needs: ["seat"],
    fields: (at) => [seat(at, "seat", undefined, at.given.seat ?? at.state.declarer), choice({ name: "pays", label: at.words.record.field.pays, options: ["bete", "codille"].map((one) => [one, at.words.outcomeShort[one]]), value: at.given.pays, columns: "two" })],
    events: (values) => [{ type: "deal_abandoned", ...stated(values) }],
  },
  slam: {
    of: "slam_announced", needs: ["seat"],
    fields: (at) => [seat(at, "seat", undefined, at.given.seat ?? at.state.declarer)],
    events: (values) => [{ type: "slam_announced", ...stated(values) }],
  },
  surrender: {
    of: "surrender_offered", needs: ["seat"], when: ({ rules }) => Boolean(rules?.surrender),
    fields: (at) => [seat(at, "seat", undefined, at.given.seat ?? at.state.declarer)],
    events: (values) => [{ type: "surrender_offered", ...stated(values) }],
  },
  settled: {
    of: "deal_settled", needs: ["payments"],
    fields: (at) => [counts({ name: "payments", label: at.words.record.field.payments, who: [...seatOptions(at.words, at.state), ...sitters(at)], value: at.given.payments, signed: true })],
    events: (values) => [{ type: "deal_settled", ...stated(values) }],
  },
  reserved: {
    of: "puesta_reserved", needs: ["seat"], when: ({ rules }) => Boolean(rules?.pool),
    fields: (at) => [seat(at, "seat", undefined, at.given.seat ?? at.state.declarer)],
    events: (values) => [{ type: "puesta_reserved", ...stated(values) }],
  },
  voided: {
    of: "deal_voided", needs: ["reason"],
    fields: (at) => [said(at, "reason", at.words.record.field.reason)],
    events: (values) => [{ type: "deal_voided", ...stated(values) }],
  },
  result: {
    of: "result_recorded", needs: [],
    fields: (at) => [
      seat(at, "declarer", at.words.record.field.declarer, at.given.declarer ?? at.state.declarer),
      pick({ name: "contract", label: at.words.record.field.contract, options: (at.rules?.contracts ?? []).map((one) => [one.id, one.name]), value: at.given.contract ?? at.state.contract, words: at.words }),
      suits(at, "trump"), outcomes(at), tricksField(at),
    ],
    events: (values) => [{ type: "result_recorded", ...stated(values) }],
  },
};

/** All tricks that are left to one seat, on top of what each has. */
function allTo(whose, state) {
  const won = Object.fromEntries(SEATS.map((one) => [one, state.tricks_won?.[one] ?? 0]));
  const left = NINE - SEATS.reduce((all, one) => all + won[one], 0);
  return whose ? { ...won, [whose]: won[whose] + left } : won;
}

const stated = (values) => Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null && value !== undefined));

/** The form that enters such an event; null where it is entered by its pad alone. */
export const formOf = (type) => Object.keys(FORMS).find((name) => FORMS[name].of === type || (name === "hand" && type === "hand_dealt")) ?? null;

/** Opens a form in a dialog; `write(events, {anchor})` is called with what it made, `closed()` when it is gone. */
export function openForm(name, at, { write, closed = () => {} }) {
  const { words } = at;
  const form = FORMS[name];
  const fields = form.fields(at);
  const fault = el("p", { class: "ask", role: "alert" });
  const submit = (event) => {
    event.preventDefault();
    const values = Object.fromEntries(fields.map((field) => [field.name, field.value()]));
    const wrong = fields.find((field) => values[field.name] === undefined);
    const empty = fields.find((field) => form.needs.includes(field.name) && values[field.name] === null);
    if (wrong || empty) {
      fault.textContent = wrong ? `${words.record.someWrong} ${wrong.label}` : words.record.needs(empty.label);
      return;
    }
    dialog.close();
    write(form.events(values, at), { anchor: form.anchors?.(values) ?? null });
  };
  const cancel = el("button", { type: "button", class: "worded", text: words.record.cancel, on: { click: () => dialog.close() } });
  const enter = el("button", { type: "submit", class: "confirm", text: words.record.write });
  const dialog = el("dialog", { class: "sharing record-form", "aria-labelledby": "form-name" },
    el("form", { on: { submit } }, el("h2", { id: "form-name", text: words.record.kinds[name] }), ...fields.map((field) => field.root), fault, enter, el("p", { class: "form-end" }, cancel)),
  );
  dialog.addEventListener("close", () => { dialog.remove(); closed(); });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}
