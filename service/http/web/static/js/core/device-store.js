// @ts-check
/**
 * Where this device keeps what is not sent yet, and what it needs of a table without a network: a database of the
 * browser's own. Where there is none, or no room in it, things are kept as long as the page stands, and it says so.
 *
 * No secret ever comes here: the session's is in a cookie that no script reads, and a link's is exchanged at once.
 */

const DATABASE_NAME = "spadille";
const DATABASE_VERSION = 1;
/** The stores and what a thing in each is found by: entries in the order in which they were made. */
// Devices hold data under these names: they stay.
const OBJECT_STORES = { outbox: { keyPath: "place", autoIncrement: true }, kept: { keyPath: "key" } };
/** Places behind all of the database's, for what had no room there. */
const MEMORY_KEY_BASE = 1e12;

/** @typedef {Record<string, any>} Stored - with its key */
/** @typedef {{ put?: Stored[], remove?: (string | number)[] }} Changes */
/** @typedef {(all: Stored[]) => Changes} Decide */

/** One store of the device. Every change is one transaction, so that several tabs change it one after the other. */
export class DeviceStore {
  /** @param {keyof typeof OBJECT_STORES} storeName */
  constructor(storeName) {
    this.storeName = storeName;
    this.key = OBJECT_STORES[storeName].keyPath;
    /** What has room nowhere but here, by key; it goes before what the database has. @type {Map<string | number, Stored>} */
    this.inMemory = new Map();
    this.database = openDatabase().catch(() => null);
  }

  /** Whether what is put here outlives the page. */
  async isPersistent() {
    return (await this.database) !== null && this.inMemory.size === 0;
  }

  /** All that is here, in the order of keys. */
  async readAll() {
    const database = await this.database;
    const stored = database
      ? await awaitRequest(database.transaction(this.storeName).objectStore(this.storeName).getAll()).catch(() => [])
      : [];
    return this.mergeInMemory(stored);
  }

  /** @param {Stored[]} stored */
  mergeInMemory(stored) {
    const rest = stored.filter((one) => !this.inMemory.has(one[this.key]));
    return [...rest, ...this.inMemory.values()].sort((one, other) => (one[this.key] < other[this.key] ? -1 : 1));
  }

  /**
   * Changes what is here in one step: `decide` gets all of it, in order, and returns what is to be
   * `put` (a new thing without its key gets one) and the keys to `remove`. What it answers with is the answer.
   * @param {Decide} decide
   */
  async transact(decide) {
    const database = await this.database;
    if (database === null) return this.transactInMemory(decide, []);
    try {
      return await this.transactInDatabase(database, decide);
    } catch (error) {
      // A decision that throws is the caller's affair; a database that fails is ours.
      if (!(error instanceof DOMException)) throw error;
      return this.transactInMemory(decide, await this.readAll());
    }
  }

  /** @param {IDBDatabase} database @param {Decide} decide @returns {Promise<Changes>} */
  transactInDatabase(database, decide) {
    return new Promise((resolve, reject) => {
      const transaction = database.transaction(this.storeName, "readwrite");
      const store = transaction.objectStore(this.storeName);
      const reading = store.getAll();
      /** @type {Changes} */
      let answer;
      reading.onsuccess = () => {
        try {
          answer = decide(this.mergeInMemory(reading.result));
          for (const key of answer.remove ?? []) {
            this.inMemory.delete(key);
            store.delete(key);
          }
          for (const one of answer.put ?? []) this.putInDatabase(store, one);
        } catch (error) {
          transaction.abort();
          reject(error);
        }
      };
      transaction.oncomplete = () => resolve(answer);
      transaction.onerror = transaction.onabort = () =>
        reject(transaction.error ?? reading.error ?? new DOMException("aborted", "AbortError"));
    });
  }

  /** @param {IDBObjectStore} store @param {Stored} one */
  putInDatabase(store, one) {
    if (this.inMemory.has(one[this.key])) return this.inMemory.set(one[this.key], one);
    const putting = store.put(one);
    putting.onsuccess = () => {
      one[this.key] ??= putting.result;
    };
    return undefined;
  }

  /** @param {Decide} decide @param {Stored[]} stored */
  transactInMemory(decide, stored) {
    const answer = decide(this.mergeInMemory(stored));
    for (const key of answer.remove ?? []) this.inMemory.delete(key);
    for (const one of answer.put ?? []) {
      one[this.key] ??= MEMORY_KEY_BASE + performance.timeOrigin + performance.now() + this.inMemory.size / 1e3;
      this.inMemory.set(one[this.key], one);
    }
    return answer;
  }

  /** Takes everything away. */
  async clear() {
    this.inMemory.clear();
    const database = await this.database;
    if (database)
      await awaitRequest(database.transaction(this.storeName, "readwrite").objectStore(this.storeName).clear());
  }
}

/** @type {Promise<IDBDatabase> | null} */
let openRequest = null;

function openDatabase() {
  openRequest ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE_NAME, DATABASE_VERSION);
    request.onupgradeneeded = () => {
      for (const [store, options] of Object.entries(OBJECT_STORES)) request.result.createObjectStore(store, options);
    };
    request.onsuccess = () => {
      // Another tab with a newer page is not to wait for this one.
      request.result.onversionchange = () => request.result.close();
      resolve(request.result);
    };
    request.onerror = request.onblocked = () => reject(request.error ?? new DOMException("blocked", "AbortError"));
  });
  return openRequest;
}

/** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
function awaitRequest(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
