/** A deal given to others: a link to this point, its text, a drawing, a place in a page of theirs; and its publishing. */

import { Refused, appended, asked, newId, sent } from "./api.js";
import { byHand, toClipboard } from "./copying.js";
import { el } from "./dom.js";

const LONGEST_TITLE = 200;

/**
 * What a reader can do to share a deal. `root` is the element that tells what there is: `data-text`, `data-drawing` and
 * `data-picture` are addresses, `data-embed` one that may stand in other pages once everybody may see the deal
 * (`data-public`). `data-deal` is its id where the reader may publish it; then `data-title` is what it is called, and
 * `data-published` the grant by which it is in the library; `data-engine` is there while its record is not closed, and the
 * reader may close it: only then its hands lie open. `seq` tells the point that the reader has reached.
 */
export async function waysToShare({ root, seq }) {
  const danish = document.documentElement.lang.startsWith("da");
  const { default: words } = await import(danish ? "./sharing-da.js" : "./sharing-en.js");
  const said = el("p", { class: "quiet", role: "status" });
  const ways = new Ways({ root, seq, words, said });
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
    const button = (act, text, copied) => el("button", { type: "button", class: "worded", "data-act": act, text, on: { click: () => this.copy(copied) } });
    const link = (name, text) => el("a", { class: "worded", href: root.dataset[name], target: "_blank", rel: "noopener", text, on: { click: (event) => (event.currentTarget.href = this.drawn(name)) } });
    return [
      button("link", words.link, () => this.link()),
      button("text", words.text, () => this.text()),
      link("drawing", words.drawing),
      link("picture", words.picture),
      "public" in root.dataset || root.dataset.published ? button("embed", words.embed, () => this.frame()) : null,
    ].filter(Boolean);
  }

  /** This page at the point that is seen, as everybody can open it. */
  link() {
    return `${location.origin}${location.pathname}#at=${this.seq()}`;
  }

  async text() {
    const answer = await fetch(this.root.dataset.text);
    if (!answer.ok) throw new Refused(answer.status);
    return answer.text();
  }

  /** Where the drawing of the table is, at the point that is seen. */
  drawn(name) {
    const address = new URL(this.root.dataset[name], location.href);
    address.searchParams.set("at", this.seq());
    address.searchParams.set("lang", document.documentElement.lang);
    return address.href;
  }

  /** What somebody puts into a page of his own. */
  frame() {
    const address = new URL(this.root.dataset.embed, location.href);
    address.hash = `at=${this.seq()}`;
    const frame = el("iframe", { src: address.href, title: document.querySelector("h1").textContent, width: "100%", height: "760", loading: "lazy" });
    frame.style.border = "0";
    return frame.outerHTML;
  }

  async copy(what) {
    const { words, said } = this;
    said.replaceChildren();
    try {
      const text = await what();
      said.replaceChildren((await toClipboard(text)) ? words.copied : byHand(text, words.copyThis));
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
    }, this.words.closed);
  }

  async trying(act, told) {
    try {
      await act();
      this.said.replaceChildren(told);
      this.draw();
      this.changed();
    } catch (refused) {
      if (!(refused instanceof Refused)) throw refused;
      this.said.replaceChildren(refused.status ? refused.message : this.words.failed);
    }
  }

  publish(event) {
    event.preventDefault();
    const title = this.title.value.trim();
    if (!title) return undefined;
    const { dataset } = this.root;
    return this.trying(async () => {
      const before = dataset.published;
      const made = await sent("POST", "/grants", { role: "viewer", deal: dataset.deal, public: true, title });
      dataset.published = made.id;
      if (before) await sent("DELETE", `/grants/${before}`);
    }, this.words.nowPublished);
  }

  takeBack() {
    const { dataset } = this.root;
    return this.trying(async () => {
      await sent("DELETE", `/grants/${dataset.published}`);
      delete dataset.published;
    }, this.words.takenBack);
  }
}
