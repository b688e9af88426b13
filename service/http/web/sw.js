/**
 * The service worker: pages of an evening open without a network. Before this stand VERSION, a hash of what is kept here,
 * FILES, their addresses, and SHELLS: for which addresses which of them is shown.
 *
 * What is kept here is the same for everybody: scripts, styles, type, icons, and pages on which nobody's data stands. An
 * answer of the API or a page of records never is; what a device keeps of a table it keeps in cached-tables.js, until its login
 * ends.
 */

const CACHE_NAME = `spadille-${VERSION}`;
/** So many milliseconds a page that has a shell is waited for. */
const PAGE_TIMEOUT_MS = 6000;
/** Pages that a newer service made: theirs are newer files than are kept here. */
const newerClientIds = new Set();

self.addEventListener("install", (event) => event.waitUntil(precacheAll()));
self.addEventListener("activate", (event) => event.waitUntil(deleteOldCaches()));
self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== "GET" || url.origin !== self.location.origin) return;
  if (url.pathname.startsWith("/static/")) event.respondWith(respondWithFile(event, url));
  // A link that logs in is no page to be shown without a service; nor is anything of the API.
  else if (event.request.mode === "navigate" && !/^\/(enter|api)(\/|$)/.test(url.pathname)) event.respondWith(respondWithPage(event, url));
});

async function precacheAll() {
  const cache = await caches.open(CACHE_NAME);
  await Promise.all(FILES.map((path) => precache(cache, path)));
  await self.skipWaiting();
}

/** Asks as nobody, so that nothing of a login can stand in what is kept. */
async function precache(cache, path) {
  const answer = await fetch(path, { credentials: "omit", cache: "no-cache" });
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  await cache.put(path, answer);
}

async function deleteOldCaches() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith("spadille-") && name !== CACHE_NAME).map((name) => caches.delete(name)));
}

async function matchCached(path) {
  const cache = await caches.open(CACHE_NAME);
  return cache.match(path, { ignoreVary: true });
}

/** A file: as it is kept, for pages that were made with the same; else the service's own. */
async function respondWithFile(event, url) {
  const own = newerClientIds.has(event.clientId) ? null : await matchCached(url.pathname);
  if (own) return own;
  try {
    return await fetch(event.request);
  } catch {
    return (await matchCached(url.pathname)) ?? Response.error();
  }
}

/** A page: the service's own, or, where nobody answers, what there is for its address. */
async function respondWithPage(event, url) {
  const shell = SHELLS.find(([, pattern]) => new RegExp(pattern).test(url.pathname))?.[0] ?? null;
  try {
    const answer = await withTimeout(fetch(event.request), shell ? PAGE_TIMEOUT_MS : null);
    const version = answer.headers.get("Spadille-Version");
    // What stands before the service says that it is away.
    if (version === null && [502, 503, 504].includes(answer.status)) throw new Error("away");
    if (version !== null && version !== VERSION) newerClientIds.add(event.resultingClientId);
    return answer;
  } catch {
    return (await matchCached(`/offline/${shell ?? "away"}?lang=${pageLanguage(url)}`)) ?? Response.error();
  }
}

function withTimeout(request, timeout) {
  if (timeout === null) return request;
  return Promise.race([request, new Promise((_, away) => setTimeout(() => away(new Error("slow")), timeout))]);
}

/** The language of a page as the service would choose it. */
function pageLanguage(url) {
  const lang = url.searchParams.get("lang");
  if (LANGUAGES.includes(lang)) return lang;
  const preferred = self.navigator.languages.map((language) => language.slice(0, 2)).find((language) => LANGUAGES.includes(language));
  return preferred ?? FALLBACK;
}
