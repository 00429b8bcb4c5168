/** The driver for S3 over a service that is slow, loses answers, repeats requests, refuses them, or ignores conditions. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openS3, S3Driver, type S3Options } from '@quadrille/s3';
import { StorageEngine } from '@quadrille/storage';
import { SharedStorage, type NewEntry } from '@quadrille/storage-shared';
import { open } from 'quadrille';
import { hostOf } from 'quadrille/host';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { failure, type Request } from './objects.js';
import { KEYS, S3Server, type Fault } from './server.js';

const codeOf = async (call: Promise<unknown>): Promise<string> => {
  try {
    await call;
    return 'none';
  } catch (error) {
    return String((error as { code?: unknown }).code ?? error);
  }
};
const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const entry = (position: number, id = position): NewEntry => ({
  log,
  position,
  id: uuid(id),
  previous: position === 1 ? undefined : uuid(position - 1),
  epoch: 1,
  body: Uint8Array.of(position),
});
const isEntry = ({ method, key }: Request): boolean => method === 'PUT' && key.includes('/log/');
const isRoot = ({ method, key }: Request): boolean => method === 'PUT' && key.endsWith('/root');
const text = (value: string): Uint8Array => new TextEncoder().encode(value);

let server: S3Server;
let stores = 0;
/** Each test has a log of its own in the same store. To make a store takes 100 requests. */
let log = 0;
const newUrl = (): string => server.url(`stores/${++stores}`);
beforeAll(async () => {
  server = await S3Server.start();
});
beforeEach(() => log++);
afterEach(() => {
  server.fault = () => undefined;
  server.skewMs = 0;
  server.objects.ignores.clear();
  vi.unstubAllEnvs();
});
afterAll(() => server.stop());

/** How long to wait for an answer that never comes. */
const limits = (fault: Fault): S3Options => (fault === 'stall' || fault === 'ignore' ? { attemptMs: 600 } : {});

async function opened(options: S3Options = {}, url = server.url('faults')): Promise<S3Driver> {
  const driver = new S3Driver(url, { credentials: KEYS, pause: async () => undefined, ...options });
  await driver.open();
  return driver;
}
async function ids(driver: S3Driver): Promise<string[]> {
  const [change] = await driver.check([{ log, after: 0, rootVersion: 0 }]);
  return (change?.entries ?? []).map(({ id }) => id);
}

describe('an append', () => {
  test.each<[Fault, string, string]>([
    ['stall', 'unknown', 'ok'],
    ['ignore', 'unknown', 'ok'],
    ['cut', 'unknown', 'ok'],
    ['refuse', 'unknown', 'ok'],
    ['double', 'ok', 'ok'],
    ['late', 'unknown', 'ok'],
    [failure(503, 'SlowDown'), 'unknown', 'ok'],
    [failure(409, 'ConditionalRequestConflict'), 'unknown', 'ok'],
  ])('%j: it is %s, and the same one again is %s', async (fault, first, second) => {
    const driver = await opened(limits(fault));
    expect(await driver.append(entry(1))).toBe('ok');
    server.once(fault, isEntry);
    expect(await driver.append(entry(2))).toBe(first);
    expect(await driver.append(entry(2))).toBe(second);
    // What arrives late finds the entry, and changes nothing.
    const late = server.applyLate();
    expect(late).toEqual(fault === 'late' ? [412] : []);
    expect(await driver.append(entry(3))).toBe('ok');
    expect(await ids(driver)).toEqual([uuid(1), uuid(2), uuid(3)]);
  });

  test('what arrives late, after another writer has gone on, does not count', async () => {
    const driver = await opened();
    await driver.append(entry(1));
    server.once('late', isEntry);
    expect(await driver.append(entry(2, 20))).toBe('unknown');
    expect(await driver.append(entry(2, 21))).toBe('ok');
    expect(server.applyLate()).toEqual([412]);
    expect(await driver.append(entry(2, 20))).toBe('taken');
  });

  test('what arrives at a position that was trimmed is gone', async () => {
    const url = newUrl();
    const [slow, other] = [await opened({}, url), await opened({}, url)];
    await slow.append(entry(1));
    server.once('late', isEntry);
    expect(await slow.append(entry(2, 20))).toBe('unknown');
    for (let position = 2; position <= 6; position++) expect(await other.append(entry(position))).toBe('ok');
    await other.trim(log, 5);
    expect(server.applyLate()).toEqual([200]);
    expect(await slow.append(entry(2, 20))).toBe('gone');
    const [change] = await slow.check([{ log, after: 1, id: uuid(1), rootVersion: 0 }]);
    expect([change?.entries.map(({ position }) => position), change?.lost]).toEqual([[5, 6], false]);
  });
});

describe('a root', () => {
  test.each<Fault>(['stall', 'cut', 'refuse', 'double', 'late', failure(500, 'InternalError')])(
    '%j: it is replaced once',
    async (fault) => {
      const driver = await opened(limits(fault));
      await driver.casRoot(log, text('a'), 0);
      server.once(fault, isRoot);
      expect(await driver.casRoot(log, text('b'), 1)).toBe('ok');
      server.applyLate();
      expect(await driver.casRoot(log, text('c'), 2)).toBe('ok');
      const [change] = await driver.check([{ log, after: 0, rootVersion: 0 }]);
      expect([change?.root?.version, new TextDecoder().decode(change?.root?.body)]).toEqual([3, 'c']);
    },
  );
});

describe('reads and packs', () => {
  test.each<Fault>(['stall', 'cut', 'ignore', failure(503, 'SlowDown'), failure(429, 'TooManyRequests')])(
    '%j: a request is repeated',
    async (fault) => {
      const driver = await opened(limits(fault));
      const bytes = Uint8Array.from({ length: 3000 }, (_, i) => i % 256);
      server.once(fault, ({ method }) => method === 'PUT');
      await driver.putPacks(log, [{ id: uuid(1), bytes }]);
      server.once(fault, ({ method }) => method === 'GET');
      const slices = [
        { pack: uuid(1), from: 2990, length: 10 },
        { pack: uuid(1), from: 0, length: 2 },
      ];
      expect(await driver.getPacks(log, slices)).toEqual([bytes.subarray(2990), bytes.subarray(0, 2)]);
    },
  );

  test('a service that is away for long, or always busy, is STORE_UNAVAILABLE', async () => {
    const driver = await opened({ requestMs: 50 });
    server.fault = () => failure(503, 'SlowDown', 'Please reduce your request rate');
    await expect(driver.listPacks(log)).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      message: expect.stringContaining('reduce your request rate') as string,
    });
    const away = new S3Driver('s3://store/a?endpoint=http://127.0.0.1:1', { credentials: KEYS, requestMs: 0 });
    expect(await codeOf(away.open())).toBe('STORE_UNAVAILABLE');
  });

  test('a bucket that is full', async () => {
    const driver = await opened();
    server.fault = ({ method }) => (method === 'PUT' ? failure(507, 'XMinioStorageFull') : undefined);
    expect(await codeOf(driver.putPacks(log, [{ id: uuid(1), bytes: text('x') }]))).toBe('STORAGE_FULL');
    expect(await codeOf(driver.append(entry(1)))).toBe('STORAGE_FULL');
    expect(await ids(driver)).toEqual([]);
  });
});

describe('opening', () => {
  test.each(['if-none-match', 'if-match'] as const)('a service that ignores %s is unsafe', async (header) => {
    const url = newUrl();
    server.objects.ignores.add(header);
    expect(await codeOf(opened({}, url))).toBe('STORE_UNSAFE');
    server.objects.ignores.clear();
    await opened({}, url);
    server.objects.ignores.add(header);
    expect(await codeOf(opened({}, url))).toBe('STORE_UNSAFE');
    // A reader depends on no condition, and writes nothing.
    server.objects.counts.clear();
    await opened({ readOnly: true }, url);
    expect([...server.objects.counts]).toEqual([['GET', 1]]);
  });

  test('a service that does not know conditions is unsafe', async () => {
    server.fault = ({ method }) => (method === 'PUT' ? failure(501, 'NotImplemented') : undefined);
    expect(await codeOf(opened({}, newUrl()))).toBe('STORE_UNSAFE');
  });

  test('wrong keys, no keys, another region, no bucket', async () => {
    const url = newUrl();
    const secretAccessKey = 'wrong-secret';
    await expect(opened({ credentials: { ...KEYS, secretAccessKey } }, url)).rejects.toMatchObject({
      code: 'STORE_ACCESS',
      message: expect.not.stringContaining(secretAccessKey) as string,
    });
    vi.stubEnv('AWS_ACCESS_KEY_ID', '');
    expect(await codeOf(openS3(url).open())).toBe('STORE_ACCESS');
    expect(await codeOf(opened({}, url.replace(/region=.*/, 'region=us-east-1')))).toBe('STORE_ACCESS');
    expect(await codeOf(opened({}, url.replace('//store/', '//other/')))).toBe('STORE_ACCESS');
    const prefix = new URL(url).pathname.slice(1);
    expect([...server.objects.objects.keys()].filter((key) => key.startsWith(`${prefix}/`))).toEqual([]);
  });

  test('keys that only read', async () => {
    const url = newUrl();
    await opened({}, url);
    server.fault = ({ method }) => (method === 'GET' ? undefined : failure(403, 'AccessDenied'));
    expect(await codeOf(opened({}, url))).toBe('READ_ONLY');
    expect(await codeOf(opened({ readOnly: true }, url))).toBe('none');
  });

  test('keys that expire are fetched again', async () => {
    let fetched = 0;
    const driver = await opened({ credentials: async () => (fetched++, KEYS) });
    expect(fetched).toBe(1);
    server.once(failure(400, 'ExpiredToken'), () => true);
    expect(await driver.listPacks(log)).toEqual([]);
    expect(fetched).toBe(2);
  });

  test('a clock that is a day off', async () => {
    server.skewMs = 86_400_000;
    const driver = await opened();
    expect(await driver.append(entry(1))).toBe('ok');
    server.skewMs = -3_600_000;
    expect(await driver.append(entry(2))).toBe('ok');
  });

  test('a prefix with other objects, and a newer format', async () => {
    const url = newUrl();
    const prefix = new URL(url).pathname.slice(1);
    const put = (key: string, value: string): unknown =>
      server.objects.answer({ method: 'PUT', key: `${prefix}/${key}`, query: {}, headers: {}, body: text(value) });
    put('photos/1.jpeg', 'x');
    expect(await codeOf(opened({}, url))).toBe('NOT_A_STORE');
    put('quadrille.json', '{"name":"quadrille"}');
    expect(await codeOf(opened({}, url))).toBe('NOT_A_STORE');
    put('quadrille.json', '{"product":"quadrille","format":99}');
    expect(await codeOf(opened({}, url))).toBe('FORMAT_VERSION');
    expect(await codeOf(opened({ create: false }, newUrl()))).toBe('STORE_NOT_FOUND');
  });

  test.each([
    's3://b/x',
    's3://bucket?endpoint=ftp://host',
    's3://bucket?endpoint=http://u:geheim@host',
    's3://AKID:geheim@bucket/x',
    's3://bucket/a b',
    's3://bucket/../x?secret=geheim',
    's3://bucket?region=eu.evil/',
  ])('%s is no URL of a store, and the message has no secret', (url) => {
    expect(() => new S3Driver(url)).toThrow(expect.objectContaining({ code: 'INVALID_OPTION' }));
    expect(() => new S3Driver(url)).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('geheim') }),
    );
  });
});

describe('the library', () => {
  test('opens it by its URL, and other processes read beside it', async () => {
    vi.stubEnv('AWS_ACCESS_KEY_ID', KEYS.accessKeyId);
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', KEYS.secretAccessKey);
    const url = newUrl();
    expect(await codeOf(open(url, { create: false }))).toBe('STORE_NOT_FOUND');
    expect(await codeOf(open(url, { durability: 'process' }))).toBe('INVALID_OPTION');
    const db = await open(url);
    const repo = await db.repository('acme/people', { create: true });
    await repo.update('INSERT DATA { <urn:ann> <urn:age> 30 }', { message: 'the first' });
    const reader = await open(url, { readOnly: true });
    const follower = await open(url, { follow: true });
    expect(await (await reader.repository('acme/people')).size()).toBe(1);
    await repo.update('INSERT DATA { <urn:bob> <urn:age> 40 }');
    await hostOf(follower).refresh();
    expect(await (await follower.repository('acme/people')).size()).toBe(2);
    await follower.close();
    expect(await codeOf((await reader.repository('acme/people')).update('DELETE WHERE { ?s ?p ?o }'))).toBe(
      'READ_ONLY',
    );
    expect((await repo.maintenance.verify()).problems).toEqual([]);
    await Promise.all([reader.close(), db.close()]);
    const again = await open(url);
    expect(await (await again.repository('acme/people')).size()).toBe(2);
    await again.close();
  });

  test('a later process finds in the cache on the local disk what was read', async () => {
    vi.stubEnv('AWS_ACCESS_KEY_ID', KEYS.accessKeyId);
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', KEYS.secretAccessKey);
    const url = newUrl();
    const directory = await mkdtemp(join(tmpdir(), 'quadrille-cache-'));
    const made = await open(url);
    const rows = Array.from({ length: 500 }, (_, i) => `<urn:s${i}> <urn:p> "${'x'.repeat(50)}${i}"`).join(' . ');
    const repo = await made.repository('acme/people', { create: true });
    await repo.update(`INSERT DATA { ${rows} }`);
    await repo.maintenance.compact();
    await made.close();
    const read = async (): Promise<number> => {
      const db = await open(url, { readOnly: true, diskCache: { directory } });
      const before = server.objects.counts.get('GET') ?? 0;
      const found = await (await db.repository('acme/people')).select('SELECT ?v { <urn:s77> <urn:p> ?v }').toArray();
      expect(found.length).toBe(1);
      const requests = (server.objects.counts.get('GET') ?? 0) - before;
      await expect(open(url, { readOnly: true, diskCache: { directory } })).rejects.toMatchObject({
        code: 'STORE_LOCKED',
      });
      await db.close();
      return requests;
    };
    expect(await read()).toBeGreaterThan(0);
    expect(await read()).toBe(0);
    expect(await codeOf(open(':memory:', { diskCache: { directory } }))).toBe('INVALID_OPTION');
    expect(await codeOf(open(url, { diskCache: { directory, bytes: 1 } }))).toBe('INVALID_OPTION');
    await rm(directory, { recursive: true });
  });

  test('a process that seemed to be away writes nothing after another one has taken over', async () => {
    const url = newUrl();
    const storage = (options: object): SharedStorage =>
      new SharedStorage(new S3Driver(url, { credentials: KEYS }), options);
    const put = (key: string) => [{ type: 'put', key: text(key), value: text(key.repeat(400)) }] as const;
    // It never gives a second sign of life, as if it were suspended.
    const one = await StorageEngine.open(storage({ beatMs: 3_600_000 }));
    await one.write(put('a'), { durable: true });
    const two = await StorageEngine.open(storage({ silenceMs: 50 }));
    await two.write(put('b'), { durable: true });
    expect(await codeOf(one.write(put('c'), { durable: true }))).toBe('LEASE_LOST');
    expect(await codeOf(one.recover())).toBe('LEASE_LOST');
    expect(await two.get(text('c'))).toBe(undefined);
    expect(await two.get(text('a'))).toEqual(text('a'.repeat(400)));
    await one.close();
    await two.close();
  });
});
