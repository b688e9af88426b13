// @ts-check
/** What-ifs on the replayer's page: at any point another call, game, exchange or card, and the deal goes on from there. */

import { API_PREFIX, ApiError, ID_PATTERN, newId, sendRequest } from "../core/api.js";
import { replaceMemberIds } from "../core/member-ids.js";
import dealWords from "../messages/replayer.js";
import words from "../messages/what-if.js";
import { signal } from "../vendor/preact.js";
import { buildSteps, stepAt } from "./steps.js";
import { encodeAction, isWhatIfAction, listLegalActions } from "./what-if-actions.js";
import {
  buildVariationLog,
  decodeWhatIf,
  encodeWhatIf,
  graftVariation,
  isActionPrefix,
  listOwnActions,
  MAX_WHAT_IF_NAME_LENGTH,
  renumberSeq,
} from "./what-if-variation.js";

/** @import { DealView } from "./deal-view.js" */
/** @import { Frame, ReplayDocument, Seq, Step } from "./types.d.ts" */
/** @import { Action } from "./what-if-actions.js" */
/** @import { WhatIf } from "./what-if-variation.js" */

/**
 * A what-if on this page (what-if-variation.js), with its `document` once it was asked for; one that is stored here has
 * `recorded`. It has no `acts` until its document is there.
 * @typedef {Omit<WhatIf, "acts"> & { acts: Action[] | null, key: number, document?: ReplayDocument | null, recorded?: { id: string, page: string } }} Line
 */

/** All that was thought of on this page. */
export class WhatIfs {
  lines = signal(/** @type {Line[]} */ ([]));
  /** The one that is shown; null if it is the deal as it was played. */
  current = signal(/** @type {Line | null} */ (null));
  /** What is said of what was done last; to screen readers alone unless `isVisible`. */
  status = signal({ text: "", isVisible: false });
  /** @type {Promise<void> | null} */
  #stored = null;
  #isLoading = false;
  #lastKey = 0;

  /** @param {DealView} view */
  constructor(view) {
    this.view = view;
    this.path = (view.root.dataset.replay ?? "").replace(API_PREFIX, "").replace(/\/replay(\?.*)?$/, "");
    this.name = decodeURIComponent(this.path.split("/").pop() ?? "");
    this.canStore = view.facts.can_keep ?? false;
    this.mainDocument = view.document.value;
    this.mainSteps = view.steps.value;
    /** @type {{ names: Record<string, string | null>, logs: any[], branch: { deal: string, opening: any, parentVersion: number | null } } | null} */
    this.parent = null;
    document.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && !event.defaultPrevented && this.current.value) this.leave();
    });
  }

  /** Finds those that are stored here, once. */
  loadStored() {
    this.#stored ??= this.#loadStored();
    return this.#stored;
  }

  async #loadStored() {
    const stored = await sendRequest("GET", `${this.path}/variations`).catch(() => ({ variations: [] }));
    for (const { id, title, branch } of stored.variations) {
      if (branch)
        this.#addLine({
          at: branch.at,
          acts: null,
          name: title ?? "",
          text: "",
          recorded: { id, page: `/deals/${id}` },
        });
    }
  }

  /** Takes the deal as it was played. @param {ReplayDocument} replay */
  #setMainDocument(replay) {
    this.mainDocument = replay;
    this.mainSteps = buildSteps(replay);
    this.parent = null;
  }

  /** @param {string} text */
  announce(text, isVisible = false) {
    this.status.value = { text, isVisible };
  }

  // What the page tells

  /** The deal has grown. Whether that waits until the reader leaves the what-if. @param {ReplayDocument} replay */
  updateMainDocument(replay) {
    this.#setMainDocument(replay);
    return Boolean(this.current.value);
  }

  /** Another viewer sees the deal: earlier answers are not what this one may know. @param {ReplayDocument} replay */
  changeViewer(replay) {
    this.#setMainDocument(replay);
    for (const line of this.lines.value) line.document = null;
    this.current.value = null;
  }

  /** What follows the `#` at an entry of the what-if that is shown; null in the deal itself. @param {Seq} seq */
  addressAt(seq) {
    const line = this.current.value;
    if (!line) return null;
    return line.recorded ? `at=${seq}&of=${line.recorded.id}` : encodeWhatIf(/** @type {WhatIf} */ (line), seq);
  }

  /** Goes into the what-if that an address tells; whether it tells one. @param {string} fragment */
  async openFromAddress(fragment) {
    const params = new URLSearchParams(fragment);
    const of = params.get("of");
    if (of) await this.loadStored();
    const whatIf = decodeWhatIf(fragment);
    const line = of
      ? this.lines.value.find(({ recorded }) => recorded?.id === of)
      : whatIf && (this.#findMatchingLine(whatIf) ?? this.#addLine(this.#assignTricks(whatIf)));
    if (!line) {
      if (this.current.value) this.#showDocument(this.mainDocument, null);
      return false;
    }
    this.view.tool.value = "what-if";
    return this.showLine(line, params.get("at"));
  }

  /** A what-if from an address, with the tricks that its cards belong to. @param {WhatIf} whatIf */
  #assignTricks(whatIf) {
    const last = this.mainSteps[stepAt(this.mainSteps, whatIf.at)].frame.state.tricks?.at(-1);
    let played = last ? (last.number - 1) * 3 + last.cards.length : 0;
    const acts = whatIf.acts.map((act) =>
      act.type === "card_played" ? { ...act, trick: Math.floor(played++ / 3) + 1 } : act,
    );
    return { ...whatIf, acts };
  }

  // Where the reader is

  /** What was taken back is no point of the course: there it stands as it did before. */
  get currentStep() {
    const { steps, index } = this.view;
    const shown = steps.value.slice(0, index.value + 1);
    return /** @type {Step} */ (shown.findLast(({ withdrawnEvents }) => !withdrawnEvents));
  }

  /** Where a what-if that began here would leave the deal, and the acts that lead from there to here. */
  get #branchOrigin() {
    const { steps, index } = this.view;
    const line = this.current.value;
    const isOwn = (/** @type {Step} */ { frame }) =>
      String(frame.seq).startsWith(`${line?.at}~`) && isWhatIfAction(frame.event);
    const count = line ? steps.value.slice(0, index.value + 1).filter(isOwn).length : 0;
    return line && count
      ? { at: line.at, acts: (line.acts ?? []).slice(0, count) }
      : { at: this.currentStep.frame.seq, acts: [] };
  }

  /** The code of the act that comes next in a list of steps, after this one or another; null if none does. @param {Step[]} steps */
  #nextActionCode(steps, seq = this.currentStep.frame.seq) {
    const index = steps.findIndex((step) => String(step.frame.seq) === String(seq));
    const next = index >= 0 ? steps.slice(index + 1).find(({ withdrawnEvents }) => !withdrawnEvents) : null;
    return next && isWhatIfAction(next.frame.event) ? encodeAction(next.frame.event) : null;
  }

  /** What was done here; null if the reader has left the deal. */
  get playedActionCode() {
    return this.#nextActionCode(this.mainSteps);
  }

  /** What was done instead of the act that is shown, where it leaves the deal; null elsewhere. */
  get replacedActionCode() {
    const { at, acts } = this.#branchOrigin;
    return acts.length === 1 ? this.#nextActionCode(this.mainSteps, at) : null;
  }

  /** With what it goes on, as it is shown. */
  get shownActionCode() {
    return this.#nextActionCode(this.view.steps.value);
  }

  /** The play of a card at this step; undefined if it cannot be played. @param {string | null} card */
  findCardPlay(card) {
    return card ? listLegalActions(this.currentStep.frame).find((act) => act.card === card) : undefined;
  }

  /** @param {{ at: Seq, acts: Action[] }} whatIf */
  #findMatchingLine({ at, acts }) {
    return (
      this.lines.value.find((line) => String(line.at) === String(at) && line.acts && isActionPrefix(acts, line.acts)) ??
      null
    );
  }

  /** @param {Omit<Line, "key">} line */
  #addLine(line) {
    const added = this.#assignKey(line);
    this.lines.value = [...this.lines.value, added];
    return added;
  }

  /** With what tells it from the others, however long it grows. @param {Omit<Line, "key">} line @returns {Line} */
  #assignKey(line) {
    this.#lastKey += 1;
    return { ...line, key: this.#lastKey };
  }

  /** Puts a line into the place of one with its key. @param {Line} line */
  #replaceLine(line) {
    this.lines.value = this.lines.value.map((one) => (one.key === line.key ? line : one));
  }

  // What the reader does

  /** Does something: what the deal or a what-if goes on with leads along it, any other begins a what-if, or makes it longer. @param {Action} act */
  async performAction(act) {
    const { view, current } = this;
    const code = encodeAction(act);
    if (code === this.shownActionCode) {
      const { value: index } = view.index;
      return view.jumpTo(view.steps.value.findIndex(({ withdrawnEvents }, at) => at > index && !withdrawnEvents));
    }
    if (code === this.playedActionCode) return this.leave(1);
    const { at, acts } = this.#branchOrigin;
    const next = [...acts, act];
    const seq = `${at}~${next.length + 1}`;
    const before = this.#findMatchingLine({ at, acts: next });
    if (before) return this.showLine(before, seq);
    const line = current.value;
    if (line && !line.recorded && acts.length && acts.length === line.acts?.length) {
      const grown = { ...line, acts: next, document: null };
      if (await this.showLine(grown, seq)) this.#replaceLine(grown);
    } else {
      const added = this.#assignKey({ at, acts: next, name: "", text: "" });
      if (await this.showLine(added, seq)) this.lines.value = [...this.lines.value, added];
    }
  }

  /**
   * Shows a what-if at its entry `seq`, at first where it leaves the deal; whether it could be shown.
   * @param {Line} line
   * @param {Seq | null} [seq]
   */
  async showLine(line, seq = null) {
    if (this.#isLoading) return false;
    this.#isLoading = true;
    this.view.autoplay.stop();
    try {
      line.document ??= await this.#fetchDocument(line);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.announce(words.failed, true);
      return false;
    } finally {
      this.#isLoading = false;
    }
    if (!line.document) return this.#handleUnshowable(line);
    const isKnown = this.current.value?.key === line.key;
    this.#showDocument(withDescription(line), line);
    const steps = this.view.steps.value;
    this.view.jumpTo(
      seq ? stepAt(steps, seq) : steps.findIndex((step) => String(step.frame.seq).startsWith(`${line.at}~`)),
    );
    if (!isKnown) this.announce(words.entered(this.titleOf(line)));
    return true;
  }

  /** What cannot be put onto the deal: made before a correction, or gone on by a claim, it has a page; or an address is wrong. @param {Line} line */
  #handleUnshowable(line) {
    if (line.recorded) location.assign(line.recorded.page);
    else {
      this.lines.value = this.lines.value.filter((one) => one !== line);
      this.announce(words.failed, true);
    }
    return false;
  }

  /** Leaves the what-if: back to where it left the deal, or so many steps on. */
  leave(steps = 0) {
    const at = this.current.value?.at;
    this.#showDocument(this.mainDocument, null);
    this.view.jumpTo(Math.min(stepAt(this.view.steps.value, at) + steps, this.view.lastIndex));
    this.announce(words.left);
  }

  forget() {
    const { key } = /** @type {Line} */ (this.current.value);
    this.leave();
    this.lines.value = this.lines.value.filter((one) => one.key !== key);
    this.announce(words.forgotten);
  }

  /** Calls it, or says of it, what its maker has written. @param {{ name?: string, text?: string }} fields */
  setDescription(fields) {
    const line = { .../** @type {Line} */ (this.current.value), ...fields };
    this.#replaceLine(line);
    this.#showDocument(withDescription(line), line);
    this.view.writeAddress();
  }

  /** Stores it here as a variation of the deal. */
  async storeVariation() {
    const line = /** @type {Line & { acts: Action[] }} */ (this.current.value);
    try {
      const title = this.titleOf(line).slice(0, MAX_WHAT_IF_NAME_LENGTH);
      const { branch } = await this.#loadParent();
      const log = buildVariationLog(line, { ...branch, id: newId(), title });
      const { deal } = await sendRequest("POST", "/deals", log);
      const stored = { ...line, name: title, recorded: { id: deal, page: `/deals/${deal}` } };
      this.#replaceLine(stored);
      this.current.value = stored;
      this.view.writeAddress();
      this.announce(words.kept, true);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.announce(words.refused(error.message), true);
    }
  }

  /** The deal and the what-if behind it in the notation. */
  async toNotation() {
    const line = /** @type {Line} */ (this.current.value);
    const answer = await fetch(
      `${API_PREFIX}${this.path}/events.deal${ID_PATTERN.test(this.name) ? "?names=display" : ""}`,
    );
    if (!answer.ok) throw new ApiError(answer.status);
    // A text has no ids: there a recorded deal is known by its title.
    const { names, branch } = await this.#loadParent();
    const { deal, opening } = branch;
    const dealTitle = (ID_PATTERN.test(deal) && opening.title) || deal;
    const players = replaceMemberIds(opening.players, unambiguousNames(names, opening.players));
    const variation = await this.#submitVariation("replay", line, {
      title: this.titleOf(line),
      deal: dealTitle,
      players,
    });
    return `${(await answer.text()).trimEnd()}\n\n${variation.text}`;
  }

  /** What a what-if is called: by its name, or by what is done where it leaves the deal. @param {Line} line */
  titleOf(line) {
    if (line.name || !line.acts) return line.name;
    const [act] = line.acts;
    if (act.type !== "card_played") return words.ifDone(this.describeAction(act));
    return words.titled(this.playerAt(act.seat), dealWords.card(act.card ?? "??"));
  }

  /** What somebody does, as the replayer says it, without a full stop. @param {Action} act */
  describeAction(act) {
    return dealWords.sentence(act.type, { event: act, state: this.mainDocument }).replace(/\.$/, "");
  }

  /** @param {string} seat */
  playerAt(seat) {
    return dealWords.player(this.mainDocument, seat);
  }

  // What is asked of the service

  /** The document of a what-if on that of the deal. @param {Line} line */
  async #fetchDocument(line) {
    if (!line.recorded)
      return graftVariation(
        this.mainDocument,
        this.#withMemberNames(await this.#submitVariation("replay", line)),
        line.at,
      );
    const variation = this.#withMemberNames(await this.#fetchAnswer(`/deals/${line.recorded.id}`, "replay"));
    line.acts = listOwnActions(variation);
    return line.acts && graftVariation(this.mainDocument, variation, line.at);
  }

  /** Best play in what is shown, its entries called as in the document. */
  async fetchOdds() {
    const line = this.current.value;
    if (!line) return this.#fetchAnswer(this.path, "odds");
    const odds = await (line.recorded
      ? this.#fetchAnswer(`/deals/${line.recorded.id}`, "odds")
      : this.#submitVariation("odds", line));
    const plays = odds.plays.map((/** @type {{ seq: Seq }} */ play) => ({
      ...play,
      seq: renumberSeq(play.seq, line.at),
    }));
    return { ...odds, plays };
  }

  /** What the service answers on a deal as this viewer may know it. @param {string} path @param {string} name */
  #fetchAnswer(path, name) {
    const { viewer } = this.view;
    return sendRequest("GET", `${path}/${name}${viewer === "all" ? "" : `?viewer=${viewer}`}`);
  }

  /**
   * What the service answers on a what-if; nothing of it is stored.
   * @param {"replay" | "odds"} name
   * @param {Line} line
   * @param {Record<string, any>} [options]
   */
  async #submitVariation(name, line, options = {}) {
    const { logs, branch } = await this.#loadParent();
    const own = buildVariationLog(
      { .../** @type {WhatIf} */ (line), text: options.title ? line.text : "" },
      { ...branch, ...options },
    );
    return sendRequest("POST", `/${name}?viewer=${this.view.viewer}`, [...logs, ...own]);
  }

  /** @param {any} variation @returns {ReplayDocument} */
  #withMemberNames(variation) {
    return replaceMemberIds(variation, variation.names ?? this.parent?.names ?? {}, dealWords.forgotten);
  }

  /** What a what-if leaves: the deal as this reader may know it, how that is opened, and how many entries it has. */
  async #loadParent() {
    if (!this.parent) {
      const raw = await sendRequest("GET", `${this.path}/replay`);
      const opening = raw.frames.find((/** @type {Frame} */ frame) => frame.event.type === "deal_opened")?.event ?? {};
      const entries = ID_PATTERN.test(this.name) ? await readLogs(this.name) : [];
      const parentVersion = entries.filter(({ isOwn }) => isOwn).length || null;
      const branch = { deal: this.name, opening, parentVersion };
      this.parent = { names: raw.names ?? {}, logs: entries.map(({ event }) => event), branch };
    }
    return this.parent;
  }

  // What is shown

  /**
   * Shows a document where the reader is, as that of a what-if or as the deal.
   * @param {ReplayDocument} replay
   * @param {Line | null} line
   */
  #showDocument(replay, line) {
    this.current.value = line;
    this.view.replaceDocument(replay);
  }
}

/** Its document, with what its maker says of it where it leaves the deal. @param {Line} line @returns {ReplayDocument} */
function withDescription({ at, document, text, recorded }) {
  const replay = /** @type {ReplayDocument} */ (document);
  if (!text || recorded) return replay;
  return { ...replay, notes: [...replay.notes, { text, on: `${at}~2`, seq: `${at}~0` }] };
}

/**
 * The log of a recorded deal, those that it leaves itself before it.
 * @param {string} deal
 * @returns {Promise<{ event: any, isOwn: boolean }[]>}
 */
async function readLogs(deal, isOwn = true) {
  /** @type {any[]} */
  const events = [];
  for (let page = null; !page || events.length < page.version; ) {
    page = await sendRequest("GET", `/deals/${deal}/events?after=${events.length}`);
    if (!page.events.length) break;
    events.push(...page.events);
  }
  const { branch } = events[0] ?? {};
  const before = branch && ID_PATTERN.test(branch.deal) ? await readLogs(branch.deal, false) : [];
  return [...before, ...events.map((event) => ({ event, isOwn }))];
}

/**
 * Of the names those that a text for people has: who was forgotten keeps the id, and who is called as another player.
 * @param {Record<string, string | null>} names
 * @param {Record<string, any>} players
 */
function unambiguousNames(names, players) {
  const all = Object.values(players).flat();
  /** @param {string} name */
  const like = (name) => all.filter((player) => (names[player] ?? player).toLowerCase() === name.toLowerCase());
  return Object.fromEntries(Object.entries(names).filter(([, name]) => name && like(name).length <= 1));
}
