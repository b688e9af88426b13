// @ts-check
/** Small words for building the page's elements. Styles set here go through the CSSOM, which a strict policy allows. */

const SVG = "http://www.w3.org/2000/svg";

/**
 * An HTML element. `attributes` may hold `class`, `text`, `on` (an object of event listeners) and any attribute;
 * an attribute that is null or false is left out.
 * @param {string} tag
 * @param {Record<string, any>} attributes
 * @param {...(Node | string | null | undefined | (Node | string | null | undefined)[])} children
 */
export function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "text") element.textContent = value;
    else if (name === "on")
      for (const [type, listener] of Object.entries(value))
        element.addEventListener(type, /** @type {EventListener} */ (listener));
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

/** An SVG drawing of the symbol at an address. @param {string} viewBox @param {string} href @param {string} className */
export function buildSvgUse(viewBox, href, className) {
  const use = buildSvgElement("use", { href });
  const svg = buildSvgElement("svg", { viewBox, class: className, "aria-hidden": "true" });
  svg.append(use);
  return svg;
}

/** @param {string} tag @param {Record<string, string>} attributes */
function buildSvgElement(tag, attributes) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}
