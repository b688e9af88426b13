// @ts-check
/**
 * Talks to the service, in the language of the page. Whatever is written has an id that was made here, so that sending
 * it again is harmless: a lost answer is asked for by the same request.
 */

/** Where the API is on this host. */
export const API_PREFIX = "/api/v1";
const STREAM_REOPEN_DELAY_MS = 4000;

/** Whether the page follows something live: it then asks for what is stored now, and not a moment ago. */
let hasLiveStream = false;

/**
 * Why a request came to nothing: `status` is 0 where nobody answered; `type` is the problem's name, `problem` all of it;
 * `retryAfterSeconds` is in how many seconds it may be asked again, where the service says so.
 */
export class ApiError extends Error {
  /** @param {number} status @param {Record<string, any>} problem @param {number | null} retryAfterSeconds */
  constructor(status, problem = {}, retryAfterSeconds = null) {
    super(problem.detail ?? "");
    this.status = status;
    /** @type {string} */
    this.type = (problem.type ?? "").split("/").pop();
    this.problem = problem;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/**
 * The answer to a request, read as JSON; null if it has none. `session` is the one in whose name alone it may be
 * answered; after `timeout` milliseconds nobody is taken to answer. Throws `ApiError`.
 * @param {string} method
 * @param {string} path
 * @param {unknown} [body]
 * @param {{ version?: number | string, session?: string, timeout?: number }} [options]
 * @returns {Promise<any>}
 */
export async function sendRequest(method, path, body, { version, session, timeout } = {}) {
  /** @type {Record<string, string>} */
  const headers = { Accept: "application/json", "Accept-Language": document.documentElement.lang };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (version !== undefined) headers["If-Match"] = version === "*" ? "*" : `"${version}"`;
  if (session) headers["Spadille-Session"] = session;
  const signal = timeout ? AbortSignal.timeout(timeout) : undefined;
  /** @type {Response | undefined} */
  let answer;
  /** @type {any} */
  let read;
  try {
    const cache = hasLiveStream ? "no-cache" : "default";
    answer = await fetch(API_PREFIX + path, {
      method,
      headers,
      signal,
      cache,
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    read = answer.status === 204 ? null : await answer.json();
  } catch {
    // An answer that breaks off says no more than none; what is no JSON is not the service's.
    if (!answer || answer.ok) throw new ApiError(0);
  }
  if (!answer.ok) throw new ApiError(answer.status, read ?? {}, Number(answer.headers.get("Retry-After")) || null);
  return read;
}

/** What stands at an address of the API. Throws `ApiError`. @param {string} path */
export const getJson = (path) => sendRequest("GET", path);

/** What is appended to a log, at the version that the writer has seen. Throws `ApiError`. @param {string} path @param {object | object[]} events @param {number | string} version */
export const appendEvents = (path, events, version) => sendRequest("POST", path, events, { version });

/** An id as `newId` makes it. */
export const ID_PATTERN = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** A new id: a UUID of version 7, so that ids sort as they were made. */
export function newId(now = Date.now()) {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  for (let index = 0; index < 6; index += 1) bytes[index] = Math.floor(now / 2 ** (8 * (5 - index))) % 256;
  bytes[6] = (bytes[6] & 0x0f) | 0x70;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}

/** Whether the reader may not, or no longer, see a record. @param {string} path */
const isAccessRefused = (path) =>
  getJson(path).then(
    () => false,
    (/** @type {ApiError} */ error) => [401, 403].includes(error.status),
  );

/**
 * Follows a live stream for as long as the page stands.
 * @param {string} path
 * @param {object} listener
 * @param {string[]} listener.types - of the entries
 * @param {string} [listener.lastEventId] - the entry from which on it is followed
 * @param {(stream: string, event: any) => unknown} listener.onEvent - for every entry
 * @param {(content: any) => unknown} listener.onReset - for a log that has to be read again
 * @param {(isConnected: boolean) => unknown} listener.onConnectionChange
 * @param {() => unknown} [listener.onAccessRefused] - when the reader may no longer see the record
 */
export function followEventStream(
  path,
  { types, lastEventId = "", onEvent, onReset, onConnectionChange, onAccessRefused },
) {
  let last = lastEventId;
  /** @type {EventSource} */
  let source;
  hasLiveStream = true;
  const open = () => {
    source = new EventSource(`${API_PREFIX}${path}${last ? `?after=${encodeURIComponent(last)}` : ""}`);
    source.onopen = () => onConnectionChange(true);
    source.onerror = async () => {
      onConnectionChange(false);
      if (source.readyState !== EventSource.CLOSED) return;
      // A browser gives up for good where it was refused; the place may be free a moment later.
      if (await isAccessRefused(path.replace(/\/live$/, ""))) onAccessRefused?.();
      else setTimeout(open, STREAM_REOPEN_DELAY_MS);
    };
    for (const type of types) {
      source.addEventListener(type, (message) => {
        last = message.lastEventId;
        onEvent(last.slice(0, last.lastIndexOf(":")), JSON.parse(message.data));
      });
    }
    source.addEventListener("reset", (message) => onReset(JSON.parse(message.data)));
  };
  open();
  window.addEventListener("pagehide", () => source.close());
  // The browser would try again by itself, a few seconds later.
  window.addEventListener("online", () => {
    source.close();
    open();
  });
  window.addEventListener("pageshow", (event) => event.persisted && open());
}
