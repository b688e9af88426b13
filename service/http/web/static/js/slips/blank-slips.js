// @ts-check
/** Blank slips: the button that prints them. */

export {};

document.querySelector('[data-part="print"]')?.addEventListener("click", () => window.print());
