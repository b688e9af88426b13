// @ts-check
/** Starts the modules that the body of the page names in `data-page`. */

/** @param {Record<string, () => Promise<unknown>>} loaders - for each module of a bundle, what imports it */
export function startPage(loaders) {
  for (const name of (document.body.dataset.page ?? "").split(" ")) loaders[name]();
}
