// @ts-check
/** What functions of the DOM build (a sentence with cards, a score), as part of a page of Preact. */

import { h } from "../vendor/preact.js";

/** @type {(node: Node) => import("preact").ComponentChild} */
export function toVNode(node) {
  if (!(node instanceof Element)) return node.textContent;
  const attributes = Object.fromEntries([...node.attributes].map(({ name, value }) => [name, value]));
  return h(node.localName, attributes, [...node.childNodes].map(toVNode));
}

/** @type {(nodes: (Node | string)[]) => import("preact").ComponentChild[]} */
export const toVNodes = (nodes) => nodes.map((node) => (typeof node === "string" ? node : toVNode(node)));
