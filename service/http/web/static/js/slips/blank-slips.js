// @ts-check
/** Blank slips: the button that prints them. */

document.querySelector('[data-part="print"]')?.addEventListener("click", () => window.print());
