/** What-ifs on the replayer's page: at any point another call, game, exchange or card, and the deal goes on from there. */

import { PREFIX, Refused, newId, sent } from "../core/api.js";
import { isAct, signOf } from "./acts.js";
import { LONGEST_NAME, actsOf, begins, fromAddress, grafted, inAddress, logOf } from "./branches.js";
import { BranchPanel } from "./branch-panel.js";
import { el } from "../core/dom.js";
import { calledByName } from "../core/names.js";
import { stepAt, stepsOf } from "./steps.js";

const RECORDED = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** What-ifs over the replay on the page, once all that they take is there. */
export async function begun(walk) {
  const danish = document.documentElement.lang.startsWith("da");
  const [{ default: words }] = await Promise.all([import(danish ? "../messages/branch-da.js" : "../messages/branch-en.js"), styled()]);
  const whatIfs = new WhatIfs(walk, words);
  await whatIfs.begin();
  return whatIfs;
}

/** Resolves once the style of what-ifs is there, or cannot be had. */
const styled = () => new Promise((done) => {
  const href = new URL("../../css/branching.css", import.meta.url).href;
  document.head.append(el("link", { rel: "stylesheet", href, on: { load: done, error: done } }));
});

/**
 * All that was thought of on this page. `lines` are the what-ifs (branches.js), each with its `document` once it was asked
 * for; one that is stored here has `recorded`, `{id, title, page}`. `current` is the one that is shown, null where it is the
 * deal as it was played.
 */
class WhatIfs {
  constructor(walk, words) {
    Object.assign(this, { walk, words, lines: [], current: null, busy: false });
    this.path = walk.root.dataset.replay.replace(PREFIX, "").replace(/\/replay(\?.*)?$/, "");
    this.name = decodeURIComponent(this.path.split("/").pop());
    this.panel = new BranchPanel(walk.parts.branching, this);
    this.mayKeep = "keeps" in walk.parts.branching.dataset;
    this.become(walk.replay);
    document.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && !event.defaultPrevented && this.current) this.leave();
    });
  }

  /** Finds those that are stored here. */
  async begin() {
    const listed = await sent("GET", `${this.path}/variations`).catch(() => ({ variations: [] }));
    for (const { id, title, branch } of listed.variations) {
      if (branch) this.added({ at: branch.at, acts: null, name: title ?? "", text: "", recorded: { id, title, page: `/deals/${id}` } });
    }
    this.show();
  }

  /** Takes the deal as it was played: the first time, or as it is now. */
  become(replay) {
    this.main = replay;
    this.mainSteps = stepsOf(replay);
    this.logs = null;
  }

  // What the replayer tells

  /** The deal has grown. Whether that is kept for when the reader leaves his what-if. */
  takes(replay) {
    this.become(replay);
    return Boolean(this.current);
  }

  /** The deal is seen by somebody else: what was asked for before is not what he may know. */
  sees(replay) {
    this.become(replay);
    for (const line of this.lines) line.document = null;
    this.turnTo(null);
  }

  /** What stands behind the `#` at an entry of the what-if that is shown; null in the deal itself. */
  address(seq) {
    const { current } = this;
    if (!current) return null;
    return current.recorded ? `at=${seq}&of=${current.recorded.id}` : inAddress(current, seq);
  }

  show() {
    this.panel.show();
  }

  /** Goes into the what-if that an address tells; whether it tells one. */
  async arrive(fragment) {
    const of = new URLSearchParams(fragment).get("of");
    const told = fromAddress(fragment);
    const line = of ? this.lines.find(({ recorded }) => recorded?.id === of) : told && (this.like(told) ?? this.added(this.tricksFound(told)));
    if (!line) {
      if (this.current) this.backTo(this.main, null);
      return false;
    }
    this.walk.parts.branching.open = true;
    return this.enter(line, new URLSearchParams(fragment).get("at"));
  }

  /** A what-if from an address, with the tricks that its cards belong to. */
  tricksFound(told) {
    const { state } = this.mainSteps[stepAt(this.mainSteps, told.at)].frame;
    const last = state.tricks?.at(-1);
    let played = last ? (last.number - 1) * 3 + last.cards.length : 0;
    const placed = (act) => (act.type === "card_played" ? { ...act, trick: Math.floor(played++ / 3) + 1 } : act);
    return { ...told, acts: told.acts.map(placed) };
  }

  // Where the reader is

  get step() {
    // What was taken back is no point of the course: there it stands as it did before.
    return this.walk.steps.slice(0, this.walk.index + 1).findLast(({ taken }) => !taken);
  }

  /** How many entries of its own the what-if has gone through here; 0 where it is still the deal. */
  get gone() {
    const { steps, index } = this.walk;
    const own = (step) => String(step.frame.seq).startsWith(`${this.current.at}~`);
    return this.current ? steps.slice(0, index + 1).filter((step) => own(step) && isAct(step.frame.event)).length : 0;
  }

  /** Where a what-if that began here would leave the deal, and the acts that lead from there to here. */
  get origin() {
    const { current, gone } = this;
    return gone ? { at: current.at, acts: current.acts.slice(0, gone) } : { at: this.step.frame.seq, acts: [] };
  }

  /** The sign of the act that comes next in a list of steps behind this one; null where none does. */
  nextIn(steps) {
    const place = steps.findIndex((step) => step.frame.seq === this.step.frame.seq);
    const next = place >= 0 ? steps.slice(place + 1).find(({ taken }) => !taken) : null;
    return next && isAct(next.frame.event) ? signOf(next.frame.event) : null;
  }

  /** What was done here; null where the reader has left the deal. */
  get asPlayed() {
    return this.nextIn(this.mainSteps);
  }

  /** With what it goes on, as it is shown. */
  get goesOn() {
    return this.nextIn(this.walk.steps);
  }

  like({ at, acts }) {
    const same = (line) => String(line.at) === String(at) && line.acts && line.acts.length >= acts.length && begins(acts, line.acts);
    return this.lines.find(same) ?? null;
  }

  added(line) {
    this.lines.push(this.keyed(line));
    return line;
  }

  /** With what tells it from the others, however long it grows. */
  keyed(line) {
    this.keys = (this.keys ?? 0) + 1;
    return Object.assign(line, { key: this.keys });
  }

  // What the reader does

  /** Does something: what the deal or a what-if goes on with leads along it, any other begins a what-if, or makes it longer. */
  async act(act) {
    const { walk, current } = this;
    if (signOf(act) === this.goesOn) return walk.reach(walk.steps.findIndex(({ taken }, index) => index > walk.index && !taken));
    if (signOf(act) === this.asPlayed) return this.leave(1);
    const { at, acts } = this.origin;
    const next = [...acts, act];
    const before = this.like({ at, acts: next });
    if (before) return this.enter(before, `${at}~${next.length + 1}`);
    const grows = current && !current.recorded && acts.length && acts.length === current.acts.length;
    const line = grows ? { ...current, acts: next, document: null } : this.keyed({ at, acts: next, name: "", text: "" });
    if (!(await this.enter(line, `${at}~${next.length + 1}`))) return undefined;
    if (grows) this.lines.splice(this.lines.indexOf(current), 1, line);
    else this.lines.push(line);
    return this.show();
  }

  /** Shows a what-if at its entry `seq`, at first where it leaves the deal; whether it could be shown. */
  async enter(line, seq = null) {
    if (this.busy) return false;
    this.busy = true;
    this.walk.playing.stop();
    try {
      line.document ??= await this.asked(line);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.panel.tell(this.words.failed, true);
      return false;
    } finally {
      this.busy = false;
    }
    if (!line.document) return this.cannot(line);
    const known = this.current === line;
    this.backTo(withText(line), line);
    const { steps } = this.walk;
    const first = steps.findIndex((step) => String(step.frame.seq).startsWith(`${line.at}~`));
    this.walk.reach(seq ? stepAt(steps, seq) : first);
    if (!known) this.panel.tell(this.words.entered(this.titleOf(line)));
    return true;
  }

  /** What cannot be put onto the deal: made before a correction, or gone on by a claim, it has a page; or an address is wrong. */
  cannot(line) {
    if (line.recorded) location.assign(line.recorded.page);
    else {
      this.lines = this.lines.filter((one) => one !== line);
      this.panel.tell(this.words.failed, true);
      this.show();
    }
    return false;
  }

  /** Leaves the what-if: back to where it left the deal, or so many steps on. */
  leave(on = 0) {
    const { at } = this.current;
    this.backTo(this.main, null);
    this.walk.reach(Math.min(stepAt(this.walk.steps, at) + on, this.walk.steps.length - 1));
    this.panel.tell(this.words.left);
  }

  forget() {
    const line = this.current;
    this.leave();
    this.lines.splice(this.lines.indexOf(line), 1);
    this.show();
    this.panel.tell(this.words.forgotten);
  }

  /** Calls it, or says of it, what its maker has written. */
  describe(more) {
    const { walk, current } = this;
    Object.assign(current, more);
    if ("text" in more) this.backTo(withText(current), current);
    else this.turnTo(current);
    walk.writeAddress();
    this.panel.relist();
  }

  /** Stores it here as a variation of the deal. */
  async keep() {
    const line = this.current;
    try {
      const log = logOf(line, { ...(await this.left()), id: newId(), title: this.titleOf(line).slice(0, LONGEST_NAME) });
      const { deal } = await sent("POST", "/deals", log);
      line.recorded = { id: deal, title: log[0].title, page: `/deals/${deal}` };
      line.name = log[0].title;
      this.turnTo(line);
      this.show();
      this.walk.writeAddress();
      this.panel.tell(this.words.kept, true);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.panel.tell(this.words.refused(error.message), true);
    }
  }

  /** The deal and the what-if behind it in the notation. */
  async asText() {
    const answer = await fetch(`${PREFIX}${this.path}/events.deal${RECORDED.test(this.name) ? "?names=display" : ""}`);
    if (!answer.ok) throw new Refused(answer.status);
    // A text has no ids: there a recorded deal is known by its title.
    const { deal, opening } = await this.left();
    const called = (RECORDED.test(deal) && opening.title) || deal;
    const players = calledByName(opening.players, toldApart(this.names, opening.players));
    const variation = await this.replayed(this.current, { title: this.titleOf(this.current), deal: called, players });
    return `${(await answer.text()).trimEnd()}\n\n${variation.text}`;
  }

  /** What a what-if is called: by its name, or by what is done where it leaves the deal. */
  titleOf(line) {
    if (line.name || !line.acts) return line.name;
    const [act] = line.acts;
    if (act.type !== "card_played") return this.words.ifDone(this.doneBy(act));
    return this.words.titled(this.playerIn(act.seat), this.walk.words.card(act.card));
  }

  /** What somebody does, as the replayer says it, without a full stop. */
  doneBy(act) {
    return this.walk.words.sentence(act.type, { event: act, state: this.main }).replace(/\.$/, "");
  }

  playerIn(seat) {
    return this.walk.words.player(this.main, seat);
  }

  // What is asked of the service

  /** The document of a what-if on that of the deal. */
  async asked(line) {
    if (!line.recorded) return grafted(this.main, this.namedAs(await this.replayed(line)), line.at);
    const { viewer } = this.walk.seen;
    const document = this.namedAs(await sent("GET", `/deals/${line.recorded.id}/replay${viewer === "all" ? "" : `?viewer=${viewer}`}`));
    line.acts = actsOf(document);
    return line.acts && grafted(this.main, document, line.at);
  }

  /** A what-if as the service replays it; nothing of it is stored. */
  async replayed(line, more = {}) {
    const left = await this.left();
    return sent("POST", `/replay?viewer=${this.walk.seen.viewer}`, [...this.logs, ...logOf({ ...line, text: more.title ? line.text : "" }, { ...left, ...more })]);
  }

  namedAs(document) {
    return calledByName(document, document.names ?? this.names ?? {}, this.walk.words.forgotten);
  }

  /** What a what-if leaves: the deal as this reader may know it, how that is opened, and how many entries it has. */
  async left() {
    if (!this.logs) {
      const raw = await sent("GET", `${this.path}/replay`);
      this.names = raw.names ?? {};
      this.opening = raw.frames.find((frame) => frame.event.type === "deal_opened")?.event ?? {};
      this.logs = RECORDED.test(this.name) ? await logsOf(this.name) : [];
      this.known = this.logs.filter((event) => event.mine).length || null;
      this.logs = this.logs.map(({ mine, ...event }) => event);
    }
    return { deal: this.name, opening: this.opening, known: this.known };
  }

  // What is shown

  /** Shows a document where the reader is, as that of a what-if or as the deal. */
  backTo(document, line) {
    this.current = line;
    this.walk.retake(document);
    this.turnTo(line);
  }

  /** Marks the page as showing a what-if, or the deal as it was played. */
  turnTo(line) {
    this.current = line;
    this.walk.root.classList.toggle("is-what-if", Boolean(line));
    this.panel.head(line);
    this.walk.fit();
  }
}

/** Its document, with what its maker says of it where it leaves the deal. */
function withText({ at, document, text, recorded }) {
  if (!text || recorded) return document;
  return { ...document, notes: [...document.notes, { type: "note_added", text, on: `${at}~2`, seq: `${at}~0` }] };
}

/** The log of a recorded deal, those that it leaves itself before it; its own entries are `mine`. */
async function logsOf(deal, mine = true) {
  const events = [];
  for (let page = null; !page || events.length < page.version;) {
    page = await sent("GET", `/deals/${deal}/events?after=${events.length}`);
    if (!page.events.length) break;
    events.push(...page.events);
  }
  const { branch } = events[0] ?? {};
  const before = branch && RECORDED.test(branch.deal) ? await logsOf(branch.deal, false) : [];
  return [...before, ...events.map((event) => ({ ...event, mine }))];
}

/** Of the names those that a text for people has: who was forgotten keeps the id, and who is called as another player. */
function toldApart(names, players) {
  const all = Object.values(players).flat();
  const like = (name) => all.filter((player) => (names[player] ?? player).toLowerCase() === name.toLowerCase());
  return Object.fromEntries(Object.entries(names).filter(([, name]) => name && like(name).length <= 1));
}
