/** The one way out for what the recorder enters: it is kept on this device, and sent once. */

export { outbox as wayOut } from "./outbox.js";
