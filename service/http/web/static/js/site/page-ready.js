// @ts-check
/** When a page can be used: what can wait until then does not stand in its way. */

/** A page that cannot be filled is not waited for longer than so many milliseconds. */
const MAX_WAIT_MS = 5000;

/** Done when nothing waits for what the page is about. @returns {Promise<void>} */
export function whenPageReady() {
  const main = /** @type {HTMLElement} */ (document.querySelector("main"));
  const isWaiting = () => main.hasAttribute("data-waiting");
  if (!isWaiting()) return Promise.resolve();
  return new Promise((resolve) => {
    new MutationObserver((_, observer) => {
      if (isWaiting()) return;
      observer.disconnect();
      resolve();
    }).observe(main, { attributeFilter: ["data-waiting"] });
    setTimeout(resolve, MAX_WAIT_MS);
  });
}
