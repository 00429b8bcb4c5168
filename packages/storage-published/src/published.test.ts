import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { FetchError, NotFoundError } from '@quadrille/model';
import { StorageEngine, type Entry, type KeyRange, type StorageDriver } from '@quadrille/storage';
import { describe, expect, test } from 'vitest';
import type { KeptParts } from './files.js';
import { decodeManifest } from './manifest.js';
import { PublishedDriver } from './published-driver.js';
import { FilesOf, MemoryTarget } from './testing.js';
import { writePublication, type Publication } from './write.js';
import { loadNameDigest, MemoryDriver, compareBytes } from '@quadrille/storage';

/** Numbers from 0 to below 1, by a linear congruence. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
}

/** Entries as a store has them: small and large, under keys of several lengths. */
async function randomDriver(seed: number, count: number): Promise<StorageDriver> {
  const random = randomOf(seed);
  const driver = new MemoryDriver();
  const engine = await StorageEngine.open(driver);
  const bytes = (length: number): Uint8Array => Uint8Array.from({ length }, () => Math.floor(random() * 6));
  for (let i = 0; i < count; i++) {
    const key = new Uint8Array([16, 0, 0, 0, 1, Math.floor(random() * 8), ...bytes(1 + Math.floor(random() * 6))]);
    const value = bytes(Math.floor(random() ** 6 * 40_000));
    await engine.write([{ type: 'put', key, value }], { durable: false });
  }
  return driver;
}

const about = { store: 'store', entries: 5, repositories: [] };

async function publish(
  driver: StorageDriver,
  target: MemoryTarget,
  small = false,
  leastUsed = 0.5,
): Promise<Publication> {
  const text = await target.manifest();
  return writePublication(driver.range({}, { read: 'entries' }), {
    target,
    deflate: (bytes) => deflateRawSync(bytes),
    inflate: (bytes) => inflateRawSync(bytes),
    small,
    leastUsed,
    about,
    earlier: text === undefined ? undefined : decodeManifest(text, await loadNameDigest(), 'memory'),
    use: async (published) => {
      await published.open();
      for await (const _ of published.range({ limit: 3 }, { read: 'entries' }));
    },
    check: () => undefined,
  });
}

async function opened(target: MemoryTarget): Promise<PublishedDriver> {
  const driver = new PublishedDriver(new FilesOf(target));
  await driver.open();
  return driver;
}

async function entriesOf(driver: StorageDriver, range: KeyRange = {}): Promise<Entry[]> {
  const entries: Entry[] = [];
  for await (const chunk of driver.range(range, { read: 'entries' })) entries.push(...chunk);
  return entries;
}

/** Bytes as a text: those are compared faster. */
const textOf = (bytes: Uint8Array | undefined): string | undefined => bytes && Buffer.from(bytes).toString('base64');

async function listed(driver: StorageDriver, range: KeyRange = {}): Promise<string[]> {
  return (await entriesOf(driver, range)).map(({ key, value }) => `${textOf(key)!} ${textOf(value)!}`);
}

describe('a published storage', () => {
  test.each([0, 1, 7, 400])('of %d entries reads as the one that was published', async (count) => {
    const source = await randomDriver(count + 1, count);
    for (const small of [false, true]) {
      const target = new MemoryTarget();
      await publish(source, target, small);
      const driver = await opened(target);
      expect(await listed(driver)).toEqual(await listed(source));
      const random = randomOf(count);
      const keys = (await entriesOf(source)).flatMap(({ key }) => [
        key,
        new Uint8Array([...key, 0]),
        key.subarray(0, key.length - 1),
      ]);
      const values = await driver.getMany(keys);
      for (const [i, key] of keys.entries()) {
        expect(textOf(values[i])).toBe(textOf(await source.get(key)));
        const other = keys[Math.floor(random() * keys.length)]!;
        const [gte, lt] = compareBytes(key, other) < 0 ? [key, other] : [other, key];
        const range = { gte, lt, reverse: random() < 0.5, ...(random() < 0.5 && { limit: Math.floor(random() * 9) }) };
        if (i % 7 === 0) expect(await listed(driver, range)).toEqual(await listed(source, range));
      }
    }
  });

  test('written again without a change writes nothing but the manifest', async () => {
    const source = await randomDriver(3, 300);
    const target = new MemoryTarget();
    await publish(source, target);
    target.written.length = 0;
    const { written, superfluous } = await publish(source, target);
    expect([written, superfluous, target.written]).toEqual([{ files: 0, bytes: 0 }, [], ['quadrille.json']]);
  });

  test('written again writes what is new, and names what nobody needs', async () => {
    const source = await randomDriver(4, 600);
    const target = new MemoryTarget();
    const first = await publish(source, target);
    const engine = await StorageEngine.open(source);
    const [{ key }] = (await entriesOf(source)).slice(300, 301) as [Entry];
    await engine.write([{ type: 'put', key, value: new Uint8Array(100) }], { durable: false });
    const second = await publish(source, target);
    expect(second.written.bytes).toBeLessThan(first.manifest.bytes / 10);
    expect(second.superfluous).toContain(first.manifest.start.name);
    for (const name of second.superfluous) await target.remove(name);
    expect(await listed(await opened(target))).toEqual(await listed(source));
  });

  test('that may keep nothing of what is gone takes over whole packs alone', async () => {
    const source = await randomDriver(5, 300);
    const target = new MemoryTarget();
    await publish(source, target, false, 1);
    const engine = await StorageEngine.open(source);
    const [{ key }] = (await entriesOf(source)) as [Entry];
    await engine.write([{ type: 'delete', key }], { durable: false });
    const { superfluous } = await publish(source, target, false, 1);
    for (const name of superfluous) await target.remove(name);
    const first = await opened(target);
    expect(await first.get(key)).toBe(undefined);
    // Each byte of each pack belongs to a chunk or a page.
    expect(superfluous.filter((name) => name.endsWith('.pack')).length).toBeGreaterThan(0);
  });

  test('that fails while it is written leaves the one before', async () => {
    const source = await randomDriver(6, 200);
    const target = new MemoryTarget();
    await publish(source, target);
    const before = await listed(source);
    const engine = await StorageEngine.open(source);
    await engine.write([{ type: 'put', key: new Uint8Array([99]), value: new Uint8Array(9) }], { durable: false });
    for (let fails = 0; ; fails++) {
      let writes = 0;
      target.onWrite = () => {
        if (writes++ === fails) throw new Error('no space');
      };
      const failed = await publish(source, target).then(
        () => false,
        () => true,
      );
      if (!failed) break;
      expect(await listed(await opened(target))).toEqual(before);
    }
    expect(await listed(await opened(target))).toEqual(await listed(source));
  });

  test('of which a part was changed is refused', async () => {
    const source = await randomDriver(7, 200);
    const target = new MemoryTarget();
    await publish(source, target);
    const all = await listed(source);
    const untouched = new Map([...target.files].map(([name, bytes]) => [name, bytes.slice()]));
    const random = randomOf(8);
    for (let i = 0; i < 60; i++) {
      for (const [name, bytes] of untouched) target.files.set(name, bytes.slice());
      const names = [...target.files.keys()];
      const bytes = target.files.get(names[Math.floor(random() * names.length)]!)!;
      bytes[Math.floor(random() * bytes.length)]! ^= 1 << Math.floor(random() * 8);
      const outcome = await opened(target)
        .then(listed)
        .catch((error: unknown) => (error as { code?: string }).code);
      if (Array.isArray(outcome)) expect(outcome).toEqual(all);
      else expect(['HOST_UNSUITABLE', 'CHECKSUM', 'NOT_A_STORE', 'FORMAT_VERSION']).toContain(outcome);
    }
  });

  test('opens without its host by what was kept, and with it by what the host has now', async () => {
    const target = new MemoryTarget();
    await publish(await randomDriver(9, 50), target);
    const kept = new MemoryParts();
    const open = async (files: FilesOf): Promise<PublishedDriver> => {
      const driver = new PublishedDriver(files, { kept });
      await driver.open();
      return driver;
    };
    const all = await listed(await open(new FilesOf(target)));
    const away = new FilesOf(target);
    const failing = (): Promise<never> => Promise.reject(new FetchError('FETCH_FAILED', 'there is no network'));
    away.manifest = failing;
    away.read = failing;
    expect(await listed(await open(away))).toEqual(all);
    await publish(await randomDriver(10, 60), target);
    const newer = await listed(await open(new FilesOf(target)));
    expect(newer).not.toEqual(all);
    expect(await listed(await open(away))).toEqual(newer);
    // A host that says that there is no store is there.
    away.manifest = () => Promise.reject(new NotFoundError('STORE_NOT_FOUND', 'it is gone'));
    await expect(open(away)).rejects.toMatchObject({ code: 'STORE_NOT_FOUND' });
    kept.parts.clear();
    away.manifest = failing;
    await expect(open(away)).rejects.toMatchObject({ code: 'FETCH_FAILED' });
  });

  test('a kept part that was damaged is read from the host, and kept anew', async () => {
    const target = new MemoryTarget();
    const source = await randomDriver(11, 400);
    await publish(source, target);
    const kept = new MemoryParts();
    const read = async (): Promise<string[]> => {
      const driver = new PublishedDriver(new FilesOf(target), { kept });
      await driver.open();
      return listed(driver);
    };
    const all = await read();
    const [name] = [...kept.parts.keys()].filter((each) => each.includes('/'));
    const whole = kept.parts.get(name!)!;
    kept.parts.set(
      name!,
      whole.map((byte) => byte ^ 0xff),
    );
    expect(await read()).toEqual(all);
    expect(kept.parts.get(name!)).toEqual(whole);
  });
});

class MemoryParts implements KeptParts {
  readonly parts = new Map<string, Uint8Array>();
  get = async (name: string) => this.parts.get(name);
  put = async (name: string, bytes: Uint8Array) => void this.parts.set(name, bytes.slice());
}
