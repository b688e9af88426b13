import type { VNode } from "preact";

export * from "@preact/signals";
export * from "preact";
export * from "preact/hooks";

/** A tree of elements from a template: html`<p class=${name}>${text}</p>`. */
export const html: (strings: TemplateStringsArray, ...values: unknown[]) => VNode;
