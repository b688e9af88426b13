// @ts-check
/** Starts a single deal: its rules, players and dealer. */

import { ApiError, getJson, newId } from "../core/api.js";
import { formatApiError } from "../core/deal-text.js";
import { MemberDisplayNames } from "../core/member-display-names.js";
import { t } from "../core/texts.js";
import words from "../messages/evening.js";
import { html, render, useMemo, useRef, useState } from "../vendor/preact.js";
import { cacheNewDealPage, readCachedNewDealPage } from "./cached-deals.js";
import { cacheDealOpening, PLACEHOLDER_DEAL_ID, startDealWithoutTable } from "./deal-start.js";

/** @typedef {{ forehand: string, middlehand: string, backhand: string, sitting: string, dealer: string, rules: string, pool: string | null, title: string }} Values */
/** @typedef {{ id: string, short: string, name: string }} Member */

const SEATS = /** @type {const} */ (["forehand", "middlehand", "backhand"]);
const NAME_FIELDS = /** @type {const} */ ([...SEATS, "sitting"]);
const LABELS = {
  forehand: t("Forehand"),
  middlehand: t("Middlehand"),
  backhand: t("Backhand"),
  sitting: t("Did anybody sit out?"),
};
const POOL_LABEL = t("The pool, with the dealer’s stake");

/** @param {{ id: string, label: string, children: unknown }} props */
const Field = ({ id, label, children }) =>
  html`<div class="pad-field"><label for=${id}>${label}</label>${children}</div>`;

/** @param {{ root: HTMLElement, members: Member[] }} props */
function NewDealForm({ root, members }) {
  const rulesets = useMemo(() => JSON.parse(root.dataset.rulesets ?? "[]"), []);
  const displayNames = useMemo(() => new MemberDisplayNames(members), []);
  const [values, setValues] = useState(
    /** @type {Values} */ ({
      forehand: "",
      middlehand: "",
      backhand: "",
      sitting: "",
      dealer: "",
      rules: root.dataset.usual ?? "",
      pool: null,
      title: "",
    }),
  );
  const [fault, setFault] = useState("");
  const sending = useRef(false);
  const id = useRef(newId());
  const rules = rulesets.find((/** @type {any} */ one) => one.id === values.rules) ?? rulesets[0];
  const pool = values.pool ?? String(rules.stake ?? "");
  const names = NAME_FIELDS.map((name) => values[name].trim()).filter(Boolean);
  const set = (/** @type {Partial<Values>} */ changes) => setValues((all) => ({ ...all, ...changes }));
  const playerId = (/** @type {string} */ name) => displayNames.findMemberId(name) ?? name;

  const submit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    if (sending.current) return;
    const opening = buildOpening(
      { ...values, dealer: names.includes(values.dealer) ? values.dealer : "", pool },
      rules,
      id.current,
      playerId,
    );
    const found = findFault(opening);
    setFault(found);
    if (found) return;
    sending.current = true;
    try {
      await startDealWithoutTable(opening, {
        isReachable: navigator.onLine,
        cacheOpening: () => cacheOpening(root, opening, displayNames),
      });
      location.assign((root.dataset.recordUrl ?? "").replace(PLACEHOLDER_DEAL_ID, opening.id));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      id.current = newId();
      setFault(formatApiError(words, error));
    } finally {
      sending.current = false;
    }
  };
  const input = (/** @type {"forehand" | "middlehand" | "backhand" | "sitting" | "title"} */ name) =>
    html`<input type="text" id=${name} maxlength="120" autocomplete="off" list=${name === "title" ? undefined : "members"} value=${values[name]} onInput=${(/** @type {any} */ { target }) => set({ [name]: target.value })} />`;
  return html`<form class="opening-form" onSubmit=${submit}>
    ${NAME_FIELDS.map((name) => html`<${Field} id=${name} label=${LABELS[name]}>${input(name)}</${Field}>`)}
    <${Field} id="dealer" label=${t("Who dealt?")}><select id="dealer" value=${values.dealer} onChange=${(/** @type {any} */ { target }) => set({ dealer: target.value })}><option value="">${t("not said")}</option>${names.map((one) => html`<option value=${one}>${one}</option>`)}</select></${Field}>
    <${Field} id="rules" label=${words.open.rules}><select id="rules" value=${rules.id} onChange=${(/** @type {any} */ { target }) => set({ rules: target.value, pool: null })}>${rulesets.map((/** @type {any} */ one) => html`<option value=${one.id}>${one.name}</option>`)}</select></${Field}>
    ${rules.pool && html`<${Field} id="pool" label=${POOL_LABEL}><input type="text" id="pool" inputmode="numeric" autocomplete="off" value=${pool} onInput=${(/** @type {any} */ { target }) => set({ pool: target.value })} /></${Field}>`}
    <${Field} id="title" label=${words.open.title}>${input("title")}</${Field}>
    <datalist id="members">${members.map((one) => html`<option value=${displayNames.displayName(one.id)}></option>`)}</datalist>
    <div class="bar"><p class="ask" role="alert">${fault}</p><button type="submit" class="confirm">${t("Begin")}</button></div>
  </form>`;
}

/** @type {(values: Values, rules: any, id: string, playerId: (name: string) => string) => Record<string, any>} */
function buildOpening(values, rules, id, playerId) {
  const seats = Object.fromEntries(SEATS.map((seat) => [seat, playerId(values[seat].trim())]));
  const sitting = values.sitting.trim();
  const title = values.title.trim();
  return {
    type: "deal_opened",
    id,
    ruleset: rules.id,
    players: { ...seats, ...(sitting ? { sitting_out: [playerId(sitting)] } : {}) },
    ...(values.dealer ? { dealer: playerId(values.dealer) } : {}),
    ...(title ? { title } : {}),
    ...(rules.pool ? { pool: Number(values.pool) } : {}),
  };
}

/** @type {(opening: Record<string, any>) => string[]} */
const listPlayers = ({ players }) => [...SEATS.map((seat) => players[seat]), ...(players.sitting_out ?? [])];

/** @type {(opening: Record<string, any>) => string} What is wrong with it; an empty text where nothing is. */
function findFault(opening) {
  const names = listPlayers(opening);
  if (names.slice(0, SEATS.length).some((name) => !name)) return words.open.tooFew;
  const duplicate = names.find((name, index) => names.indexOf(name) < index);
  if (duplicate) return words.open.twice(duplicate);
  const hasBadPool = "pool" in opening && !(Number.isInteger(opening.pool) && opening.pool >= 0);
  return hasBadPool ? `${t("Something here cannot be read:")} ${POOL_LABEL}` : "";
}

/** Keeps what its recorder needs, where the deal waits to be stored. @type {(root: HTMLElement, opening: Record<string, any>, displayNames: any) => Promise<void>} */
function cacheOpening(root, opening, displayNames) {
  const { rules, addresses } = JSON.parse(root.dataset.begun ?? "{}");
  const seated = [...listPlayers(opening), opening.dealer];
  const members = displayNames.members.filter((/** @type {Member} */ one) => seated.includes(one.id));
  const names = Object.fromEntries(
    members.map((/** @type {Member} */ one) => [one.id, displayNames.displayName(one.id)]),
  );
  const dealStart = { ...rules[opening.ruleset], addresses };
  return cacheDealOpening(opening, {
    dealStart,
    displayName: (/** @type {string} */ player) => names[player] ?? player,
    names,
    heading: opening.title ?? t("Card by card"),
    data: { mayOpen: "" },
  });
}

/** @param {HTMLElement} root */
async function start(root) {
  const { lang } = document.documentElement;
  const part = /** @type {HTMLElement} */ (root.querySelector('[data-part="form"]'));
  // Made without the service, the page has the rules as this device keeps them.
  const { rulesets, usual, begun } = root.dataset;
  if (rulesets) await cacheNewDealPage(lang, { rulesets, usual, begun });
  else Object.assign(root.dataset, await readCachedNewDealPage(lang));
  const { members } = await getJson("/members").catch(() => ({ members: [] }));
  part.replaceChildren();
  const notKept = html`<p class="lead">${t("There is no network, and no deal has been started on this device before.")}</p>`;
  render(root.dataset.rulesets ? html`<${NewDealForm} root=${root} members=${members} />` : notKept, part);
  root.removeAttribute("data-waiting");
}

for (const root of document.querySelectorAll("[data-new-deal]")) start(/** @type {HTMLElement} */ (root));
