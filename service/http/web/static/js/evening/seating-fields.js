/** Who dealt, who sat where and who sat out in a deal: a list for each place. Each player has one place. */

import { el } from "../core/dom.js";

const SEATS = ["forehand", "middlehand", "backhand"];

export class SeatingFields {
  /**
   * `seating` is how the deal has it, `players` who may be chosen, `rounds` seatings from which the places follow when another
   * dealer is chosen, `onChange(seating)` hears of every change.
   */
  constructor({ words, seating, players, rounds, displayName, onChange = () => {} }) {
    Object.assign(this, { rounds, onChange, dealer: seating.dealer ?? "", isChanged: false });
    const own = [...SEATS.map((seat) => seating[seat]), ...(seating.sitting_out ?? [])];
    this.players = [...new Set([...own, ...players])];
    this.places = this.players.map((_, index) => own[index] ?? "");
    const buildSelect = (name, label, withNobody, change) => {
      const options = this.players.map((player) => el("option", { value: player, text: displayName(player) }));
      const select = el("select", { "data-place": name, on: { change: () => change(select.value) } }, withNobody ? el("option", { value: "", text: withNobody }) : null, ...options);
      return { select, root: el("div", { class: "reason pad-field" }, el("label", {}, label, select)) };
    };
    const dealer = buildSelect("dealer", words.seating.dealer, this.dealer ? null : words.seating.unknown, (player) => this.chooseDealer(player));
    const places = this.places.map((_, index) =>
      buildSelect(SEATS[index] ?? "sitting_out", SEATS[index] ? words.upper(words.seat(SEATS[index])) : words.seating.out, SEATS[index] ? null : words.seating.nobody, (player) => this.choosePlayer(index, player)));
    this.selects = [dealer, ...places].map(({ select }) => select);
    this.root = el("div", { class: "seating-fields" }, dealer.root, ...places.map(({ root }) => root));
    this.draw();
  }

  get value() {
    const [forehand, middlehand, backhand, ...rest] = this.places;
    return { dealer: this.dealer || null, forehand, middlehand, backhand, sitting_out: rest.filter(Boolean) };
  }

  /** With another dealer the same players sit as they do in that dealer's turn. */
  chooseDealer(player) {
    const present = new Set(this.places.filter(Boolean));
    const turn = this.rounds.find((one) => one.dealer === player && listSeated(one).length === present.size && listSeated(one).every((other) => present.has(other)));
    this.dealer = player;
    if (turn) this.places = this.players.map((_, index) => listSeated(turn)[index] ?? "");
    this.change();
  }

  /** Who sat elsewhere changes places with who was there; where nobody was, the next who has no place sits there. */
  choosePlayer(index, player) {
    const previous = this.places[index];
    const other = player ? this.places.indexOf(player) : -1;
    this.places[index] = player;
    if (other >= 0 && other !== index) this.places[other] = previous || (SEATS[other] ? this.players.find((one) => !this.places.includes(one)) : "");
    this.change();
  }

  change() {
    this.isChanged = true;
    this.draw();
    this.onChange(this.value);
  }

  draw() {
    [this.dealer, ...this.places].forEach((player, index) => (this.selects[index].value = player));
  }
}

const listSeated = (seating) => [...SEATS.map((seat) => seating[seat]), ...(seating.sitting_out ?? [])];
