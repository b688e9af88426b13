/** Who sits at a table that is opened: a field for each seat, the club's members to tap, and changing places. */

import { MemberDisplayNames } from "../core/member-display-names.js";
import { el } from "../core/dom.js";
import { fitText } from "../core/fit-text.js";

export const MIN_PLAYERS = 3;
export const MAX_PLAYERS = 6;

export class SeatPicker {
  /**
   * `members` as the service lists them; `last` the table that was opened before, or null; `onChange()` hears of every
   * change. `words` are those of the opening.
   */
  constructor({ words, members, last, onChange }) {
    Object.assign(this, { words, onChange });
    this.displayNames = new MemberDisplayNames(members);
    /** The last table's players who are members that the reader may not list: by their names there. */
    this.lastPlayerIds = new Map((last?.players ?? []).map((player) => [last.names?.[player] ?? player, player]));
    this.list = el("ol", { class: "seats" });
    this.status = el("p", { class: "muted seats-status", role: "status" });
    this.addButton = el("button", { type: "button", class: "button", text: words.add, on: { click: () => this.addSeat("").focus() } });
    this.swapButton = el("button", { type: "button", class: "button", "aria-pressed": "false", on: { click: () => this.toggleSwapping() } });
    this.clearButton = el("button", { type: "button", class: "button", on: { click: () => this.toggleClear() } });
    this.memberButtons = members.map((member) =>
      el("button", { type: "button", class: "choice", "data-member": member.id, "aria-pressed": "false", on: { click: () => this.toggleMember(member.id) } }, fitText(el("span", { class: "choice-name", text: this.displayNames.displayName(member.id) }))));
    this.isSwapping = false;
    this.clearedNames = null;
    const group = el("div", { class: "members", role: "group", "aria-label": words.members }, el("p", { class: "muted", text: words.members }), el("div", { class: "choices three" }, ...this.memberButtons));
    this.root = el("fieldset", { class: "facts" },
      el("legend", { text: words.players }), el("p", { class: "muted", text: words.order }), this.list, this.status,
      el("p", { class: "actions" }, this.addButton, this.swapButton, this.clearButton), this.memberButtons.length ? group : null);
    this.fillSeats((last?.players ?? []).map((player) => this.displayNames.displayName(player) ?? last.names?.[player] ?? player));
  }

  fillSeats(names) {
    this.list.replaceChildren();
    for (const name of names.length ? names.slice(0, MAX_PLAYERS) : Array(MIN_PLAYERS).fill("")) this.addSeat(name);
  }

  get fields() {
    return [...this.list.querySelectorAll("input")];
  }

  /** The names as they stand: `{name, id}`; the id is a member's, or the name itself. */
  get players() {
    return this.fields
      .map((field) => field.value.trim())
      .filter(Boolean)
      .map((name) => ({ name, id: this.displayNames.findMemberId(name) ?? this.lastPlayerIds.get(name) ?? name }));
  }

  addSeat(name) {
    const field = el("input", { type: "text", maxlength: "80", autocomplete: "off", autocapitalize: "words", value: name, on: { input: () => this.handleInput() } });
    const button = (kind, text, act) => el("button", { type: "button", class: `plain-button ${kind}`, "data-act": kind, text, on: { click: act } });
    const item = el("li", {}, field,
      button("earlier", this.words.earlier, () => this.moveSeat(item, -1)), button("later", this.words.later, () => this.moveSeat(item, 1)),
      button("remove", "×", () => { item.remove(); this.handleInput(); }));
    this.list.append(item);
    this.handleInput();
    return field;
  }

  /** The names have changed since the last message and since what could be restored. */
  handleInput() {
    this.clearedNames = null;
    this.draw("");
  }

  /** A member sits down where a place is free, and gets up when tapped again. */
  toggleMember(id) {
    const sits = this.fields.find((field) => this.displayNames.findMemberId(field.value.trim()) === id);
    const free = this.fields.find((field) => !field.value.trim());
    const name = this.displayNames.displayName(id);
    if (sits) sits.value = "";
    else if (free) free.value = name;
    else if (this.fields.length < MAX_PLAYERS) this.addSeat(name);
    this.handleInput();
  }

  /** Turned on, each seat has its two ways; the list is as it was otherwise. */
  toggleSwapping() {
    this.isSwapping = !this.isSwapping;
    this.draw("");
  }

  /** Moves a seat by one place; the finger stays where it can go on. */
  moveSeat(item, by) {
    const items = [...this.list.children];
    const other = items[items.indexOf(item) + by];
    if (!other) return;
    if (by < 0) other.before(item);
    else other.after(item);
    const index = [...this.list.children].indexOf(item);
    this.clearedNames = null;
    this.draw(this.words.sits(item.querySelector("input").value.trim() || this.words.nobody, index + 1));
    const buttons = [...item.querySelectorAll(by < 0 ? ".earlier, .later" : ".later, .earlier")];
    (by < 0 ? buttons : buttons.reverse()).find((button) => !button.disabled)?.focus();
  }

  /** Takes all names away; the same button puts them back as long as nothing else is done. */
  toggleClear() {
    if (this.clearedNames) {
      const names = this.clearedNames;
      this.fillSeats(names);
      this.draw(this.words.putBack);
      return;
    }
    const names = this.fields.map((field) => field.value);
    this.fillSeats([]);
    this.clearedNames = names;
    this.draw(this.words.cleared);
    this.fields[0].focus();
  }

  /** Draws the seats as they stand, with what there is to be said of them. */
  draw(sentence) {
    const items = [...this.list.children];
    items.forEach((item, index) => this.labelSeat(item, index, items.length));
    const isFull = this.players.length >= MAX_PLAYERS;
    this.status.textContent = [sentence, items.length >= MAX_PLAYERS ? this.words.full : ""].filter(Boolean).join(" ");
    this.addButton.hidden = items.length >= MAX_PLAYERS;
    this.swapButton.textContent = this.isSwapping ? this.words.swapped : this.words.swap;
    this.swapButton.setAttribute("aria-pressed", String(this.isSwapping));
    this.clearButton.textContent = this.clearedNames ? this.words.unclear : this.words.clear;
    this.clearButton.hidden = !this.clearedNames && !this.players.length;
    this.list.classList.toggle("is-swapping", this.isSwapping);
    const seated = new Set(this.players.map((one) => one.id));
    for (const button of this.memberButtons) {
      button.setAttribute("aria-pressed", String(seated.has(button.dataset.member)));
      button.disabled = isFull && !seated.has(button.dataset.member);
    }
    this.onChange();
  }

  /** What a seat's field and its buttons are called, and which of them there is something to do for. */
  labelSeat(item, index, count) {
    const { words } = this;
    const [field, earlier, later, remove] = item.children;
    const name = field.value.trim() || words.player(index + 1);
    field.setAttribute("aria-label", words.player(index + 1));
    earlier.setAttribute("aria-label", words.earlierNamed(name));
    later.setAttribute("aria-label", words.laterNamed(name));
    remove.setAttribute("aria-label", words.remove(index + 1));
    for (const button of [earlier, later]) button.hidden = !this.isSwapping;
    earlier.disabled = index === 0;
    later.disabled = index === count - 1;
    remove.hidden = this.isSwapping || count <= MIN_PLAYERS;
  }
}
