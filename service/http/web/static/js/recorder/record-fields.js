/** The fields of the recorder's forms: a seat, a text, cards, counts. Each: `{root, value(), name}`; a value is null where nothing is said. */

import { HIDDEN } from "../replay/cards.js";
import { el } from "../core/dom.js";
import { CardKeys, whereabouts } from "./record-keys.js";
import { SEATS } from "../replay/tracks.js";

let numbered = 0;
const freshId = () => `field-${(numbered += 1)}`;

function fieldset(name, label, ...children) {
  return el("fieldset", { class: "facts", "data-field": name }, el("legend", { text: label }), ...children);
}

/** One of several, each a button; tapped again it is nothing. `options`: `[value, told]`. */
export function choice({ name, label, options, value = null, columns = "three" }) {
  let chosen = value;
  const buttons = options.map(([one, told]) =>
    el("button", { type: "button", class: "choice", "data-value": one, text: told, on: { click: () => { chosen = chosen === one ? null : one; show(); } } }),
  );
  const show = () => buttons.forEach((button, place) => button.setAttribute("aria-pressed", String(options[place][0] === chosen)));
  show();
  return { name, label, root: fieldset(name, label, el("div", { class: `choices ${columns}` }, ...buttons)), value: () => chosen };
}

/** Several of a few. */
export function several({ name, label, options, value = [] }) {
  const chosen = new Set(value);
  const buttons = options.map(([one, told]) =>
    el("button", {
      type: "button", class: "choice", "data-value": one, "aria-pressed": String(chosen.has(one)), text: told,
      on: { click: ({ currentTarget }) => { chosen.has(one) ? chosen.delete(one) : chosen.add(one); currentTarget.setAttribute("aria-pressed", String(chosen.has(one))); } },
    }),
  );
  return { name, label, root: fieldset(name, label, el("div", { class: "choices three" }, ...buttons)), value: () => (chosen.size ? options.map(([one]) => one).filter((one) => chosen.has(one)) : null) };
}

/** Words; `usual` are offered to be tapped. */
export function text({ name, label, value = "", usual = [], long = false }) {
  const id = freshId();
  const field = el(long ? "textarea" : "input", { id, ...(long ? { rows: "3" } : { type: "text" }), maxlength: long ? "4000" : "200", autocomplete: "off" });
  field.value = value ?? "";
  const offered = usual.map((one) => el("button", { type: "button", class: "worded", text: one, on: { click: () => { field.value = one; field.focus(); } } }));
  const root = el("div", { class: "pad-field", "data-field": name }, el("label", { for: id, text: label }), offered.length ? el("p", { class: "offered" }, ...offered) : null, field);
  return { name, label, root, value: () => field.value.trim() || null };
}

/** One of a list that is too long for buttons. */
export function pick({ name, label, options, value = null, words }) {
  const id = freshId();
  const field = el("select", { id }, el("option", { value: "", text: words.record.unsaid }), ...options.map(([one, told]) => el("option", { value: one, text: told })));
  field.value = value ?? "";
  return { name, label, root: el("div", { class: "pad-field", "data-field": name }, el("label", { for: id, text: label }), field), value: () => field.value || null };
}

/** A whole number for each of some: seats, players. `signed` where it may be below nothing. */
export function counts({ name, label, who, value = {}, signed = false, most = 9 }) {
  const fields = who.map(([one, told]) => {
    const id = freshId();
    const field = el("input", { type: "text", id, inputmode: signed ? "text" : "numeric", autocomplete: "off", value: value[one] ?? "", "data-who": one });
    return { one, field, root: el("div", { class: "count-field" }, el("label", { for: id, text: told }), field) };
  });
  const read = () => {
    const said = fields.filter(({ field }) => field.value.trim() !== "");
    const numbers = said.map(({ one, field }) => [one, Number(field.value.trim().replace("−", "-").replace(/^\+/, ""))]);
    if (numbers.some(([, number]) => !Number.isInteger(number) || (!signed && (number < 0 || number > most)))) return undefined;
    return numbers.length ? Object.fromEntries(numbers) : null;
  };
  return { name, label, root: fieldset(name, label, el("div", { class: "count-fields" }, ...fields.map(({ root }) => root))), value: read };
}

/** A whole number. */
export function number({ name, label, value = null, most }) {
  const id = freshId();
  const field = el("input", { type: "text", id, inputmode: "numeric", autocomplete: "off", value: value ?? "" });
  const read = () => {
    if (!field.value.trim()) return null;
    const said = Number(field.value.trim());
    return Number.isInteger(said) && said >= 1 && said <= most ? said : undefined;
  };
  return { name, label, root: el("div", { class: "pad-field", "data-field": name }, el("label", { for: id, text: label }), field), value: read };
}

/** Cards picked on the keyboard, at most so many, in the order in which they were tapped; `filled` with hidden ones. */
export function cards({ name, label, words, state, most, filled = false, told = "", value = [] }) {
  let chosen = value.filter((card) => !card.includes("?"));
  const count = el("p", { class: "quiet", role: "status" });
  const keys = new CardKeys(words, (card) => {
    if (chosen.includes(card)) chosen = chosen.filter((one) => one !== card);
    else if (chosen.length < most()) chosen = [...chosen, card];
    show();
  });
  const show = () => {
    keys.show({ trump: state.trump, contract: state.contract, gone: whereabouts(state, words), chosen });
    count.textContent = [told, words.record.picked(chosen.length, most())].filter(Boolean).join(" ");
  };
  show();
  const fill = () => Array(Math.max(0, most() - chosen.length)).fill(HIDDEN);
  return { name, label, root: fieldset(name, label, count, keys.root), value: () => (filled ? [...chosen, ...fill()] : chosen), refresh: show, offer: (offered) => { chosen = offered; show(); } };
}

/** The three seats with who sits there. */
export const seatOptions = (words, state) => SEATS.map((seat) => [seat, words.player(state, seat)]);
