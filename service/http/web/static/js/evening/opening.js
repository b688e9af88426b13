/** Opening a table: names are enough, everything else stands as it did last time. */

import { Refused, asked, newId, sent } from "../core/api.js";
import { el } from "../core/dom.js";
import { fitted } from "../core/fitting.js";
import { FEWEST, Seats } from "./opening-seats.js";
import { tariffTable } from "./tariff.js";
import { refusalTold } from "../core/told.js";

const PLANS = ["open", "deals", "rounds"];
const USUAL_DEALS = 24;
const USUAL_ROUNDS = 6;
const NO_TABLE = "00000000-0000-0000-0000-000000000000";

class Opening {
  constructor(root, words, { members, last }) {
    this.root = root;
    this.words = { ...words.open, upper: words.upper };
    this.all = words;
    this.rulesets = JSON.parse(root.dataset.rulesets);
    this.last = last;
    this.id = newId();
    this.seats = new Seats({ words: this.words, members, last, changed: () => this.tellPlan() });
    this.switches = new Map();
    this.form = el("form", { class: "opening-form", novalidate: true, on: { submit: (event) => this.submit(event), input: () => this.unpoint() } }, this.seats.root, this.rulesPart(), this.planPart(), this.chipPart(), this.endPart());
    this.fill();
    root.querySelector('[data-part="form"]').replaceChildren(this.form);
    root.removeAttribute("data-waiting");
  }

  // Rules

  rulesPart() {
    const { words } = this;
    this.choice = el("select", { id: "ruleset", on: { change: () => this.ruled() } }, ...this.rulesets.map((one) => el("option", { value: one.id, text: one.name })));
    this.tariff = el("div", { class: "tariff" });
    this.agreed = el("div", { class: "agreed" });
    return el("fieldset", { class: "facts" },
      el("legend", { text: words.rules }), el("label", { class: "unseen", for: "ruleset", text: words.rules }), this.choice,
      el("details", {}, el("summary", { text: words.payments }), this.tariff, this.agreed),
    );
  }

  get rules() {
    return this.rulesets.find((one) => one.id === this.choice.value);
  }

  ruled() {
    const { rules, words } = this;
    this.drawTariff();
    const asked = rules.switches.map((one) => this.switchPart(one));
    this.agreed.replaceChildren(...(asked.length ? [el("p", { class: "quiet", text: words.switches }), ...asked] : []));
  }

  /** How a switch is set here: as was chosen, or else as the rules have it. */
  setting(one) {
    return this.switches.get(one.id) ?? one.stands;
  }

  set(one, value) {
    this.switches.set(one.id, value);
    this.drawTariff();
  }

  /** The payments by the rules as they are switched. */
  drawTariff() {
    const changed = new Map();
    for (const one of this.rules.switches) {
      const chosen = (one.choices ?? []).find((choice) => choice.value === this.setting(one));
      for (const contract of chosen?.contracts ?? []) changed.set(contract.id, contract);
    }
    const contracts = this.rules.contracts.map((contract) => changed.get(contract.id) ?? contract);
    const more = [...changed.values()].filter((contract) => !contracts.some((one) => one.id === contract.id));
    this.tariff.replaceChildren(...tariffTable({ ...this.rules, contracts: [...contracts, ...more] }, this.words));
  }

  /** One point that a table can agree on: yes or no, one of several, or a number. */
  switchPart(one) {
    const { words } = this;
    if (!one.choices) return this.numberPart(one);
    if (typeof one.stands === "boolean") {
      const box = el("input", { type: "checkbox", checked: Boolean(this.setting(one)), "data-switch": one.id, on: { change: () => this.set(one, box.checked) } });
      return el("label", { class: "check" }, box, el("span", {}, one.name, one.stands ? this.usual(words.yes) : null));
    }
    const choices = one.choices.map((choice) => {
      const radio = el("input", { type: "radio", name: one.id, "data-switch": one.id, value: String(choice.value), checked: choice.value === this.setting(one), on: { change: () => this.set(one, choice.value) } });
      return el("label", { class: "check" }, radio, el("span", {}, choice.name, choice.value === one.stands ? this.usual() : null));
    });
    return el("fieldset", { class: "point" }, el("legend", { text: words.upper(one.name) }), ...choices);
  }

  numberPart(one) {
    const { words } = this;
    const id = `switch-${one.id}`;
    const told = [words.between(one.least, one.most), one.nought ? words.nought(one.nought) : "", words.usually(one.stands)].filter(Boolean).join(" ");
    const input = el("input", { type: "number", id, min: String(one.least), max: String(one.most), step: "1", inputmode: "numeric", "data-switch": one.id, "aria-describedby": `${id}-told`, value: String(this.setting(one)), on: { input: () => this.set(one, input.value.trim() === "" ? one.stands : Number(input.value)) } });
    return el("div", { class: "point counted" }, el("label", { for: id, text: words.upper(one.name) }), input, el("p", { class: "quiet", id: `${id}-told`, text: told }));
  }

  usual(what) {
    return el("span", { class: "quiet", text: ` (${this.words.asRuled(what)})` });
  }

  /** A number that its point cannot be; null where all can stand. */
  get badNumber() {
    return this.rules.switches.find((one) => !one.choices && !(Number.isInteger(this.setting(one)) && this.setting(one) >= one.least && this.setting(one) <= one.most)) ?? null;
  }

  /** The switches that stand otherwise than the ruleset has them; others that the last table had go on. */
  get settings() {
    const own = this.last?.ruleset === this.rules.id ? { ...this.last.switches } : {};
    for (const one of this.rules.switches) {
      delete own[one.id];
      if (this.setting(one) !== one.stands) own[one.id] = this.setting(one);
    }
    return own;
  }

  // Plan and chips

  planPart() {
    const { words } = this;
    const choices = PLANS.map((plan) =>
      el("label", { class: "choice" }, el("input", { type: "radio", name: "plan", value: plan, on: { change: () => this.planned(plan) } }), fitted(el("span", { class: "choice-name", text: words.plans[plan] }))),
    );
    this.count = el("input", { type: "number", id: "count", min: "1", max: "500", inputmode: "numeric", on: { input: () => this.tellPlan() } });
    this.countName = el("label", { for: "count" });
    this.comesTo = el("p", { class: "quiet" });
    this.counted = el("div", { class: "counted" }, this.countName, this.count, this.comesTo);
    return el("fieldset", { class: "facts" }, el("legend", { text: words.plan }), el("div", { class: "choices three" }, ...choices), this.counted);
  }

  planned(plan, count = plan === "deals" ? USUAL_DEALS : USUAL_ROUNDS) {
    this.plan = plan;
    this.form.querySelector(`[name="plan"][value="${plan}"]`).checked = true;
    this.counted.classList.toggle("is-idle", plan === "open");
    this.count.disabled = plan === "open";
    this.countName.textContent = this.words.count[plan] ?? this.words.count.deals;
    this.count.value = plan === "open" ? "" : String(count);
    this.tellPlan();
  }

  /** So many deals; null where none are agreed on. A round is a deal of each who sits at the table. */
  get deals() {
    const count = Number(this.count.value);
    if (this.plan === "open" || !Number.isInteger(count) || count < 1) return null;
    return this.plan === "deals" ? count : count * Math.max(FEWEST, this.seats.players.length);
  }

  tellPlan() {
    if (!this.comesTo) return;
    this.comesTo.textContent = this.plan === "rounds" && this.deals ? this.words.comesTo(this.deals) : "\u00a0";
  }

  chipPart() {
    const { words } = this;
    this.value = el("input", { type: "text", id: "chip", inputmode: "decimal", autocomplete: "off", size: "6" });
    this.currency = el("input", { type: "text", id: "currency", autocomplete: "off", size: "4", maxlength: "12" });
    this.title = el("input", { type: "text", id: "title", autocomplete: "off", maxlength: "120" });
    return el("div", { class: "terms" },
      el("div", {}, el("label", { for: "chip", text: words.chip }), this.value),
      el("div", {}, el("label", { for: "currency", text: words.currency }), this.currency),
      el("div", { class: "is-wide" }, el("label", { for: "title", text: words.title }), this.title),
    );
  }

  endPart() {
    this.message = el("p", { class: "ask", role: "alert" });
    this.button = el("button", { type: "submit", class: "confirm", text: this.words.open });
    return el("div", { class: "bar" }, this.message, this.button);
  }

  /** What the last table had, or else what is usual. */
  fill() {
    const { last } = this;
    const known = last && this.rulesets.some((one) => one.id === last.ruleset);
    this.choice.value = known ? last.ruleset : this.root.dataset.usual;
    if (known) for (const [name, value] of Object.entries(last.switches ?? {})) this.switches.set(name, value);
    this.ruled();
    const deals = last?.plan?.deals;
    this.planned(deals ? "deals" : "open", deals);
    this.value.value = (last?.chip_value ?? "").replace(".", document.documentElement.lang === "da" ? "," : ".");
    this.currency.value = last?.currency ?? this.words.usualCurrency;
  }

  // Sending

  /** What is amiss first, as `[sentence, field]`; null where nothing is. */
  fault() {
    const { words } = this;
    const { players, fields } = this.seats;
    if (players.length < FEWEST) return [words.tooFew, fields.find((field) => !field.value.trim())];
    const twice = players.find((one, place) => players.findIndex((other) => other.id === one.id) < place);
    if (twice) return [words.twice(twice.name), fields.findLast((field) => field.value.trim() === twice.name)];
    const bad = this.badNumber;
    if (bad) return [`${words.upper(bad.name)}: ${words.between(bad.least, bad.most)}`, this.agreed.querySelector(`[data-switch="${CSS.escape(bad.id)}"]`)];
    return this.worth === null ? [words.badValue, this.value] : null;
  }

  /** Says what is amiss, and leads to where it is. */
  point([sentence, field]) {
    this.message.textContent = sentence;
    for (let around = field.closest("details"); around; around = around.parentElement.closest("details")) around.open = true;
    field.setAttribute("aria-invalid", "true");
    field.focus();
  }

  /** What was said to be amiss is being mended. */
  unpoint() {
    this.message.textContent = "";
    for (const field of this.form.querySelectorAll("[aria-invalid]")) field.removeAttribute("aria-invalid");
  }

  /** What a chip is worth, as the record writes it; "" where nothing is said, null where it cannot be read. */
  get worth() {
    const text = this.value.value.trim().replace(",", ".");
    return text === "" || (/^\d{1,9}(\.\d{1,4})?$/.test(text) && Number(text) > 0) ? text : null;
  }

  event() {
    const { deals, worth, settings } = this;
    return {
      type: "table_opened", id: this.id, ruleset: this.rules.id, players: this.seats.players.map((one) => one.id),
      ...(Object.keys(settings).length ? { switches: settings } : {}),
      ...(deals ? { plan: { deals } } : {}),
      ...(worth ? { chip_value: worth, ...(this.currency.value.trim() ? { currency: this.currency.value.trim() } : {}) } : {}),
      ...(this.title.value.trim() ? { title: this.title.value.trim() } : {}),
    };
  }

  async submit(event) {
    event.preventDefault();
    if (this.sending) return;
    const fault = this.fault();
    if (fault) {
      this.point(fault);
      return;
    }
    this.sending = true;
    try {
      await sent("POST", "/tables", this.event());
      location.assign(this.root.dataset.tableUrl.replace(NO_TABLE, this.id));
    } catch (refused) {
      if (!(refused instanceof Refused)) throw refused;
      // Under this id something else may be there by now; a table with other terms is another table.
      if (refused.status === 409) this.id = newId();
      this.message.textContent = refusalTold(this.all, refused);
    } finally {
      this.sending = false;
    }
  }
}

/** The table that was opened last: its opening, and how its players are called; null if there is none. */
async function lastTable(id) {
  if (!id) return null;
  try {
    const [page, summary] = await Promise.all([asked(`/tables/${id}/events?limit=1`), asked(`/tables/${id}`)]);
    return { ...page.events[0], players: summary.players, names: summary.names };
  } catch {
    return null;
  }
}

async function start(root) {
  const danish = document.documentElement.lang.startsWith("da");
  const [{ default: words }, last, told] = await Promise.all([
    import(danish ? "../messages/evening-da.js" : "../messages/evening-en.js"), lastTable(root.dataset.last), asked("/members").catch(() => ({ members: [] })),
  ]);
  new Opening(root, words, { members: told.members, last });
}

for (const root of document.querySelectorAll("[data-opening]")) start(root);
