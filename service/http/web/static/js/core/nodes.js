// @ts-check
/** Between Preact and modules that build elements themselves. */

import { h } from "../vendor/preact.js";

/** @import { ComponentChildren } from "preact" */

/**
 * An element, or a text, for use in a template; without its listeners.
 * @param {Node | string} node
 * @returns {ComponentChildren}
 */
export function toVNode(node) {
  if (!(node instanceof Element)) return typeof node === "string" ? node : node.textContent;
  const attributes = Object.fromEntries([...node.attributes].map(({ name, value }) => [name, value]));
  return h(node.localName, attributes, [...node.childNodes].map(toVNode));
}
