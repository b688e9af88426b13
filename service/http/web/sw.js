/**
 * The service worker: pages of an evening open without a network. Before this stand VERSION, a hash of what is kept here,
 * FILES, their addresses, and SHELLS: for which addresses which of them is shown.
 *
 * What is kept here is the same for everybody: scripts, styles, type, icons, and pages on which nobody's data stands. An
 * answer of the API or a page of records never is; what a device keeps of a table it keeps in keeping.js, until its login
 * ends.
 */

const CACHE = `spadille-${VERSION}`;
/** So many milliseconds a page that has a shell is waited for. */
const PATIENCE = 6000;
/** Pages that a newer service made: theirs are newer files than are kept here. */
const newer = new Set();

self.addEventListener("install", (event) => event.waitUntil(keepAll()));
self.addEventListener("activate", (event) => event.waitUntil(dropOld()));
self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== "GET" || url.origin !== self.location.origin) return;
  if (url.pathname.startsWith("/static/")) event.respondWith(file(event, url));
  // A link that logs in is no page to be shown without a service; nor is anything of the API.
  else if (event.request.mode === "navigate" && !/^\/(enter|api)(\/|$)/.test(url.pathname)) event.respondWith(page(event, url));
});

async function keepAll() {
  const cache = await caches.open(CACHE);
  await Promise.all(FILES.map((path) => keep(cache, path)));
  await self.skipWaiting();
}

/** Asks as nobody, so that nothing of a login can stand in what is kept. */
async function keep(cache, path) {
  const answer = await fetch(path, { credentials: "omit", cache: "no-cache" });
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  await cache.put(path, answer);
}

async function dropOld() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith("spadille-") && name !== CACHE).map((name) => caches.delete(name)));
}

async function kept(path) {
  const cache = await caches.open(CACHE);
  return cache.match(path, { ignoreVary: true });
}

/** A file: as it is kept, for pages that were made with the same; else the service's own. */
async function file(event, url) {
  const own = newer.has(event.clientId) ? null : await kept(url.pathname);
  if (own) return own;
  try {
    return await fetch(event.request);
  } catch {
    return (await kept(url.pathname)) ?? Response.error();
  }
}

/** A page: the service's own, or, where nobody answers, what there is for its address. */
async function page(event, url) {
  const shell = SHELLS.find(([, pattern]) => new RegExp(pattern).test(url.pathname))?.[0] ?? null;
  try {
    const answer = await patiently(fetch(event.request), shell ? PATIENCE : null);
    const version = answer.headers.get("Spadille-Version");
    // What stands before the service says that it is away.
    if (version === null && [502, 503, 504].includes(answer.status)) throw new Error("away");
    if (version !== null && version !== VERSION) newer.add(event.resultingClientId);
    return answer;
  } catch {
    return (await kept(`/offline/${shell ?? "away"}?lang=${languageOf(url)}`)) ?? Response.error();
  }
}

function patiently(asking, patience) {
  if (patience === null) return asking;
  return Promise.race([asking, new Promise((_, away) => setTimeout(() => away(new Error("slow")), patience))]);
}

/** The language of a page as the service would choose it. */
function languageOf(url) {
  const asked = url.searchParams.get("lang");
  if (LANGUAGES.includes(asked)) return asked;
  const preferred = self.navigator.languages.map((language) => language.slice(0, 2)).find((language) => LANGUAGES.includes(language));
  return preferred ?? FALLBACK;
}
