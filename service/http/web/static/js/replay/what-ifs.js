/** What-ifs on the replayer's page: at any point another call, game, exchange or card, and the deal goes on from there. */

import { API_PREFIX, ApiError, newId, sendRequest } from "../core/api.js";
import { isWhatIfAction, encodeAction } from "./what-if-actions.js";
import { MAX_WHAT_IF_NAME_LENGTH, listOwnActions, isActionPrefix, decodeWhatIf, graftVariation, encodeWhatIf, buildVariationLog } from "./what-if-variation.js";
import { WhatIfPanel } from "./what-if-panel.js";
import { el } from "../core/dom.js";
import { replaceMemberIds } from "../core/member-ids.js";
import { stepAt, buildSteps } from "./steps.js";
import words from "../messages/what-if.js";

const DEAL_ID_PATTERN = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** What-ifs over the replay on the page, once all that they take is there. */
export async function startWhatIfs(replayer) {
  const whatIfs = new WhatIfs(replayer, words);
  await whatIfs.loadStored();
  return whatIfs;
}

/**
 * All that was thought of on this page. `lines` are the what-ifs (what-if-variation.js), each with its `document` once it was asked
 * for; one that is stored here has `recorded`, `{id, title, page}`. `current` is the one that is shown, null if it is the
 * deal as it was played.
 */
class WhatIfs {
  constructor(replayer, words) {
    Object.assign(this, { replayer, words, lines: [], current: null, isLoading: false });
    this.path = replayer.root.dataset.replay.replace(API_PREFIX, "").replace(/\/replay(\?.*)?$/, "");
    this.name = decodeURIComponent(this.path.split("/").pop());
    this.panel = new WhatIfPanel(replayer.parts.branching, this);
    this.canStore = "canSave" in replayer.parts.branching.dataset;
    this.setMainDocument(replayer.document);
    document.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && !event.defaultPrevented && this.current) this.leave();
    });
  }

  /** Finds those that are stored here. */
  async loadStored() {
    const stored = await sendRequest("GET", `${this.path}/variations`).catch(() => ({ variations: [] }));
    for (const { id, title, branch } of stored.variations) {
      if (branch) this.addLine({ at: branch.at, acts: null, name: title ?? "", text: "", recorded: { id, title, page: `/deals/${id}` } });
    }
    this.updatePanel();
  }

  /** Takes the deal as it was played: the first time, or as it is now. */
  setMainDocument(replay) {
    this.mainDocument = replay;
    this.mainSteps = buildSteps(replay);
    this.logs = null;
  }

  // What the replayer tells

  /** The deal has grown. Whether that waits until the reader leaves the what-if. */
  updateMainDocument(replay) {
    this.setMainDocument(replay);
    return Boolean(this.current);
  }

  /** Another viewer sees the deal: earlier answers are not what this one may know. */
  changeViewer(replay) {
    this.setMainDocument(replay);
    for (const line of this.lines) line.document = null;
    this.setCurrent(null);
  }

  /** What stands behind the `#` at an entry of the what-if that is shown; null in the deal itself. */
  addressAt(seq) {
    const { current } = this;
    if (!current) return null;
    return current.recorded ? `at=${seq}&of=${current.recorded.id}` : encodeWhatIf(current, seq);
  }

  updatePanel() {
    this.panel.show();
  }

  /** Goes into the what-if that an address tells; whether it tells one. */
  async openFromAddress(fragment) {
    const of = new URLSearchParams(fragment).get("of");
    const whatIf = decodeWhatIf(fragment);
    const line = of ? this.lines.find(({ recorded }) => recorded?.id === of) : whatIf && (this.findMatchingLine(whatIf) ?? this.addLine(this.assignTricks(whatIf)));
    if (!line) {
      if (this.current) this.showDocument(this.mainDocument, null);
      return false;
    }
    this.replayer.parts.branching.open = true;
    return this.showLine(line, new URLSearchParams(fragment).get("at"));
  }

  /** A what-if from an address, with the tricks that its cards belong to. */
  assignTricks(whatIf) {
    const { state } = this.mainSteps[stepAt(this.mainSteps, whatIf.at)].frame;
    const last = state.tricks?.at(-1);
    let played = last ? (last.number - 1) * 3 + last.cards.length : 0;
    const placed = (act) => (act.type === "card_played" ? { ...act, trick: Math.floor(played++ / 3) + 1 } : act);
    return { ...whatIf, acts: whatIf.acts.map(placed) };
  }

  // Where the reader is

  get currentStep() {
    // What was taken back is no point of the course: there it stands as it did before.
    return this.replayer.steps.slice(0, this.replayer.index + 1).findLast(({ withdrawnEvents }) => !withdrawnEvents);
  }

  /** How many entries of its own the what-if has gone through here; 0 where it is still the deal. */
  get ownActionsShown() {
    const { steps, index } = this.replayer;
    const own = (step) => String(step.frame.seq).startsWith(`${this.current.at}~`);
    return this.current ? steps.slice(0, index + 1).filter((step) => own(step) && isWhatIfAction(step.frame.event)).length : 0;
  }

  /** Where a what-if that began here would leave the deal, and the acts that lead from there to here. */
  get branchOrigin() {
    const { current, ownActionsShown } = this;
    return ownActionsShown ? { at: current.at, acts: current.acts.slice(0, ownActionsShown) } : { at: this.currentStep.frame.seq, acts: [] };
  }

  /** The sign of the act that comes next in a list of steps behind this one; null if none does. */
  nextActionCode(steps) {
    const index = steps.findIndex((step) => step.frame.seq === this.currentStep.frame.seq);
    const next = index >= 0 ? steps.slice(index + 1).find(({ withdrawnEvents }) => !withdrawnEvents) : null;
    return next && isWhatIfAction(next.frame.event) ? encodeAction(next.frame.event) : null;
  }

  /** What was done here; null if the reader has left the deal. */
  get playedActionCode() {
    return this.nextActionCode(this.mainSteps);
  }

  /** With what it goes on, as it is shown. */
  get shownActionCode() {
    return this.nextActionCode(this.replayer.steps);
  }

  findMatchingLine({ at, acts }) {
    const same = (line) => String(line.at) === String(at) && line.acts && line.acts.length >= acts.length && isActionPrefix(acts, line.acts);
    return this.lines.find(same) ?? null;
  }

  addLine(line) {
    this.lines.push(this.assignKey(line));
    return line;
  }

  /** With what tells it from the others, however long it grows. */
  assignKey(line) {
    this.lastKey = (this.lastKey ?? 0) + 1;
    return Object.assign(line, { key: this.lastKey });
  }

  // What the reader does

  /** Does something: what the deal or a what-if goes on with leads along it, any other begins a what-if, or makes it longer. */
  async performAction(act) {
    const { replayer, current } = this;
    if (encodeAction(act) === this.shownActionCode) return replayer.jumpTo(replayer.steps.findIndex(({ withdrawnEvents }, index) => index > replayer.index && !withdrawnEvents));
    if (encodeAction(act) === this.playedActionCode) return this.leave(1);
    const { at, acts } = this.branchOrigin;
    const next = [...acts, act];
    const before = this.findMatchingLine({ at, acts: next });
    if (before) return this.showLine(before, `${at}~${next.length + 1}`);
    const grows = current && !current.recorded && acts.length && acts.length === current.acts.length;
    const line = grows ? { ...current, acts: next, document: null } : this.assignKey({ at, acts: next, name: "", text: "" });
    if (!(await this.showLine(line, `${at}~${next.length + 1}`))) return undefined;
    if (grows) this.lines.splice(this.lines.indexOf(current), 1, line);
    else this.lines.push(line);
    return this.updatePanel();
  }

  /** Shows a what-if at its entry `seq`, at first where it leaves the deal; whether it could be shown. */
  async showLine(line, seq = null) {
    if (this.isLoading) return false;
    this.isLoading = true;
    this.replayer.autoplay.stop();
    try {
      line.document ??= await this.fetchDocument(line);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.panel.announce(this.words.failed, true);
      return false;
    } finally {
      this.isLoading = false;
    }
    if (!line.document) return this.handleUnshowable(line);
    const known = this.current === line;
    this.showDocument(withDescription(line), line);
    const { steps } = this.replayer;
    const first = steps.findIndex((step) => String(step.frame.seq).startsWith(`${line.at}~`));
    this.replayer.jumpTo(seq ? stepAt(steps, seq) : first);
    if (!known) this.panel.announce(this.words.entered(this.titleOf(line)));
    return true;
  }

  /** What cannot be put onto the deal: made before a correction, or gone on by a claim, it has a page; or an address is wrong. */
  handleUnshowable(line) {
    if (line.recorded) location.assign(line.recorded.page);
    else {
      this.lines = this.lines.filter((one) => one !== line);
      this.panel.announce(this.words.failed, true);
      this.updatePanel();
    }
    return false;
  }

  /** Leaves the what-if: back to where it left the deal, or so many steps on. */
  leave(on = 0) {
    const { at } = this.current;
    this.showDocument(this.mainDocument, null);
    this.replayer.jumpTo(Math.min(stepAt(this.replayer.steps, at) + on, this.replayer.steps.length - 1));
    this.panel.announce(this.words.left);
  }

  forget() {
    const line = this.current;
    this.leave();
    this.lines.splice(this.lines.indexOf(line), 1);
    this.updatePanel();
    this.panel.announce(this.words.forgotten);
  }

  /** Calls it, or says of it, what its maker has written. */
  setDescription(fields) {
    const { replayer, current } = this;
    Object.assign(current, fields);
    if ("text" in fields) this.showDocument(withDescription(current), current);
    else this.setCurrent(current);
    replayer.writeAddress();
    this.panel.refreshList();
  }

  /** Stores it here as a variation of the deal. */
  async storeVariation() {
    const line = this.current;
    try {
      const log = buildVariationLog(line, { ...(await this.loadParent()), id: newId(), title: this.titleOf(line).slice(0, MAX_WHAT_IF_NAME_LENGTH) });
      const { deal } = await sendRequest("POST", "/deals", log);
      line.recorded = { id: deal, title: log[0].title, page: `/deals/${deal}` };
      line.name = log[0].title;
      this.setCurrent(line);
      this.updatePanel();
      this.replayer.writeAddress();
      this.panel.announce(this.words.kept, true);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.panel.announce(this.words.refused(error.message), true);
    }
  }

  /** The deal and the what-if behind it in the notation. */
  async toNotation() {
    const answer = await fetch(`${API_PREFIX}${this.path}/events.deal${DEAL_ID_PATTERN.test(this.name) ? "?names=display" : ""}`);
    if (!answer.ok) throw new ApiError(answer.status);
    // A text has no ids: there a recorded deal is known by its title.
    const { deal, opening } = await this.loadParent();
    const dealTitle = (DEAL_ID_PATTERN.test(deal) && opening.title) || deal;
    const players = replaceMemberIds(opening.players, unambiguousNames(this.names, opening.players));
    const variation = await this.replayVariation(this.current, { title: this.titleOf(this.current), deal: dealTitle, players });
    return `${(await answer.text()).trimEnd()}\n\n${variation.text}`;
  }

  /** What a what-if is called: by its name, or by what is done where it leaves the deal. */
  titleOf(line) {
    if (line.name || !line.acts) return line.name;
    const [act] = line.acts;
    if (act.type !== "card_played") return this.words.ifDone(this.describeAction(act));
    return this.words.titled(this.playerAt(act.seat), this.replayer.words.card(act.card));
  }

  /** What somebody does, as the replayer says it, without a full stop. */
  describeAction(act) {
    return this.replayer.words.sentence(act.type, { event: act, state: this.mainDocument }).replace(/\.$/, "");
  }

  playerAt(seat) {
    return this.replayer.words.player(this.mainDocument, seat);
  }

  // What is asked of the service

  /** The document of a what-if on that of the deal. */
  async fetchDocument(line) {
    if (!line.recorded) return graftVariation(this.mainDocument, this.withMemberNames(await this.replayVariation(line)), line.at);
    const { viewer } = this.replayer.view;
    const document = this.withMemberNames(await sendRequest("GET", `/deals/${line.recorded.id}/replay${viewer === "all" ? "" : `?viewer=${viewer}`}`));
    line.acts = listOwnActions(document);
    return line.acts && graftVariation(this.mainDocument, document, line.at);
  }

  /** A what-if as the service replays it; nothing of it is stored. */
  async replayVariation(line, options = {}) {
    const parentLog = await this.loadParent();
    return sendRequest("POST", `/replay?viewer=${this.replayer.view.viewer}`, [...this.logs, ...buildVariationLog({ ...line, text: options.title ? line.text : "" }, { ...parentLog, ...options })]);
  }

  withMemberNames(document) {
    return replaceMemberIds(document, document.names ?? this.names ?? {}, this.replayer.words.forgotten);
  }

  /** What a what-if leaves: the deal as this reader may know it, how that is opened, and how many entries it has. */
  async loadParent() {
    if (!this.logs) {
      const raw = await sendRequest("GET", `${this.path}/replay`);
      this.names = raw.names ?? {};
      this.opening = raw.frames.find((frame) => frame.event.type === "deal_opened")?.event ?? {};
      this.logs = DEAL_ID_PATTERN.test(this.name) ? await readLogs(this.name) : [];
      this.parentVersion = this.logs.filter((event) => event.mine).length || null;
      this.logs = this.logs.map(({ mine, ...event }) => event);
    }
    return { deal: this.name, opening: this.opening, parentVersion: this.parentVersion };
  }

  // What is shown

  /** Shows a document where the reader is, as that of a what-if or as the deal. */
  showDocument(document, line) {
    this.current = line;
    this.replayer.replaceDocument(document);
    this.setCurrent(line);
  }

  /** Marks the page as showing a what-if, or the deal as it was played. */
  setCurrent(line) {
    this.current = line;
    this.replayer.root.classList.toggle("is-what-if", Boolean(line));
    this.panel.showWhatIf(line);
    this.replayer.fitToScreen();
  }
}

/** Its document, with what its maker says of it where it leaves the deal. */
function withDescription({ at, document, text, recorded }) {
  if (!text || recorded) return document;
  return { ...document, notes: [...document.notes, { type: "note_added", text, on: `${at}~2`, seq: `${at}~0` }] };
}

/** The log of a recorded deal, those that it leaves itself before it; its own entries are `isOwn`. */
async function readLogs(deal, isOwn = true) {
  const events = [];
  for (let page = null; !page || events.length < page.version;) {
    page = await sendRequest("GET", `/deals/${deal}/events?after=${events.length}`);
    if (!page.events.length) break;
    events.push(...page.events);
  }
  const { branch } = events[0] ?? {};
  const before = branch && DEAL_ID_PATTERN.test(branch.deal) ? await readLogs(branch.deal, false) : [];
  return [...before, ...events.map((event) => ({ ...event, mine: isOwn }))];
}

/** Of the names those that a text for people has: who was forgotten keeps the id, and who is called as another player. */
function unambiguousNames(names, players) {
  const all = Object.values(players).flat();
  const like = (name) => all.filter((player) => (names[player] ?? player).toLowerCase() === name.toLowerCase());
  return Object.fromEntries(Object.entries(names).filter(([, name]) => name && like(name).length <= 1));
}
