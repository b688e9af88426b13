// @ts-check
/** The fields of the recorder's forms: a seat, a text, cards, counts. A value is null where nothing is entered. */

import { HIDDEN_CARD } from "../core/cards.js";
import { t } from "../core/texts.js";
import { html, useId, useLayoutEffect, useRef } from "../vendor/preact.js";
import { CardKeyboard, locateCards } from "./card-keyboard.js";

/** @import { DealState } from "./recorded-deal.js" */
/** @typedef {[value: string, label: string]} Option */
/**
 * A field of a form: its kind, its name in the event, and what its kind needs. `value` is what it begins with.
 * @typedef {object} Field
 * @property {"choice" | "choices" | "text" | "select" | "counts" | "number" | "cards" | "element"} kind
 * @property {string} name
 * @property {string} label
 * @property {any} [value]
 * @property {Option[]} [options] - of a choice, a list or counts
 * @property {string} [columns] - how many choices stand in a row
 * @property {boolean} [isLong] - a text of several lines
 * @property {string[]} [suggestions] - texts to be tapped
 * @property {boolean} [isSigned] - counts may be below nothing
 * @property {number} [max] - the greatest count
 * @property {(values: Record<string, any>) => number} [getMax] - how many cards there can be
 * @property {boolean} [fillsHidden] - the rest of the cards are hidden ones
 * @property {string} [hint]
 * @property {{ root: HTMLElement, value: any }} [element] - a field that is built elsewhere
 */
/** @typedef {{ field: Field, value: any, values: Record<string, any>, state: DealState, onChange: (value: any) => void }} FieldProps */

/** @type {Record<Field["kind"], (props: FieldProps) => any>} */
const KINDS = {
  choice: ChoiceField,
  choices: MultiChoiceField,
  text: TextField,
  select: SelectField,
  counts: CountsField,
  number: TextField,
  cards: CardsField,
  element: ElementField,
};

/** @param {FieldProps} props */
export const FormField = (props) => html`<${KINDS[props.field.kind]} ...${props} />`;

/** What a field enters; undefined where it cannot be read. @type {(field: Field, values: Record<string, any>) => any} */
export function readField(field, values) {
  const value = values[field.name] ?? null;
  if (field.kind === "element") return field.element?.value;
  if (field.kind === "text") return value?.trim() || null;
  if (field.kind === "number") return readNumber(value ?? "", 1, field.max ?? Infinity);
  if (field.kind === "counts") return readCounts(value ?? {}, field);
  if (field.kind === "choices") return value?.length ? value : null;
  if (field.kind !== "cards") return value || null;
  const cards = value ?? [];
  const rest = field.fillsHidden ? Math.max(0, (field.getMax?.(values) ?? 0) - cards.length) : 0;
  return [...cards, ...Array(rest).fill(HIDDEN_CARD)];
}

/** @type {(text: string, least: number, most: number) => number | null | undefined} */
function readNumber(text, least, most) {
  if (!String(text).trim()) return null;
  const number = Number(String(text).trim().replace("−", "-").replace(/^\+/, ""));
  return Number.isInteger(number) && number >= least && number <= most ? number : undefined;
}

/** @type {(texts: Record<string, string>, field: Field) => Record<string, number> | null | undefined} */
function readCounts(texts, { isSigned = false, max = 9 }) {
  const [least, most] = isSigned ? [-Infinity, Infinity] : [0, max];
  const counts = Object.entries(texts)
    .map(([one, text]) => /** @type {const} */ ([one, readNumber(text, least, most)]))
    .filter(([, count]) => count !== null);
  if (counts.some(([, count]) => count === undefined)) return undefined;
  return counts.length ? /** @type {Record<string, number>} */ (Object.fromEntries(counts)) : null;
}

/** @param {{ name: string, label: string, children: unknown }} props */
const Fieldset = ({ name, label, children }) =>
  html`<fieldset class="facts" data-field=${name}><legend>${label}</legend>${children}</fieldset>`;

/** @type {(props: FieldProps, isChosen: (one: string) => boolean, choose: (one: string) => void) => unknown} */
const buttons = (
  { field: { name, label, options = [], columns = "three" } },
  isChosen,
  choose,
) => html`<${Fieldset} name=${name} label=${label}>
  <div class="choices ${columns}">${options.map(([one, text]) => html`<button key=${one} type="button" class="choice" data-value=${one} aria-pressed=${String(isChosen(one))} onClick=${() => choose(one)}>${text}</button>`)}</div>
</${Fieldset}>`;

/** One of several, each a button; tapped again it is nothing. @param {FieldProps} props */
function ChoiceField(props) {
  return buttons(
    props,
    (one) => one === props.value,
    (one) => props.onChange(one === props.value ? null : one),
  );
}

/** Several of a few. @param {FieldProps} props */
function MultiChoiceField(props) {
  /** @type {string[]} */
  const chosen = props.value ?? [];
  const order = (props.field.options ?? []).map(([one]) => one);
  const toggle = (/** @type {string} */ one) =>
    props.onChange(order.filter((other) => (other === one) !== chosen.includes(other)));
  return buttons(props, (one) => chosen.includes(one), toggle);
}

/** Words, or a number; `suggestions` are offered to be tapped. @param {FieldProps} props */
function TextField({ field: { kind, name, label, isLong = false, suggestions = [] }, value, onChange }) {
  const id = useId();
  const input = {
    id,
    autocomplete: "off",
    value: value ?? "",
    onInput: (/** @type {any} */ { target }) => onChange(target.value),
  };
  return html`<div class="pad-field" data-field=${name}><label for=${id}>${label}</label>
    ${suggestions.length > 0 && html`<p class="suggestions">${suggestions.map((one) => html`<button type="button" class="button" onClick=${() => onChange(one)}>${one}</button>`)}</p>`}
    ${isLong ? html`<textarea ...${input} rows="3" maxlength="4000"></textarea>` : html`<input ...${input} type="text" maxlength="200" inputmode=${kind === "number" ? "numeric" : undefined} />`}
  </div>`;
}

/** One of a list that is too long for buttons. @param {FieldProps} props */
function SelectField({ field: { name, label, options = [] }, value, onChange }) {
  const id = useId();
  return html`<div class="pad-field" data-field=${name}><label for=${id}>${label}</label>
    <select id=${id} value=${value ?? ""} onChange=${(/** @type {any} */ { target }) => onChange(target.value)}><option value="">${t("not said")}</option>${options.map(([one, text]) => html`<option value=${one}>${text}</option>`)}</select>
  </div>`;
}

/** A whole number for each of some: seats, players. @param {FieldProps} props */
function CountsField({ field: { name, label, options = [], isSigned = false }, value, onChange }) {
  const id = useId();
  return html`<${Fieldset} name=${name} label=${label}><div class="count-fields">${options.map(
    ([one, text], index) => html`<div class="count-field"><label for="${id}-${index}">${text}</label>
    <input type="text" id="${id}-${index}" inputmode=${isSigned ? "text" : "numeric"} autocomplete="off" data-who=${one} value=${value?.[one] ?? ""} onInput=${(/** @type {any} */ { target }) => onChange({ ...value, [one]: target.value })} /></div>`,
  )}</div></${Fieldset}>`;
}

/** Cards picked on the keyboard, up to a limit, in the order of the taps. @param {FieldProps} props */
function CardsField({ field: { name, label, hint, getMax = () => 0 }, value, values, state, onChange }) {
  /** @type {string[]} */
  const picked = value ?? [];
  const most = getMax(values);
  const pick = (/** @type {string} */ card) => {
    if (picked.includes(card)) onChange(picked.filter((one) => one !== card));
    else if (picked.length < most) onChange([...picked, card]);
  };
  return html`<${Fieldset} name=${name} label=${label}>
    <p class="muted" role="status">${[hint, t("{count} of {all}", { count: picked.length, all: most })].filter(Boolean).join(" ")}</p>
    <${CardKeyboard} trump=${state.trump} contract=${state.contract} locations=${locateCards({ ...state, hands: {} })} picked=${picked} onTap=${pick} />
  </${Fieldset}>`;
}

/** A field that is built elsewhere. @param {FieldProps} props */
function ElementField({ field: { element } }) {
  const place = useRef(/** @type {HTMLElement | null} */ (null));
  useLayoutEffect(() => place.current?.replaceChildren(...(element ? [element.root] : [])), [element]);
  return html`<div ref=${place}></div>`;
}
