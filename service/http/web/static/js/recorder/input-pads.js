/**
 * What can be entered next: calls, a contract, the turned card, the exchange, a card. What the service says is legal
 * stands to the fore; everything else can be tapped too. Nothing is judged here.
 */

import { HIDDEN_CARD, drawPip } from "../core/cards.js";
import { el } from "../core/dom.js";
import { CardKeyboard, locateCards } from "./card-keyboard.js";

const SUITS = ["S", "H", "C", "D"];
const HAND_SIZE = 9;

export class InputPads {
  /** `onEnter(events)` enters what was tapped. */
  constructor({ words, rules, onEnter }) {
    Object.assign(this, { words, rules, onEnter });
    this.keys = new CardKeyboard(words, (card) => this.handleCardTap(card));
    this.reset("");
  }

  /** Starts again if something else is asked for. */
  reset(question) {
    this.questionKey = question;
    this.chosen = [];
    this.spokenWords = "";
    this.earlyTrump = null;
    this.namesCards = null;
    this.hasOfferedCards = false;
  }

  /** What is entered for `actingSeat` at `point` (as `RecordedDeal.at` returns it), as elements of the page; `trickAnchor` is the trick of the next card, or null. */
  draw(point, actingSeat, trickAnchor = null) {
    const { legal } = point;
    const question = `${point.version}:${point.point ?? ""}:${legal?.action}:${actingSeat}`;
    if (question !== this.questionKey) this.reset(question);
    Object.assign(this, { point, actor: actingSeat, anchor: trickAnchor, burst: null });
    this.isGuessed = Boolean(legal?.guessed);
    this.isSeatOnTurn = !this.isGuessed && (legal?.seat === actingSeat || legal?.seat === null);
    const pads = { bid: () => this.buildBidPad(), name: () => this.buildContractPad(), turn: () => this.buildTurnPad(), exchange: () => this.buildExchangePad(), draw: () => this.buildDrawPad(), play: () => this.buildPlayPad() };
    return (pads[legal?.action] ?? (() => []))();
  }

  /** The cards in their place, and none of them taken, while a person is asked whose turn it is. */
  drawIdle(view) {
    this.reset("");
    Object.assign(this, { point: view, actor: null, anchor: null });
    this.startBurst(null, view.state);
    return this.buildPlayPad(new Set(), true);
  }

  /**
   * Takes one card after another while answers are on their way: the next is `actor`'s, who follows in the trick
   * that lies in `state`; null, and nothing more is taken until it is known who leads.
   */
  startBurst(actor, state) {
    this.burst = { actor, lying: new Set(locateCards(state, this.words).keys()) };
  }

  /** Whether somebody acts whose turn it is not. */
  get isOutOfTurn() {
    return !this.isSeatOnTurn && !this.isGuessed;
  }

  redraw() {
    this.onRedraw?.();
  }

  enterEvents(...events) {
    this.onEnter(events);
  }

  // The auction

  buildBidPad() {
    const { words, point, actor } = this;
    const all = this.rules?.calls ?? (point.legal.calls ?? []).map((id) => ({ id, name: null }));
    const open = new Set(this.isGuessed ? all.map((one) => one.id) : this.isSeatOnTurn ? point.legal.calls : []);
    const calls = all.map((one) => ({ ...one, name: one.name ?? words.bid(one.id) }));
    const button = (call, className) =>
      el("button", { type: "button", class: `choice ${className}`, "data-call": call.id, "data-legal": open.has(call.id), text: call.name, on: { click: () => this.enterEvents(this.buildBid(call.id, actor)) } });
    const pass = calls.filter((one) => one.id === "pass" && open.has(one.id)).map((one) => button(one, "is-wide"));
    const legal = calls.filter((one) => one.id !== "pass" && open.has(one.id)).map((one) => button(one, "is-call"));
    const others = calls.filter((one) => !open.has(one.id)).map((one) => button(one, "is-other"));
    const more = el("details", { class: "pad-more", open: this.isOutOfTurn || this.isMoreOpen === true, on: { toggle: (event) => (this.isMoreOpen = this.isOutOfTurn ? this.isMoreOpen : event.target.open) } },
      el("summary", { text: words.record.otherCall }),
      this.buildSpokenWordsField(), this.buildEarlyTrumpField(),
      others.length ? el("div", { class: "choices two", "data-group": "others" }, ...others) : null,
    );
    return [el("div", { class: "choices two", "data-group": "calls" }, ...pass, ...legal), point.legal.optional ? el("p", { class: "muted", text: words.record.nobodyNeeds }) : null, more].filter(Boolean);
  }

  buildBid(bid, seat) {
    const spoken = this.spokenWords.trim();
    return { type: "bid_made", seat, bid, ...(this.earlyTrump ? { trump: this.earlyTrump } : {}), ...(spoken ? { said: spoken } : {}) };
  }

  buildSpokenWordsField() {
    const field = el("input", { type: "text", id: "said", maxlength: "200", autocomplete: "off", value: this.spokenWords, on: { input: () => (this.spokenWords = field.value) } });
    return el("div", { class: "pad-field" }, el("label", { for: "said", text: this.words.record.said }), field);
  }

  /** A suit that was named too early, with the bid. */
  buildEarlyTrumpField() {
    const { words } = this;
    const suits = SUITS.map((suit) =>
      el("button", { type: "button", class: "choice", "aria-pressed": String(this.earlyTrump === suit), on: { click: () => { this.earlyTrump = this.earlyTrump === suit ? null : suit; this.redraw(); } } }, el("span", { "aria-hidden": "true" }, drawPip(suit)), el("span", { class: "visually-hidden", text: words.suit(suit) })),
    );
    return el("fieldset", { class: "facts" }, el("legend", { text: words.record.early }), el("div", { class: "choices four" }, ...suits));
  }

  // The contract

  buildContractPad() {
    const { words, point, actor } = this;
    const later = point.state.phase === "exchange";
    const contracts = this.isSeatOnTurn ? point.legal.contracts : [];
    const enter = (contract, trump) => {
      if (later && trump) return this.enterEvents({ type: "trump_named", seat: actor, trump });
      return this.enterEvents({ type: "contract_named", seat: actor, contract, ...(trump ? { trump } : {}) });
    };
    const one = (contract, trump) =>
      el("button", { type: "button", class: "choice is-call", "data-contract": contract, "data-trump": trump, on: { click: () => enter(contract, trump) } },
        el("span", { class: "choice-name" }, later ? "" : words.upper(words.contract(contract, trump)), ...(trump ? [later ? words.upper(words.suit(trump)) : "", " ", drawPip(trump)] : [])));
    const legal = contracts.flatMap(({ contract, trumps }) => (trumps.length ? trumps.map((trump) => one(contract, trump)) : [one(contract, null)]));
    return [el("div", { class: "choices two", "data-group": "contracts" }, ...legal), this.buildOtherContractForm(enter)];
  }

  /** Anything else that may have been named. */
  buildOtherContractForm(enter) {
    const { words } = this;
    const contracts = (this.rules?.contracts ?? []).map((one) => el("option", { value: one.id, text: one.name }));
    const contract = el("select", { id: "other-contract" }, ...contracts);
    const suits = [el("option", { value: "", text: words.record.noSuit }), ...SUITS.map((suit) => el("option", { value: suit, text: words.suit(suit) }))];
    const suit = el("select", { id: "other-suit" }, ...suits);
    const enterButton = el("button", { type: "button", class: "button", text: words.record.enter, on: { click: () => enter(contract.value, suit.value || null) } });
    return el("details", { class: "pad-more", open: !this.isSeatOnTurn },
      el("summary", { text: words.record.otherContract }),
      el("div", { class: "pad-field" }, el("label", { for: "other-contract", text: words.record.contract }), contract),
      el("div", { class: "pad-field" }, el("label", { for: "other-suit", text: words.record.trumpField }), suit),
      enterButton,
    );
  }

  // Cards

  /** The keyboard, shown for what is asked now. */
  buildKeyboard({ legal = null, chosen = [], idle = false } = {}) {
    const { state } = this.point;
    this.keys.show({ trump: state.trump, contract: state.contract, locations: locateCards(state, this.words), legal, chosen });
    this.keys.root.setAttribute("aria-disabled", String(idle));
    return this.keys.root;
  }

  handleCardTap(card) {
    const { action } = this.point.legal ?? {};
    if (action === "turn") return this.enterEvents({ type: "talon_turned", card });
    if (action === "play") return this.enterCard(card);
    const pickedIndex = this.chosen.indexOf(card);
    if (pickedIndex >= 0) this.chosen.splice(pickedIndex, 1);
    else if (this.chosen.length < (action === "draw" ? this.point.legal.count : HAND_SIZE)) this.chosen.push(card);
    return this.redraw();
  }

  buildTurnPad() {
    const free = this.listUnlocatedCards();
    return [this.buildKeyboard({ legal: free }), el("div", { class: "key-row" }, this.buildUnseenKey(HIDDEN_CARD, this.words.record.notSeen, (card) => this.enterEvents({ type: "talon_turned", card })))];
  }

  /** The cards of which nothing says where they are. */
  listUnlocatedCards() {
    const locations = locateCards(this.point.state, this.words);
    return new Set([...this.keys.keys.keys()].filter((card) => !locations.has(card)));
  }

  /** The cards of the actor's hand, as far as they are known, and, where some are not, those that may be in it. */
  listPossibleHandCards() {
    const hand = this.point.state.hands?.[this.actor] ?? { cards: [], unknown: HAND_SIZE };
    return new Set([...hand.cards, ...(hand.unknown ? this.listUnlocatedCards() : [])]);
  }

  buildPlayPad(legal = this.listPlayableCards(), idle = false) {
    const suits = SUITS.map((suit) => this.buildUnseenKey(`${suit}?`, this.words.card(`${suit}?`), (card) => this.enterCard(card)));
    const row = el("div", { class: "key-row", role: "group", "aria-label": this.words.record.notSeen, "aria-disabled": String(idle) }, this.buildUnseenKey(HIDDEN_CARD, this.words.record.notSeen, (card) => this.enterCard(card)), ...suits);
    return [this.buildKeyboard({ legal, idle }), row];
  }

  listPlayableCards() {
    const { point } = this;
    return !this.isSeatOnTurn || point.legal.seat === null ? this.listHandCardsOrAny() : new Set([...point.legal.cards, ...(point.legal.hidden ? this.listUnlocatedCards() : [])]);
  }

  listHandCardsOrAny() {
    return this.actor ? this.listPossibleHandCards() : null;
  }

  enterCard(card) {
    if (this.burst && (!this.burst.actor || this.burst.lying.has(card))) return;
    if (this.burst) this.actor = this.burst.actor;
    this.enterEvents({ type: "card_played", seat: this.actor, card, ...(this.anchor ? { trick: this.anchor } : {}) });
  }

  /** A key for a card that was not seen, or of which only the suit was. */
  buildUnseenKey(card, text, tapped) {
    const face = card === HIDDEN_CARD ? el("i", { text: this.words.record.notSeenKey }) : drawPip(card[0]);
    return el("button", { type: "button", class: `card-key is-unseen${card === HIDDEN_CARD ? " is-wide-key" : ""}`, "data-card": card, on: { click: () => tapped(card) } },
      el("span", { class: "key-face", "aria-hidden": "true" }, face), el("span", { class: "visually-hidden", text }));
  }

  // The exchange

  buildExchangePad() {
    const { point, actor } = this;
    this.namesCards ??= this.isSeatOnTurn && point.state.hands?.[actor]?.unknown === 0;
    return this.namesCards ? this.buildDiscardPad() : this.buildCountPad();
  }

  buildCountPad() {
    const { words, point } = this;
    const { min = 0, max = HAND_SIZE } = this.isSeatOnTurn ? point.legal : {};
    const counts = [...Array(HAND_SIZE + 1).keys()].map((count) => {
      const open = count >= min && count <= max;
      return el("button", { type: "button", class: `choice${open ? " is-call" : " is-other"}`, "data-count": count, "data-legal": open, on: { click: () => this.enterExchange(count) } },
        el("span", { class: "choice-name", text: String(count) }), count ? null : el("span", { class: "choice-more", text: words.record.stands }));
    });
    return [el("div", { class: "choices five", "data-group": "counts" }, ...counts), this.buildModeButton(true)];
  }

  buildModeButton(byCards) {
    const { words } = this;
    const text = byCards ? words.record.byCards : words.record.byCount;
    return el("p", { class: "pad-mode" }, el("button", { type: "button", class: "button", "data-way": byCards ? "cards" : "count", text, on: { click: () => { this.namesCards = byCards; this.chosen = []; this.redraw(); } } }));
  }

  /** Numbers of cards sold and bought that nobody wrote down; of the talon, what is known. */
  enterExchange(count) {
    const { point, actor } = this;
    const sold = { type: "cards_discarded", seat: actor, cards: Array(count).fill(HIDDEN_CARD) };
    const talon = point.state.talon?.cards ?? [];
    const bought = Array.from({ length: count }, (_, index) => talon[index] ?? HIDDEN_CARD);
    this.enterEvents(sold, ...(count ? [{ type: "cards_drawn", seat: actor, cards: bought }] : []));
  }

  buildDiscardPad() {
    const { words, actor, chosen } = this;
    const submitButton = el("button", {
      type: "button", class: "confirm", "data-enter": "discard", text: words.record.sell(chosen.length),
      on: { click: () => this.enterEvents({ type: "cards_discarded", seat: actor, cards: [...this.chosen] }) },
    });
    return [this.buildKeyboard({ legal: this.listPossibleHandCards(), chosen }), submitButton, this.buildModeButton(false)];
  }

  buildDrawPad() {
    const { words, point, actor, chosen } = this;
    const { count } = point.legal;
    const known = (point.state.talon?.cards ?? []).slice(0, count).filter((card) => !card.includes("?"));
    if (!chosen.length && known.length && !this.hasOfferedCards) this.chosen = [...known];
    this.hasOfferedCards = true;
    const cards = this.chosen;
    const rest = count - cards.length;
    const submitButton = el("button", {
      type: "button", class: "confirm", "data-enter": "draw", text: words.record.buy(cards.length, rest),
      on: { click: () => this.enterEvents({ type: "cards_drawn", seat: actor, cards: [...this.chosen, ...Array(rest).fill(HIDDEN_CARD)] }) },
    });
    return [this.buildKeyboard({ legal: new Set([...this.listUnlocatedCards(), ...known]), chosen: cards }), submitButton];
  }
}
