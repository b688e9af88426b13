// @ts-check
/** Whether a page that is tapped has room for all of its questions at once; where it has not, it folds. */

import { html, signal, useEffect, useRef } from "../vendor/preact.js";

/** So many times the size of its type a window is high in which a whole form has room. */
const ROOMY_HEIGHT_REMS = 36.5;

/** Whether the window is too low for a form, as large as the reader's type is. */
export const isTight = signal(
  innerHeight < ROOMY_HEIGHT_REMS * Number.parseFloat(getComputedStyle(document.documentElement).fontSize),
);

/** An element without a size to be seen, whose own says how large the type is: keeps `isTight`. */
export function RoomProbe() {
  const ref = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => {
    const measure = () => {
      isTight.value = innerHeight < (ref.current?.offsetHeight ?? 0);
    };
    const observer = new ResizeObserver(measure);
    if (ref.current) observer.observe(ref.current);
    addEventListener("resize", measure);
    return () => {
      observer.disconnect();
      removeEventListener("resize", measure);
    };
  }, []);
  return html`<div ref=${ref} class="room-probe" style=${{ height: `${ROOMY_HEIGHT_REMS}rem` }} />`;
}
