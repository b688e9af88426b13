// @ts-check
/** The recorder: a deal card by card, from its first call to its settlement, from as many devices as there are at the table. */

import { ApiError } from "../core/api.js";
import { useRules } from "../core/cards.js";
import { formatApiError } from "../core/deal-text.js";
import { outbox } from "../core/outbox.js";
import { isTight, RoomProbe } from "../core/room.js";
import { t, tc } from "../core/texts.js";
import words from "../messages/evening.js";
import { SEATS } from "../replay/card-tracks.js";
import { html, render, useEffect, useLayoutEffect, useRef } from "../vendor/preact.js";
import { readCachedDeal, startDealCache } from "./cached-deals.js";
import { buildCardCodes, typeCardCode } from "./card-codes.js";
import { EntryLog, WAIT_TEXTS } from "./entry-log.js";
import { Findings, formatEntry, formatStandingEntry } from "./entry-text.js";
import { buildFormContext, EVENT_FORMS, EventFormDialog } from "./event-forms.js";
import { countCards, InputPad, namesCards, questionKey } from "./input-pads.js";
import { selectSerious } from "./pending-entries.js";
import { ENTRY_KINDS } from "./pending-state.js";
import { findQuestion, Notice } from "./questions.js";
import { RecordedDeal } from "./recorded-deal.js";
import { RecorderSession } from "./session.js";
import { Settlement } from "./settlement.js";
import { KnownHands, TableBoard, TricksTable } from "./table-board.js";

/** Milliseconds after which a letter begins another card. */
const TYPING_PAUSE_MS = 1_500;

/** @type {Record<string, string>} What may come next, while nobody can be asked. */
const KIND_LABELS = {
  bid: t("Call"),
  name: tc("recorder", "Game"),
  turn: t("Turned"),
  exchange: tc("recorder", "Exchange"),
  play: t("Card"),
};

/** @typedef {{ session: RecorderSession }} Props */

/** @param {Props} props */
function Recorder({ session }) {
  const { point, actor } = session.view.value;
  const { mayWrite } = session;
  const question = findQuestion(session);
  const pad = useRef(/** @type {HTMLElement | null} */ (null));
  const notices = useRef(/** @type {HTMLElement | null} */ (null));
  const asked = `${questionKey(point, actor)} ${question?.kind ?? ""}`;
  // The keyboard begins at what is asked, also where what had the focus is gone with the last question.
  useLayoutEffect(() => {
    const at = document.activeElement;
    const isFree = !at || at === document.body || at.closest(".pad [data-group]");
    const first = '[tabindex="0"], button:not([tabindex="-1"]), summary';
    const next =
      question?.kind === "undo"
        ? notices.current?.querySelector("button")
        : isFree
          ? pad.current?.querySelector(first)
          : null;
    // The log, from which an entry is corrected, is further down on a phone.
    if (question?.kind === "correcting") pad.current?.scrollIntoView({ block: "start" });
    if (mayWrite) /** @type {HTMLElement | null | undefined} */ (next)?.focus({ preventScroll: true });
  }, [asked]);
  useEffect(() => listenToTyping(session), []);
  return html`
    <${RoomProbe} />
    <div class="record-top ${isTight.value ? "is-tight" : ""}">
      <section class="record-board" aria-label=${t("How the deal stands")}>
        <${TableBoard} point=${session.point.value} actingSeat=${actor} heading=${session.root.querySelector("h1")?.textContent} dealInfo=${describeDealer(session)} connection=${session.describeConnection()} onChooseSeat=${mayWrite ? (/** @type {string} */ seat) => session.chooseSeat(seat) : null} />
      </section>
      <div class="record-bar">
        <${LastEntry} session=${session} />
        <div ref=${notices} class="notice-area" role="status" aria-live="polite">${question && html`<${Notice} question=${question} />`}</div>
      </div>
      <${Prompt} session=${session} />
    </div>
    <section ref=${pad} class="record-pad" data-part="pad" aria-label=${t("What happens next")}>
      <div class="pad ${session.view.value.isBusy ? "is-busy" : ""}">${mayWrite ? html`<${InputPad} session=${session} />` : html`<${ReadOnly} session=${session} />`}
        ${!session.correction.value && !session.pendingPoint.value && html`<${Settlement} session=${session} />`}</div>
      ${mayWrite && html`<${OtherActions} session=${session} />`}
      <${More} session=${session} />
      ${mayWrite && html`<${NextKinds} session=${session} />`}
    </section>
    <${EntryLog} session=${session} />
    <section class="record-side" aria-label=${t("Tricks and entries")}><${Side} session=${session} /></section>
    ${session.form.value && html`<${EventFormDialog} key=${session.form.value.name} session=${session} ...${session.form.value} />`}`;
}

/** Who dealt, and who sits out. @param {RecorderSession} session */
function describeDealer({ record }) {
  const { dealer } = record.opening?.event ?? {};
  const sittingOut = (record.players.sitting_out ?? []).map((/** @type {string} */ player) =>
    record.withMemberNames(player),
  );
  return [
    dealer && words.slip.deals(record.withMemberNames(dealer)),
    sittingOut.length && words.slip.sitsOut(words.listed(sittingOut), sittingOut.length),
  ]
    .filter(Boolean)
    .join(" · ");
}

/** @param {Props} props */
function LastEntry({ session }) {
  const { record, pending } = session;
  const target = session.findLastEntry();
  const event = target && record.withMemberNames(target.entry.event);
  const text = !target
    ? t("The deal has begun.")
    : target.queuedEntry
      ? formatEntry(event, session.point.value.state)
      : formatStandingEntry(event, record, record.current.state);
  const askUndo = () => {
    session.undoTarget.value = target;
  };
  return html`<p class="last-entry"><span class="muted">${t("Last:")} </span>${text}${target?.queuedEntry && html`<i class="muted"> ${WAIT_TEXTS[pending.waitReason(target.queuedEntry)]}</i>`}</p>
    ${session.mayWrite && html`<button type="button" class="button" data-act="undo" disabled=${!target || Boolean(session.correction.value)} onClick=${askUndo}>${t("Undo")}</button>`}`;
}

/** @param {Props} props */
function Prompt({ session }) {
  const { point, actor } = session.view.value;
  const { legal, state } = point;
  const turn =
    session.mayWrite && actor && legal?.seat && actor !== legal.seat
      ? t("It would be {name}’s turn.", { name: words.player(state, legal.seat) })
      : "";
  return html`<h2 class="prompt">${describeQuestion(session)}${turn && html` <span class="muted">${turn}</span>`}${session.typed.value && html` <kbd class="muted">${session.typed.value}</kbd>`}</h2>`;
}

/** @param {RecorderSession} session */
function describeQuestion(session) {
  const { point, actor } = session.view.value;
  const { legal, state } = point;
  const trick = state.tricks.at(-1);
  if (!legal) return t("The deal is over");
  // After a trick with cards that nobody saw, only the user knows who leads.
  const isTrickFull = trick && trick.winner === null && trick.cards.length === SEATS.length && !session.anchor.value;
  if (!actor && legal.action !== "turn")
    return legal.action === "play" && isTrickFull
      ? t("Who took the trick? Tap the name.")
      : t("Who is it? Tap a name above.");
  const name = actor ? words.player(state, actor) : "";
  const isFollowing = trick && trick.winner === null && trick.cards.length < SEATS.length && !session.anchor.value;
  /** @type {Record<string, () => string>} */
  const questions = {
    bid: () => t("{name} bids", { name }),
    name: () => t("{name} names the game", { name }),
    turn: () => t("Which card was turned?"),
    exchange: () =>
      namesCards(session.draftFor(questionKey(point, actor)), point, actor)
        ? t("{name} discards: which cards?", { name })
        : t("{name} exchanges: how many?", { name }),
    draw: () => t("{name} draws {cards}: which?", { name, cards: countCards(legal.count) }),
    play: () => (isFollowing ? t("{name} plays", { name }) : t("{name} leads", { name })),
  };
  return questions[legal.action]();
}

/** While nobody can be asked what is due, a person says what comes next. @param {Props} props */
function NextKinds({ session }) {
  const { legal } = session.view.value.point;
  if (!legal?.guessed || legal.action === "draw" || session.isAwaitingAnswer) return null;
  const choose = (/** @type {string} */ kind) => {
    session.chosenKind.value = kind;
  };
  return html`<div class="next-kinds" role="group" aria-label=${t("What happens now?")}>${ENTRY_KINDS.map((kind) => html`<button key=${kind} type="button" class="choice is-other" data-kind=${kind} aria-pressed=${String(legal.action === kind)} onClick=${() => choose(kind)}>${KIND_LABELS[kind]}</button>`)}</div>`;
}

/** What else may happen now, and by whom; what others answer is a question. @param {Props} props */
function OtherActions({ session }) {
  const { legal, state } = session.point.value;
  const actions = (legal?.also ?? []).filter((/** @type {any} */ { action }) => action !== "answer");
  if (!actions.length) return null;
  /** @type {Record<string, { text: (name: string, pays?: string) => string, act: (seat: string, pays?: string) => void }>} */
  const kinds = {
    abandon: {
      text: (name, pays) =>
        pays === "codille" ? t("{name} gives up as codille", { name }) : t("{name} gives up as bête", { name }),
      act: (seat, pays) => session.enter([{ type: "deal_abandoned", seat, ...(pays ? { pays } : {}) }]),
    },
    surrender: {
      text: (name) => t("{name} offers to surrender", { name }),
      act: (seat) => session.enter([{ type: "surrender_offered", seat }]),
    },
    slam: {
      text: (name) => t("{name} tries for all nine", { name }),
      act: (seat) => session.enter([{ type: "slam_announced", seat }]),
    },
    claim: { text: (name) => t("{name} claims", { name }), act: (seat) => session.openForm("claim", { seat }) },
    show: {
      text: (name) => t("{name} lays the hand open", { name }),
      act: (seat) => session.openForm("shown", { seat, whole: true }),
    },
    yield: {
      text: (name) => t("{name} yields first choice", { name }),
      act: (seat) => session.enter([{ type: "exchange_yielded", seat }]),
    },
  };
  const ordered = [...actions].sort((one, other) => SEATS.indexOf(one.seat) - SEATS.indexOf(other.seat));
  return html`<div class="other-actions choices two">${ordered.map(({ action, seat, pays }) => html`<button key=${`${action} ${seat} ${pays}`} type="button" class="choice is-other" data-also=${pays ? `${action}-${pays}` : action} data-seat=${seat} onClick=${() => kinds[action].act(seat, pays)}>${kinds[action].text(words.player(state, seat), pays)}</button>`)}</div>`;
}

/** What may be entered at any time. @param {Props} props */
function More({ session }) {
  const open = (/** @type {string} */ name) => session.openForm(name);
  if (!session.mayWrite)
    return (
      "mayNote" in session.root.dataset &&
      html`<p class="more-menu"><button type="button" class="button" data-form="note" onClick=${() => open("note")}>${t("Write a note")}</button></p>`
    );
  const context = buildFormContext(session);
  const offered = Object.entries(EVENT_FORMS).filter(([, form]) => form.isOffered?.(context) ?? true);
  return html`<details class="pad-more more-menu"><summary>${t("More")}</summary><div class="choices two">${offered.map(([name, { label }]) => html`<button key=${name} type="button" class="choice is-other" data-form=${name} onClick=${() => open(name)}>${label}</button>`)}</div></details>`;
}

/** Why nothing is entered here: this reader only watches, or the evening is over, which its slip can undo. @param {Props} props */
function ReadOnly({ session: { root, point } }) {
  const reason =
    "closed" in root.dataset
      ? html`<p>${words.slip.overHow} <a href=${root.dataset.tableUrl}>${words.slip.reopen}</a></p>`
      : html`<p class="muted">${t("You are watching. New entries appear by themselves.")}</p>`;
  return html`${reason}<${KnownHands} state=${point.value.state} />`;
}

/** Tricks, findings, and what was thrown away. @param {Props} props */
function Side({ session }) {
  const { pending, record } = session;
  const serious = selectSerious(record.current.findings);
  const discarded = pending.discardedEntries.flatMap(({ events }) => events);
  return html`
    <div class="side-part tricks"><h2>${t("The tricks")}</h2><${TricksTable} point=${session.pendingPoint.value ?? record.current} /></div>
    ${serious.length > 0 && html`<div class="side-part findings"><h2>${t("Findings")}</h2><ul>${serious.map((one) => html`<li class="finding"><${Findings} findings=${[one]} /></li>`)}</ul></div>`}
    ${
      discarded.length > 0 &&
      html`<div class="side-part discarded-entries"><h2>${words.offline.thrown}</h2>
      ${discarded.map((event) => html`<s><p class="notice-entry">${formatEntry(record.withMemberNames(event), record.current.state)}</p></s>`)}
      <button type="button" class="button" data-act="forget" onClick=${() => pending.forgetDiscarded()}>${words.offline.clear}</button></div>`
    }`;
}

/** Moves the keyboard focus to the card whose code is typed; Enter then plays it. From the first key on the focus is shown. @param {RecorderSession} session */
function listenToTyping(session) {
  const codes = buildCardCodes(
    (suit) => words.suit(suit),
    (rank) => words.letter(rank),
  );
  let lastTyped = 0;
  const type = (/** @type {KeyboardEvent} */ event) => {
    session.root.classList.add("has-keys");
    const isElsewhere =
      event.ctrlKey ||
      event.altKey ||
      event.metaKey ||
      [...event.key].length > 1 ||
      /** @type {Element} */ (event.target).closest("input, select, textarea, dialog");
    if (isElsewhere || !document.querySelector(".pad .card-key")) return;
    const found = typeCardCode(
      event.timeStamp - lastTyped < TYPING_PAUSE_MS ? session.typed.value : "",
      event.key.toLowerCase(),
      codes,
    );
    lastTyped = event.timeStamp;
    session.typed.value = found?.typed ?? "";
    if (!found) return;
    const key = /** @type {HTMLElement | null} */ (document.querySelector(`.pad .card-key[data-card="${found.card}"]`));
    key?.closest("details")?.setAttribute("open", "");
    key?.focus({ preventScroll: true });
  };
  document.addEventListener("keydown", type);
  return () => document.removeEventListener("keydown", type);
}

/** @param {HTMLElement} root */
async function start(root) {
  const part = (/** @type {string} */ name) => /** @type {HTMLElement} */ (root.querySelector(`[data-part="${name}"]`));
  const fail = (/** @type {string} */ text) => {
    part("connection").textContent = text;
  };
  const cached = root.dataset.record ? null : await readCachedDeal(location.pathname.split("/")[2]);
  if (cached) fillFrame(root, cached.frame);
  const { record: deal, rules, names } = root.dataset;
  if (!deal || !rules) return fail(t("There is no network, and the deal has not been opened on this device before."));
  const record = new RecordedDeal({
    deal,
    names: cached?.names ?? JSON.parse(names ?? "{}"),
    forgottenName: words.forgotten,
  });
  useRules(JSON.parse(rules));
  try {
    await Promise.all([record.load(cached), outbox.ready]);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return fail(formatApiError(words, error));
  }
  const session = new RecorderSession({ root, rules: JSON.parse(rules), record });
  part("recorder").replaceChildren();
  render(html`<${Recorder} session=${session} />`, part("recorder"));
  root.removeAttribute("data-waiting");
  startDealCache(record, { data: { ...root.dataset }, heading: root.querySelector("h1")?.textContent });
  return undefined;
}

/** @type {(root: HTMLElement, frame: { data: Record<string, string>, heading: string }) => void} What stands around the deal, where the browser had the page without the service. */
function fillFrame(root, { data, heading }) {
  Object.assign(root.dataset, data);
  /** @type {HTMLElement} */ (root.querySelector("h1")).textContent = heading;
  document.title = document.title.replace("…", heading);
  const sheetUrl = data.tableUrl?.replace(/\/tables\/[^/?]+/, "$&/sheet");
  for (const [name, address] of Object.entries({ table: data.tableUrl, sheet: sheetUrl, replay: data.replayUrl })) {
    const link = /** @type {HTMLAnchorElement | null} */ (root.querySelector(`[data-link="${name}"]`));
    if (address && link) link.href = address;
    else link?.remove();
  }
}

for (const root of document.querySelectorAll("[data-record]")) start(/** @type {HTMLElement} */ (root));
