/** Opening a table: names are enough, everything else stands as it did last time. */

import { ApiError, getJson, newId, sendRequest } from "../core/api.js";
import { el } from "../core/dom.js";
import { fitText } from "../core/fit-text.js";
import { MIN_PLAYERS, SeatPicker } from "./seat-picker.js";
import { buildTariffTable } from "./tariff.js";
import { formatApiError } from "../core/deal-text.js";
import words from "../messages/evening.js";

const PLAN_KINDS = ["open", "deals", "rounds"];
const DEFAULT_DEALS = 24;
const DEFAULT_ROUNDS = 6;
const PLACEHOLDER_TABLE_ID = "00000000-0000-0000-0000-000000000000";

class NewTableForm {
  constructor(root, words, { members, last }) {
    this.root = root;
    this.words = { ...words.open, upper: words.upper };
    this.pageWords = words;
    this.rulesets = JSON.parse(root.dataset.rulesets);
    this.lastTable = last;
    this.id = newId();
    this.seats = new SeatPicker({ words: this.words, members, last, onChange: () => this.showPlanLength() });
    this.switches = new Map();
    this.form = el("form", { class: "opening-form", novalidate: true, on: { submit: (event) => this.submit(event), input: () => this.clearFault() } }, this.seats.root, this.buildRulesPart(), this.buildPlanPart(), this.buildChipPart(), this.buildSubmitPart());
    this.fillForm();
    root.querySelector('[data-part="form"]').replaceChildren(this.form);
    root.removeAttribute("data-waiting");
  }

  // Rules

  buildRulesPart() {
    const { words } = this;
    this.rulesetSelect = el("select", { id: "ruleset", on: { change: () => this.updateRules() } }, ...this.rulesets.map((one) => el("option", { value: one.id, text: one.name })));
    this.tariff = el("div", { class: "tariff" });
    this.switchesPart = el("div", { class: "rule-switches" });
    return el("fieldset", { class: "facts" },
      el("legend", { text: words.rules }), el("label", { class: "visually-hidden", for: "ruleset", text: words.rules }), this.rulesetSelect,
      el("details", {}, el("summary", { text: words.payments }), this.tariff, this.switchesPart),
    );
  }

  get rules() {
    return this.rulesets.find((one) => one.id === this.rulesetSelect.value);
  }

  updateRules() {
    const { rules, words } = this;
    this.drawTariff();
    const switchFields = rules.switches.map((one) => this.buildSwitch(one));
    this.switchesPart.replaceChildren(...(switchFields.length ? [el("p", { class: "muted", text: words.switches }), ...switchFields] : []));
  }

  /** How a switch is set here: as was chosen, or else as the rules have it. */
  switchValue(one) {
    return this.switches.get(one.id) ?? one.stands;
  }

  setSwitch(one, value) {
    this.switches.set(one.id, value);
    this.drawTariff();
  }

  /** The payments by the rules as they are switched. */
  drawTariff() {
    const changed = new Map();
    for (const one of this.rules.switches) {
      const chosen = (one.choices ?? []).find((choice) => choice.value === this.switchValue(one));
      for (const contract of chosen?.contracts ?? []) changed.set(contract.id, contract);
    }
    const contracts = this.rules.contracts.map((contract) => changed.get(contract.id) ?? contract);
    const addedContracts = [...changed.values()].filter((contract) => !contracts.some((one) => one.id === contract.id));
    this.tariff.replaceChildren(...buildTariffTable({ ...this.rules, contracts: [...contracts, ...addedContracts] }, this.words));
  }

  /** One point that a table can agree on: yes or no, one of several, or a number. */
  buildSwitch(one) {
    const { words } = this;
    if (!one.choices) return this.buildNumberSwitch(one);
    if (typeof one.stands === "boolean") {
      const box = el("input", { type: "checkbox", checked: Boolean(this.switchValue(one)), "data-switch": one.id, on: { change: () => this.setSwitch(one, box.checked) } });
      return el("label", { class: "check" }, box, el("span", {}, one.name, one.stands ? this.buildDefaultHint(words.yes) : null));
    }
    const choices = one.choices.map((choice) => {
      const radio = el("input", { type: "radio", name: one.id, "data-switch": one.id, value: String(choice.value), checked: choice.value === this.switchValue(one), on: { change: () => this.setSwitch(one, choice.value) } });
      return el("label", { class: "check" }, radio, el("span", {}, choice.name, choice.value === one.stands ? this.buildDefaultHint() : null));
    });
    return el("fieldset", { class: "rule-switch" }, el("legend", { text: words.upper(one.name) }), ...choices);
  }

  buildNumberSwitch(one) {
    const { words } = this;
    const id = `switch-${one.id}`;
    const hints = [words.between(one.least, one.most), one.nought ? words.nought(one.nought) : "", words.usually(one.stands)].filter(Boolean).join(" ");
    const input = el("input", { type: "number", id, min: String(one.least), max: String(one.most), step: "1", inputmode: "numeric", "data-switch": one.id, "aria-describedby": `${id}-hints`, value: String(this.switchValue(one)), on: { input: () => this.setSwitch(one, input.value.trim() === "" ? one.stands : Number(input.value)) } });
    return el("div", { class: "rule-switch count-part" }, el("label", { for: id, text: words.upper(one.name) }), input, el("p", { class: "muted", id: `${id}-hints`, text: hints }));
  }

  buildDefaultHint(value) {
    return el("span", { class: "muted", text: ` (${this.words.asRuled(value)})` });
  }

  /** A number that its point cannot be; null where all can stand. */
  get invalidNumberSwitch() {
    return this.rules.switches.find((one) => !one.choices && !(Number.isInteger(this.switchValue(one)) && this.switchValue(one) >= one.least && this.switchValue(one) <= one.most)) ?? null;
  }

  /** The switches that stand otherwise than the ruleset has them; others that the last table had go on. */
  get changedSwitches() {
    const lastSwitches = this.lastTable?.ruleset === this.rules.id ? { ...this.lastTable.switches } : {};
    for (const one of this.rules.switches) {
      delete lastSwitches[one.id];
      if (this.switchValue(one) !== one.stands) lastSwitches[one.id] = this.switchValue(one);
    }
    return lastSwitches;
  }

  // Plan and chips

  buildPlanPart() {
    const { words } = this;
    const choices = PLAN_KINDS.map((plan) =>
      el("label", { class: "choice" }, el("input", { type: "radio", name: "plan", value: plan, on: { change: () => this.setPlan(plan) } }), fitText(el("span", { class: "choice-name", text: words.plans[plan] }))),
    );
    this.count = el("input", { type: "number", id: "count", min: "1", max: "500", inputmode: "numeric", on: { input: () => this.showPlanLength() } });
    this.countName = el("label", { for: "count" });
    this.planLengthLine = el("p", { class: "muted" });
    this.countPart = el("div", { class: "count-part" }, this.countName, this.count, this.planLengthLine);
    return el("fieldset", { class: "facts" }, el("legend", { text: words.plan }), el("div", { class: "choices three" }, ...choices), this.countPart);
  }

  setPlan(plan, count = plan === "deals" ? DEFAULT_DEALS : DEFAULT_ROUNDS) {
    this.plan = plan;
    this.form.querySelector(`[name="plan"][value="${plan}"]`).checked = true;
    this.countPart.classList.toggle("is-idle", plan === "open");
    this.count.disabled = plan === "open";
    this.countName.textContent = this.words.count[plan] ?? this.words.count.deals;
    this.count.value = plan === "open" ? "" : String(count);
    this.showPlanLength();
  }

  /** The number of deals; null if none is agreed. In a round every player at the table deals once. */
  get deals() {
    const count = Number(this.count.value);
    if (this.plan === "open" || !Number.isInteger(count) || count < 1) return null;
    return this.plan === "deals" ? count : count * Math.max(MIN_PLAYERS, this.seats.players.length);
  }

  showPlanLength() {
    if (!this.planLengthLine) return;
    this.planLengthLine.textContent = this.plan === "rounds" && this.deals ? this.words.comesTo(this.deals) : "\u00a0";
  }

  buildChipPart() {
    const { words } = this;
    this.chipValueField = el("input", { type: "text", id: "chip", inputmode: "decimal", autocomplete: "off", size: "6" });
    this.currency = el("input", { type: "text", id: "currency", autocomplete: "off", size: "4", maxlength: "12" });
    this.date = el("input", { type: "date", id: "date", min: "1000-01-01", max: "2999-12-31", value: localDay() });
    this.title = el("input", { type: "text", id: "title", autocomplete: "off", maxlength: "120" });
    return el("div", { class: "terms" },
      el("div", {}, el("label", { for: "chip", text: words.chip }), this.chipValueField),
      el("div", {}, el("label", { for: "currency", text: words.currency }), this.currency),
      el("div", { class: "is-wide" }, el("label", { for: "date", text: words.date }), this.date),
      el("div", { class: "is-wide" }, el("label", { for: "title", text: words.title }), this.title),
    );
  }

  buildSubmitPart() {
    this.message = el("p", { class: "ask", role: "alert" });
    this.button = el("button", { type: "submit", class: "confirm", text: this.words.open });
    return el("div", { class: "bar" }, this.message, this.button);
  }

  /** What the last table had, or else what is usual. */
  fillForm() {
    const { lastTable: last } = this;
    const known = last && this.rulesets.some((one) => one.id === last.ruleset);
    this.rulesetSelect.value = known ? last.ruleset : this.root.dataset.usual;
    if (known) for (const [name, value] of Object.entries(last.switches ?? {})) this.switches.set(name, value);
    this.updateRules();
    const deals = last?.plan?.deals;
    this.setPlan(deals ? "deals" : "open", deals);
    this.chipValueField.value = this.words.decimal(last?.chip_value ?? "");
    this.currency.value = last?.currency ?? this.words.usualCurrency;
  }

  // Sending

  /** What is wrong first, as `[sentence, field]`; null where nothing is. */
  findFault() {
    const { words } = this;
    const { players, fields } = this.seats;
    if (players.length < MIN_PLAYERS) return [words.tooFew, fields.find((field) => !field.value.trim())];
    const duplicate = players.find((one, index) => players.findIndex((other) => other.id === one.id) < index);
    if (duplicate) return [words.twice(duplicate.name), fields.findLast((field) => field.value.trim() === duplicate.name)];
    const invalid = this.invalidNumberSwitch;
    if (invalid) return [`${words.upper(invalid.name)}: ${words.between(invalid.least, invalid.most)}`, this.switchesPart.querySelector(`[data-switch="${CSS.escape(invalid.id)}"]`)];
    return this.chipValue === null ? [words.badValue, this.chipValueField] : null;
  }

  /** Says what is wrong, and leads to where it is. */
  showFault([sentence, field]) {
    this.message.textContent = sentence;
    for (let ancestor = field.closest("details"); ancestor; ancestor = ancestor.parentElement.closest("details")) ancestor.open = true;
    field.setAttribute("aria-invalid", "true");
    field.focus();
  }

  /** What was said to be wrong is being corrected. */
  clearFault() {
    this.message.textContent = "";
    for (const field of this.form.querySelectorAll("[aria-invalid]")) field.removeAttribute("aria-invalid");
  }

  /** What a chip is worth, as the record writes it; "" if there is none, null if it cannot be read. */
  get chipValue() {
    const text = this.chipValueField.value.trim().replace(",", ".");
    return text === "" || (/^\d{1,9}(\.\d{1,4})?$/.test(text) && Number(text) > 0) ? text : null;
  }

  buildTableOpened() {
    const { deals, chipValue, changedSwitches } = this;
    return {
      type: "table_opened", id: this.id, ruleset: this.rules.id, players: this.seats.players.map((one) => one.id),
      ...(Object.keys(changedSwitches).length ? { switches: changedSwitches } : {}),
      ...(deals ? { plan: { deals } } : {}),
      ...(chipValue ? { chip_value: chipValue, ...(this.currency.value.trim() ? { currency: this.currency.value.trim() } : {}) } : {}),
      ...(this.date.value ? { date: this.date.value } : {}),
      ...(this.title.value.trim() ? { title: this.title.value.trim() } : {}),
    };
  }

  async submit(event) {
    event.preventDefault();
    if (this.sending) return;
    const fault = this.findFault();
    if (fault) {
      this.showFault(fault);
      return;
    }
    this.sending = true;
    try {
      await sendRequest("POST", "/tables", this.buildTableOpened());
      location.assign(this.root.dataset.tableUrl.replace(PLACEHOLDER_TABLE_ID, this.id));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      // Under this id something else may be there by now; a table with other terms is another table.
      if (error.status === 409) this.id = newId();
      this.message.textContent = formatApiError(this.pageWords, error);
    } finally {
      this.sending = false;
    }
  }
}

/** Today as this device has it. */
function localDay() {
  const now = new Date();
  return [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, "0")).join("-");
}

/** The table that was opened last: its opening, and how its players are called; null if there is none. */
async function fetchLastTable(id) {
  if (!id) return null;
  try {
    const [page, summary] = await Promise.all([getJson(`/tables/${id}/events?limit=1`), getJson(`/tables/${id}`)]);
    return { ...page.events[0], players: summary.players, names: summary.names };
  } catch {
    return null;
  }
}

async function start(root) {
  const [last, membersList] = await Promise.all([fetchLastTable(root.dataset.last), getJson("/members").catch(() => ({ members: [] }))]);
  new NewTableForm(root, words, { members: membersList.members, last });
}

for (const root of document.querySelectorAll("[data-opening]")) start(root);
