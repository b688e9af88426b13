/** Sharing a table: a link, and its QR code, for recorders or onlookers; and revoking it. */

import { getJson, sendRequest } from "../core/api.js";
import { el } from "../core/dom.js";
import { formatApiError } from "../core/deal-text.js";

const SHAREABLE_ROLES = ["viewer", "recorder"];
const isLoopback = (link) => ["localhost", "127.0.0.1", "[::1]"].includes(new URL(link).hostname);

/** Lets `button` open the dialog in which the table is shared. */
export function enableTableSharing({ button, table, words }) {
  const sharing = new TableSharingDialog(table, words);
  document.body.append(sharing.dialog);
  button.disabled = button.hidden = false;
  button.addEventListener("click", () => sharing.open());
}

class TableSharingDialog {
  constructor(table, words) {
    this.table = table;
    this.words = words;
    this.linkPanel = el("div", { class: "share-link", "aria-live": "polite" });
    this.list = el("ul", { class: "grants" });
    const close = el("button", { type: "button", class: "button", text: words.share.close, on: { click: () => this.dialog.close() } });
    this.choices = SHAREABLE_ROLES.map((role) =>
      el("button", { type: "button", class: "choice is-tall", "data-role": role, "aria-pressed": "false", on: { click: () => this.createLink(role) } },
        el("span", { class: "choice-name", text: words.share.roles[role] }), el("span", { class: "choice-more", text: words.share.may[role] })),
    );
    this.dialog = el("dialog", { class: "sharing", "aria-labelledby": "sharing" },
      el("h2", { id: "sharing", text: words.share.heading }),
      el("div", { class: "choices two" }, ...this.choices), this.linkPanel,
      el("h3", { text: words.share.given }), this.list, el("p", {}, close),
    );
    // The link opens the table to anyone who sees it: it is removed.
    this.dialog.addEventListener("close", () => this.showLink(null, []));
  }

  /** Shows a link that was made for `role`, or what there is to be said where none was. */
  showLink(role, content) {
    for (const one of this.choices) one.setAttribute("aria-pressed", String(one.dataset.role === role));
    this.linkPanel.replaceChildren(...content);
  }

  open() {
    this.dialog.showModal();
    this.refreshGrants();
  }

  async runRequest(act) {
    try {
      return await act();
    } catch (error) {
      if (error.status === undefined) throw error;
      this.showLink(null, [el("p", { class: "ask", text: formatApiError(this.words, error) })]);
      return null;
    }
  }

  async createLink(role) {
    const label = this.words.share.roles[role];
    const grant = await this.runRequest(() => sendRequest("POST", "/grants", { role, table: this.table, label }));
    if (!grant) return;
    const field = el("input", { type: "text", readonly: true, value: grant.link, "aria-label": this.words.share.link, on: { focus: () => field.select() } });
    const copy = el("button", { type: "button", class: "button", text: this.words.share.copy, on: { click: () => this.copyLink(field, copy) } });
    const code = document.importNode(new DOMParser().parseFromString(grant.qr, "image/svg+xml").documentElement, true);
    code.setAttribute("role", "img");
    code.setAttribute("aria-label", this.words.share.code);
    this.showLink(role, [
      ...(isLoopback(grant.link) ? [el("p", { class: "ask", text: this.words.share.onlyHere })] : []),
      el("p", { class: "share-role", text: this.words.share.madeFor[role] }), el("div", { class: "qr" }, code),
      el("div", { class: "link-line" }, field, copy), el("p", { class: "muted", text: this.words.share.once }),
    ]);
    this.refreshGrants();
  }

  async copyLink(field, button) {
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
      button.textContent = this.words.share.copied;
    } catch {
      // The text is selected: the keys, or a long press, do it where a page may not.
      field.focus();
    }
  }

  async refreshGrants() {
    const answer = await this.runRequest(() => getJson("/grants"));
    if (!answer) return;
    const activeGrants = answer.grants.filter((grant) => grant.scope.id === this.table && grant.active);
    const items = activeGrants.map((grant) =>
      el("li", {},
        el("span", { text: this.words.share.roles[grant.role] ?? grant.role }), el("span", { class: "muted", text: this.words.moment(grant.made_at) }),
        el("button", { type: "button", class: "button", text: this.words.share.revoke, on: { click: () => this.revoke(grant) } })),
    );
    this.list.replaceChildren(...(items.length ? items : [el("li", { class: "muted", text: this.words.share.none })]));
  }

  async revoke(grant) {
    await this.runRequest(() => sendRequest("DELETE", `/grants/${grant.id}`));
    this.showLink(null, [el("p", { text: this.words.share.revoked })]);
    this.refreshGrants();
  }
}
