/** The fields of the recorder's forms: a seat, a text, cards, counts. Each: `{root, value(), name}`; a value is null if nothing is entered. */

import { HIDDEN_CARD } from "../core/cards.js";
import { el } from "../core/dom.js";
import { CardKeyboard, locateCards } from "./card-keyboard.js";
import { SEATS } from "../replay/card-tracks.js";

let lastFieldNumber = 0;
const nextFieldId = () => `field-${(lastFieldNumber += 1)}`;

function buildFieldset(name, label, ...children) {
  return el("fieldset", { class: "facts", "data-field": name }, el("legend", { text: label }), ...children);
}

/** One of several, each a button; tapped again it is nothing. `options`: `[value, label]`. */
export function buildChoiceField({ name, label, options, value = null, columns = "three" }) {
  let chosen = value;
  const buttons = options.map(([one, label]) =>
    el("button", { type: "button", class: "choice", "data-value": one, text: label, on: { click: () => { chosen = chosen === one ? null : one; show(); } } }),
  );
  const show = () => buttons.forEach((button, index) => button.setAttribute("aria-pressed", String(options[index][0] === chosen)));
  show();
  return { name, label, root: buildFieldset(name, label, el("div", { class: `choices ${columns}` }, ...buttons)), value: () => chosen };
}

/** Several of a few. */
export function buildMultiChoiceField({ name, label, options, value = [] }) {
  const chosen = new Set(value);
  const buttons = options.map(([one, label]) =>
    el("button", {
      type: "button", class: "choice", "data-value": one, "aria-pressed": String(chosen.has(one)), text: label,
      on: { click: ({ currentTarget }) => { chosen.has(one) ? chosen.delete(one) : chosen.add(one); currentTarget.setAttribute("aria-pressed", String(chosen.has(one))); } },
    }),
  );
  return { name, label, root: buildFieldset(name, label, el("div", { class: "choices three" }, ...buttons)), value: () => (chosen.size ? options.map(([one]) => one).filter((one) => chosen.has(one)) : null) };
}

/** Words; `suggestions` are offered to be tapped. */
export function buildTextField({ name, label, value = "", suggestions = [], isLong = false }) {
  const id = nextFieldId();
  const field = el(isLong ? "textarea" : "input", { id, ...(isLong ? { rows: "3" } : { type: "text" }), maxlength: isLong ? "4000" : "200", autocomplete: "off" });
  field.value = value ?? "";
  const suggestionButtons = suggestions.map((one) => el("button", { type: "button", class: "button", text: one, on: { click: () => { field.value = one; field.focus(); } } }));
  const root = el("div", { class: "pad-field", "data-field": name }, el("label", { for: id, text: label }), suggestionButtons.length ? el("p", { class: "suggestions" }, ...suggestionButtons) : null, field);
  return { name, label, root, value: () => field.value.trim() || null };
}

/** One of a list that is too long for buttons. */
export function buildSelectField({ name, label, options, value = null, words }) {
  const id = nextFieldId();
  const field = el("select", { id }, el("option", { value: "", text: words.record.notGiven }), ...options.map(([one, label]) => el("option", { value: one, text: label })));
  field.value = value ?? "";
  return { name, label, root: el("div", { class: "pad-field", "data-field": name }, el("label", { for: id, text: label }), field), value: () => field.value || null };
}

/** A whole number for each of some: seats, players. `isSigned` where it may be below nothing. */
export function buildCountsField({ name, label, labels, value = {}, isSigned = false, max = 9 }) {
  const fields = labels.map(([one, label]) => {
    const id = nextFieldId();
    const field = el("input", { type: "text", id, inputmode: isSigned ? "text" : "numeric", autocomplete: "off", value: value[one] ?? "", "data-who": one });
    return { one, field, root: el("div", { class: "count-field" }, el("label", { for: id, text: label }), field) };
  });
  const read = () => {
    const filled = fields.filter(({ field }) => field.value.trim() !== "");
    const numbers = filled.map(({ one, field }) => [one, Number(field.value.trim().replace("−", "-").replace(/^\+/, ""))]);
    if (numbers.some(([, number]) => !Number.isInteger(number) || (!isSigned && (number < 0 || number > max)))) return undefined;
    return numbers.length ? Object.fromEntries(numbers) : null;
  };
  return { name, label, root: buildFieldset(name, label, el("div", { class: "count-fields" }, ...fields.map(({ root }) => root))), value: read };
}

/** A whole number. */
export function buildNumberField({ name, label, value = null, max }) {
  const id = nextFieldId();
  const field = el("input", { type: "text", id, inputmode: "numeric", autocomplete: "off", value: value ?? "" });
  const read = () => {
    if (!field.value.trim()) return null;
    const number = Number(field.value.trim());
    return Number.isInteger(number) && number >= 1 && number <= max ? number : undefined;
  };
  return { name, label, root: el("div", { class: "pad-field", "data-field": name }, el("label", { for: id, text: label }), field), value: read };
}

/** Cards picked on the keyboard, up to a limit, in the order of the taps; `fillsHidden` with hidden ones. */
export function buildCardsField({ name, label, words, state, getMax, fillsHidden = false, hint = "", value = [] }) {
  let chosen = value.filter((card) => !card.includes("?"));
  const count = el("p", { class: "muted", role: "status" });
  const keys = new CardKeyboard(words, (card) => {
    if (chosen.includes(card)) chosen = chosen.filter((one) => one !== card);
    else if (chosen.length < getMax()) chosen = [...chosen, card];
    show();
  });
  const show = () => {
    keys.show({ trump: state.trump, contract: state.contract, locations: locateCards(state, words), chosen });
    count.textContent = [hint, words.record.picked(chosen.length, getMax())].filter(Boolean).join(" ");
  };
  show();
  const fill = () => Array(Math.max(0, getMax() - chosen.length)).fill(HIDDEN_CARD);
  return { name, label, root: buildFieldset(name, label, count, keys.root), value: () => (fillsHidden ? [...chosen, ...fill()] : chosen), refresh: show, offer: (offered) => { chosen = offered; show(); } };
}

/** The three seats with who sits there. */
export const seatOptions = (words, state) => SEATS.map((seat) => [seat, words.player(state, seat)]);
