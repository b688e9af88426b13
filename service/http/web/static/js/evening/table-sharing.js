// @ts-check
/** Sharing a table: a link, and its QR code, for recorders or onlookers; and revoking it. */

import { getJson, sendRequest } from "../core/api.js";
import { formatApiError } from "../core/deal-text.js";
import { t } from "../core/texts.js";
import words from "../messages/evening.js";
import { html, render, useRef, useSignal } from "../vendor/preact.js";

/** @typedef {{ id: string, role: string, scope: { id: string }, active: boolean, made_at: string }} Grant */

/** @type {Record<string, { may: string, made: string }>} */
const SHAREABLE_ROLES = {
  viewer: { may: t("sees the slip and the score sheet"), made: t("Anyone with this link can watch.") },
  recorder: { may: t("writes deals down and corrects them"), made: t("Anyone with this link can keep the table.") },
};
/** @type {Record<string, string>} */
const ROLE_NAMES = {
  owner: t("Owner"),
  organiser: t("Organiser"),
  recorder: t("Recorder"),
  player: t("Player"),
  viewer: t("Onlooker"),
};
/** @param {string} link */
const isLoopback = (link) => ["localhost", "127.0.0.1", "[::1]"].includes(new URL(link).hostname);

/** Lets `button` open the dialog in which the table is shared. @param {{ button: HTMLButtonElement, table: string }} options */
export function enableTableSharing({ button, table }) {
  const root = document.createElement("div");
  document.body.append(root);
  render(html`<${TableSharingDialog} table=${table} button=${button} />`, root);
}

/** @param {{ table: string, button: HTMLButtonElement }} props */
function TableSharingDialog({ table, button }) {
  const made = useSignal(/** @type {{ role: string, link: string, qr: string } | null} */ (null));
  const status = useSignal("");
  const grants = useSignal(/** @type {Grant[]} */ ([]));

  /** @template T @param {() => Promise<T>} act @param {(answer: T) => void} use - of what the service answers, unless it refuses */
  const ask = async (act, use) => {
    try {
      const answer = await act();
      status.value = "";
      use(answer);
    } catch (error) {
      if (/** @type {any} */ (error).status === undefined) throw error;
      made.value = null;
      status.value = formatApiError(words, error);
    }
  };
  const refresh = () =>
    ask(
      () => getJson("/grants"),
      (answer) => {
        grants.value = answer.grants.filter((/** @type {Grant} */ grant) => grant.scope.id === table && grant.active);
      },
    );
  const share = (/** @type {string} */ role) =>
    ask(
      () => sendRequest("POST", "/grants", { role, table, label: ROLE_NAMES[role] }),
      (grant) => {
        made.value = { role, link: grant.link, qr: grant.qr };
        refresh();
      },
    );
  const revoke = (/** @type {Grant} */ grant) =>
    ask(
      () => sendRequest("DELETE", `/grants/${grant.id}`),
      async () => {
        made.value = null;
        await refresh();
        status.value = t("The link is no longer valid.");
      },
    );
  // The link opens the table to anyone who sees it: it is removed.
  const forget = () => {
    made.value = null;
    status.value = "";
  };
  const open = (/** @type {HTMLDialogElement | null} */ dialog) => {
    if (!dialog) return;
    button.disabled = button.hidden = false;
    button.onclick = () => {
      dialog.showModal();
      refresh();
    };
  };
  const dialog = useRef(open).current;
  return html`
    <dialog ref=${dialog} class="sharing" aria-labelledby="sharing" onClose=${forget}>
      <h2 id="sharing">${t("Share the table")}</h2>
      <div class="choices two">
        ${Object.entries(SHAREABLE_ROLES).map(
          ([role, { may }]) => html`
          <button type="button" class="choice is-tall" data-role=${role} aria-pressed=${String(made.value?.role === role)} onClick=${() => share(role)}>
            <span class="choice-name">${ROLE_NAMES[role]}</span><span class="choice-more">${may}</span>
          </button>
        `,
        )}
      </div>
      <div class="share-link" aria-live="polite">
        ${status.value && html`<p class="ask">${status.value}</p>`}
        ${made.value && html`<${SharedLink} key=${made.value.link} ...${made.value} />`}
      </div>
      <h3>${t("Shared with")}</h3>
      <ul class="grants">
        ${grants.value.map(
          (grant) => html`
          <li key=${grant.id}>
            <span>${ROLE_NAMES[grant.role] ?? grant.role}</span><span class="muted">${words.moment(grant.made_at)}</span>
            <button type="button" class="button" onClick=${() => revoke(grant)}>${t("Revoke")}</button>
          </li>
        `,
        )}
        ${grants.value.length === 0 && html`<li class="muted">${t("Nobody yet.")}</li>`}
      </ul>
      <p><button type="button" class="button" onClick=${(/** @type {any} */ event) => event.target.closest("dialog").close()}>${t("Close")}</button></p>
    </dialog>
  `;
}

/** A link as it is given away: in words, and as a code for the camera of a phone. @param {{ role: string, link: string, qr: string }} props */
function SharedLink({ role, link, qr }) {
  const field = useRef(/** @type {HTMLInputElement | null} */ (null));
  const isCopied = useSignal(false);
  const copy = async () => {
    field.current?.select();
    try {
      await navigator.clipboard.writeText(link);
      isCopied.value = true;
    } catch {
      // The text is selected: the keys, or a long press, do it where a page may not.
      field.current?.focus();
    }
  };
  return html`
    ${isLoopback(link) && html`<p class="ask">${t("Only this computer can open this link. For phones, stop Spadille and start it with: spadille serve --host 0.0.0.0")}</p>`}
    <p class="share-role">${SHAREABLE_ROLES[role].made}</p>
    <div class="qr" role="img" aria-label=${t("QR code of the link: point a phone at it")} dangerouslySetInnerHTML=${{ __html: qr }} />
    <div class="link-line">
      <input ref=${field} type="text" readonly value=${link} aria-label=${t("The link")} onFocus=${() => field.current?.select()} />
      <button type="button" class="button" onClick=${copy}>${isCopied.value ? t("Copied") : t("Copy")}</button>
    </div>
    <p class="muted">${t("The link is shown only now. Close this when it has been read.")}</p>
  `;
}
