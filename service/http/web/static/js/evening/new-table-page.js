// @ts-check
/** Opening a table: names are enough, everything else stands as it did last time. */

import { ApiError, getJson, newId, sendRequest } from "../core/api.js";
import { formatApiError } from "../core/deal-text.js";
import { fitStyle } from "../core/fit-text.js";
import { MemberDisplayNames } from "../core/member-display-names.js";
import { t, tc } from "../core/texts.js";
import words from "../messages/evening.js";
import { html, render, useLayoutEffect, useMemo, useRef, useSignal } from "../vendor/preact.js";
import { buildSeats, MIN_PLAYERS, SeatPicker } from "./seat-picker.js";
import { Tariff } from "./tariff.js";

/** @typedef {{ id: string, name: string, stands: any, choices?: any[], least: number, most: number, nought?: string }} Switch - `stands` is how the rules have it */
/** @typedef {Record<string, any>} SwitchValues - by the ids of switches */
/** @typedef {{ text: string, seat?: number, field?: string }} Fault - `field` is a switch, or "chip" */

/** What a number of deals or rounds is called, and what it is at first. @type {Record<string, { name: string, usual: string }>} */
const COUNTS = {
  deals: { name: t("Number of deals"), usual: "24" },
  rounds: { name: t("Number of rounds"), usual: "6" },
};
const PLANS = { open: t("Until we stop"), deals: t("A number of deals"), rounds: t("Rounds") };
const PLACEHOLDER_TABLE_ID = "00000000-0000-0000-0000-000000000000";

/** @param {{ root: HTMLElement, members: any[], last: any }} props */
function NewTableForm({ root, members, last }) {
  /** @type {any[]} */
  const rulesets = useMemo(() => JSON.parse(root.dataset.rulesets ?? "[]"), []);
  const displayNames = useMemo(() => new MemberDisplayNames(members), []);
  /** How the players of the last table are called; the reader may not list all members among them. @type {Map<string, string>} */
  const lastIds = useMemo(() => {
    const nameOf = (/** @type {string} */ id) => displayNames.displayName(id) ?? last?.names?.[id] ?? id;
    return new Map((last?.players ?? []).map((/** @type {string} */ id) => [nameOf(id), id]));
  }, []);
  const isKnown = rulesets.some((one) => one.id === last?.ruleset);
  const lastDeals = last?.plan?.deals;
  const seats = useSignal(buildSeats([...lastIds.keys()]));
  const ruleset = useSignal(isKnown ? last.ruleset : root.dataset.usual);
  const switches = useSignal(/** @type {SwitchValues} */ (isKnown ? { ...last.switches } : {}));
  const plan = useSignal(lastDeals ? "deals" : "open");
  const count = useSignal(lastDeals ? String(lastDeals) : "");
  const chip = useSignal(String(last?.chip_value ?? "").replace(".", tc("decimal mark", ".")));
  const currency = useSignal(last?.currency ?? t("kr"));
  const date = useSignal(localDay());
  const title = useSignal("");
  const fault = useSignal(/** @type {Fault | null} */ (null));
  const isRulesOpen = useSignal(false);
  const form = useRef(/** @type {HTMLElement | null} */ (null));
  const request = useRef({ id: newId(), isSending: false });

  const rules = rulesets.find((one) => one.id === ruleset.value);
  const players = seats.value
    .map((name) => name.trim())
    .filter(Boolean)
    .map((name) => ({ name, id: displayNames.findMemberId(name) ?? lastIds.get(name) ?? name }));
  // In a round every player at the table deals once.
  const perRound = plan.value === "rounds" ? Math.max(MIN_PLAYERS, players.length) : 1;
  const deals =
    plan.value !== "open" && Number.isInteger(Number(count.value)) ? Math.max(0, Number(count.value)) * perRound : 0;
  const chipValue = chip.value.trim().replace(",", ".");

  useLayoutEffect(() => {
    /** @type {HTMLElement | null | undefined} */ (form.current?.querySelector("[aria-invalid]"))?.focus();
  }, [fault.value]);

  /** What is wrong first. @returns {Fault | null} */
  const findFault = () => {
    const names = seats.value.map((name) => name.trim());
    if (players.length < MIN_PLAYERS) return { text: words.open.tooFew, seat: names.indexOf("") };
    const duplicate = players.find((one, index) => players.findIndex(({ id }) => id === one.id) < index);
    if (duplicate) return { text: words.open.twice(duplicate.name), seat: names.lastIndexOf(duplicate.name) };
    const invalid = rules.switches.find(
      (/** @type {Switch} */ one) => !isLawful(one, switchValue(one, switches.value)),
    );
    if (invalid) return { text: `${words.upper(invalid.name)}: ${betweenText(invalid)}`, field: invalid.id };
    const isNumber = /^\d{1,9}(\.\d{1,4})?$/.test(chipValue) && Number(chipValue) > 0;
    return !chipValue || isNumber ? null : { text: t("Write what a chip is worth as a number: 0.25"), field: "chip" };
  };
  const buildTableOpened = () => {
    // Switches that the last table had, and that are not offered here, go on.
    const chosen = Object.entries({ ...(last?.ruleset === rules.id ? last.switches : {}), ...switches.value });
    const changed = chosen.filter(([id, value]) => {
      const one = rules.switches.find((/** @type {Switch} */ each) => each.id === id);
      return one ? value !== one.stands : last?.ruleset === rules.id && id in (last.switches ?? {});
    });
    const terms = {
      date: date.value,
      title: title.value.trim(),
      chip_value: chipValue,
      currency: chipValue && currency.value.trim(),
    };
    return {
      type: "table_opened",
      id: request.current.id,
      ruleset: rules.id,
      players: players.map((one) => one.id),
      ...(changed.length ? { switches: Object.fromEntries(changed) } : {}),
      ...(deals ? { plan: { deals } } : {}),
      ...Object.fromEntries(Object.entries(terms).filter(([, text]) => text)),
    };
  };
  const submit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    if (request.current.isSending) return;
    fault.value = findFault();
    if (fault.value) {
      isRulesOpen.value ||= rules.switches.some((/** @type {Switch} */ { id }) => id === fault.value?.field);
      return;
    }
    request.current.isSending = true;
    try {
      await sendRequest("POST", "/tables", buildTableOpened());
      location.assign((root.dataset.tableUrl ?? "").replace(PLACEHOLDER_TABLE_ID, request.current.id));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      // Under this id something else may be there by now; a table with other terms is another table.
      if (error.status === 409) request.current.id = newId();
      fault.value = { text: formatApiError(words, error) };
    } finally {
      request.current.isSending = false;
    }
  };
  const choosePlan = (/** @type {string} */ next) => {
    plan.value = next;
    count.value = COUNTS[next]?.usual ?? "";
  };
  /** @param {string} id @param {string} label @param {import("../vendor/preact.js").Signal<string>} text @param {any} attributes */
  const term = (id, label, text, attributes) => html`
    <div class=${attributes.class}>
      <label for=${id}>${label}</label>
      <input id=${id} autocomplete="off" aria-invalid=${fault.value?.field === id || null} value=${text.value}
        onInput=${(/** @type {any} */ { target }) => (text.value = target.value)} ...${{ ...attributes, class: null }} />
    </div>
  `;

  return html`
    <form ref=${form} class="opening-form" novalidate onSubmit=${submit} onInput=${() => (fault.value = null)}>
      <${SeatPicker} seats=${seats} members=${members} displayNames=${displayNames} invalidSeat=${fault.value?.seat ?? null} />
      <fieldset class="facts">
        <legend>${words.open.rules}</legend>
        <label class="visually-hidden" for="ruleset">${words.open.rules}</label>
        <select id="ruleset" value=${ruleset.value} onChange=${(/** @type {any} */ { target }) => (ruleset.value = target.value)}>
          ${rulesets.map((one) => html`<option value=${one.id}>${one.name}</option>`)}
        </select>
        <details open=${isRulesOpen.value} onToggle=${(/** @type {any} */ { target }) => (isRulesOpen.value = target.open)}>
          <summary>${t("What is paid")}</summary>
          <${Tariff} rules=${withSwitches(rules, switches.value)} />
          <div class="rule-switches">
            ${rules.switches.length > 0 && html`<p class="muted">${t("Agreed at the table. “Usual” is what the rules say.")}</p>`}
            ${rules.switches.map(
              (/** @type {Switch} */ one) =>
                html`<${SwitchField} key=${rules.id + one.id} one=${one} value=${switchValue(one, switches.value)} isInvalid=${fault.value?.field === one.id} onChange=${(
                  /** @type {any} */ value,
                ) => (switches.value = { ...switches.value, [one.id]: value })} />`,
            )}
          </div>
        </details>
      </fieldset>
      <fieldset class="facts">
        <legend>${t("For how long?")}</legend>
        <div class="choices three">
          ${Object.entries(PLANS).map(
            ([kind, name]) => html`
              <label class="choice">
                <input type="radio" name="plan" value=${kind} checked=${plan.value === kind} onChange=${() => choosePlan(kind)} />
                <span class="choice-name" style=${fitStyle(name)}>${name}</span>
              </label>
            `,
          )}
        </div>
        <div class="count-part ${plan.value === "open" ? "is-idle" : ""}">
          <label for="count">${(COUNTS[plan.value] ?? COUNTS.deals).name}</label>
          <input type="number" id="count" min="1" max="500" inputmode="numeric" disabled=${plan.value === "open"} value=${count.value}
            onInput=${(/** @type {any} */ { target }) => (count.value = target.value)} />
          <p class="muted">${plan.value === "rounds" && deals ? t("{n} deals in all", { n: deals }) : "\u00a0"}</p>
        </div>
      </fieldset>
      <div class="terms">
        ${term("chip", t("A chip is worth"), chip, { type: "text", inputmode: "decimal", size: 6 })}
        ${term("currency", t("Currency"), currency, { type: "text", size: 4, maxlength: 12 })}
        ${term("date", t("Date"), date, { class: "is-wide", type: "date", min: "1000-01-01", max: "2999-12-31" })}
        ${term("title", words.open.title, title, { class: "is-wide", type: "text", maxlength: 120 })}
      </div>
      <div class="bar">
        <p class="ask" role="alert">${fault.value?.text}</p>
        <button type="submit" class="confirm">${t("Open the table")}</button>
      </div>
    </form>
  `;
}

/** How a switch is set here: as was chosen, or else as the rules have it. @param {Switch} one @param {SwitchValues} values */
const switchValue = (one, values) => values[one.id] ?? one.stands;

/** Whether a switch can be so. @param {Switch} one @param {any} value */
const isLawful = ({ choices, least, most }, value) =>
  choices || (Number.isInteger(value) && value >= least && value <= most);

/** @param {Switch} one */
const betweenText = ({ least, most }) => t("A number from {least} to {most}.", { least, most });

/** The rules with the contracts as their switches have them. @param {any} rules @param {SwitchValues} values */
function withSwitches(rules, values) {
  /** @type {Map<string, any>} */
  const contracts = new Map(rules.contracts.map((/** @type {any} */ contract) => [contract.id, contract]));
  for (const one of rules.switches) {
    const chosen = (one.choices ?? []).find((/** @type {any} */ choice) => choice.value === switchValue(one, values));
    for (const contract of chosen?.contracts ?? []) contracts.set(contract.id, contract);
  }
  return { ...rules, contracts: [...contracts.values()] };
}

/** One point that a table can agree on: yes or no, one of several, or a number. @param {{ one: Switch, value: any, isInvalid: boolean, onChange: (value: any) => void }} props */
function SwitchField({ one, value, isInvalid, onChange }) {
  const name = words.upper(one.name);
  const usual = (/** @type {string} */ text) => html`<span class="muted"> (${text})</span>`;
  if (typeof one.stands === "boolean" && one.choices) {
    return html`
      <label class="check">
        <input type="checkbox" data-switch=${one.id} checked=${value} onChange=${() => onChange(!value)} />
        <span>${one.name}${one.stands && usual(t("{what}, the usual", { what: t("yes") }))}</span>
      </label>
    `;
  }
  if (one.choices) {
    return html`
      <fieldset class="rule-switch">
        <legend>${name}</legend>
        ${one.choices.map(
          (choice) => html`
            <label class="check">
              <input type="radio" name=${one.id} data-switch=${one.id} value=${choice.value} checked=${choice.value === value} onChange=${() => onChange(choice.value)} />
              <span>${choice.name}${choice.value === one.stands && usual(t("the usual"))}</span>
            </label>
          `,
        )}
      </fieldset>
    `;
  }
  const id = `switch-${one.id}`;
  const nought =
    one.nought && t("At 0: {meaning}", { meaning: one.nought.charAt(0).toLowerCase() + one.nought.slice(1) });
  const hints = [betweenText(one), nought, t("Usually {value}.", { value: one.stands })].filter(Boolean).join(" ");
  return html`
    <div class="rule-switch count-part">
      <label for=${id}>${name}</label>
      <input type="number" id=${id} min=${one.least} max=${one.most} step="1" inputmode="numeric" data-switch=${one.id} aria-describedby="${id}-hints"
        aria-invalid=${isInvalid || null} defaultValue=${value} onInput=${(/** @type {any} */ { target }) => onChange(target.value.trim() === "" ? one.stands : Number(target.value))} />
      <p class="muted" id="${id}-hints">${hints}</p>
    </div>
  `;
}

/** Today as this device has it. */
function localDay() {
  const now = new Date();
  return [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, "0")).join("-");
}

/** The table that was opened last: its opening, and how its players are called; null if there is none. @param {string} [id] */
async function fetchLastTable(id) {
  if (!id) return null;
  try {
    const [page, summary] = await Promise.all([getJson(`/tables/${id}/events?limit=1`), getJson(`/tables/${id}`)]);
    return { ...page.events[0], players: summary.players, names: summary.names };
  } catch {
    return null;
  }
}

const root = /** @type {HTMLElement} */ (document.querySelector("[data-opening]"));
const [last, { members }] = await Promise.all([
  fetchLastTable(root.dataset.last),
  getJson("/members").catch(() => ({ members: [] })),
]);
const part = /** @type {HTMLElement} */ (root.querySelector('[data-part="form"]'));
part.replaceChildren();
render(html`<${NewTableForm} root=${root} members=${members} last=${last} />`, part);
root.removeAttribute("data-waiting");
