/** Small words for building the page's elements. Styles set here go through the CSSOM, which a strict policy allows. */

const SVG = "http://www.w3.org/2000/svg";

/**
 * An HTML element. `attributes` may hold `class`, `text`, `on` (an object of event listeners) and any attribute;
 * an attribute that is null or false is left out.
 */
export function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "text") element.textContent = value;
    else if (name === "on") addListeners(element, value);
    else element.setAttribute(name === "class" ? "class" : name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

function addListeners(element, listeners) {
  for (const [type, listener] of Object.entries(listeners)) element.addEventListener(type, listener);
}

/** A panel of the margin under its heading. */
export function buildPanel(heading, className, ...children) {
  return el("section", { class: `panel ${className}` }, el("h2", { text: heading }), ...children);
}

/** An SVG drawing of one or more paths. */
export function buildSvg(viewBox, paths, className) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", viewBox);
  svg.setAttribute("class", className);
  svg.setAttribute("aria-hidden", "true");
  for (const path of [paths].flat()) {
    const shape = document.createElementNS(SVG, "path");
    shape.setAttribute("d", path);
    svg.append(shape);
  }
  return svg;
}
