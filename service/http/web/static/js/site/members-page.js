/** The club's members: their list, adding one, changing what is known of one, forgetting one. */

import { getJson, sendRequest } from "../core/api.js";
import { el } from "../core/dom.js";
import { formatApiError } from "../core/deal-text.js";
import words from "../messages/members.js";

const MEMBER_FIELDS = [
  { name: "name", type: "text", most: 100 },
  { name: "short", type: "text", most: 100 },
  { name: "joined", type: "date" },
  { name: "note", type: "text", most: 2000, whole: true },
];

class MembersPage {
  constructor(root, words, members) {
    Object.assign(this, { root, words, members });
    this.openItem = null;
    this.list = el("ul", { class: "member-list" });
    this.status = el("p", { class: "member-status", role: "status" });
    this.addSection = el("section", { class: "member-add" });
    this.drawAddForm();
    this.draw();
    root.querySelector('[data-part="members"]').replaceChildren(this.status, this.list, this.addSection);
    root.removeAttribute("data-waiting");
  }

  /** The members by name, as the language orders letters. */
  get sorted() {
    return [...this.members].sort((one, other) => one.name.localeCompare(other.name, document.documentElement.lang));
  }

  draw() {
    const items = this.sorted.map((member) => el("li", { "data-member": member.id }, ...this.buildItem(member)));
    this.list.replaceChildren(...(items.length ? items : [el("li", { class: "muted", text: this.words.none })]));
  }

  buildItem(member) {
    const { words } = this;
    if (this.openItem?.id === member.id) return [this.openItem.forgets ? this.buildForgetQuestion(member) : this.buildEditForm(member)];
    const details = [member.short, member.joined ? words.since(words.day(member.joined)) : "", member.note].filter(Boolean).join(" · ");
    return [
      el("div", { class: "who" }, el("a", { href: this.memberUrl(member.id), text: member.name }), details ? el("span", { class: "muted", text: details }) : null),
      el("div", { class: "member-actions" },
        this.button(words.change, words.changeNamed(member.name), () => this.openForm({ id: member.id, forgets: false })),
        this.button(words.forget, words.forgetNamed(member.name), () => this.openForm({ id: member.id, forgets: true }))),
    ];
  }

  /** The page of a member: the address that the frame says, with the id at its end. */
  memberUrl(id) {
    const [path, query] = this.root.dataset.memberUrl.split("?");
    return path.replace(/m-$/, id) + (query ? `?${query}` : "");
  }

  button(text, label, click, main = false) {
    return el("button", { type: "button", class: main ? "button is-main" : "button", "aria-label": label, text, on: { click } });
  }

  openForm(open) {
    this.openItem = open;
    this.showStatus("");
    this.draw();
    this.findItem(open.id).querySelector("input, button").focus();
  }

  closeForm(id) {
    this.openItem = null;
    this.draw();
    this.findItem(id)?.querySelector("button").focus();
  }

  findItem(id) {
    return this.list.querySelector(`[data-member="${CSS.escape(id)}"]`);
  }

  /** A form with what is known of a member. */
  buildForm(member, submitText, more, save) {
    const { words } = this;
    const parts = MEMBER_FIELDS.map((field) => {
      const id = `${member?.id ?? "new"}-${field.name}`;
      const input = el("input", { id, name: field.name, type: field.type, maxlength: field.most ? String(field.most) : null, autocomplete: "off", value: member?.[field.name] ?? "" });
      return el("div", { class: field.whole ? "is-whole" : null }, el("label", { for: id, text: words.fields[field.name] }), input);
    });
    const form = el("form", { class: "member-form", novalidate: true }, ...parts, el("p", { class: "form-actions" }, el("button", { type: "submit", class: "button is-main", text: submitText }), ...more));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const read = Object.fromEntries(MEMBER_FIELDS.map(({ name }) => [name, form.elements.namedItem(name).value.trim()]));
      if (read.name) save({ ...read, joined: read.joined || null });
      else {
        this.showStatus(words.nameless);
        form.elements.namedItem("name").focus();
      }
    });
    return form;
  }

  buildEditForm(member) {
    const { words } = this;
    const back = this.button(words.back, words.back, () => this.closeForm(member.id));
    return this.buildForm(member, words.save, [back], async (read) => {
      const amended = await this.runRequest((confirmed) => sendRequest("PUT", `/members/${member.id}${confirmed}`, read), read.name);
      if (!amended) return;
      this.members = this.members.map((one) => (one.id === member.id ? amended : one));
      this.closeForm(member.id);
      this.showStatus(words.saved(amended.name));
    });
  }

  buildForgetQuestion(member) {
    const { words } = this;
    const confirmButton = this.button(words.forgetYes, words.forgetYes, () => this.forgetMember(member), true);
    const cancelButton = this.button(words.back, words.back, () => this.closeForm(member.id));
    return el("div", {}, el("p", { text: words.forgetAsk(member.name) }), el("p", { class: "muted", text: words.forgetMore }), el("p", { class: "form-actions" }, confirmButton, cancelButton));
  }

  async forgetMember(member) {
    const isForgotten = await this.runRequest(async () => {
      await sendRequest("DELETE", `/members/${member.id}`);
      return true;
    });
    if (!isForgotten) return;
    this.members = this.members.filter((one) => one.id !== member.id);
    this.openItem = null;
    this.draw();
    this.showStatus(this.words.forgotten);
    this.addSection.querySelector("input").focus();
  }

  drawAddForm() {
    const { words } = this;
    const form = this.buildForm(null, words.add, [], (read) => this.addMember(read));
    this.addSection.replaceChildren(el("h2", { text: words.addHeading }), form);
  }

  /** Adds a member. */
  async addMember(read) {
    const made = await this.runRequest((confirmed) => sendRequest("POST", `/members${confirmed}`, read), read.name);
    if (!made) return undefined;
    this.members.push(made);
    this.draw();
    this.drawAddForm();
    this.showStatus(this.words.added(made.name));
    return this.addSection.querySelector("input").focus();
  }

  /** What is answered; null if it is refused. A name that looks like another's is confirmed by a second press. */
  async runRequest(act, name = null) {
    try {
      const made = await act(name !== null && this.similarName === name ? "?confirm=similar-name" : "");
      this.similarName = null;
      return made;
    } catch (error) {
      if (error.status === undefined) throw error;
      this.similarName = error.type === "similar-name" ? name : null;
      this.showStatus(this.similarName ? this.words.twin(error.problem.member) : formatApiError(this.words, error));
      return null;
    }
  }

  showStatus(sentence) {
    this.status.textContent = sentence;
    if (sentence) this.status.scrollIntoView({ block: "nearest" });
  }
}

async function start(root) {
  try {
    const answer = await getJson("/members");
    new MembersPage(root, words, answer.members);
  } catch (error) {
    if (error.status === undefined) throw error;
    root.querySelector('[data-part="members"]').replaceChildren(el("p", { class: "ask", text: formatApiError(words, error) }));
  }
}

for (const root of document.querySelectorAll("[data-members]")) start(root);
