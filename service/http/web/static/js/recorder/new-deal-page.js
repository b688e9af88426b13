/** Starts a single deal: its rules, players and dealer. */

import { getJson, newId, ApiError } from "../core/api.js";
import { MemberDisplayNames } from "../core/member-display-names.js";
import { el } from "../core/dom.js";
import { startDealWithoutTable, cacheDealOpening } from "./deal-start.js";
import { readCachedNewDealPage, cacheNewDealPage } from "./cached-deals.js";
import { formatApiError } from "../core/deal-text.js";
import words from "../messages/recorder.js";

const PLACEHOLDER_DEAL_ID = "00000000-0000-0000-0000-000000000000";
const SEATS = ["forehand", "middlehand", "backhand"];

class NewDealForm {
  constructor(root, words, members) {
    Object.assign(this, { root, words, dealWords: words.record.alone, displayNames: new MemberDisplayNames(members) });
    this.id = newId();
    this.rulesets = JSON.parse(root.dataset.rulesets);
    this.rulesetSelect = el("select", { id: "rules", on: { change: () => this.updatePool() } }, ...this.rulesets.map((one) => el("option", { value: one.id, text: one.name })));
    this.rulesetSelect.value = root.dataset.usual;
    this.seats = Object.fromEntries(SEATS.map((seat) => [seat, this.buildNameField(seat, this.dealWords[seat], () => this.offerDealers())]));
    this.sittingOut = this.buildNameField("sitting", this.dealWords.sitting, () => this.offerDealers());
    this.title = this.buildNameField("title", words.open.title, () => {});
    this.dealer = el("select", { id: "dealer" });
    this.pool = el("input", { type: "text", id: "pool", inputmode: "numeric", autocomplete: "off" });
    this.poolPart = this.buildField("pool", this.dealWords.pool, this.pool);
    this.fault = el("p", { class: "ask", role: "alert" });
    const suggestions = el("datalist", { id: "members" }, ...members.map((one) => el("option", { value: this.displayNames.displayName(one.id) })));
    const form = el("form", { class: "opening-form", on: { submit: (event) => this.submit(event) } },
      ...SEATS.map((seat) => this.seats[seat].root), this.sittingOut.root, this.buildField("dealer", this.dealWords.dealer, this.dealer),
      this.buildField("rules", words.open.rules, this.rulesetSelect), this.poolPart, this.title.root, suggestions,
      el("div", { class: "bar" }, this.fault, el("button", { type: "submit", class: "confirm", text: this.dealWords.begin })));
    root.querySelector('[data-part="form"]').replaceChildren(form);
    this.updatePool();
    this.offerDealers();
    root.removeAttribute("data-waiting");
  }

  buildField(id, label, field) {
    return el("div", { class: "pad-field" }, el("label", { for: id, text: label }), field);
  }

  buildNameField(id, label, changed) {
    const field = el("input", { type: "text", id, maxlength: "120", autocomplete: "off", list: id === "title" ? null : "members", on: { input: changed } });
    return { field, root: this.buildField(id, label, field) };
  }

  get rules() {
    return this.rulesets.find((one) => one.id === this.rulesetSelect.value);
  }

  updatePool() {
    this.poolPart.hidden = !this.rules.pool;
    this.pool.value = this.rules.pool ? String(this.rules.stake) : "";
  }

  offerDealers() {
    const chosen = this.dealer.value;
    const names = [...SEATS.map((seat) => this.seats[seat]), this.sittingOut].map(({ field }) => field.value.trim()).filter(Boolean);
    this.dealer.replaceChildren(el("option", { value: "", text: this.words.record.notGiven }), ...names.map((one) => el("option", { value: one, text: one })));
    this.dealer.value = names.includes(chosen) ? chosen : "";
  }

  /** The id of a member, the name of anybody else. */
  playerId(name) {
    return this.displayNames.findMemberId(name) ?? name;
  }

  buildOpening() {
    const names = Object.fromEntries(SEATS.map((seat) => [seat, this.playerId(this.seats[seat].field.value.trim())]));
    const sittingOutName = this.sittingOut.field.value.trim();
    const title = this.title.field.value.trim();
    return {
      type: "deal_opened", id: this.id, ruleset: this.rules.id, players: { ...names, ...(sittingOutName ? { sitting_out: [this.playerId(sittingOutName)] } : {}) },
      ...(this.dealer.value ? { dealer: this.playerId(this.dealer.value) } : {}), ...(title ? { title } : {}),
      ...(this.rules.pool ? { pool: Number(this.pool.value) } : {}),
    };
  }

  findFault(event) {
    const names = [...SEATS.map((seat) => event.players[seat]), ...(event.players.sitting_out ?? [])];
    if (names.slice(0, 3).some((name) => !name)) return this.words.open.tooFew;
    const duplicate = names.find((name, index) => names.indexOf(name) < index);
    if (duplicate) return this.words.open.twice(duplicate);
    return "pool" in event && !(Number.isInteger(event.pool) && event.pool >= 0) ? `${this.words.record.someWrong} ${this.dealWords.pool}` : "";
  }

  /** Keeps what its recorder needs, where the deal waits to be stored. */
  cacheOpening(opening) {
    const { rules, addresses } = JSON.parse(this.root.dataset.begun);
    const seated = [...SEATS.map((seat) => opening.players[seat]), ...(opening.players.sitting_out ?? []), opening.dealer];
    const names = Object.fromEntries(this.displayNames.members.filter((one) => seated.includes(one.id)).map((one) => [one.id, this.displayNames.displayName(one.id)]));
    return cacheDealOpening(opening, {
      dealStart: { ...rules[opening.ruleset], addresses }, displayName: (player) => names[player] ?? player, names, heading: opening.title ?? this.words.record.heading, data: { mayOpen: "" },
    });
  }

  async submit(submitted) {
    submitted.preventDefault();
    if (this.sending) return;
    const event = this.buildOpening();
    this.fault.textContent = this.findFault(event);
    if (this.fault.textContent) return;
    this.sending = true;
    try {
      await startDealWithoutTable(event, { isReachable: navigator.onLine, cacheOpening: () => this.cacheOpening(event) });
      location.assign(this.root.dataset.recordUrl.replace(PLACEHOLDER_DEAL_ID, this.id));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.id = newId();
      this.fault.textContent = formatApiError(this.words, error);
    } finally {
      this.sending = false;
    }
  }
}

async function start(root) {
  const { lang } = document.documentElement;
  // Made without the service, the page has the rules as this device keeps them.
  if (!root.dataset.rulesets) Object.assign(root.dataset, await readCachedNewDealPage(lang));
  else await cacheNewDealPage(lang, { rulesets: root.dataset.rulesets, usual: root.dataset.usual, begun: root.dataset.begun });
  const membersList = await getJson("/members").catch(() => ({ members: [] }));
  if (root.dataset.rulesets) new NewDealForm(root, words, membersList.members);
  else root.querySelector('[data-part="form"] .lead').textContent = words.record.notKeptNew;
}

for (const root of document.querySelectorAll("[data-new-deal]")) start(root);
