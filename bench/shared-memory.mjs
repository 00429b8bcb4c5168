/**
 * Measures the memory of servers of a shared store: `node --expose-gc --import ./test/campaigns/typescript.mjs bench/shared-memory.mjs
 * [case…]`. It prints how many bytes of heap and array buffers a key, a revision or a batch takes. A server that writes and one that
 * follows are measured, as the difference of two sizes of a store. It also prints how fast both servers read. The cases are in CASES,
 * and commits; default: all. The store itself is in a thread, whose memory does not count.
 */
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { SharedMemory, SharedMemoryDriver, SharedStorage } from '../packages/storage-shared/dist/index.js';

/** Key of revision `n` of a repository, as its log has it; and one of another kind. */
function key(tag, n, length) {
  const bytes = new Uint8Array(length);
  bytes.set([0x10, 0, 0, 0, 1, tag]);
  new DataView(bytes.buffer).setUint32(6, n);
  return bytes;
}
/** Bytes that no other value has. */
function value(n, length) {
  const bytes = new Uint8Array(length).fill(n);
  new DataView(bytes.buffer).setUint32(4, n);
  return bytes;
}
const put = (at, bytes) => ({ type: 'put', key: at, value: bytes });
const many = (count, op) => Array.from({ length: count }, (_, i) => op(i));

/** What batch `n` writes, how many batches both sizes have, and what is counted. */
const CASES = {
  places: { sizes: [40, 160], each: 500, of: (n) => many(500, (i) => put(key(9, n * 500 + i, 14), value(n, 300))) },
  values: {
    sizes: [40, 160],
    each: 500,
    of: (n) => many(500, (i) => put(key(13, n * 500 + i, 14), value(n * 500 + i, 40))),
  },
  scattered: {
    sizes: [100, 500],
    each: 500,
    of: (n) => many(500, (i) => put(key(13, Math.imul(n * 500 + i, 0x9e3779b1) >>> 0, 14), value(n * 500 + i, 40))),
  },
  revisions: {
    sizes: [10_000, 60_000],
    each: 1,
    of: (n) => [put(key(3, n, 10), value(n, 175)), put(key(1, 0, 10), value(n, 38))],
  },
  longer: {
    sizes: [10_000, 30_000],
    each: 1,
    of: (n) => [put(key(3, n, 10), value(n, 400)), put(key(1, 0, 10), value(n, 38))],
  },
  batches: { sizes: [10_000, 50_000], each: 1, of: (n) => [put(key(1, 0, 10), value(n, 38))] },
  packs: { sizes: [10_000, 30_000], each: 1, of: (n) => [put(key(1, 0, 10), value(n, 300))] },
};
const ROUNDS = 5;
const OPTIONS = { beatMs: 1e9, graceMs: 0 };

if (isMainThread) await main();
else await store();

async function main() {
  const asked = process.argv.slice(2);
  const names = [...Object.keys(CASES), 'commits'].filter((name) => asked.length === 0 || asked.includes(name));
  for (const name of names) {
    if (name === 'commits') await commits();
    else for (const role of ['holder', 'follower']) await measure(name, role);
  }
}

/** The store in a thread, and a driver that reaches it. */
function inThread() {
  const worker = new Worker(new URL(import.meta.url));
  let waiting = new Map();
  let calls = 0;
  worker.on('message', ({ call, result, error }) => {
    const { resolve, reject } = waiting.get(call);
    waiting.delete(call);
    if (waiting.size === 0) waiting = new Map();
    if (error === undefined) resolve(result);
    else reject(error);
  });
  worker.on('error', (error) => {
    throw error;
  });
  const ask = (name, ...args) =>
    new Promise((resolve, reject) => {
      waiting.set(++calls, { resolve, reject });
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- workers have no origin to name
      worker.postMessage({ call: calls, name, args });
    });
  const driver = new Proxy(
    { name: 'thread' },
    {
      get: (target, name) => {
        if (name === 'heartbeatAndLook' || name === 'then') return undefined;
        return target[name] ?? ((...args) => ask(name, ...args));
      },
    },
  );
  return { driver, ask, end: () => worker.terminate() };
}

async function memory() {
  for (let i = 0; i < 4; i++) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    globalThis.gc();
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

async function measure(name, role) {
  const { sizes, each, of } = CASES[name];
  const { driver, ask, end } = inThread();
  const storage = new SharedStorage(driver, role === 'holder' ? OPTIONS : { ...OPTIONS, follow: true });
  if (role === 'follower') await ask('hold');
  await storage.open();
  const found = [];
  let n = 0;
  for (const size of sizes) {
    while (n < size) {
      if (role === 'holder') await storage.write(of(n++), { durable: true });
      else {
        const until = Math.min(size, n + 200);
        await ask('fill', name, n, until);
        n = until;
        (await storage.refresh())?.show();
      }
    }
    if (role === 'holder') await storage.compact();
    else {
      await ask('compact');
      (await storage.refresh())?.show();
    }
    found.push(await memory());
  }
  const count = (sizes[1] - sizes[0]) * each;
  const line = `${name.padEnd(10)} ${role.padEnd(9)} ${((found[1] - found[0]) / count).toFixed(1).padStart(7)} bytes each`;
  console.log(`${line}   ${await reads(storage, of, sizes[1])}`);
  await storage.close();
  await ask('close');
  await end();
}

/** Microseconds of a get of a key, and of an entry of a range: the least of some rounds. */
async function reads(storage, of, size) {
  const wanted = many(1000, (i) => of((i * 7919) % size)[0].key);
  const least = async (work) => {
    let found = Infinity;
    for (let round = 0; round < ROUNDS; round++) {
      const begun = performance.now();
      const count = await work();
      found = Math.min(found, ((performance.now() - begun) * 1000) / count);
    }
    return found.toFixed(2);
  };
  const get = await least(async () => {
    for (const each of wanted) await storage.get(each);
    return wanted.length;
  });
  const scan = (read) =>
    least(async () => {
      let entries = 0;
      for await (const chunk of storage.range({}, { read })) entries += chunk.length;
      return entries;
    });
  return `get ${get} µs, range of keys ${await scan('keys')} µs, with values ${await scan('entries')} µs`;
}

/** Commits of one quad by the library. */
async function commits() {
  const { iri, open, quad } = await import('../packages/quadrille/dist/index.js');
  for (const role of ['holder', 'follower']) {
    const { driver, ask, end } = inThread();
    if (role === 'follower') await ask('commit', 0, 1);
    const storage = new SharedStorage(driver, role === 'holder' ? OPTIONS : { ...OPTIONS, follow: true });
    const db = await open({ storage });
    const repo = await db.repository('sky', { create: role === 'holder' });
    const found = [];
    let n = 1;
    for (const size of [10_000, 40_000]) {
      while (n < size) {
        const until = n + 100;
        if (role === 'holder') for (; n < until; n++) await commit(repo, iri, quad, n);
        else {
          await ask('commit', n, until);
          n = until;
          await repo.size();
        }
      }
      // What is being collected takes memory for a moment.
      await (role === 'holder' ? storage.compact() : ask('compact'));
      await repo.size();
      // A follower may read all records again, because the manifest has changed.
      await new Promise((resolve) => setTimeout(resolve, 3000));
      await repo.size();
      found.push(await memory());
    }
    console.log(
      `${'commits'.padEnd(10)} ${role.padEnd(9)} ${((found[1] - found[0]) / 30_000).toFixed(1).padStart(7)} bytes each`,
    );
    await db.close();
    await ask('close');
    await end();
  }
}

// A quad comes and goes, so that neither terms nor the present state grow.
async function commit(repo, iri, quad, n) {
  const row = [quad(iri(`http://e/s${(n >>> 1) % 100}`), iri('http://e/p'), iri('http://e/o'))];
  await (n % 2 === 0 ? repo.add(row) : repo.remove(row));
}

async function store() {
  const shared = new SharedMemory();
  const driver = new SharedMemoryDriver(shared);
  let holder;
  let db;
  const actions = {
    hold: async () => {
      holder = new SharedStorage(new SharedMemoryDriver(shared), OPTIONS);
      await holder.open();
    },
    compact: () => holder.compact(),
    fill: async (name, from, to) => {
      for (let n = from; n < to; n++) await holder.write(CASES[name].of(n), { durable: true });
    },
    commit: async (from, to) => {
      const { iri, open, quad } = await import('../packages/quadrille/dist/index.js');
      holder ??= new SharedStorage(new SharedMemoryDriver(shared), OPTIONS);
      db ??= await open({ storage: holder });
      const repo = await db.repository('sky', { create: true });
      for (let n = from; n < to; n++) await commit(repo, iri, quad, n);
    },
    close: async () => {
      await (db ?? holder)?.close();
    },
  };
  parentPort.on('message', async ({ call, name, args }) => {
    const work = actions[name] ?? ((...rest) => driver[name](...rest));
    const answer = await work(...args).then(
      (result) => ({ call, result }),
      (error) => ({ call, error }),
    );
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- workers have no origin to name
    parentPort.postMessage(answer);
  });
}
