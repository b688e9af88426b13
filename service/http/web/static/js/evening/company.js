/** Who sits round the table: somebody comes, somebody goes home, another deals next. Written as events of the table. */

import { asked, newId } from "../core/api.js";
import { Callings } from "../core/callings.js";
import { joinTable, leaveTable, setDealer, takeBack } from "../slips/entries.js";
import { el } from "../core/dom.js";
import { refusalTold } from "../core/told.js";

const FEWEST = 3;
const MOST = 6;

export class Company {
  /** `offersMembers`: whether the reader may see the club's list of members. */
  constructor({ evening, words, offersMembers }) {
    Object.assign(this, { evening, all: words, words: words.company, offersMembers });
    this.members = [];
    this.told = el("summary", {});
    this.list = el("ul", { class: "company-list" });
    this.name = el("input", { type: "text", id: "comes", maxlength: "80", autocomplete: "off", autocapitalize: "words" });
    this.offered = el("div", { class: "choices three" });
    this.place = el("select", { id: "sits-after" });
    this.coming = el("form", { class: "coming", on: { submit: (event) => this.join(event) } },
      el("label", { for: "comes", text: this.words.comes }), this.name, this.offered,
      el("label", { for: "sits-after", text: this.words.after }), this.place,
      el("p", {}, el("button", { type: "submit", class: "worded", text: this.words.sit })));
    this.dealer = el("select", { id: "deals-next" });
    this.dealing = el("form", { class: "coming", on: { submit: (event) => this.appoint(event) } },
      el("label", { for: "deals-next", text: this.words.dealer }), this.dealer,
      el("p", {}, el("button", { type: "submit", class: "worded", text: this.words.appoint })));
    this.status = el("p", { class: "ask", role: "status" });
    const details = el("details", { on: { toggle: () => details.open && this.offer() } }, this.told, this.list, this.coming, this.dealing);
    this.root = el("div", { class: "company" }, details, this.status);
    this.leaving = null;
    this.kept = new Map();
    evening.addEventListener("change", () => this.draw());
    this.draw();
  }

  get players() {
    return this.evening.ledger.players;
  }

  draw() {
    const { evening, words, players } = this;
    const names = players.map((player) => evening.called(player));
    this.told.textContent = words.heading(this.all.listed(names));
    const key = JSON.stringify([players, names, this.leaving, evening.ledger.following, this.members.length]);
    if (key === this.drawn) return;
    this.drawn = key;
    this.list.replaceChildren(...players.map((player) => this.item(player)));
    this.coming.hidden = players.length >= MOST;
    this.choose(this.place, players.map((player) => [player, evening.called(player)]), players.at(-1));
    const { following } = evening.ledger;
    this.dealing.hidden = following.length !== 1;
    if (following.length === 1) this.choose(this.dealer, players.map((player) => [player, evening.called(player)]), following[0].seating.dealer);
    this.drawOffered();
  }

  item(player) {
    const { words } = this;
    const name = this.evening.called(player);
    if (this.leaving !== player) {
      return el("li", {}, el("span", { text: name }),
        el("button", { type: "button", class: "worded", "aria-label": words.leavesNamed(name), "data-leaves": player, text: words.leaves, on: { click: () => this.ask(player) } }));
    }
    const yes = el("button", { type: "button", class: "worded is-main", "data-leaves": "yes", text: words.yes, on: { click: () => this.leave(player) } });
    const no = el("button", { type: "button", class: "worded", text: words.no, on: { click: () => this.ask(null) } });
    const few = this.players.length <= FEWEST ? ` ${words.tooFewThen}` : "";
    return el("li", { class: "is-asked" }, el("span", { text: words.askLeave(name) + few }), el("span", { class: "mending-ways" }, yes, no));
  }

  choose(select, choices, chosen) {
    select.replaceChildren(...choices.map(([value, text]) => el("option", { value, text, selected: value === chosen })));
  }

  /** Whoever was here before, and the members of the club, are a tap away. */
  drawOffered() {
    const gone = Object.keys(this.evening.ledger.totals).map((id) => ({ id, name: this.evening.called(id) }));
    const known = new Map([...gone, ...this.members].map((one) => [one.id, one]));
    for (const player of this.players) known.delete(player);
    this.offers = [...known.values()];
    this.offered.hidden = !known.size;
    this.offered.replaceChildren(...this.offers.map((one) =>
      el("button", { type: "button", class: "choice", text: one.name, on: { click: () => { this.name.value = one.name; this.name.focus(); } } })));
  }

  async offer() {
    if (!this.offersMembers || this.members.length) return;
    const told = await asked("/members").catch(() => ({ members: [] }));
    const callings = new Callings(told.members);
    this.members = told.members.map((one) => ({ id: one.id, name: callings.called(one.id), full: one.name }));
    this.draw();
  }

  ask(player) {
    const before = this.leaving;
    this.leaving = player;
    this.say("");
    this.draw();
    const focus = player ? '[data-leaves="yes"]' : `[data-leaves="${CSS.escape(before ?? "")}"]`;
    this.list.querySelector(focus)?.focus();
  }

  async leave(player) {
    const name = this.evening.called(player);
    if (await this.trying(`leave ${player}`, (id) => leaveTable(this.evening, id, player), this.words.gone(name))) {
      this.leaving = null;
      this.draw();
      this.told.focus();
    }
  }

  async join(event) {
    event.preventDefault();
    const { words } = this;
    const name = this.name.value.trim();
    const player = this.offers.find((one) => one.name === name || one.full === name)?.id ?? name;
    if (!player) return this.say(words.nameless, this.name);
    if (this.players.some((one) => one === player || this.evening.called(one) === name)) return this.say(words.sitsHere(name), this.name);
    const after = this.players.indexOf(this.place.value);
    const place = after < 0 || after === this.players.length - 1 ? null : after + 2;
    const act = (id) => joinTable(this.evening, id, player, place);
    if (await this.trying(`join ${player} ${place}`, act, words.seated(name))) this.name.value = "";
    return undefined;
  }

  async appoint(event) {
    event.preventDefault();
    const dealer = this.dealer.value;
    const act = (id) => setDealer(this.evening, id, this.players, dealer);
    await this.trying(`deal ${dealer}`, act, this.words.appointed(this.evening.called(dealer)));
  }

  /** Takes back that somebody came or went. */
  undo(coming) {
    const act = (id) => takeBack(this.evening, id, { address: coming.address, reason: this.all.slip.usualReason });
    return this.trying(`undo ${coming.address}`, act, this.words.undone);
  }

  /** What could not be answered keeps its id, so that the same tap again writes it once. */
  async trying(what, act, said) {
    if (this.busy) return false;
    // What waits here was written down as they sat then.
    if (this.evening.queued.length) return this.say(this.words.waits);
    this.busy = true;
    const id = this.kept.get(what) ?? newId();
    this.kept.set(what, id);
    try {
      await act(id);
      this.kept.delete(what);
      this.say(said);
      return true;
    } catch (refused) {
      if (refused.status === undefined) throw refused;
      if (refused.status >= 400 && refused.status < 500 && refused.status !== 429) this.kept.delete(what);
      this.say(refusalTold(this.all, refused));
      return false;
    } finally {
      this.busy = false;
    }
  }

  say(sentence, field) {
    this.status.textContent = sentence;
    field?.focus();
  }
}
