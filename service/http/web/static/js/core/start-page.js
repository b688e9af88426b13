/** Starts the modules that the body of the page names in `data-page`. */

/** `loaders` has a function for each module that a bundle has, by name. */
export function startPage(loaders) {
  for (const name of document.body.dataset.page.split(" ")) loaders[name]();
}
