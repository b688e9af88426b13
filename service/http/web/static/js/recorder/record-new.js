/** Where a deal alone is begun: by which rules, who plays, who dealt. */

import { asked, newId, Refused } from "../core/api.js";
import { Callings } from "../core/callings.js";
import { el } from "../core/dom.js";
import { beginAlone, keepOpening } from "./record-begin.js";
import { keptBeginning, keepBeginning } from "./record-keeping.js";
import { refusalTold } from "../core/told.js";

const NO_DEAL = "00000000-0000-0000-0000-000000000000";
const SEATS = ["forehand", "middlehand", "backhand"];

class NewDeal {
  constructor(root, words, members) {
    Object.assign(this, { root, words, told: words.record.alone, callings: new Callings(members) });
    this.id = newId();
    this.rulesets = JSON.parse(root.dataset.rulesets);
    this.choice = el("select", { id: "rules", on: { change: () => this.ruled() } }, ...this.rulesets.map((one) => el("option", { value: one.id, text: one.name })));
    this.choice.value = root.dataset.usual;
    this.seats = Object.fromEntries(SEATS.map((seat) => [seat, this.name(seat, this.told[seat], () => this.offerDealers())]));
    this.sitting = this.name("sitting", this.told.sitting, () => this.offerDealers());
    this.title = this.name("title", words.open.title, () => {});
    this.dealer = el("select", { id: "dealer" });
    this.pool = el("input", { type: "text", id: "pool", inputmode: "numeric", autocomplete: "off" });
    this.poolPart = this.field("pool", this.told.pool, this.pool);
    this.fault = el("p", { class: "ask", role: "alert" });
    const known = el("datalist", { id: "members" }, ...members.map((one) => el("option", { value: this.callings.called(one.id) })));
    const form = el("form", { class: "opening-form", on: { submit: (event) => this.submit(event) } },
      ...SEATS.map((seat) => this.seats[seat].root), this.sitting.root, this.field("dealer", this.told.dealer, this.dealer),
      this.field("rules", words.open.rules, this.choice), this.poolPart, this.title.root, known,
      el("div", { class: "bar" }, this.fault, el("button", { type: "submit", class: "confirm", text: this.told.begin })));
    root.querySelector('[data-part="form"]').replaceChildren(form);
    this.ruled();
    this.offerDealers();
    root.removeAttribute("data-waiting");
  }

  field(id, label, field) {
    return el("div", { class: "pad-field" }, el("label", { for: id, text: label }), field);
  }

  name(id, label, changed) {
    const field = el("input", { type: "text", id, maxlength: "120", autocomplete: "off", list: id === "title" ? null : "members", on: { input: changed } });
    return { field, root: this.field(id, label, field) };
  }

  get rules() {
    return this.rulesets.find((one) => one.id === this.choice.value);
  }

  ruled() {
    this.poolPart.hidden = !this.rules.pool;
    this.pool.value = this.rules.pool ? String(this.rules.stake) : "";
  }

  offerDealers() {
    const chosen = this.dealer.value;
    const names = [...SEATS.map((seat) => this.seats[seat]), this.sitting].map(({ field }) => field.value.trim()).filter(Boolean);
    this.dealer.replaceChildren(el("option", { value: "", text: this.words.record.unsaid }), ...names.map((one) => el("option", { value: one, text: one })));
    this.dealer.value = names.includes(chosen) ? chosen : "";
  }

  /** A member is named by his id, whoever else by his name. */
  player(name) {
    return this.callings.meant(name) ?? name;
  }

  event() {
    const names = Object.fromEntries(SEATS.map((seat) => [seat, this.player(this.seats[seat].field.value.trim())]));
    const out = this.sitting.field.value.trim();
    const title = this.title.field.value.trim();
    return {
      type: "deal_opened", id: this.id, ruleset: this.rules.id, players: { ...names, ...(out ? { sitting_out: [this.player(out)] } : {}) },
      ...(this.dealer.value ? { dealer: this.player(this.dealer.value) } : {}), ...(title ? { title } : {}),
      ...(this.rules.pool ? { pool: Number(this.pool.value) } : {}),
    };
  }

  faultIn(event) {
    const names = [...SEATS.map((seat) => event.players[seat]), ...(event.players.sitting_out ?? [])];
    if (names.slice(0, 3).some((name) => !name)) return this.words.open.tooFew;
    const twice = names.find((name, place) => names.indexOf(name) < place);
    if (twice) return this.words.open.twice(twice);
    return "pool" in event && !(Number.isInteger(event.pool) && event.pool >= 0) ? `${this.words.record.someWrong} ${this.told.pool}` : "";
  }

  /** Keeps what its recorder needs, where the deal waits to be stored. */
  keep(opening) {
    const { rules, addresses } = JSON.parse(this.root.dataset.begun);
    const sitting = [...SEATS.map((seat) => opening.players[seat]), ...(opening.players.sitting_out ?? []), opening.dealer];
    const names = Object.fromEntries(this.callings.members.filter((one) => sitting.includes(one.id)).map((one) => [one.id, this.callings.called(one.id)]));
    return keepOpening(opening, {
      begun: { ...rules[opening.ruleset], addresses }, called: (player) => names[player] ?? player, names, heading: opening.title ?? this.words.record.heading, data: { mayOpen: "" },
    });
  }

  async submit(submitted) {
    submitted.preventDefault();
    if (this.sending) return;
    const event = this.event();
    this.fault.textContent = this.faultIn(event);
    if (this.fault.textContent) return;
    this.sending = true;
    try {
      await beginAlone(event, { reached: navigator.onLine, keep: () => this.keep(event) });
      location.assign(this.root.dataset.recordUrl.replace(NO_DEAL, this.id));
    } catch (refused) {
      if (!(refused instanceof Refused)) throw refused;
      this.id = newId();
      this.fault.textContent = refusalTold(this.words, refused);
    } finally {
      this.sending = false;
    }
  }
}

async function start(root) {
  const { lang } = document.documentElement;
  const danish = lang.startsWith("da");
  // Made without the service, the page has the rules as this device keeps them.
  if (!root.dataset.rulesets) Object.assign(root.dataset, await keptBeginning(lang));
  else await keepBeginning(lang, { rulesets: root.dataset.rulesets, usual: root.dataset.usual, begun: root.dataset.begun });
  const [{ default: words }, told] = await Promise.all([import(danish ? "../messages/record-da.js" : "../messages/record-en.js"), asked("/members").catch(() => ({ members: [] }))]);
  if (root.dataset.rulesets) new NewDeal(root, words, told.members);
  else root.querySelector('[data-part="form"] .lead').textContent = words.record.notKeptNew;
}

for (const root of document.querySelectorAll("[data-new-deal]")) start(root);
