// @ts-check
/** A page that is printed as it stands. */

for (const button of document.querySelectorAll("[data-print]")) button.addEventListener("click", () => window.print());
// For the head of each printed page.
document.documentElement.style.setProperty("--running-title", JSON.stringify(document.title));

export {};
