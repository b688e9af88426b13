// @ts-check
/** The club's members: their list, adding one, changing what is known of one, forgetting one. */

import { getJson, sendRequest } from "../core/api.js";
import { formatApiError } from "../core/deal-text.js";
import { t } from "../core/texts.js";
import { html, render, signal, useEffect, useRef, useSignal } from "../vendor/preact.js";

/** @typedef {{ name: string, short: string, joined: string | null, note: string }} Facts - of a member */
/** @typedef {Facts & { id: string }} Member */

const { lang } = document.documentElement;
const DAYS = new Intl.DateTimeFormat(lang === "en" ? "en-GB" : lang, { dateStyle: "long", timeZone: "UTC" });
const FIELDS = [
  { name: "name", type: "text", maxlength: 100, label: t("Name") },
  { name: "short", type: "text", maxlength: 100, label: t("Called at the table") },
  { name: "joined", type: "date", label: t("Member since") },
  { name: "note", type: "text", maxlength: 2000, label: t("Remark"), class: "is-whole" },
];
/** What the page says where a request is refused, as `formatApiError` takes it. */
const words = {
  refused: {
    0: t("No connection. It may not have arrived: check the list before you try again."),
    401: t("You need a link for that. Ask the organiser of the club for one."),
    403: t("Your link does not allow that. Ask the organiser of the club for another."),
    404: t("That member is no longer in the list."),
    503: t("It cannot be written down right now. Try again in a moment."),
    "too-many-requests": t("That was too fast. Try again in a moment."),
  },
};

const members = signal(/** @type {Member[]} */ ([]));
const status = signal("");
/** The member that is being changed or forgotten. */
const open = signal(/** @type {{ id: string, isForgetting: boolean } | null} */ (null));
/** The member who was so last: the button gets the focus back. */
const closed = signal("");
/** How many were added: each time the form is empty again, and has the focus. */
const addedCount = signal(0);
/** A name that looks like another's, which the service asked about: sent again, it is meant. @type {string | null} */
let similarName = null;

/** What is answered; null if it is refused. @template T @param {(query: string) => Promise<T>} act @param {string | null} name */
async function request(act, name = null) {
  try {
    const answer = await act(name !== null && similarName === name ? "?confirm=similar-name" : "");
    similarName = null;
    return answer;
  } catch (reason) {
    const error = /** @type {any} */ (reason);
    if (error.status === undefined) throw error;
    similarName = error.type === "similar-name" ? name : null;
    status.value = similarName
      ? t("The name looks like that of {name}, who is a member. If this is somebody else, press once more.", {
          name: error.problem.member,
        })
      : formatApiError(words, error);
    return null;
  }
}

function close() {
  closed.value = open.value?.id ?? "";
  open.value = null;
}

/** @param {Facts} facts */
async function addMember(facts) {
  const made = await request((query) => sendRequest("POST", `/members${query}`, facts), facts.name);
  if (!made) return;
  members.value = [...members.value, made];
  addedCount.value += 1;
  status.value = t("{name} is a member now.", { name: made.name });
}

/** @param {Member} member @param {Facts} facts */
async function saveMember({ id }, facts) {
  const saved = await request((query) => sendRequest("PUT", `/members/${id}${query}`, facts), facts.name);
  if (!saved) return;
  members.value = members.value.map((one) => (one.id === id ? saved : one));
  close();
  status.value = t("{name} is saved.", { name: saved.name });
}

/** @param {Member} member */
async function forgetMember({ id }) {
  if (!(await request(() => sendRequest("DELETE", `/members/${id}`).then(() => true)))) return;
  members.value = members.value.filter((one) => one.id !== id);
  open.value = null;
  addedCount.value += 1;
  status.value = t("It is forgotten.");
}

/** @param {{ memberUrl: string }} props */
function MembersPage({ memberUrl }) {
  const line = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => {
    if (status.value) line.current?.scrollIntoView({ block: "nearest" });
  }, [status.value]);
  const collator = new Intl.Collator(lang);
  const sorted = members.value.toSorted((one, other) => collator.compare(one.name, other.name));
  return html`
    <p ref=${line} class="member-status" role="status">${status.value}</p>
    <ul class="member-list">
      ${sorted.map((member) => html`<li key=${member.id} data-member=${member.id}><${MemberItem} member=${member} memberUrl=${memberUrl} /></li>`)}
      ${sorted.length === 0 && html`<li class="muted">${t("No members yet.")}</li>`}
    </ul>
    <section class="member-add">
      <h2>${t("A new member")}</h2>
      <${MemberForm} key=${addedCount.value} id="new" submitText=${t("Add")} isFocused=${addedCount.value > 0} onSave=${addMember} />
    </section>
  `;
}

/** @param {{ member: Member, memberUrl: string }} props */
function MemberItem({ member, memberUrl }) {
  const { id, name, short, joined, note } = member;
  const change = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => {
    if (closed.value !== id || !change.current) return;
    change.current.focus();
    closed.value = "";
  });
  if (open.value?.id === id) {
    return open.value.isForgetting
      ? html`<${ForgetQuestion} member=${member} />`
      : html`
        <${MemberForm} id=${id} facts=${member} submitText=${t("Save")} isFocused onSave=${(/** @type {Facts} */ facts) => saveMember(member, facts)}>
          <button type="button" class="button" onClick=${close}>${t("Cancel")}</button>
        <//>
      `;
  }
  const start = (/** @type {boolean} */ isForgetting) => {
    status.value = "";
    open.value = { id, isForgetting };
  };
  const since = joined && t("since {date}", { date: DAYS.format(new Date(joined)) });
  const details = [short, since, note].filter(Boolean).join(" · ");
  const [path, query] = memberUrl.split("?");
  return html`
    <div class="who">
      <a href=${path.replace(/m-$/, id) + (query ? `?${query}` : "")}>${name}</a>${details && html`<span class="muted">${details}</span>`}
    </div>
    <div class="member-actions">
      <button ref=${change} type="button" class="button" aria-label=${t("Change {name}", { name })} onClick=${() => start(false)}>${t("Change")}</button>
      <button type="button" class="button" aria-label=${t("Forget {name}", { name })} onClick=${() => start(true)}>${t("Forget")}</button>
    </div>
  `;
}

/** @param {{ member: Member }} props */
function ForgetQuestion({ member }) {
  const yes = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => yes.current?.focus(), []);
  return html`
    <div>
      <p>${t("Forget {name}? You cannot undo this.", { name: member.name })}</p>
      <p class="muted">${t("Name, short name, date and remark are erased, and the member’s links end. The deals stay, so that the accounts of the others still add up; there the name becomes “someone who left”. Names that people wrote in notes stay, and so do names in earlier backups.")}</p>
      <p class="form-actions">
        <button ref=${yes} type="button" class="button is-main" onClick=${() => forgetMember(member)}>${t("Yes, forget")}</button>
        <button type="button" class="button" onClick=${close}>${t("Cancel")}</button>
      </p>
    </div>
  `;
}

/** A form with what is known of a member. @param {{ id: string, facts?: any, submitText: string, isFocused: boolean, onSave: (facts: Facts) => void, children?: unknown }} props */
function MemberForm({ id, facts, submitText, isFocused, onSave, children }) {
  const form = useRef(/** @type {any} */ (null));
  const written = useSignal(Object.fromEntries(FIELDS.map(({ name }) => [name, facts?.[name] ?? ""])));
  const focusName = () => form.current.querySelector("input").focus();
  useEffect(() => {
    if (isFocused) focusName();
  }, []);
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    const read = Object.fromEntries(Object.entries(written.value).map(([name, text]) => [name, text.trim()]));
    if (read.name) return onSave(/** @type {any} */ ({ ...read, joined: read.joined || null }));
    status.value = t("Write a name.");
    focusName();
  };
  return html`
    <form ref=${form} class="member-form" novalidate onSubmit=${submit}>
      ${FIELDS.map(
        ({ name, type, maxlength, label, class: className }) => html`
          <div class=${className}>
            <label for="${id}-${name}">${label}</label>
            <input id="${id}-${name}" name=${name} type=${type} maxlength=${maxlength} autocomplete="off" value=${written.value[name]}
              onInput=${(/** @type {any} */ { target }) => (written.value = { ...written.value, [name]: target.value })} />
          </div>
        `,
      )}
      <p class="form-actions"><button type="submit" class="button is-main">${submitText}</button>${children}</p>
    </form>
  `;
}

const root = /** @type {HTMLElement} */ (document.querySelector("[data-members]"));
const part = /** @type {HTMLElement} */ (root.querySelector('[data-part="members"]'));
let content = html`<${MembersPage} memberUrl=${root.dataset.memberUrl} />`;
try {
  members.value = (await getJson("/members")).members;
} catch (error) {
  if (/** @type {any} */ (error).status === undefined) throw error;
  content = html`<p class="ask">${formatApiError(words, error)}</p>`;
}
part.replaceChildren();
render(content, part);
root.removeAttribute("data-waiting");
