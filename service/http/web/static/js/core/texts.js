/**
 * Texts in the language of the page. Scripts write English; the catalogue of the page's language has the others, by the
 * English text.
 */

const catalog = await loadCatalog();

/** From the page itself (a file that loads nothing), or from the service. English needs none. */
async function loadCatalog() {
  const { document } = globalThis;
  const inlineCatalog = document?.getElementById("texts")?.textContent;
  if (inlineCatalog) return JSON.parse(inlineCatalog);
  const address = document?.querySelector("link[data-texts]")?.href;
  return address ? (await import(address)).default : {};
}

const fill = (text, places) => text.replace(/\{(\w+)\}/g, (_, name) => String(places[name]));

/** A text with `places` filled in: t("{name} leads", { name }). */
export const t = (text, places = {}) => fill(catalog[text] ?? text, places);

/** The same of a text whose translation depends on its `context`. */
export const tc = (context, text, places = {}) => fill(catalog[`${context}\u0004${text}`] ?? text, places);
