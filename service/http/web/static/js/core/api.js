/**
 * Talks to the service, in the language of the page. Whatever is written has an id that was made here, so that sending
 * it again is harmless: a lost answer is asked for by the same request.
 */

/** Where the API is on this host. */
export const PREFIX = "/api/v1";
const REOPEN_AFTER = 4000;

/** Whether the page follows something live: it then asks for what is stored now, and not a moment ago. */
let following = false;

/**
 * Why a request came to nothing: `status` is 0 where nobody answered; `type` is the problem's name, `problem` all of it;
 * `wait` is in how many seconds it may be asked again, where the service says so.
 */
export class Refused extends Error {
  constructor(status, problem = {}, wait = null) {
    super(problem.detail ?? "");
    this.status = status;
    this.type = (problem.type ?? "").split("/").pop();
    this.problem = problem;
    this.wait = wait;
  }
}

/**
 * The answer to a request, read as JSON; null where it has none. `session` is the one in whose name alone it may be
 * answered; after `patience` milliseconds nobody is taken to answer. Throws `Refused`.
 */
export async function sent(method, path, body, { version, session, patience } = {}) {
  const headers = { Accept: "application/json", "Accept-Language": document.documentElement.lang };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (version !== undefined) headers["If-Match"] = version === "*" ? "*" : `"${version}"`;
  if (session) headers["Spadille-Session"] = session;
  const signal = patience ? AbortSignal.timeout(patience) : undefined;
  let answer, read;
  try {
    const cache = following ? "no-cache" : "default";
    answer = await fetch(PREFIX + path, { method, headers, signal, cache, body: body === undefined ? undefined : JSON.stringify(body) });
    read = answer.status === 204 ? null : await answer.json();
  } catch {
    // An answer that breaks off says no more than none; what is no JSON is not the service's.
    if (!answer || answer.ok) throw new Refused(0);
  }
  if (!answer.ok) throw new Refused(answer.status, read ?? {}, Number(answer.headers.get("Retry-After")) || null);
  return read;
}

/** What stands at an address of the API. Throws `Refused`. */
export const asked = (path) => sent("GET", path);

/** What is appended to a log, at the version that the writer has seen. Throws `Refused`. */
export const appended = (path, events, version) => sent("POST", path, events, { version });

/** A new id: a UUID of version 7, so that ids sort as they were made. */
export function newId(now = Date.now()) {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  for (let place = 0; place < 6; place += 1) bytes[place] = Math.floor(now / 2 ** (8 * (5 - place))) % 256;
  bytes[6] = (bytes[6] & 0x0f) | 0x70;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}

/**
 * Follows a live stream, from behind the entry `after` on and for as long as the page stands: `onEvent(stream, event)`
 * for every entry, `onReset` for a log that has to be read anew, `onLink` with whether there is a connection.
 */
export function followed(path, { types, after = "", onEvent, onReset, onLink }) {
  let last = after;
  let source = null;
  following = true;
  const open = () => {
    source = new EventSource(`${PREFIX}${path}${last ? `?after=${encodeURIComponent(last)}` : ""}`);
    source.onopen = () => onLink(true);
    source.onerror = () => {
      onLink(false);
      // A browser gives up for good where it was refused; the place may be free a moment later.
      if (source.readyState === EventSource.CLOSED) setTimeout(open, REOPEN_AFTER);
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
