/** A table that was opened by mistake is set aside, and counts again: written as events of the table. */

import { newId } from "../core/api.js";
import { el } from "../core/dom.js";
import { formatApiError } from "../core/deal-text.js";
import { letTableCount, setTableAside } from "./table-entries.js";

export class SetAsidePanel {
  constructor({ evening, words }) {
    Object.assign(this, { evening, pageWords: words, words: words.aside });
    this.reason = el("input", { type: "text", id: "aside-reason", maxlength: "200", autocomplete: "off" });
    this.details = el("details", {}, el("summary", { text: this.words.open }),
      el("form", { class: "seating-form", on: { submit: (event) => this.setAside(event) } },
        el("p", { class: "muted", text: this.words.how }), el("label", { for: "aside-reason", text: this.words.why }), this.reason,
        el("p", {}, el("button", { type: "submit", class: "button", text: this.words.confirm }))));
    this.askPart = el("div", { class: "set-aside-panel" }, this.details);
    this.undoPart = el("p", {}, el("button", { type: "button", class: "button", text: this.words.undo, on: { click: () => this.run((id) => letTableCount(this.evening, id, this.words.undoReason)) } }));
    this.status = el("p", { class: "ask", role: "status" });
    this.root = el("div", {}, this.askPart, this.undoPart, this.status);
    this.draw();
  }

  draw() {
    this.askPart.hidden = this.evening.isSetAside;
    this.undoPart.hidden = !this.evening.isSetAside;
  }

  setAside(event) {
    event.preventDefault();
    const reason = this.reason.value.trim();
    if (reason) return this.run((id) => setTableAside(this.evening, id, reason));
    this.status.textContent = this.words.needsReason;
    return this.reason.focus();
  }

  /** What could not be answered keeps its id, so that the same tap again writes it once. */
  async run(act) {
    if (this.evening.queuedEntries.length) {
      this.status.textContent = this.pageWords.company.waits;
      return;
    }
    this.id ??= newId();
    try {
      await act(this.id);
      this.id = null;
      this.reason.value = "";
      this.details.open = false;
      this.status.textContent = "";
    } catch (error) {
      if (error.status === undefined) throw error;
      if (error.status) this.id = null;
      this.status.textContent = formatApiError(this.pageWords, error);
    }
  }
}
