/** A pile of slips, typed from paper after the evening: the grid, what the service makes of it, and writing it down. */

import { appended, asked, sent } from "../core/api.js";
import { el } from "../core/dom.js";
import { draftOf, dropDraft, keepDraft } from "../core/drafts.js";
import { folded } from "./pile-ahead.js";
import { Grid, isOff, stateOf } from "./pile-grid.js";
import { Pasting } from "./pile-paste.js";
import { COLUMNS, isBlank, Rows } from "./pile-rows.js";
import { Between } from "./pile-between.js";
import { opened } from "../core/table-page.js";
import { endOf, refusalTold } from "../core/told.js";
import { aside, verdict } from "./pile-told.js";

const danish = () => document.documentElement.lang.startsWith("da");
/** So long nothing is typed before the service is asked. */
const PAUSE = 250;
/** So long it is waited before it is asked again, where nobody answered. */
const AGAIN = 4000;

class Pile {
  constructor(page, words) {
    Object.assign(this, page);
    this.evening = page.evening;
    this.common = page.words;
    this.words = { ...words, chips: page.words.chips, aside: (row, read, called) => aside(row, read, { words, common: this.common, called }) };
    const { choices } = JSON.parse(this.root.dataset.pile);
    const left = draftOf("pile", this.evening.table);
    const kept = Array.isArray(left?.rows) ? left : null;
    this.rows = new Rows(kept?.rows ?? []);
    this.shows = kept?.shows ?? "totals";
    this.base = kept?.base ?? this.evening.version();
    this.read = new Map();
    this.readAs = new Map();
    this.players = [];
    this.round = 0;
    /** What a person wanted written down, and could not be yet: `rows`, of which `doubts` were asked about. */
    this.wanted = kept?.wanted ?? null;
    this.away = false;
    this.columns = COLUMNS.filter((one) => this.has(one, choices));
    this.grid = new Grid({
      rows: this.rows, choices, columns: this.columns, words: this.words, called: (player) => this.called(player),
      playersOf: (row) => this.playersOf(row), everybody: () => this.everybody(), act: this.acts(),
    });
    this.between = new Between({ evening: this.evening, words: this.words, common: this.common, goOn: () => this.goOn(), own: () => new Set(this.rows.rows.map((row) => row.id)) });
    this.pasting = new Pasting({ words: this.words, called: (player) => this.called(player), players: () => this.players, columns: this.columns, put: (rows, shows) => this.put(rows, shows) });
    this.build(kept);
    this.evening.addEventListener("change", () => this.changed());
    this.changed();
  }

  has(column, choices) {
    if (column === "sits_out") return this.evening.ledger.players.length > 3;
    return column !== "extras" || choices.extras.length > 0;
  }

  called(player) {
    return this.names?.[player] ?? this.evening.called(player);
  }

  // The page

  build(kept) {
    const { words } = this;
    const tool = (name, act) => el("button", { type: "button", class: "worded pile-tool", "data-tool": name, title: words.keys[name], text: words.tools[name], on: { click: act, pointerdown: (event) => event.preventDefault() } });
    this.tools = el("div", { class: "pile-tools", role: "toolbar", "aria-label": words.toolbar },
      tool("copyAbove", () => this.atHere((place, column) => this.acts().copyAbove(place, column))),
      tool("insert", () => this.atHere((place, column) => this.acts().insert(place, column))),
      tool("remove", () => this.atHere((place, column) => this.acts().remove(place, column))),
      tool("undo", () => this.acts().undo(0, null)));
    this.told = el("p", { class: "pile-verdict", "aria-live": "polite" });
    this.status = el("p", { class: "status", role: "status" });
    this.button = el("button", { type: "button", class: "confirm", on: { click: () => this.send() } });
    this.differing = el("p", { class: "pile-differing", role: "status" });
    this.paperShows = el("select", { id: "paper-shows", on: { change: (event) => this.show(event.target.value) } },
      ...["totals", "chips"].map((way) => el("option", { value: way, text: words.paperShows[way], selected: way === this.shows })));
    const area = this.toPaste = el("textarea", { rows: "3", id: "to-paste", placeholder: words.pastePlaceholder, on: { paste: (event) => this.pastedInto(event, area) } });
    const paste = el("details", { class: "pile-paste" }, el("summary", { text: words.pasteHeading }), el("label", { for: "to-paste", text: words.pasteHow }), area,
      el("p", {}, el("button", { type: "button", class: "worded", text: words.pasteRead, on: { click: () => this.paste(area.value, this.rows.filled) } })));
    const keys = el("details", { class: "pile-keys" }, el("summary", { text: words.keysHeading }), el("dl", {}, ...words.keyList.flatMap(([key, does]) => [el("dt", {}, el("kbd", { text: key })), el("dd", { text: does })])));
    const compare = el("p", { class: "pile-compare" }, el("label", { for: "paper-shows", text: words.paperLabel }), this.paperShows);
    this.clear = el("button", { type: "button", class: "worded", text: words.clear, on: { click: () => this.askToClear() } });
    this.clearing = el("p", { class: "ending" }, this.clear);
    this.bar = el("div", { class: "bar pile-bar" }, this.status, this.told, el("div", { class: "pile-doing" }, this.tools, this.button));
    this.grid.root.addEventListener("paste", (event) => this.pastedInto(event, event.target));
    this.parts.pile.replaceChildren(this.between.root, el("p", { class: "quiet pile-kept", text: words.kept }), paste, this.grid.root, this.bar, this.differing, compare, keys, this.clearing);
    if (kept && this.rows.filled) this.say(words.found(this.rows.filled));
  }

  atHere(act) {
    const row = this.grid.here ?? this.lastHere;
    const place = row ? this.rows.rows.indexOf(row) : this.rows.filled;
    act(Math.max(0, place), document.activeElement?.dataset.column ?? "contract");
  }

  /** What the grid's keys do, and the buttons. */
  acts() {
    this.doing ??= {
      typed: (row, column, text) => { if (this.rows.type(row, column, text)) this.edited(); },
      line: (row, cells) => { this.rows.write(row, cells); this.edited(); },
      hold: (row, held) => { this.rows.hold(row, held); this.edited(); },
      // Not at once: a row that is taken out loses the focus while it is being taken out.
      left: () => queueMicrotask(() => this.draw()),
      entered: (row) => { this.lastHere = row; this.tell(); },
      copyAbove: (place, column) => { this.rows.copyAbove(place); this.edited(place, column); },
      insert: (place, column) => { this.rows.insert(place); this.edited(place, column); },
      remove: (place, column) => { this.rows.remove(place); this.edited(place, column); },
      undo: (place, column) => { this.say(this.rows.undo() ? "" : this.words.noUndo); this.edited(column ? place : null, column); },
      redo: (place, column) => { this.rows.redo(); this.edited(place, column); },
      send: () => this.send(),
    };
    return this.doing;
  }

  say(sentence) {
    this.status.textContent = sentence;
  }

  // What was typed

  /** A person changed something: what he wanted written down before that was another pile. */
  edited(place = null, column = null) {
    this.wanted = null;
    this.written(place, column);
  }

  /** Something has changed: it is kept here, and the service is asked when the typing pauses. */
  written(place = null, column = null) {
    if (this.status.textContent && !this.sending) this.say("");
    this.keep();
    this.draw();
    if (place !== null && column) this.grid.focus(place, column);
    clearTimeout(this.pause);
    this.pause = setTimeout(() => this.ask(), PAUSE);
    this.round += 1;
    this.drawButton();
  }

  keep() {
    if (!this.rows.filled) return dropDraft("pile", this.evening.table);
    const kept = keepDraft("pile", this.evening.table, { rows: this.rows.rows, base: this.base, shows: this.shows, wanted: this.wanted });
    if (!kept) this.say(this.words.notKept);
    return undefined;
  }

  show(way) {
    this.shows = way;
    this.paperShows.value = way;
    this.written();
  }

  /** Asks what the rows come to; what is typed meanwhile is asked about next. */
  async ask() {
    const { round } = this;
    const rows = this.inPlan();
    try {
      const told = await sent("POST", `/tables/${this.evening.table}/slip-batches:read`, {
        lang: danish() ? "da" : "en", paper_shows: this.shows, rows: rows.map((row) => row.cells),
      });
      if (round !== this.round) return undefined;
      this.asked = round;
      this.away = false;
      if ([this.words.unread, this.words.later].includes(this.status.textContent)) this.say("");
      this.names = told.names;
      this.players = told.players;
      this.read = new Map(told.rows.map((read, place) => [rows[place].id, read]));
      this.readAs = new Map(rows.map((row) => [row.id, JSON.stringify(row.cells)]));
    } catch (refused) {
      if (refused.status === undefined) throw refused;
      if (round !== this.round) return undefined;
      this.away = refused.status === 0;
      this.say(this.away ? (this.wanted ? this.words.later : this.words.unread) : refusalTold(this.common, refused));
      clearTimeout(this.pause);
      if (refused.status === 0 || refused.status === 429 || refused.status >= 500) this.pause = setTimeout(() => this.ask(), AGAIN);
    }
    this.draw();
    return this.sendIfWanted();
  }

  /** What was wanted while it could not be: not where fewer are ready then, or something is asked that was not before. */
  sendIfWanted() {
    const { wanted } = this;
    if (wanted === null || this.asked !== this.round) return undefined;
    this.wanted = null;
    const ready = this.toSend();
    if (ready.length && ready.length >= wanted.rows && this.doubtsAmong(ready) <= wanted.doubts) return this.send();
    this.keep();
    return this.say(ready.length ? this.words.look : "");
  }

  /** What is wanted written down by whoever presses now: all that was not seen to be unfinished. */
  wantedNow() {
    // A row that was typed on since it was read may be whole by now.
    const stands = (row) => stateOf(row, this.readAs.get(row.id) === JSON.stringify(row.cells) ? this.read.get(row.id) : null);
    const going = this.rows.rows.filter((row) => !row.held && ["ready", "doubt", "waiting"].includes(stands(row)));
    return going.length ? { rows: going.length, doubts: this.doubtsAmong(going) } : null;
  }

  /** Rows in which something does not fit, or in which the paper says otherwise. */
  doubtsAmong(rows) {
    return rows.filter((row) => stateOf(row, this.read.get(row.id)) === "doubt" || isOff(this.read.get(row.id))).length;
  }

  // Drawing

  draw() {
    const differing = this.rows.rows.find((row) => isOff(this.read.get(row.id)))?.id ?? null;
    this.grid.draw(this.read, this.players, differing);
    this.tell();
    this.drawDiffering(differing);
    this.drawButton();
    this.clearing.hidden = !this.rows.filled;
  }

  /** What the row in which somebody types comes to, and why. */
  tell() {
    const row = this.grid.here ?? this.lastHere;
    const read = row && this.grid.asRead(row, this.read.get(row.id) ?? null);
    this.told.replaceChildren(...(read ? verdict(read, { evening: this.evening, words: this.words, common: this.common, called: (player) => this.called(player) }) : [this.evening.closed ? this.words.closed : this.words.start]));
  }

  drawDiffering(differing) {
    if (!differing) return this.differing.replaceChildren();
    const read = this.read.get(differing);
    const off = Object.entries(read.differs).map(([player, paper]) => this.words.differs(this.called(player), paper));
    const go = el("button", { type: "button", class: "worded", text: this.words.goThere, on: { click: () => this.grid.focus(this.rows.rows.findIndex((row) => row.id === differing), "paper") } });
    const said = this.words.firstDiffers(read.number, this.common.listed(off), this.shows);
    if (this.differing.firstChild?.textContent === said) return undefined;
    return this.differing.replaceChildren(el("span", { text: said }), " ", go);
  }

  drawButton() {
    const { words } = this;
    const states = this.rows.rows.map((row) => stateOf(row, this.read.get(row.id)));
    const ready = this.toSend();
    const left = states.filter((state) => state !== "blank").length - ready.length;
    if (this.away && this.rows.filled && !this.between.stands) {
      this.button.textContent = this.wanted ? words.sendsLater : words.sendLater;
      this.button.setAttribute("aria-disabled", String(Boolean(this.wanted)));
      return;
    }
    const doubts = this.doubtsAmong(ready);
    this.button.textContent = words.send(ready.length, left, doubts);
    this.button.classList.toggle("is-doubtful", doubts > 0);
    const waits = this.sending || this.between.stands || this.asked !== this.round;
    this.button.setAttribute("aria-disabled", String(!ready.length || Boolean(waits)));
  }

  // Who may be meant

  everybody() {
    return this.asChoices(this.evening.ledger.players);
  }

  /** Who may have declared in a row: its three players, also by their seats. */
  playersOf(row) {
    const seating = this.read.get(row.id)?.seating;
    const seats = ["forehand", "middlehand", "backhand"];
    const players = seating ? this.asChoices(seats.map((seat) => seating[seat])) : this.everybody();
    const begun = new Set(players.map((one) => folded(one.name)[0]));
    const seated = players.map((one, place) => {
      const letter = seating ? seats[place][0] : "";
      const others = letter && !begun.has(letter) ? [...one.others, letter, this.common.seat(seats[place])] : one.others;
      return { ...one, others };
    });
    return [...seated, { name: this.words.pass, short: "", others: [] }];
  }

  asChoices(players) {
    return players.map((player) => {
      const name = this.called(player);
      const initials = name.split(/[\s-]+/).map((part) => part[0] ?? "").join("");
      return { name, short: "", others: initials.length > 1 ? [initials] : [] };
    });
  }

  // Pasting

  pastedInto(event, input) {
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (!Pasting.isSheet(text)) return;
    event.preventDefault();
    const row = this.grid.rowOf(input);
    this.paste(text, row ? this.rows.rows.indexOf(row) : this.rows.filled);
  }

  async paste(text, place) {
    if (!text.trim()) return;
    try {
      const told = await sent("POST", `/tables/${this.evening.table}/slip-batches:parse`, { text, lang: danish() ? "da" : "en" });
      this.pasteAt = place;
      this.pasting.open(told);
    } catch (refused) {
      if (refused.status === undefined) throw refused;
      this.say(refusalTold(this.common, refused));
    }
  }

  put(rows, shows) {
    if (shows) this.shows = this.paperShows.value = shows;
    this.toPaste.value = "";
    this.toPaste.closest("details").open = false;
    this.rows.put(this.pasteAt, rows);
    this.written(this.pasteAt, "contract");
  }

  // Writing it down

  /** The rows as the plan goes on: what was left behind while later deals were written down comes after those. */
  inPlan() {
    const written = Math.max(0, ...this.evening.deals().map((deal) => deal.number));
    const late = this.rows.rows.filter((row) => Number(row.cells.number) > 0 && Number(row.cells.number) <= written);
    return [...this.rows.rows.filter((row) => !late.includes(row)), ...late];
  }

  toSend() {
    return this.inPlan().filter((row) => !row.held && ["ready", "doubt"].includes(stateOf(row, this.read.get(row.id))));
  }

  /** Writes down what is ready. What was typed last may still be on its way to be read: then it is done right after that. */
  async send() {
    if (this.sending || this.between.stands) return;
    if (this.asked !== this.round) {
      this.later();
      return;
    }
    const rows = this.toSend();
    if (!rows.length) return;
    this.sending = true;
    this.drawButton();
    try {
      const told = await appended(`/tables/${this.evening.table}/slip-batches`, rows.map((row) => this.dealOf(row)), this.base);
      await this.arrived(rows, told);
    } catch (refused) {
      if (refused.status === undefined) throw refused;
      await this.refused(refused);
    } finally {
      this.sending = false;
      this.draw();
    }
  }

  /** Remembers that it is to be written down, also where the page is closed until then. */
  later() {
    this.wanted = this.wantedNow();
    this.keep();
    if (this.away) this.say(this.wanted ? this.words.later : this.words.look);
    this.drawButton();
  }

  /** A row's deal, as the service read it, with the ids that it has had since it was typed. */
  dealOf(row) {
    const [opening, ...rest] = this.read.get(row.id).events;
    const ids = { result_recorded: row.result, note_added: row.note };
    return [{ ...opening, id: row.id }, ...rest.map((event) => ({ ...event, id: ids[event.type] }))];
  }

  async arrived(rows, told) {
    this.pin(rows);
    this.base = told.table.version;
    this.evening.take(this.evening.table, told.table.events);
    for (const one of told.deals) this.evening.take(one.deal, one.events);
    this.rows.drop(rows.map((row) => row.id));
    this.written();
    this.say(this.words.sent(rows.length, this.rows.filled));
    this.status.scrollIntoView({ block: "nearest" });
  }

  /** What stays keeps its number and its seats, though the deals before it are written down and gone from here. */
  pin(rows) {
    const gone = new Set(rows.map((row) => row.id));
    for (const row of this.rows.rows) {
      const read = this.read.get(row.id);
      if (gone.has(row.id) || isBlank(row) || !read) continue;
      row.cells.number ||= String(read.number);
      row.cells.dealer ||= this.called(read.seating.dealer);
      if (this.columns.includes("sits_out")) row.cells.sits_out ||= read.seating.sitting_out.map((one) => this.called(one)).join(", ");
    }
  }

  async refused(refused) {
    if (refused.type === "stale-version" || refused.type === "id-conflict") {
      // What others wrote is read before anybody decides again; it may not have come by the stream yet.
      const told = await asked(`/tables/${this.evening.table}/events?after=${this.base}&limit=500`).catch(() => null);
      if (told) await this.evening.take(this.evening.table, told.events);
      this.changed();
      return this.say(refused.type === "stale-version" ? this.words.stale : this.words.already);
    }
    if (refused.status === 0) {
      this.away = true;
      this.later();
      this.pause = setTimeout(() => this.ask(), AGAIN);
      return undefined;
    }
    const unsure = refused.status >= 500 || refused.status === 429;
    return this.say(unsure ? this.words.unsure : refusalTold(this.common, refused));
  }

  // What others write

  /** The table has moved on: what is there of this pile goes from it; what others wrote is laid before whoever types. */
  changed() {
    const there = new Map(this.evening.deals().map((deal) => [deal.deal, deal]));
    const found = this.sending ? [] : this.rows.rows.filter((row) => there.has(row.id));
    if (found.length) {
      this.rows.drop(found.map((row) => row.id));
      const told = found.map((row) => there.get(row.id)).map((deal) => `${deal.number}. ${endOf(this.evening, this.common, deal)}`);
      this.say(this.words.hadArrived(told.join("; ")));
    }
    if (!this.rows.filled) this.wanted = null;
    if (!this.rows.filled && !this.sending) this.base = this.evening.version();
    const said = this.status.textContent;
    const stood = this.between.stands;
    this.between.draw(this.base, new Set(found.map((row) => row.id)));
    this.written();
    this.say(this.between.stands && !stood && !found.length ? this.words.stale : said);
  }

  goOn() {
    this.base = this.evening.version();
    this.between.draw(this.base, new Set());
    this.say("");
    this.written();
    this.grid.focus(0, "contract");
  }

  askToClear() {
    const { words } = this;
    const yes = el("button", { type: "button", class: "worded is-main", text: words.clearYes, on: { click: () => this.cleared() } });
    const no = el("button", { type: "button", class: "worded", text: words.back, on: { click: () => this.clearing.replaceChildren(this.clear) } });
    this.clearing.replaceChildren(words.clearAsk, " ", yes, " ", no);
    yes.focus();
  }

  /** The pile is thrown away; one step brings it back as long as the page stands. */
  cleared() {
    this.rows.step();
    this.rows.rows = [];
    this.rows.fit();
    this.base = this.evening.version();
    this.clearing.replaceChildren(this.clear);
    this.written(0, "contract");
    this.say(this.words.cleared);
  }
}

const { default: words } = await import(danish() ? "../messages/pile-da.js" : "../messages/pile-en.js");

opened((page) => new Pile(page, words));
