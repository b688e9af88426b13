/**
 * Texts in the language of the page. A module of messages/ writes English; the service sends it with the texts of the
 * language in their place, as the catalogue has them.
 */

/** A text with `places` filled in: t("{name} leads", { name }). */
export const t = (text, places = {}) => text.replace(/\{(\w+)\}/g, (_, name) => String(places[name]));

/** The same of a text whose translation depends on its `context`. */
export const tc = (context, text, places) => t(text, places);
