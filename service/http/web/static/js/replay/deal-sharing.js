/** A deal given to others: a link to this point, its text, a drawing, a place in a page of theirs; and its publishing. */

import { Refused, appended, asked, newId, sent } from "../core/api.js";
import { byHand, toClipboard } from "../core/copying.js";
import { el } from "../core/dom.js";

const LONGEST_TITLE = 200;

/**
 * What a reader can do to share a deal. `root` is the element that tells what there is: `data-text`, `data-drawing` and
 * `data-picture` are addresses, `data-embed` one that may stand in other pages once everybody may see the deal
 * (`data-public`). `data-deal` is its id where the reader may publish it; then `data-title` is what it is called, and
 * `data-own` what its record calls it; `data-published` is there while it is in the library, `data-engine` while its record is
 * not closed, and the reader may close it: only then its hands lie open. `seq` tells the point that the reader has reached,
 * `viewer` who sees it so, and `whatIfs` what is thought of on the page, where anything is (branching.js).
 */
export async function waysToShare({ root, seq, viewer, whatIfs }) {
  const danish = document.documentElement.lang.startsWith("da");
  const { default: words } = await import(danish ? "../messages/sharing-da.js" : "../messages/sharing-en.js");
  const said = el("p", { class: "quiet", role: "status" });
  const ways = new Ways({ root, seq, viewer, whatIfs, words, said });
  const publishing = root.dataset.deal ? new Publishing({ root, words, said, changed: () => ways.draw() }).form : null;
  return [publishing, ways.shown, said].filter(Boolean);
}

class Ways {
  constructor(parts) {
    Object.assign(this, parts);
    this.shown = el("p", { class: "ways" });
    this.draw();
  }

  draw() {
    this.shown.replaceChildren(...this.buttons());
  }

  buttons() {
    const { words, root } = this;
    const button = (act, text, copied, more) => el("button", { type: "button", class: "worded", "data-act": act, text, on: { click: () => this.copy(copied, more) } });
    const link = (name, text) => el("a", { class: "worded", href: root.dataset[name], target: "_blank", rel: "noopener", text, on: { click: (event) => this.follow(event.currentTarget, name) } });
    return [
      button("link", words.link, () => this.link()),
      button("text", words.text, () => this.text()),
      link("drawing", words.drawing),
      link("picture", words.picture),
      "public" in root.dataset || root.dataset.published ? button("embed", words.embed, () => this.frame(), () => (this.whatIf ? ` ${words.asPlayed}` : "")) : null,
    ].filter(Boolean);
  }

  /** The what-if that is shown, at an entry of its own; null where the deal is as it was played. */
  get whatIf() {
    const current = this.whatIfs()?.current;
    return current && String(this.seq()).startsWith(`${current.at}~`) ? current : null;
  }

  /** The last point on the way here that the deal itself has: the service draws no what-if, and no other page shows one. */
  get point() {
    return this.whatIf?.at ?? this.seq();
  }

  /** This page at the point that is seen, as everybody can open it. */
  link() {
    const seq = this.seq();
    return `${location.origin}${location.pathname}#${this.whatIfs()?.address(seq) ?? `at=${seq}`}`;
  }

  /** The deal in the notation; a what-if that is shown stands behind it. */
  async text() {
    if (this.whatIfs()?.current) return this.whatIfs().asText();
    const answer = await fetch(this.root.dataset.text);
    if (!answer.ok) throw new Refused(answer.status);
    return answer.text();
  }

  /** Leads to the drawing of the table as it is seen, and says so where that is not what is shown. */
  follow(link, name) {
    link.href = this.drawn(name);
    this.said.replaceChildren(this.whatIf ? this.words.asPlayed : "");
  }

  drawn(name) {
    const address = new URL(this.root.dataset[name], location.href);
    address.searchParams.set("at", this.point);
    address.searchParams.set("lang", document.documentElement.lang);
    if (this.viewer() !== "all") address.searchParams.set("viewer", this.viewer());
    return address.href;
  }

  /** What somebody puts into a page of his own. */
  frame() {
    const address = new URL(this.root.dataset.embed, location.href);
    address.hash = `at=${this.point}`;
    const frame = el("iframe", { src: address.href, title: document.querySelector("h1").textContent, width: "100%", height: "760", loading: "lazy" });
    frame.style.border = "0";
    return frame.outerHTML;
  }

  async copy(what, more = () => "") {
    const { words, said } = this;
    said.replaceChildren();
    try {
      const text = await what();
      said.replaceChildren((await toClipboard(text)) ? words.copied + more() : byHand(text, words.copyThis));
    } catch (error) {
      if (!(error instanceof Refused) && !(error instanceof TypeError)) throw error;
      said.replaceChildren(words.failed);
    }
  }
}

/** The deal's title in the library, under which everybody finds it. */
class Publishing {
  constructor(parts) {
    Object.assign(this, parts);
    const { root } = parts;
    this.title = el("input", { type: "text", name: "title", maxlength: LONGEST_TITLE, autocomplete: "off", value: root.dataset.title, required: true });
    this.form = el("form", { class: "publishing", on: { submit: (event) => this.publish(event) } });
    this.draw();
  }

  draw() {
    const { words, root } = this;
    const grant = root.dataset.published;
    const back = el("button", { type: "button", class: "worded", "data-act": "unpublish", text: words.takeBack, on: { click: () => this.takeBack() } });
    this.form.replaceChildren(
      el("p", { class: "quiet", text: grant ? words.isPublished : words.whatPublishing }),
      el("p", {}, el("label", {}, el("span", { text: words.title }), this.title)),
      el("p", { class: "ways" }, el("button", { class: "worded is-main", "data-act": "publish", text: grant ? words.rename : words.publish }), grant ? back : null),
      ...(grant && root.dataset.engine ? this.closing() : []),
    );
  }

  /** A record that is not closed keeps its hands from everybody: it can be closed here and now. */
  closing() {
    const { words } = this;
    const button = el("button", { type: "button", class: "worded", "data-act": "close", text: words.close, on: { click: () => this.close() } });
    return [el("p", { text: words.handsHidden }), el("p", { class: "ways" }, button)];
  }

  close() {
    const { dataset } = this.root;
    const path = `/deals/${dataset.deal}`;
    return this.trying(async () => {
      const [{ version }, { payments }] = await Promise.all([asked(path), asked(`${path}/score`)]);
      await appended(`${path}/events`, { type: "deal_closed", id: newId(), payments: payments ?? {}, engine: dataset.engine }, version);
      delete dataset.engine;
      return this.words.closed;
    });
  }

  /** Does one thing at a time: a second grant made by a second click would outlive the first that is taken back. */
  async trying(act) {
    if (this.busy) return;
    this.busy = true;
    this.form.setAttribute("aria-busy", "true");
    this.said.replaceChildren();
    const focused = this.form.contains(document.activeElement) ? document.activeElement : null;
    try {
      this.said.replaceChildren(await act());
    } catch (refused) {
      if (!(refused instanceof Refused)) throw refused;
      this.said.replaceChildren(refused.status ? refused.message : this.words.failed);
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
    return this.trying(async () => {
      const before = await this.titled();
      const same = before.find((grant) => grant.title === title);
      const { id } = same ?? (await sent("POST", "/grants", { role: "viewer", deal: dataset.deal, public: true, title }));
      dataset.published = id;
      rename(title);
      await revoked(before.filter((grant) => grant !== same));
      return this.words.nowPublished;
    });
  }

  takeBack() {
    const { dataset } = this.root;
    return this.trying(async () => {
      await revoked(await this.titled());
      delete dataset.published;
      rename(dataset.own);
      const reaching = await this.stillPublic();
      if (reaching) return this.words.stillPublic[reaching];
      delete dataset.public;
      return this.words.takenBack;
    });
  }

  /** The grants by which the deal is in the library, whoever made them: several, where several have published it. */
  async titled() {
    const { deal } = this.root.dataset;
    const { grants } = await asked("/grants");
    return grants.filter(({ active, title, scope }) => active && title !== null && scope.kind === "deal" && scope.id === deal);
  }

  /** How far the grant reaches by which everybody can see the deal nevertheless; null where nobody else can. */
  async stillPublic() {
    const { deal } = this.root.dataset;
    const [{ published }, { table }] = await Promise.all([asked("/session"), asked(`/deals/${deal}`)]);
    const reaching = published.find(({ scope }) => scope.kind === "everything" || [deal, table].includes(scope.id));
    return reaching?.scope.kind ?? null;
  }
}

async function revoked(grants) {
  for (const { id } of grants) await sent("DELETE", `/grants/${id}`);
}

/** Has the page call the deal so. */
function rename(title) {
  const heading = document.querySelector("h1");
  document.title = document.title.replace(heading.textContent, () => title);
  heading.textContent = title;
}
