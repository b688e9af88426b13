// @ts-check
/** Who sits at a table that is opened: a field for each seat, the club's members to tap, and changing places. */

import { fitStyle } from "../core/fit-text.js";
import { t } from "../core/texts.js";
import { html, useLayoutEffect, useRef, useSignal } from "../vendor/preact.js";

export const MIN_PLAYERS = 3;
const MAX_PLAYERS = 6;
/** A table at which nobody sits yet. */
const EMPTY_SEATS = Array(MIN_PLAYERS).fill("");

/** The seats for those who play. @param {string[]} names */
export const buildSeats = (names) => (names.length ? names.slice(0, MAX_PLAYERS) : EMPTY_SEATS);

/**
 * @param {object} props
 * @param {import("../vendor/preact.js").Signal<string[]>} props.seats - the names as they are written
 * @param {{ id: string }[]} props.members - of the club
 * @param {import("../core/member-display-names.js").MemberDisplayNames} props.displayNames
 * @param {number | null} props.invalidSeat
 */
export function SeatPicker({ seats, members, displayNames, invalidSeat }) {
  const status = useSignal("");
  const isSwapping = useSignal(false);
  const clearedNames = useSignal(/** @type {string[] | null} */ (null));
  const list = useRef(/** @type {HTMLElement | null} */ (null));
  /** What of a seat is focused when it is drawn. */
  const target = useRef(/** @type {{ index: number, selectors: string[] } | null} */ (null));
  const names = seats.value;
  const isFull = names.length >= MAX_PLAYERS;

  useLayoutEffect(() => {
    const item = target.current && list.current?.children[target.current.index];
    const found = target.current?.selectors.map((one) => item?.querySelector(one)).find(Boolean);
    /** @type {HTMLElement | undefined} */ (found)?.focus();
    target.current = null;
  });

  const change = (/** @type {string[]} */ next, sentence = "") => {
    seats.value = next;
    status.value = sentence;
    clearedNames.value = null;
  };
  const focus = (/** @type {number} */ index, selectors = ["input"]) => {
    target.current = { index, selectors };
  };
  const addSeat = () => {
    focus(names.length);
    change([...names, ""]);
  };
  /** A seat goes by one place; the finger stays where it can go on. @param {number} index @param {number} by */
  const move = (index, by) => {
    const to = index + by;
    const acts = by < 0 ? ["earlier", "later"] : ["later", "earlier"];
    const places = { name: names[index].trim() || t("Nobody"), n: to + 1 };
    focus(
      to,
      acts.map((act) => `[data-act="${act}"]:enabled`),
    );
    change(names.with(index, names[to]).with(to, names[index]), t("{name} has place {n} now.", places));
  };
  /** A member sits down where a place is free, and gets up when tapped again. @param {string} id @param {number} sits */
  const toggleMember = (id, sits) => {
    const name = displayNames.displayName(id) ?? "";
    const free = names.findIndex((one) => !one.trim());
    if (sits >= 0) change(names.with(sits, ""));
    else change(free >= 0 ? names.with(free, name) : [...names, name]);
  };
  /** Takes all names away; the same button puts them back as long as nothing else is done. */
  const toggleClear = () => {
    if (clearedNames.value) return change(clearedNames.value, t("The names are back."));
    focus(0);
    change(EMPTY_SEATS, t("All names are removed."));
    clearedNames.value = names;
  };

  /** @param {string} name @param {number} index */
  const seat = (name, index) => {
    const player = t("Player {n}", { n: index + 1 });
    const button = (
      /** @type {string} */ act,
      /** @type {string} */ text,
      /** @type {number} */ by,
      isDisabled = false,
    ) =>
      html`<button type="button" class="plain-button ${act}" data-act=${act} disabled=${isDisabled} onClick=${() => move(index, by)}>${text}<span class="visually-hidden"> ${name.trim() || player}</span></button>`;
    const isRemovable = !isSwapping.value && names.length > MIN_PLAYERS;
    return html`
      <li key=${index}>
        <input type="text" maxlength="80" autocomplete="off" autocapitalize="words" aria-label=${player} aria-invalid=${index === invalidSeat || null}
          value=${name} onInput=${(/** @type {any} */ { target: { value } }) => change(names.with(index, value))} />
        ${isSwapping.value && button("earlier", t("Up"), -1, index === 0)}
        ${isSwapping.value && button("later", t("Down"), 1, index === names.length - 1)}
        ${isRemovable && html`<button type="button" class="plain-button remove" data-act="remove" aria-label=${t("Remove player {n}", { n: index + 1 })} onClick=${() => change(names.toSpliced(index, 1))}>×</button>`}
      </li>
    `;
  };
  /** @param {{ id: string }} member */
  const memberButton = ({ id }) => {
    const name = displayNames.displayName(id) ?? "";
    const sits = names.findIndex((one) => displayNames.findMemberId(one.trim()) === id);
    const hasRoom = !isFull || names.some((one) => !one.trim());
    return html`
      <button type="button" class="choice" data-member=${id} aria-pressed=${sits >= 0} disabled=${sits < 0 && !hasRoom} onClick=${() => toggleMember(id, sits)}>
        <span class="choice-name" style=${fitStyle(name)}>${name}</span>
      </button>
    `;
  };
  const full = isFull ? t("Six players are at the table; there is room for no more.") : "";

  return html`
    <fieldset class="facts">
      <legend>${t("Who plays?")}</legend>
      <p class="muted">${t("In order round the table; the last one deals first.")}</p>
      <ol ref=${list} class="seats ${isSwapping.value ? "is-swapping" : ""}">${names.map(seat)}</ol>
      <p class="muted seats-status" role="status">${[status.value, full].filter(Boolean).join(" ")}</p>
      <p class="actions">
        ${!isFull && html`<button type="button" class="button" onClick=${addSeat}>${t("One more at the table")}</button>`}
        <button type="button" class="button" aria-pressed=${isSwapping.value} onClick=${() => (isSwapping.value = !isSwapping.value)}>${isSwapping.value ? t("Done changing") : t("Change places")}</button>
        ${(clearedNames.value || names.some((one) => one.trim())) && html`<button type="button" class="button" onClick=${toggleClear}>${clearedNames.value ? t("Put them back") : t("Clear")}</button>`}
      </p>
      ${
        members.length > 0 &&
        html`
          <div class="members" role="group" aria-label=${t("Members of the club")}>
            <p class="muted">${t("Members of the club")}</p>
            <div class="choices three">${members.map(memberButton)}</div>
          </div>
        `
      }
    </fieldset>
  `;
}
