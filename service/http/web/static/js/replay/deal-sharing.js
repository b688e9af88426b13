// @ts-check
/** A deal given to others: a link to this point, its text, a drawing, a place in a page of theirs; and its publishing. */

import { ApiError, appendEvents, getJson, newId, sendRequest } from "../core/api.js";
import { t } from "../core/texts.js";
import { html, useRef, useState } from "../vendor/preact.js";
import { CopyButton } from "./copy-button.js";

/** @import { FieldEvent } from "./types.d.ts" */
/** @import { DealView } from "./deal-view.js" */
/** @typedef {{ view: DealView }} Props */

const MAX_TITLE_LENGTH = 200;

/** @param {Props} props */
export function SharingPanel({ view }) {
  const [status, say] = useState("");
  const { isPublic, publishing } = view.sharing.value;
  const links = view.facts.links ?? {};
  const asPlayed = shownWhatIf(view)
    ? ` ${t("Drawings and other pages do not show the what-if: this is the point where it branches off.")}`
    : "";
  const drawing = (/** @type {string} */ name, /** @type {string} */ label) =>
    html`<a class="button" href=${drawingUrl(view, links[name])} target="_blank" rel="noopener" onClick=${() => say(asPlayed)}>${label}</a>`;
  return html`
    ${publishing && html`<${PublishingForm} view=${view} publishing=${publishing} say=${say} />`}
    <div class="actions">
      <${CopyButton} act="link" label=${t("Copy a link to this point")} getText=${() => pointUrl(view)} say=${say} />
      ${drawing("drawing", t("Drawing (SVG)"))}${drawing("picture", t("Picture (PNG)"))}
      ${isPublic && html`<${CopyButton} act="embed" label=${t("Copy for a web page")} getText=${() => embedCode(view)} say=${say} copied=${t("Copied.") + asPlayed} />`}
    </div>
    <p class="muted" role="status">${status}</p>`;
}

/** The deal as text, to take along or to write further. @param {Props} props */
export function TextPanel({ view }) {
  const [status, say] = useState("");
  const links = view.facts.links ?? {};
  return html`
    <div class="actions">
      <${CopyButton} act="text" label=${t("Copy the deal as text")} getText=${() => fetchNotation(view)} say=${say} />
      ${links.write && html`<a class="button" href=${links.write}>${t("Write in it")}</a>`}
    </div>
    <p class="muted">
      ${t("As a file")}: <a href=${links.file}>${t("to open without a network (HTML)")}</a>, <a href=${links.log}>JSON Lines</a>, <a href=${links.replay}>JSON</a>
    </p>
    <p class="muted" role="status">${status}</p>`;
}

/** The what-if that is shown, at an entry of its own; null if the deal is as it was played. @param {DealView} view */
function shownWhatIf({ whatIfs, step }) {
  const current = whatIfs?.current.value;
  return current && String(step.frame.seq).startsWith(`${current.at}~`) ? current : null;
}

/** The last point on the way here that the deal itself has: the service draws no what-if. @param {DealView} view */
const sharedSeq = (view) => String(shownWhatIf(view)?.at ?? view.step.frame.seq);

/** This page at the point that is seen, as everybody can open it. @param {DealView} view */
function pointUrl({ step, whatIfs }) {
  const { seq } = step.frame;
  return `${location.origin}${location.pathname}#${whatIfs?.addressAt(seq) ?? `at=${seq}`}`;
}

/** The deal in the notation, followed by the what-if that is shown. @param {DealView} view */
async function fetchNotation({ whatIfs, facts }) {
  if (whatIfs?.current.value) return whatIfs.toNotation();
  const answer = await fetch(facts.links?.text ?? "");
  if (!answer.ok) throw new ApiError(answer.status);
  return answer.text();
}

/** @type {(view: DealView, link: string) => string} */
function drawingUrl(view, link) {
  const address = new URL(link, location.href);
  address.searchParams.set("at", sharedSeq(view));
  address.searchParams.set("lang", document.documentElement.lang);
  if (view.viewer !== "all") address.searchParams.set("viewer", view.viewer);
  return address.href;
}

/** The code to embed the deal in another page. @param {DealView} view */
function embedCode(view) {
  const address = new URL(view.facts.links?.embed ?? "", location.href);
  address.hash = `at=${sharedSeq(view)}`;
  const title = document.querySelector("h1")?.textContent ?? "";
  const frame = Object.assign(document.createElement("iframe"), {
    src: address.href,
    title,
    width: "100%",
    height: "760",
    loading: "lazy",
  });
  frame.style.border = "0";
  return frame.outerHTML;
}

/**
 * The deal's title in the library, under which everybody finds it.
 * @param {{ view: DealView, publishing: NonNullable<DealView["facts"]["publishing"]>, say: (text: string) => void }} props
 */
function PublishingForm({ view, publishing, say }) {
  const { deal, grant, own_title: ownTitle, closing_engine: engine } = publishing;
  const [title, setTitle] = useState(publishing.title);
  const [isBusy, setBusy] = useState(false);
  const busy = useRef(false);

  const change = (/** @type {Partial<typeof publishing>} */ changes, isPublic = view.sharing.value.isPublic) => {
    const now = /** @type {typeof publishing} */ (view.sharing.value.publishing);
    view.sharing.value = { isPublic, publishing: { ...now, ...changes } };
  };

  /** Does one thing at a time: a second grant made by a second click would outlive the first that is taken back. @param {() => Promise<string>} act */
  const run = async (act) => {
    if (busy.current) return;
    busy.current = true;
    setBusy(true);
    say("");
    try {
      say(await act());
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      say(error.status ? error.message : t("That did not work. Try again."));
    } finally {
      busy.current = false;
      setBusy(false);
    }
  };

  const publish = async () => {
    const previousGrants = await readLibraryGrants(deal);
    const wanted = title.trim();
    const same = previousGrants.find((one) => one.title === wanted);
    const { id } =
      same ?? (await sendRequest("POST", "/grants", { role: "viewer", deal, public: true, title: wanted }));
    change({ grant: id, title: wanted }, true);
    showTitle(wanted);
    await revokeGrants(previousGrants.filter((one) => one !== same));
    return t("It is in the library now.");
  };

  const unpublish = async () => {
    await revokeGrants(await readLibraryGrants(deal));
    change({ grant: null });
    showTitle(ownTitle);
    const remainingScope = await remainingPublicScope(deal);
    if (remainingScope) return STILL_PUBLIC[remainingScope];
    change({}, false);
    return t("It is taken back.");
  };

  const closeRecord = async () => {
    const path = `/deals/${deal}`;
    const [{ version }, { payments }] = await Promise.all([getJson(path), getJson(`${path}/score`)]);
    await appendEvents(
      `${path}/events`,
      { type: "deal_closed", id: newId(), payments: payments ?? {}, engine },
      version,
    );
    change({ closing_engine: null });
    return t("The record is closed, and everybody can see the hands.");
  };

  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    if (title.trim()) run(publish);
  };
  return html`<form class="publishing" aria-busy=${isBusy ? "true" : null} onSubmit=${submit}>
    <p class="muted">${grant ? t("The deal is in the library, and everybody can see it.") : t("Everybody can see a published deal, with the players’ short names. The hands are shown once the deal is settled.")}</p>
    <p><label><span>${t("Title")}</span>
      <input type="text" name="title" maxlength=${MAX_TITLE_LENGTH} autocomplete="off" required value=${title} onInput=${(/** @type {FieldEvent} */ event) => setTitle(event.target.value)} />
    </label></p>
    <p class="actions">
      <button class="button is-main" data-act="publish">${grant ? t("Give a new title") : t("Publish in the library")}</button>
      ${grant && html`<button type="button" class="button" data-act="unpublish" onClick=${() => run(unpublish)}>${t("Take back")}</button>`}
    </p>
    ${
      grant &&
      engine &&
      html`<p>${t("The record is not closed: nobody else can see the hands yet.")}</p>
      <p class="actions"><button type="button" class="button" data-act="close" onClick=${() => run(closeRecord)}>${t("Close it, and show the hands")}</button></p>`
    }
  </form>`;
}

/** @type {Record<string, string>} */
const STILL_PUBLIC = {
  deal: t("It is out of the library, but everybody can still see it: the deal itself is open to all, without a title."),
  table: t("It is out of the library, but everybody can still see it: its whole table is open to all."),
  everything: t("It is out of the library, but everybody can still see it: all that is recorded here is open to all."),
};

/** @typedef {{ id: string, active: boolean, title: string | null, scope: { kind: string, id: string } }} Grant */

/** All grants by which the deal is in the library: several if several people published it. @param {string} deal */
async function readLibraryGrants(deal) {
  /** @type {{ grants: Grant[] }} */
  const { grants } = await getJson("/grants");
  return grants.filter(
    ({ active, title, scope }) => active && title !== null && scope.kind === "deal" && scope.id === deal,
  );
}

/** How far the grant reaches by which everybody can see the deal nevertheless; null if nobody else can. @param {string} deal */
async function remainingPublicScope(deal) {
  const [{ published }, { table }] = await Promise.all([getJson("/session"), getJson(`/deals/${deal}`)]);
  /** @type {Grant | undefined} */
  const publicGrant = published.find(
    (/** @type {Grant} */ { scope }) => scope.kind === "everything" || [deal, table].includes(scope.id),
  );
  return publicGrant?.scope.kind ?? null;
}

/** @param {Grant[]} grants */
async function revokeGrants(grants) {
  for (const { id } of grants) await sendRequest("DELETE", `/grants/${id}`);
}

/** Has the page call the deal so. @param {string} title */
function showTitle(title) {
  const heading = /** @type {HTMLElement} */ (document.querySelector("h1"));
  document.title = document.title.replace(heading.textContent ?? "", () => title);
  heading.textContent = title;
}
