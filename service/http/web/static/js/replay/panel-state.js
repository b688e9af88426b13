/** When a margin is filled again, as the deal goes on, what the reader opened stays open and the focus stays. */

const FOCUSABLE_SELECTOR = "button, summary, a, input, select, textarea";

/** Remembers what is open in `margin` and where in it the focus is; the answer, called once it is filled again, puts both back. */
export function rememberPanelState(margin) {
  const open = new Set([...margin.querySelectorAll(".panel:has(details[open])")].map(panelName));
  const { activeElement: focused } = document;
  const panel = margin.contains(focused) ? focused.closest(".panel") : null;
  const [name, index] = panel ? [panelName(panel), [...panel.querySelectorAll(FOCUSABLE_SELECTOR)].indexOf(focused)] : [];
  return () => {
    for (const one of margin.querySelectorAll(".panel")) {
      if (open.has(panelName(one))) for (const details of one.querySelectorAll("details")) details.open = true;
      if (panel && panelName(one) === name) ([...one.querySelectorAll(FOCUSABLE_SELECTOR)].at(index) ?? one.querySelector(FOCUSABLE_SELECTOR))?.focus({ preventScroll: true });
    }
  };
}

/** What a panel is called: the first class that only panels of its kind have. */
const panelName = (panel) => panel.classList[1];
