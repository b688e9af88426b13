/**
 * Where this device keeps what is not sent yet, and what it needs of a table without a network: a database of the
 * browser's own. Where there is none, or no room in it, things are kept as long as the page stands, and it says so.
 *
 * No secret ever comes here: the session's is in a cookie that no script reads, and a link's is exchanged at once.
 */

const NAME = "spadille";
const VERSION = 1;
/** The stores and what a thing in each is found by: entries in the order in which they were made. */
const STORES = { outbox: { keyPath: "place", autoIncrement: true }, kept: { keyPath: "key" } };
/** Places behind all of the database's, for what had no room there. */
const BEHIND = 1e12;

/** One store of the device. Every change is one transaction, so that several tabs change it one after the other. */
export class Shelf {
  constructor(store) {
    this.store = store;
    this.key = STORES[store].keyPath;
    /** What has room nowhere but here, by key; it goes before what the database has. */
    this.loose = new Map();
    this.database = opened().catch(() => null);
  }

  /** Whether what is put here outlives the page. */
  async lasts() {
    return (await this.database) !== null && this.loose.size === 0;
  }

  /** All that is here, in the order of keys. */
  async all() {
    const database = await this.database;
    const kept = database ? await done(database.transaction(this.store).objectStore(this.store).getAll()).catch(() => []) : [];
    return this.with(kept);
  }

  with(kept) {
    const rest = kept.filter((one) => !this.loose.has(one[this.key]));
    return [...rest, ...this.loose.values()].sort((one, other) => (one[this.key] < other[this.key] ? -1 : 1));
  }

  /**
   * Changes what is here in one step: `decide` is told all of it, at once and in order, and answers with what is to be
   * `put` (a new thing without its key gets one) and the keys to `remove`. What it answers with is the answer.
   */
  async change(decide) {
    const database = await this.database;
    if (database === null) return this.changeLoose(decide, []);
    try {
      return await this.changeKept(database, decide);
    } catch (failed) {
      // A decision that throws is the caller's affair; a database that fails is ours.
      if (!(failed instanceof DOMException)) throw failed;
      return this.changeLoose(decide, await this.all());
    }
  }

  changeKept(database, decide) {
    return new Promise((resolve, reject) => {
      const transaction = database.transaction(this.store, "readwrite");
      const store = transaction.objectStore(this.store);
      const reading = store.getAll();
      let answer;
      reading.onsuccess = () => {
        try {
          answer = decide(this.with(reading.result));
          for (const key of answer.remove ?? []) {
            this.loose.delete(key);
            store.delete(key);
          }
          for (const one of answer.put ?? []) this.putKept(store, one);
        } catch (failed) {
          transaction.abort();
          reject(failed);
        }
      };
      transaction.oncomplete = () => resolve(answer);
      transaction.onerror = transaction.onabort = () => reject(transaction.error ?? reading.error ?? new DOMException("aborted", "AbortError"));
    });
  }

  putKept(store, one) {
    if (this.loose.has(one[this.key])) return this.loose.set(one[this.key], one);
    const putting = store.put(one);
    putting.onsuccess = () => (one[this.key] ??= putting.result);
    return undefined;
  }

  changeLoose(decide, kept) {
    const answer = decide(this.with(kept));
    for (const key of answer.remove ?? []) this.loose.delete(key);
    for (const one of answer.put ?? []) {
      one[this.key] ??= BEHIND + performance.timeOrigin + performance.now() + this.loose.size / 1e3;
      this.loose.set(one[this.key], one);
    }
    return answer;
  }

  /** Takes everything away. */
  async clear() {
    this.loose.clear();
    const database = await this.database;
    if (database) await done(database.transaction(this.store, "readwrite").objectStore(this.store).clear());
  }
}

let opening = null;

function opened() {
  opening ??= new Promise((resolve, reject) => {
    const asking = indexedDB.open(NAME, VERSION);
    asking.onupgradeneeded = () => {
      for (const [store, options] of Object.entries(STORES)) asking.result.createObjectStore(store, options);
    };
    asking.onsuccess = () => {
      // Another tab with a newer page is not to wait for this one.
      asking.result.onversionchange = () => asking.result.close();
      resolve(asking.result);
    };
    asking.onerror = asking.onblocked = () => reject(asking.error ?? new DOMException("blocked", "AbortError"));
  });
  return opening;
}

function done(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
