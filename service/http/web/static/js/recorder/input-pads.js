// @ts-check
/**
 * What can be entered next: calls, a contract, the turned card, the exchange, a card. What the service says is legal
 * stands to the fore; everything else can be tapped too, and each key keeps its place. Nothing is judged here.
 */

import { HIDDEN_CARD } from "../core/cards.js";
import { Pip } from "../core/pip.js";
import { t } from "../core/texts.js";
import words from "../messages/evening.js";
import { html } from "../vendor/preact.js";
import { ALL_CARDS, CardKeyboard, locateCards, locatePlayedCards } from "./card-keyboard.js";

/** @import { DealEvent, Point } from "./recorded-deal.js" */
/** @import { Draft, RecorderSession } from "./session.js" */
/** @import { Locations } from "./card-keyboard.js" */
/**
 * What a pad needs: who acts at which point, whether the act is one that the service has judged (`isOnTurn`), where
 * cards are, and what is prepared.
 * @typedef {{ session: RecorderSession, point: Point, legal: Record<string, any>, actor: string, isOnTurn: boolean, locations: Locations, draft: Draft, change: (changes: Partial<Draft>) => void, enter: (...events: DealEvent[]) => void }} PadProps
 */

const SUITS = ["S", "H", "C", "D"];
const HAND_SIZE = 9;

/** @type {(n: number) => string} */
export const countCards = (n) => (n === 1 ? t("1 card") : t("{n} cards", { n }));

/** @type {Record<string, (props: PadProps) => unknown>} */
const PADS = { bid: BidPad, name: ContractPad, turn: TurnPad, exchange: ExchangePad, draw: DrawPad, play: PlayPad };

/** What is asked of whom: a draft belongs to one question. @type {(point: Point, actor: string | null) => string} */
export const questionKey = ({ version, point, legal }, actor) => `${version}:${point ?? ""}:${legal?.action}:${actor}`;

/** Whether the player in turn acts, as the service has judged. @type {(point: Point, actor: string | null) => boolean} */
const isOnTurn = ({ legal }, actor) => !legal?.guessed && (legal?.seat === actor || legal?.seat === null);

/** Whether the exchange is entered by its cards. @type {(draft: Draft, point: Point, actor: string | null) => boolean} */
export const namesCards = (draft, point, actor) =>
  draft.namesCards ?? (isOnTurn(point, actor) && point.state.hands?.[actor ?? ""]?.unknown === 0);

/** The pad of what is asked now. @param {{ session: RecorderSession }} props */
export function InputPad({ session }) {
  const { point, actor } = session.view.value;
  const { legal } = point;
  if (!legal) return null;
  const locations = locateCards(point.state);
  const corrected = session.correction.value;
  // What is played later in the record lies dim with its trick; the card that is corrected is free.
  if (corrected) {
    const { record } = session;
    for (const [card, location] of locatePlayedCards(record.current.state)) {
      if (!locations.has(card) && (corrected.insertsAfter || card !== corrected.event.card))
        locations.set(card, location);
    }
  }
  if (!actor && legal.action !== "turn")
    return legal.action === "play"
      ? html`<${Cards} session=${session} point=${point} locations=${locations} legal=${new Set()} isIdle />`
      : null;
  const draft = session.draftFor(questionKey(point, actor));
  const change = (/** @type {Partial<Draft>} */ changes) => {
    session.draft.value = { ...draft, ...changes };
  };
  const enter = (/** @type {DealEvent[]} */ ...events) => session.enter(events);
  return html`<${PADS[legal.action]} key=${legal.action} session=${session} point=${point} legal=${legal} actor=${actor} isOnTurn=${isOnTurn(point, actor)} locations=${locations} draft=${draft} change=${change} enter=${enter} />`;
}

// The auction

/** Every call in its place. @param {PadProps} props */
function BidPad({ session, legal, actor, isOnTurn, draft, change, enter }) {
  const calls = session.rules?.calls ?? (legal.calls ?? []).map((/** @type {string} */ id) => ({ id, name: null }));
  const open = new Set(legal.guessed ? calls.map((/** @type {any} */ one) => one.id) : isOnTurn ? legal.calls : []);
  const call = (/** @type {string} */ bid) => {
    const said = draft.spoken.trim();
    enter({
      type: "bid_made",
      seat: actor,
      bid,
      ...(draft.earlyTrump ? { trump: draft.earlyTrump } : {}),
      ...(said ? { said } : {}),
    });
  };
  const suit = (/** @type {string} */ one) =>
    html`<button key=${one} type="button" class="choice" aria-pressed=${String(draft.earlyTrump === one)} onClick=${() => change({ earlyTrump: draft.earlyTrump === one ? null : one })}><span aria-hidden="true"><${Pip} suit=${one} /></span><span class="visually-hidden">${words.suit(one)}</span></button>`;
  return html`
    <div class="choices two" data-group="calls">${calls.map((/** @type {any} */ { id, name }) => html`<button key=${id} type="button" class="choice is-call ${id === "pass" ? "is-wide" : ""}" data-call=${id} data-legal=${String(open.has(id))} onClick=${() => call(id)}>${name ?? words.bid(id)}</button>`)}</div>
    ${legal.optional && html`<p class="muted">${t("Nobody has to undertake anything.")}</p>`}
    <details class="pad-more" open=${!isOnTurn && !legal.guessed}>
      <summary>${t("Something else was said")}</summary>
      <div class="pad-field"><label for="said">${t("The exact words")}</label><input type="text" id="said" maxlength="200" autocomplete="off" value=${draft.spoken} onInput=${(/** @type {any} */ { target }) => change({ spoken: target.value })} /></div>
      <fieldset class="facts"><legend>${t("Named a suit too early")}</legend><div class="choices four">${SUITS.map(suit)}</div></fieldset>
    </details>`;
}

// The contract

/** @param {PadProps} props */
function ContractPad({ session, point, legal, actor, isOnTurn, enter }) {
  const isLater = point.state.phase === "exchange";
  const contracts = isOnTurn ? (legal.contracts ?? []) : [];
  /** @type {(contract: string, trump: string | null) => void} */
  const name = (contract, trump) => {
    if (isLater && trump) return enter({ type: "trump_named", seat: actor, trump });
    return enter({ type: "contract_named", seat: actor, contract, ...(trump ? { trump } : {}) });
  };
  const choices = contracts.flatMap((/** @type {any} */ { contract, trumps }) =>
    (trumps.length ? trumps : [null]).map((/** @type {string | null} */ trump) => ({ contract, trump })),
  );
  const choice = (
    /** @type {any} */ { contract, trump },
  ) => html`<button key=${`${contract} ${trump}`} type="button" class="choice is-call" data-contract=${contract} data-trump=${trump} onClick=${() => name(contract, trump)}>
    <span class="choice-name">${isLater && trump ? words.upper(words.suit(trump)) : words.upper(words.contract(contract, trump))}${trump && html` <${Pip} suit=${trump} />`}</span></button>`;
  const submit = (/** @type {any} */ event) => {
    event.preventDefault();
    const { contract, suit } = event.target.elements;
    name(contract.value, suit.value || null);
  };
  return html`
    <div class="choices two" data-group="contracts">${choices.map(choice)}</div>
    <details class="pad-more" open=${!isOnTurn}>
      <summary>${t("Something else was named")}</summary>
      <form onSubmit=${submit}>
        <div class="pad-field"><label for="other-contract">${t("Game")}</label><select id="other-contract" name="contract">${(session.rules?.contracts ?? []).map((/** @type {any} */ one) => html`<option value=${one.id}>${one.name}</option>`)}</select></div>
        <div class="pad-field"><label for="other-suit">${t("Trumps")}</label><select id="other-suit" name="suit"><option value="">${t("no suit")}</option>${SUITS.map((suit) => html`<option value=${suit}>${words.suit(suit)}</option>`)}</select></div>
        <p><button type="submit" class="button">${t("Write")}</button></p>
      </form>
    </details>`;
}

// Cards

/**
 * The keyboard, with the keys for a card that was not seen, or of which only the suit was.
 * @param {{ session: RecorderSession, point: Point, locations: Locations, legal: Set<string>, isIdle?: boolean, led?: string, onTap: (card: string) => void, withSuits?: boolean }} props
 */
function Cards({ point: { state }, locations, legal, isIdle = false, led, onTap = () => {}, withSuits = true }) {
  const unseen = (
    /** @type {string} */ card,
  ) => html`<button key=${card} type="button" class="card-key is-unseen ${card === HIDDEN_CARD ? "is-wide-key" : ""}" data-card=${card} tabindex="-1" onClick=${() => onTap(card)}>
    <span class="key-face" aria-hidden="true">${card === HIDDEN_CARD ? html`<i>${t("not seen")}</i>` : html`<${Pip} suit=${card[0]} />`}</span>
    <span class="visually-hidden">${card === HIDDEN_CARD ? t("a card that nobody saw") : words.card(card)}</span></button>`;
  const keysAfter = (/** @type {string} */ suit, /** @type {boolean} */ isLast) => [
    isLast && unseen(HIDDEN_CARD),
    withSuits && unseen(`${suit}?`),
  ];
  return html`<${CardKeyboard} trump=${state.trump} contract=${state.contract} locations=${locations} legal=${legal} isIdle=${isIdle} led=${led} keysAfter=${keysAfter} onTap=${onTap} />`;
}

/** The cards of which nothing says where they are. @param {Locations} locations */
const listUnlocated = (locations) => ALL_CARDS.filter((card) => !locations.has(card));

/** The cards of the actor's hand, as far as they are known, and, where some are not, those that may be in it. @type {(props: PadProps) => Set<string>} */
function listPossible({ point, actor, locations }) {
  const hand = point.state.hands?.[actor] ?? { cards: [], unknown: HAND_SIZE };
  return new Set([...hand.cards, ...(hand.unknown ? listUnlocated(locations) : [])]);
}

/** @param {PadProps} props */
function TurnPad({ session, point, locations, enter }) {
  return html`<${Cards} session=${session} point=${point} locations=${locations} legal=${new Set(listUnlocated(locations))} withSuits=${false} onTap=${(/** @type {string} */ card) => enter({ type: "talon_turned", card })} />`;
}

/** @param {PadProps} props */
function PlayPad(props) {
  const { session, point, legal, actor, isOnTurn, locations, enter } = props;
  const isJudged = isOnTurn && legal.seat !== null && !legal.guessed;
  const playable = isJudged
    ? new Set([...legal.cards, ...(legal.hidden ? listUnlocated(locations) : [])])
    : listPossible(props);
  if (session.correction.value)
    for (const card of locatePlayedCards(session.record.current.state).keys())
      if (locations.has(card)) playable.delete(card);
  const trick = point.state.tricks.at(-1);
  const lying = trick?.cards ?? [];
  const led = trick?.winner ? "" : lying[0];
  const play = (/** @type {string} */ card) => {
    // A second tap on the key of a card that is on its way.
    if (legal.guessed && lying.includes(card) && !card.includes("?")) return;
    const anchor = session.anchor.value;
    enter({ type: "card_played", seat: actor, card, ...(anchor ? { trick: anchor } : {}) });
  };
  return html`<${Cards} session=${session} point=${point} locations=${locations} legal=${playable} led=${led} onTap=${play} />`;
}

/** The keyboard on which cards are picked in order, up to a number. @param {PadProps & { legal: Set<string>, most: number, picked: string[] }} props */
function PickedCards({ point: { state }, locations, legal, most, picked, change }) {
  const pick = (/** @type {string} */ card) => {
    if (picked.includes(card)) change({ picked: picked.filter((one) => one !== card) });
    else if (picked.length < most) change({ picked: [...picked, card] });
  };
  return html`<${CardKeyboard} trump=${state.trump} contract=${state.contract} locations=${locations} legal=${legal} picked=${picked} onTap=${pick} />`;
}

// The exchange

/** @param {PadProps} props */
function ExchangePad(props) {
  const { point, actor, draft, change, enter } = props;
  const byCards = namesCards(draft, point, actor);
  const mode = html`<p class="pad-mode"><button type="button" class="button" data-way=${byCards ? "count" : "cards"} onClick=${() => change({ namesCards: !byCards, picked: [] })}>${byCards ? t("Only the number") : t("Choose the cards")}</button></p>`;
  if (!byCards) return html`<${CountPad} ...${props} />${mode}`;
  const { picked } = draft;
  const discard = () => enter({ type: "cards_discarded", seat: actor, cards: picked });
  return html`<${PickedCards} ...${props} legal=${listPossible(props)} most=${HAND_SIZE} picked=${picked} />
    <button type="button" class="confirm" data-enter="discard" onClick=${discard}>${picked.length ? t("Discard {cards}", { cards: countCards(picked.length) }) : t("Stands")}</button>${mode}`;
}

/** Numbers of cards sold and bought that nobody wrote down; of the talon, what is known. @param {PadProps} props */
function CountPad({ point, legal, actor, isOnTurn, enter }) {
  const { min = 0, max = HAND_SIZE } = isOnTurn ? legal : {};
  const exchange = (/** @type {number} */ count) => {
    const talon = point.state.talon?.cards ?? [];
    const drawn = Array.from({ length: count }, (_, index) => talon[index] ?? HIDDEN_CARD);
    enter(
      { type: "cards_discarded", seat: actor, cards: Array(count).fill(HIDDEN_CARD) },
      ...(count ? [{ type: "cards_drawn", seat: actor, cards: drawn }] : []),
    );
  };
  const choice = (/** @type {number} */ count) =>
    html`<button key=${count} type="button" class="choice is-call" data-count=${count} data-legal=${String(count >= min && count <= max)} onClick=${() => exchange(count)}><span class="choice-name">${count}</span>${!count && html`<span class="choice-more">${t("stands")}</span>`}</button>`;
  return html`<div class="choices five" data-group="counts">${[...Array(HAND_SIZE + 1).keys()].map(choice)}</div>`;
}

/** @param {PadProps} props */
function DrawPad(props) {
  const { session, point, legal, actor, locations, draft, enter } = props;
  const { count } = legal;
  const known = (point.state.talon?.cards ?? [])
    .slice(0, count)
    .filter((/** @type {string} */ card) => !card.includes("?"));
  // What lies on top of a known talon is offered, until something else is picked.
  const picked = session.draft.value?.key === draft.key ? draft.picked : known;
  const rest = count - picked.length;
  const draw = () => enter({ type: "cards_drawn", seat: actor, cards: [...picked, ...Array(rest).fill(HIDDEN_CARD)] });
  return html`<${PickedCards} ...${props} legal=${new Set([...listUnlocated(locations), ...known])} most=${count} picked=${picked} />
    <button type="button" class="confirm" data-enter="draw" onClick=${draw}>${describeDraw(picked.length, rest)}</button>`;
}

/** @type {(known: number, rest: number) => string} */
function describeDraw(known, rest) {
  const hidden = rest === 1 ? t("1 hidden") : t("{n} hidden", { n: rest });
  if (!rest) return t("Draw {cards}", { cards: countCards(known) });
  return known
    ? t("Draw {cards} and {hidden}", { cards: countCards(known), hidden })
    : t("Draw {cards}", { cards: hidden });
}
