// @ts-check
/** Who sits at the table: a player comes, a player goes home, another one deals next. Written as events of the table. */

import { getJson } from "../core/api.js";
import { MemberDisplayNames } from "../core/member-display-names.js";
import { t } from "../core/texts.js";
import words from "../messages/evening.js";
import { html, useEffect, useRef, useSignal } from "../vendor/preact.js";
import { joinTable, leaveTable, setDealer } from "./table-entries.js";

/** @typedef {{ id: string, name: string, full?: string }} Guest */

const MIN_PLAYERS = 3;
const MAX_PLAYERS = 6;

/**
 * @param {object} props
 * @param {import("./evening.js").Evening} props.evening
 * @param {boolean} props.offersMembers - whether the reader may see the club's list of members
 * @param {ReturnType<typeof import("./table-request.js").createTableRequest>} props.request
 */
export function SeatingPanel({ evening, offersMembers, request: { status, run } }) {
  const members = useSignal(/** @type {Guest[]} */ ([]));
  const leaving = useSignal(/** @type {string | null} */ (null));
  const name = useSignal("");
  const placeAfter = useSignal("");
  const dealer = useSignal("");
  const summary = useRef(/** @type {HTMLElement | null} */ (null));
  const field = useRef(/** @type {HTMLInputElement | null} */ (null));
  /** @type {string[]} */
  const players = evening.ledger.players;
  const { following } = evening.ledger;
  const nameOf = (/** @type {string} */ player) => evening.displayName(player);
  const others = listGuests(evening, members.value);
  // What was chosen holds as long as that player sits there.
  const after = players.includes(placeAfter.value) ? placeAfter.value : players[players.length - 1];
  const nextDealer = players.includes(dealer.value) ? dealer.value : following[0]?.seating.dealer;

  const loadMembers = async (/** @type {any} */ event) => {
    if (!event.target.open || !offersMembers || members.value.length) return;
    const list = await getJson("/members").catch(() => ({ members: [] }));
    const displayNames = new MemberDisplayNames(list.members);
    members.value = list.members.map((/** @type {any} */ one) => ({
      id: one.id,
      name: displayNames.displayName(one.id),
      full: one.name,
    }));
  };
  const leave = async (/** @type {string} */ player) => {
    if (
      !(await run(
        `leave ${player}`,
        (id) => leaveTable(evening, id, player),
        t("{name} has gone home.", { name: nameOf(player) }),
      ))
    )
      return;
    leaving.value = null;
    summary.current?.focus();
  };
  const refuse = (/** @type {string} */ sentence) => {
    status.value = sentence;
    field.current?.focus();
  };
  const join = async (/** @type {Event} */ event) => {
    event.preventDefault();
    const text = name.value.trim();
    const player = others.find((one) => one.name === text || one.full === text)?.id ?? text;
    if (!player) return refuse(t("Write who comes."));
    if (players.some((one) => one === player || nameOf(one) === text))
      return refuse(t("{name} sits here already.", { name: text }));
    const index = players.indexOf(after);
    const place = index < 0 || index === players.length - 1 ? null : index + 2;
    if (
      await run(
        `join ${player} ${place}`,
        (id) => joinTable(evening, id, player, place),
        t("{name} sits at the table now.", { name: text }),
      )
    )
      name.value = "";
  };
  const appoint = (/** @type {Event} */ event) => {
    event.preventDefault();
    const player = nextDealer;
    run(
      `deal ${player}`,
      (id) => setDealer(evening, id, players, player),
      t("{name} deals next.", { name: nameOf(player) }),
    );
  };
  /** @param {string} id @param {string} value @param {import("../vendor/preact.js").Signal<string>} chosen */
  const select = (id, value, chosen) => html`
    <select id=${id} value=${value} onChange=${(/** @type {any} */ event) => (chosen.value = event.target.value)}>
      ${players.map((player) => html`<option value=${player}>${nameOf(player)}</option>`)}
    </select>
  `;

  return html`
    <div class="seating-panel">
      <details onToggle=${loadMembers}>
        <summary ref=${summary}>${t("At the table: {names}", { names: words.listed(players.map(nameOf)) })}</summary>
        <ul class="seating-list">
          ${players.map(
            (player) =>
              html`<${SeatedPlayer} key=${player} name=${nameOf(player)} isLast=${players.length <= MIN_PLAYERS} isAsked=${leaving.value === player} onAsk=${(
                /** @type {boolean} */ isAsked,
              ) => {
                leaving.value = isAsked ? player : null;
                status.value = "";
              }} onLeave=${() => leave(player)} />`,
          )}
        </ul>
        ${
          players.length < MAX_PLAYERS &&
          html`
            <form class="seating-form" onSubmit=${join}>
              <label for="comes">${t("Who comes?")}</label>
              <input ref=${field} type="text" id="comes" maxlength="80" autocomplete="off" autocapitalize="words" value=${name.value} onInput=${(/** @type {any} */ event) => (name.value = event.target.value)} />
              ${
                others.length > 0 &&
                html`<div class="choices three">${others.map(
                  (one) =>
                    html`<button type="button" class="choice" onClick=${() => {
                      name.value = one.name;
                      field.current?.focus();
                    }}>${one.name}</button>`,
                )}</div>`
              }
              <label for="sits-after">${t("Sits after")}</label>
              ${select("sits-after", after, placeAfter)}
              <p><button type="submit" class="button">${t("Sits down")}</button></p>
            </form>
          `
        }
        ${
          following.length === 1 &&
          html`
            <form class="seating-form" onSubmit=${appoint}>
              <label for="deals-next">${t("Who deals next?")}</label>
              ${select("deals-next", nextDealer, dealer)}
              <p><button type="submit" class="button">${t("Deals next")}</button></p>
            </form>
          `
        }
      </details>
      <p class="ask" role="status">${status.value}</p>
    </div>
  `;
}

/** A player, who is asked about once before going home. @param {{ name: string, isLast: boolean, isAsked: boolean, onAsk: (isAsked: boolean) => void, onLeave: () => void }} props */
function SeatedPlayer({ name, isLast, isAsked, onAsk, onLeave }) {
  const button = useRef(/** @type {HTMLElement | null} */ (null));
  const wasAsked = useRef(isAsked);
  useEffect(() => {
    if (wasAsked.current !== isAsked) button.current?.focus();
    wasAsked.current = isAsked;
  }, [isAsked]);
  if (!isAsked) {
    return html`<li><span>${name}</span><button ref=${button} type="button" class="button" onClick=${() => onAsk(true)}>${t("Goes home")}<span class="visually-hidden"> ${name}</span></button></li>`;
  }
  const warning = isLast ? ` ${t("Then there are too few players for a deal.")}` : "";
  return html`
    <li class="is-confirming">
      <span>${t("Does {name} go home? The account stays, and {name} can come back.", { name })}${warning}</span>
      <span class="form-actions">
        <button key="yes" ref=${button} type="button" class="button is-main" onClick=${onLeave}>${t("Yes")}</button>
        <button type="button" class="button" onClick=${() => onAsk(false)}>${t("No")}</button>
      </span>
    </li>
  `;
}

/** Earlier players and the members of the club, who are a tap away. @param {import("./evening.js").Evening} evening @param {Guest[]} members */
function listGuests(evening, members) {
  const { totals, players } = evening.ledger;
  const former = Object.keys(totals).map((id) => ({ id, name: evening.displayName(id) }));
  const known = new Map([...former, ...members].map((one) => [one.id, /** @type {Guest} */ (one)]));
  return [...known.values()].filter((one) => !players.includes(one.id));
}
