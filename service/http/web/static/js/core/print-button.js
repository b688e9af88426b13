/** A page that is printed as it stands. */

for (const button of document.querySelectorAll("[data-print]")) button.addEventListener("click", () => window.print());
