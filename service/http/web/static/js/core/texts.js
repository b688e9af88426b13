// @ts-check
/**
 * Texts in the language of the page. Scripts write English; the catalogue of the page's language has the others, by the
 * English text.
 */

const catalog = await loadCatalog();

/**
 * From the page itself (a file that loads nothing), or from the service. English needs none.
 * @returns {Promise<Record<string, string>>}
 */
async function loadCatalog() {
  const { document } = globalThis;
  const inlineCatalog = document?.getElementById("texts")?.textContent;
  if (inlineCatalog) return JSON.parse(inlineCatalog);
  const link = /** @type {HTMLLinkElement | null} */ (document?.querySelector("link[data-texts]"));
  return link ? (await import(link.href)).default : {};
}

/** @typedef {Record<string, unknown>} Places */

/** @type {(text: string, places: Places) => string} */
const fill = (text, places) => text.replace(/\{(\w+)\}/g, (_, name) => String(places[name]));

/**
 * A text with `places` filled in: t("{name} leads", { name }).
 * @param {string} text
 * @param {Places} [places]
 */
export const t = (text, places = {}) => fill(catalog[text] ?? text, places);

/**
 * The same of a text whose translation depends on its `context`.
 * @param {string} context
 * @param {string} text
 * @param {Places} [places]
 */
export const tc = (context, text, places = {}) => fill(catalog[`${context}\u0004${text}`] ?? text, places);
