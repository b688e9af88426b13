/** The club's members: their list, adding one, changing what is known of one, forgetting one. */

import { asked, sent } from "./api.js";
import { el } from "./dom.js";
import { refusalTold } from "./told.js";

const FIELDS = [
  { name: "name", type: "text", most: 100 },
  { name: "short", type: "text", most: 100 },
  { name: "joined", type: "date" },
  { name: "note", type: "text", most: 2000, whole: true },
];

class Members {
  constructor(root, words, members) {
    Object.assign(this, { root, words, members });
    this.open = null;
    this.list = el("ul", { class: "member-list" });
    this.status = el("p", { class: "member-status", role: "status" });
    this.adding = el("section", { class: "member-add" });
    this.drawAdding();
    this.draw();
    root.querySelector('[data-part="members"]').replaceChildren(this.status, this.list, this.adding);
    root.removeAttribute("data-waiting");
  }

  /** The members by name, as the language orders letters. */
  get sorted() {
    return [...this.members].sort((one, other) => one.name.localeCompare(other.name, document.documentElement.lang));
  }

  draw() {
    const items = this.sorted.map((member) => el("li", { "data-member": member.id }, ...this.item(member)));
    this.list.replaceChildren(...(items.length ? items : [el("li", { class: "quiet", text: this.words.none })]));
  }

  item(member) {
    const { words } = this;
    if (this.open?.id === member.id) return [this.open.forgets ? this.forgetting(member) : this.changing(member)];
    const told = [member.short, member.joined ? words.since(words.day(member.joined)) : "", member.note].filter(Boolean).join(" · ");
    return [
      el("div", { class: "who" }, el("a", { href: this.address(member.id), text: member.name }), told ? el("span", { class: "quiet", text: told }) : null),
      el("div", { class: "member-ways" },
        this.button(words.change, words.changeNamed(member.name), () => this.begin({ id: member.id, forgets: false })),
        this.button(words.forget, words.forgetNamed(member.name), () => this.begin({ id: member.id, forgets: true }))),
    ];
  }

  /** The page of a member: the address that the frame says, with the id at its end. */
  address(id) {
    const [path, query] = this.root.dataset.memberUrl.split("?");
    return path.replace(/m-$/, id) + (query ? `?${query}` : "");
  }

  button(text, label, click, main = false) {
    return el("button", { type: "button", class: main ? "worded is-main" : "worded", "aria-label": label, text, on: { click } });
  }

  begin(open) {
    this.open = open;
    this.say("");
    this.draw();
    this.itemOf(open.id).querySelector("input, button").focus();
  }

  end(id) {
    this.open = null;
    this.draw();
    this.itemOf(id)?.querySelector("button").focus();
  }

  itemOf(id) {
    return this.list.querySelector(`[data-member="${CSS.escape(id)}"]`);
  }

  /** A form with what is known of a member. */
  form(member, press, more, save) {
    const { words } = this;
    const parts = FIELDS.map((field) => {
      const id = `${member?.id ?? "new"}-${field.name}`;
      const input = el("input", { id, name: field.name, type: field.type, maxlength: field.most ? String(field.most) : null, autocomplete: "off", value: member?.[field.name] ?? "" });
      return el("div", { class: field.whole ? "is-whole" : null }, el("label", { for: id, text: words.fields[field.name] }), input);
    });
    const form = el("form", { class: "member-form", novalidate: true }, ...parts, el("p", { class: "mending-ways" }, el("button", { type: "submit", class: "worded is-main", text: press }), ...more));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const read = Object.fromEntries(FIELDS.map(({ name }) => [name, form.elements.namedItem(name).value.trim()]));
      if (read.name) save({ ...read, joined: read.joined || null });
      else {
        this.say(words.nameless);
        form.elements.namedItem("name").focus();
      }
    });
    return form;
  }

  changing(member) {
    const { words } = this;
    const back = this.button(words.back, words.back, () => this.end(member.id));
    return this.form(member, words.save, [back], async (read) => {
      const amended = await this.trying((confirmed) => sent("PUT", `/members/${member.id}${confirmed}`, read), read.name);
      if (!amended) return;
      this.members = this.members.map((one) => (one.id === member.id ? amended : one));
      this.end(member.id);
      this.say(words.saved(amended.name));
    });
  }

  forgetting(member) {
    const { words } = this;
    const yes = this.button(words.forgetYes, words.forgetYes, () => this.forget(member), true);
    const no = this.button(words.back, words.back, () => this.end(member.id));
    return el("div", {}, el("p", { text: words.forgetAsk(member.name) }), el("p", { class: "quiet", text: words.forgetMore }), el("p", { class: "mending-ways" }, yes, no));
  }

  async forget(member) {
    const gone = await this.trying(async () => {
      await sent("DELETE", `/members/${member.id}`);
      return true;
    });
    if (!gone) return;
    this.members = this.members.filter((one) => one.id !== member.id);
    this.open = null;
    this.draw();
    this.say(this.words.forgotten);
    this.adding.querySelector("input").focus();
  }

  drawAdding() {
    const { words } = this;
    const form = this.form(null, words.add, [], (read) => this.add(read));
    this.adding.replaceChildren(el("h2", { text: words.addHeading }), form);
  }

  /** Adds a member. */
  async add(read) {
    const made = await this.trying((confirmed) => sent("POST", `/members${confirmed}`, read), read.name);
    if (!made) return undefined;
    this.members.push(made);
    this.draw();
    this.drawAdding();
    this.say(this.words.added(made.name));
    return this.adding.querySelector("input").focus();
  }

  /** What is answered; null where it is refused. A name that looks like another's is confirmed by a second press. */
  async trying(act, name = null) {
    try {
      const made = await act(name !== null && this.doubted === name ? "?confirm=similar-name" : "");
      this.doubted = null;
      return made;
    } catch (refused) {
      if (refused.status === undefined) throw refused;
      this.doubted = refused.type === "similar-name" ? name : null;
      this.say(this.doubted ? this.words.twin(refused.problem.member) : refusalTold(this.words, refused));
      return null;
    }
  }

  say(sentence) {
    this.status.textContent = sentence;
    if (sentence) this.status.scrollIntoView({ block: "nearest" });
  }
}

async function start(root) {
  const danish = document.documentElement.lang.startsWith("da");
  const { default: words } = await import(danish ? "../messages/club-da.js" : "../messages/club-en.js");
  try {
    const told = await asked("/members");
    new Members(root, words, told.members);
  } catch (refused) {
    if (refused.status === undefined) throw refused;
    root.querySelector('[data-part="members"]').replaceChildren(el("p", { class: "ask", text: refusalTold(words, refused) }));
  }
}

for (const root of document.querySelectorAll("[data-members]")) start(root);
