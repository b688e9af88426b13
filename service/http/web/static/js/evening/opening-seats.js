/** Who sits at a table that is opened: a field for each seat, the club's members to tap, and changing places. */

import { Callings } from "../core/callings.js";
import { el } from "../core/dom.js";
import { fitted } from "../core/fitting.js";

export const FEWEST = 3;
export const MOST = 6;

export class Seats {
  /**
   * `members` as the service lists them; `last` the table that was opened before, or null; `changed()` hears of every
   * change. `words` are those of the opening.
   */
  constructor({ words, members, last, changed }) {
    Object.assign(this, { words, changed });
    this.callings = new Callings(members);
    /** Of the last table's players those who are members that the reader may not list: by how they are called there. */
    this.before = new Map((last?.players ?? []).map((player) => [last.names?.[player] ?? player, player]));
    this.list = el("ol", { class: "seats" });
    this.status = el("p", { class: "quiet seats-told", role: "status" });
    this.add = el("button", { type: "button", class: "worded", text: words.add, on: { click: () => this.addSeat("").focus() } });
    this.swap = el("button", { type: "button", class: "worded", "aria-pressed": "false", on: { click: () => this.turnSwapping() } });
    this.clear = el("button", { type: "button", class: "worded", on: { click: () => this.empty() } });
    this.offered = members.map((member) =>
      el("button", { type: "button", class: "choice", "data-member": member.id, "aria-pressed": "false", on: { click: () => this.seat(member.id) } }, fitted(el("span", { class: "choice-name", text: this.callings.called(member.id) }))));
    this.swapping = false;
    this.cleared = null;
    const group = el("div", { class: "members", role: "group", "aria-label": words.members }, el("p", { class: "quiet", text: words.members }), el("div", { class: "choices three" }, ...this.offered));
    this.root = el("fieldset", { class: "facts" },
      el("legend", { text: words.players }), el("p", { class: "quiet", text: words.order }), this.list, this.status,
      el("p", { class: "ways" }, this.add, this.swap, this.clear), this.offered.length ? group : null);
    this.fill((last?.players ?? []).map((player) => this.callings.called(player) ?? last.names?.[player] ?? player));
  }

  fill(names) {
    this.list.replaceChildren();
    for (const name of names.length ? names.slice(0, MOST) : Array(FEWEST).fill("")) this.addSeat(name);
  }

  get fields() {
    return [...this.list.querySelectorAll("input")];
  }

  /** The names as they stand: `{name, id}`; the id is a member's, or the name itself. */
  get players() {
    return this.fields
      .map((field) => field.value.trim())
      .filter(Boolean)
      .map((name) => ({ name, id: this.callings.meant(name) ?? this.before.get(name) ?? name }));
  }

  addSeat(name) {
    const field = el("input", { type: "text", maxlength: "80", autocomplete: "off", autocapitalize: "words", value: name, on: { input: () => this.typed() } });
    const button = (kind, text, act) => el("button", { type: "button", class: `plain ${kind}`, "data-act": kind, text, on: { click: act } });
    const item = el("li", {}, field,
      button("earlier", this.words.earlier, () => this.move(item, -1)), button("later", this.words.later, () => this.move(item, 1)),
      button("remove", "×", () => { item.remove(); this.typed(); }));
    this.list.append(item);
    this.typed();
    return field;
  }

  /** Something else stands there now than what was said last, and than what could be put back. */
  typed() {
    this.cleared = null;
    this.show("");
  }

  /** A member sits down where a place is free, and gets up when tapped again. */
  seat(id) {
    const sits = this.fields.find((field) => this.callings.meant(field.value.trim()) === id);
    const free = this.fields.find((field) => !field.value.trim());
    const name = this.callings.called(id);
    if (sits) sits.value = "";
    else if (free) free.value = name;
    else if (this.fields.length < MOST) this.addSeat(name);
    this.typed();
  }

  /** Turned on, each seat has its two ways; the list is as it was otherwise. */
  turnSwapping() {
    this.swapping = !this.swapping;
    this.show("");
  }

  /** Moves a seat by one place; the finger stays where it can go on. */
  move(item, by) {
    const items = [...this.list.children];
    const other = items[items.indexOf(item) + by];
    if (!other) return;
    if (by < 0) other.before(item);
    else other.after(item);
    const place = [...this.list.children].indexOf(item);
    this.cleared = null;
    this.show(this.words.sits(item.querySelector("input").value.trim() || this.words.nobody, place + 1));
    const ways = [...item.querySelectorAll(by < 0 ? ".earlier, .later" : ".later, .earlier")];
    (by < 0 ? ways : ways.reverse()).find((way) => !way.disabled)?.focus();
  }

  /** Takes all names away; the same button puts them back as long as nothing else is done. */
  empty() {
    if (this.cleared) {
      const names = this.cleared;
      this.fill(names);
      this.show(this.words.putBack);
      return;
    }
    const names = this.fields.map((field) => field.value);
    this.fill([]);
    this.cleared = names;
    this.show(this.words.cleared);
    this.fields[0].focus();
  }

  /** Draws the seats as they stand, with what there is to be said of them. */
  show(sentence) {
    const items = [...this.list.children];
    items.forEach((item, place) => this.name(item, place, items.length));
    const full = this.players.length >= MOST;
    this.status.textContent = [sentence, items.length >= MOST ? this.words.full : ""].filter(Boolean).join(" ");
    this.add.hidden = items.length >= MOST;
    this.swap.textContent = this.swapping ? this.words.swapped : this.words.swap;
    this.swap.setAttribute("aria-pressed", String(this.swapping));
    this.clear.textContent = this.cleared ? this.words.unclear : this.words.clear;
    this.clear.hidden = !this.cleared && !this.players.length;
    this.list.classList.toggle("is-swapping", this.swapping);
    const sitting = new Set(this.players.map((one) => one.id));
    for (const button of this.offered) {
      button.setAttribute("aria-pressed", String(sitting.has(button.dataset.member)));
      button.disabled = full && !sitting.has(button.dataset.member);
    }
    this.changed();
  }

  /** What a seat's field and its buttons are called, and which of them there is something to do for. */
  name(item, place, count) {
    const { words } = this;
    const [field, earlier, later, remove] = item.children;
    const name = field.value.trim() || words.player(place + 1);
    field.setAttribute("aria-label", words.player(place + 1));
    earlier.setAttribute("aria-label", words.earlierNamed(name));
    later.setAttribute("aria-label", words.laterNamed(name));
    remove.setAttribute("aria-label", words.remove(place + 1));
    for (const way of [earlier, later]) way.hidden = !this.swapping;
    earlier.disabled = place === 0;
    later.disabled = place === count - 1;
    remove.hidden = this.swapping || count <= FEWEST;
  }
}
