/** A deal given to others: a link to this point, its text, a drawing, a place in a page of theirs; and its publishing. */

import { ApiError, appendEvents, getJson, newId, sendRequest } from "../core/api.js";
import { buildManualCopyField, copyToClipboard } from "../core/clipboard.js";
import { el } from "../core/dom.js";
import words from "../messages/sharing.js";

const MAX_TITLE_LENGTH = 200;

/**
 * What a reader can do to share a deal. `root` is the element that says what there is: `data-text`, `data-drawing` and
 * `data-picture` are addresses, `data-embed` one that may stand in other pages once everybody may see the deal
 * (`data-public`). `data-deal` is its id where the reader may publish it; then `data-title` is what it is called, and
 * `data-own` what its record calls it; `data-published` is there while it is in the library, `data-engine` while its record is
 * not closed, and the reader may close it: only then are its hands open. `getSeq` returns the point that the reader has reached,
 * `getViewer` who sees it so, and `getWhatIfs` what is thought of on the page, where anything is (what-ifs.js).
 */
export function buildSharingPanel({ root, getSeq, getViewer, getWhatIfs }) {
  const status = el("p", { class: "muted", role: "status" });
  const shareButtons = new ShareButtons({ root, seq: getSeq, viewer: getViewer, whatIfs: getWhatIfs, words, status });
  const publishing = root.dataset.deal ? new PublishingForm({ root, words, status, changed: () => shareButtons.draw() }).form : null;
  return [publishing, shareButtons.buttonRow, status].filter(Boolean);
}

class ShareButtons {
  constructor(parts) {
    Object.assign(this, parts);
    this.buttonRow = el("p", { class: "actions" });
    this.draw();
  }

  draw() {
    this.buttonRow.replaceChildren(...this.buildButtons());
  }

  buildButtons() {
    const { words, root } = this;
    const button = (act, text, copied, more) => el("button", { type: "button", class: "button", "data-act": act, text, on: { click: () => this.copyText(copied, more) } });
    const link = (name, text) => el("a", { class: "button", href: root.dataset[name], target: "_blank", rel: "noopener", text, on: { click: (event) => this.openDrawing(event.currentTarget, name) } });
    return [
      button("link", words.link, () => this.linkUrl()),
      button("text", words.text, () => this.fetchNotation()),
      link("drawing", words.drawing),
      link("picture", words.picture),
      "public" in root.dataset || root.dataset.published ? button("embed", words.embed, () => this.embedCode(), () => (this.shownWhatIf ? ` ${words.asPlayed}` : "")) : null,
    ].filter(Boolean);
  }

  /** The what-if that is shown, at an entry of its own; null if the deal is as it was played. */
  get shownWhatIf() {
    const current = this.whatIfs()?.current;
    return current && String(this.seq()).startsWith(`${current.at}~`) ? current : null;
  }

  /** The last point on the way here that the deal itself has: the service draws no what-if, and no other page shows one. */
  get sharedSeq() {
    return this.shownWhatIf?.at ?? this.seq();
  }

  /** This page at the point that is seen, as everybody can open it. */
  linkUrl() {
    const seq = this.seq();
    return `${location.origin}${location.pathname}#${this.whatIfs()?.addressAt(seq) ?? `at=${seq}`}`;
  }

  /** The deal in the notation, followed by the what-if that is shown. */
  async fetchNotation() {
    if (this.whatIfs()?.current) return this.whatIfs().toNotation();
    const answer = await fetch(this.root.dataset.text);
    if (!answer.ok) throw new ApiError(answer.status);
    return answer.text();
  }

  /** Links to the drawing of the table as seen, and says so if it differs from what is shown. */
  openDrawing(link, name) {
    link.href = this.drawingUrl(name);
    this.status.replaceChildren(this.shownWhatIf ? this.words.asPlayed : "");
  }

  drawingUrl(name) {
    const address = new URL(this.root.dataset[name], location.href);
    address.searchParams.set("at", this.sharedSeq);
    address.searchParams.set("lang", document.documentElement.lang);
    if (this.viewer() !== "all") address.searchParams.set("viewer", this.viewer());
    return address.href;
  }

  /** The code to embed the deal in another page. */
  embedCode() {
    const address = new URL(this.root.dataset.embed, location.href);
    address.hash = `at=${this.sharedSeq}`;
    const frame = el("iframe", { src: address.href, title: document.querySelector("h1").textContent, width: "100%", height: "760", loading: "lazy" });
    frame.style.border = "0";
    return frame.outerHTML;
  }

  async copyText(getText, getRemark = () => "") {
    const { words, status } = this;
    status.replaceChildren();
    try {
      const text = await getText();
      status.replaceChildren((await copyToClipboard(text)) ? words.copied + getRemark() : buildManualCopyField(text, words.copyThis));
    } catch (error) {
      if (!(error instanceof ApiError) && !(error instanceof TypeError)) throw error;
      status.replaceChildren(words.failed);
    }
  }
}

/** The deal's title in the library, under which everybody finds it. */
class PublishingForm {
  constructor(parts) {
    Object.assign(this, parts);
    const { root } = parts;
    this.title = el("input", { type: "text", name: "title", maxlength: MAX_TITLE_LENGTH, autocomplete: "off", value: root.dataset.title, required: true });
    this.form = el("form", { class: "publishing", on: { submit: (event) => this.publish(event) } });
    this.draw();
  }

  draw() {
    const { words, root } = this;
    const grant = root.dataset.published;
    const back = el("button", { type: "button", class: "button", "data-act": "unpublish", text: words.takeBack, on: { click: () => this.unpublish() } });
    this.form.replaceChildren(
      el("p", { class: "muted", text: grant ? words.isPublished : words.whatPublishing }),
      el("p", {}, el("label", {}, el("span", { text: words.title }), this.title)),
      el("p", { class: "actions" }, el("button", { class: "button is-main", "data-act": "publish", text: grant ? words.rename : words.publish }), grant ? back : null),
      ...(grant && root.dataset.engine ? this.buildCloseForm() : []),
    );
  }

  /** A record that is not closed keeps its hands from everybody: it can be closed here and now. */
  buildCloseForm() {
    const { words } = this;
    const button = el("button", { type: "button", class: "button", "data-act": "close", text: words.close, on: { click: () => this.closeRecord() } });
    return [el("p", { text: words.handsHidden }), el("p", { class: "actions" }, button)];
  }

  closeRecord() {
    const { dataset } = this.root;
    const path = `/deals/${dataset.deal}`;
    return this.runRequest(async () => {
      const [{ version }, { payments }] = await Promise.all([getJson(path), getJson(`${path}/score`)]);
      await appendEvents(`${path}/events`, { type: "deal_closed", id: newId(), payments: payments ?? {}, engine: dataset.engine }, version);
      delete dataset.engine;
      return this.words.closed;
    });
  }

  /** Does one thing at a time: a second grant made by a second click would outlive the first that is taken back. */
  async runRequest(act) {
    if (this.busy) return;
    this.busy = true;
    this.form.setAttribute("aria-busy", "true");
    this.status.replaceChildren();
    const focused = this.form.contains(document.activeElement) ? document.activeElement : null;
    try {
      this.status.replaceChildren(await act());
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.status.replaceChildren(error.status ? error.message : this.words.failed);
    } finally {
      this.busy = false;
      this.form.removeAttribute("aria-busy");
      // What came of half of it shows, too.
      this.draw();
      this.changed();
      if (focused) (this.form.querySelector(`[data-act="${focused.dataset.act}"]`) ?? this.title).focus();
    }
  }

  publish(event) {
    event.preventDefault();
    const title = this.title.value.trim();
    if (!title) return undefined;
    const { dataset } = this.root;
    return this.runRequest(async () => {
      const previousGrants = await this.readLibraryGrants();
      const same = previousGrants.find((grant) => grant.title === title);
      const { id } = same ?? (await sendRequest("POST", "/grants", { role: "viewer", deal: dataset.deal, public: true, title }));
      dataset.published = id;
      showTitle(title);
      await revokeGrants(previousGrants.filter((grant) => grant !== same));
      return this.words.nowPublished;
    });
  }

  unpublish() {
    const { dataset } = this.root;
    return this.runRequest(async () => {
      await revokeGrants(await this.readLibraryGrants());
      delete dataset.published;
      showTitle(dataset.own);
      const remainingScope = await this.remainingPublicScope();
      if (remainingScope) return this.words.stillPublic[remainingScope];
      delete dataset.public;
      return this.words.takenBack;
    });
  }

  /** All grants by which the deal is in the library: several if several people published it. */
  async readLibraryGrants() {
    const { deal } = this.root.dataset;
    const { grants } = await getJson("/grants");
    return grants.filter(({ active, title, scope }) => active && title !== null && scope.kind === "deal" && scope.id === deal);
  }

  /** How far the grant reaches by which everybody can see the deal nevertheless; null if nobody else can. */
  async remainingPublicScope() {
    const { deal } = this.root.dataset;
    const [{ published }, { table }] = await Promise.all([getJson("/session"), getJson(`/deals/${deal}`)]);
    const publicGrant = published.find(({ scope }) => scope.kind === "everything" || [deal, table].includes(scope.id));
    return publicGrant?.scope.kind ?? null;
  }
}

async function revokeGrants(grants) {
  for (const { id } of grants) await sendRequest("DELETE", `/grants/${id}`);
}

/** Has the page call the deal so. */
function showTitle(title) {
  const heading = document.querySelector("h1");
  document.title = document.title.replace(heading.textContent, () => title);
  heading.textContent = title;
}
