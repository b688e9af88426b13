/** How the table is seen: by whom, from which side, and with what was known only later. */

import { el } from "./dom.js";
import { knownLater } from "./later.js";
import { SEATS } from "./tracks.js";

/**
 * What a reader chooses. `seen` is {viewer, later, bottom}, `choose(seen)` is called with what is chosen anew; `later` is
 * null, or what names the cards that were known only later. `players` are those of the deal; `viewers` tells whether it can
 * be seen by somebody in particular.
 */
export function waysToSee({ players, words, viewers, seen, choose }) {
  const named = (seat) => `${players?.[seat] ?? words.seat(seat)} (${words.seat(seat)})`;
  const change = (more) => choose(Object.assign(seen, more));
  const by = el("select", { name: "viewer", on: { change: (event) => change({ viewer: event.target.value }) } },
    ...[["all", words.seeing.all], ...SEATS.map((seat) => [seat, named(seat)]), ["public", words.seeing.onlooker]].map(([value, text]) => el("option", { value, text, selected: value === seen.viewer })),
  );
  const later = el("input", { type: "checkbox", name: "later", class: "check", checked: Boolean(seen.later), on: { change: (event) => change({ later: event.target.checked ? knownLater : null }) } });
  const turn = el("button", { type: "button", class: "worded", "data-act": "turn", text: words.seeing.turn, on: { click: () => change({ bottom: SEATS[(SEATS.indexOf(seen.bottom) + 1) % 3] }) } });
  return [
    viewers ? el("p", {}, el("label", {}, el("span", { text: words.seeing.by }), by)) : null,
    el("p", {}, el("label", { class: "is-check" }, later, el("span", { text: words.seeing.later }))),
    el("p", {}, turn),
  ].filter(Boolean);
}
