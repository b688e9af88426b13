/** Who sits at the table: a player comes, a player goes home, another one deals next. Written as events of the table. */

import { getJson, newId } from "../core/api.js";
import { MemberDisplayNames } from "../core/member-display-names.js";
import { joinTable, leaveTable, setDealer, withdrawTableEntry } from "./table-entries.js";
import { el } from "../core/dom.js";
import { formatApiError } from "../core/deal-text.js";

const MIN_PLAYERS = 3;
const MAX_PLAYERS = 6;

export class SeatingPanel {
  /** `offersMembers`: whether the reader may see the club's list of members. */
  constructor({ evening, words, offersMembers }) {
    Object.assign(this, { evening, pageWords: words, words: words.company, offersMembers });
    this.members = [];
    this.summary = el("summary", {});
    this.list = el("ul", { class: "seating-list" });
    this.name = el("input", { type: "text", id: "comes", maxlength: "80", autocomplete: "off", autocapitalize: "words" });
    this.memberChoices = el("div", { class: "choices three" });
    this.placeSelect = el("select", { id: "sits-after" });
    this.joinForm = el("form", { class: "seating-form", on: { submit: (event) => this.join(event) } },
      el("label", { for: "comes", text: this.words.comes }), this.name, this.memberChoices,
      el("label", { for: "sits-after", text: this.words.after }), this.placeSelect,
      el("p", {}, el("button", { type: "submit", class: "button", text: this.words.sit })));
    this.dealer = el("select", { id: "deals-next" });
    this.dealerForm = el("form", { class: "seating-form", on: { submit: (event) => this.appointDealer(event) } },
      el("label", { for: "deals-next", text: this.words.dealer }), this.dealer,
      el("p", {}, el("button", { type: "submit", class: "button", text: this.words.appoint })));
    this.status = el("p", { class: "ask", role: "status" });
    const details = el("details", { on: { toggle: () => details.open && this.loadMembers() } }, this.summary, this.list, this.joinForm, this.dealerForm);
    this.root = el("div", { class: "seating-panel" }, details, this.status);
    this.leavingPlayer = null;
    this.pendingIds = new Map();
    evening.addEventListener("change", () => this.draw());
    this.draw();
  }

  get players() {
    return this.evening.ledger.players;
  }

  draw() {
    const { evening, words, players } = this;
    const names = players.map((player) => evening.displayName(player));
    this.summary.textContent = words.heading(this.pageWords.listed(names));
    const key = JSON.stringify([players, names, this.leavingPlayer, evening.ledger.following, this.members.length]);
    if (key === this.drawnKey) return;
    this.drawnKey = key;
    this.list.replaceChildren(...players.map((player) => this.buildItem(player)));
    this.joinForm.hidden = players.length >= MAX_PLAYERS;
    this.fillSelect(this.placeSelect, players.map((player) => [player, evening.displayName(player)]), players.at(-1));
    const { following } = evening.ledger;
    this.dealerForm.hidden = following.length !== 1;
    if (following.length === 1) this.fillSelect(this.dealer, players.map((player) => [player, evening.displayName(player)]), following[0].seating.dealer);
    this.drawMemberChoices();
  }

  buildItem(player) {
    const { words } = this;
    const name = this.evening.displayName(player);
    if (this.leavingPlayer !== player) {
      return el("li", {}, el("span", { text: name }),
        el("button", { type: "button", class: "button", "aria-label": words.leavesNamed(name), "data-leaves": player, text: words.leaves, on: { click: () => this.askToLeave(player) } }));
    }
    const confirmButton = el("button", { type: "button", class: "button is-main", "data-leaves": "yes", text: words.yes, on: { click: () => this.leave(player) } });
    const cancelButton = el("button", { type: "button", class: "button", text: words.no, on: { click: () => this.askToLeave(null) } });
    const warning = this.players.length <= MIN_PLAYERS ? ` ${words.tooFewThen}` : "";
    return el("li", { class: "is-confirming" }, el("span", { text: words.askLeave(name) + warning }), el("span", { class: "form-actions" }, confirmButton, cancelButton));
  }

  fillSelect(select, choices, selectedValue) {
    select.replaceChildren(...choices.map(([value, text]) => el("option", { value, text, selected: value === selectedValue })));
  }

  /** Earlier players and the members of the club are a tap away. */
  drawMemberChoices() {
    const formerPlayers = Object.keys(this.evening.ledger.totals).map((id) => ({ id, name: this.evening.displayName(id) }));
    const known = new Map([...formerPlayers, ...this.members].map((one) => [one.id, one]));
    for (const player of this.players) known.delete(player);
    this.listedMembers = [...known.values()];
    this.memberChoices.hidden = !known.size;
    this.memberChoices.replaceChildren(...this.listedMembers.map((one) =>
      el("button", { type: "button", class: "choice", text: one.name, on: { click: () => { this.name.value = one.name; this.name.focus(); } } })));
  }

  async loadMembers() {
    if (!this.offersMembers || this.members.length) return;
    const membersList = await getJson("/members").catch(() => ({ members: [] }));
    const displayNames = new MemberDisplayNames(membersList.members);
    this.members = membersList.members.map((one) => ({ id: one.id, name: displayNames.displayName(one.id), full: one.name }));
    this.draw();
  }

  askToLeave(player) {
    const previous = this.leavingPlayer;
    this.leavingPlayer = player;
    this.showStatus("");
    this.draw();
    const focus = player ? '[data-leaves="yes"]' : `[data-leaves="${CSS.escape(previous ?? "")}"]`;
    this.list.querySelector(focus)?.focus();
  }

  async leave(player) {
    const name = this.evening.displayName(player);
    if (await this.runRequest(`leave ${player}`, (id) => leaveTable(this.evening, id, player), this.words.gone(name))) {
      this.leavingPlayer = null;
      this.draw();
      this.summary.focus();
    }
  }

  async join(event) {
    event.preventDefault();
    const { words } = this;
    const name = this.name.value.trim();
    const player = this.listedMembers.find((one) => one.name === name || one.full === name)?.id ?? name;
    if (!player) return this.showStatus(words.nameless, this.name);
    if (this.players.some((one) => one === player || this.evening.displayName(one) === name)) return this.showStatus(words.sitsHere(name), this.name);
    const after = this.players.indexOf(this.placeSelect.value);
    const place = after < 0 || after === this.players.length - 1 ? null : after + 2;
    const act = (id) => joinTable(this.evening, id, player, place);
    if (await this.runRequest(`join ${player} ${place}`, act, words.seated(name))) this.name.value = "";
    return undefined;
  }

  async appointDealer(event) {
    event.preventDefault();
    const dealer = this.dealer.value;
    const act = (id) => setDealer(this.evening, id, this.players, dealer);
    await this.runRequest(`deal ${dealer}`, act, this.words.appointed(this.evening.displayName(dealer)));
  }

  /** Takes back that somebody came or went. */
  undoChange(change) {
    const act = (id) => withdrawTableEntry(this.evening, id, { address: change.address, reason: this.pageWords.slip.usualReason });
    return this.runRequest(`undo ${change.address}`, act, this.words.undone);
  }

  /** What could not be answered keeps its id, so that the same tap again writes it once. */
  async runRequest(key, act, status) {
    if (this.isBusy) return false;
    // What waits here was written down as they sat then.
    if (this.evening.queuedEntries.length) return this.showStatus(this.words.waits);
    this.isBusy = true;
    const id = this.pendingIds.get(key) ?? newId();
    this.pendingIds.set(key, id);
    try {
      await act(id);
      this.pendingIds.delete(key);
      this.showStatus(status);
      return true;
    } catch (error) {
      if (error.status === undefined) throw error;
      if (error.status >= 400 && error.status < 500 && error.status !== 429) this.pendingIds.delete(key);
      this.showStatus(formatApiError(this.pageWords, error));
      return false;
    } finally {
      this.isBusy = false;
    }
  }

  showStatus(sentence, field) {
    this.status.textContent = sentence;
    field?.focus();
  }
}
