/** How cards preference and what they are called on this device: kept in two cookies, which the service draws the pages by. */

const COOKIE_MAX_AGE_SECONDS = 365 * 24 * 60 * 60;

// A page that was kept for when there is no network may be older than the choice.
for (const button of document.querySelectorAll("[data-preference]")) {
  const { preference, value } = button.dataset;
  const chosen = document.cookie.split("; ").includes(`spadille-${preference}=${value}`);
  if (chosen === (button.getAttribute("aria-pressed") === "true")) continue;
  button.setAttribute("aria-pressed", String(chosen));
  document.body.dataset[preference] = chosen ? value : "";
}

for (const button of document.querySelectorAll("[data-preference]")) {
  button.addEventListener("click", () => {
    const { preference, value } = button.dataset;
    const chosen = button.getAttribute("aria-pressed") !== "true";
    const secure = location.protocol === "https:" ? "; Secure" : "";
    document.cookie = `spadille-${preference}=${chosen ? value : ""}; Path=/; SameSite=Lax; Max-Age=${chosen ? COOKIE_MAX_AGE_SECONDS : 0}${secure}`;
    button.setAttribute("aria-pressed", String(chosen));
    if (preference === "suits") document.body.dataset.suits = chosen ? value : "";
    else location.reload();
  });
}
