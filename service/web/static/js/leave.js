/** Logging out: the session ends, and the page is asked for again as everybody sees it. */

for (const button of document.querySelectorAll("[data-leave]")) {
  button.addEventListener("click", async () => {
    const answer = await fetch(button.dataset.leave, { method: "DELETE" });
    if (answer.ok) location.reload();
  });
}
