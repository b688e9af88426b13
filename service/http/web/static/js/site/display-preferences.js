// @ts-check
/** What cards look like and are called on this device: kept in two cookies, which the service draws the pages by. */

const COOKIE_MAX_AGE_SECONDS = 365 * 24 * 60 * 60;

const buttons = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-preference]"));

// A page that was kept for when there is no network may be older than the choice.
for (const button of buttons) {
  const { preference = "", value } = button.dataset;
  const chosen = document.cookie.split("; ").includes(`spadille-${preference}=${value}`);
  if (chosen === (button.getAttribute("aria-pressed") === "true")) continue;
  button.setAttribute("aria-pressed", String(chosen));
  document.body.dataset[preference] = chosen ? value : "";
}

for (const button of buttons) {
  button.addEventListener("click", () => {
    const { preference, value } = button.dataset;
    const chosen = button.getAttribute("aria-pressed") !== "true";
    const secure = location.protocol === "https:" ? "; Secure" : "";
    // biome-ignore lint/suspicious/noDocumentCookie: not every browser has the Cookie Store
    document.cookie = `spadille-${preference}=${chosen ? value : ""}; Path=/; SameSite=Lax; Max-Age=${chosen ? COOKIE_MAX_AGE_SECONDS : 0}${secure}`;
    button.setAttribute("aria-pressed", String(chosen));
    if (preference === "suits") document.body.dataset.suits = chosen ? value : "";
    else location.reload();
  });
}
