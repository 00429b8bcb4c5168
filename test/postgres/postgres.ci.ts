/** The driver for PostgreSQL over a real server: the rules of shared stores and of storages, wrong access, an outage. */
import { SharedStorage } from '@quadrille/storage-shared';
import { sharedConformance } from '@quadrille/storage-shared/testing';
import { PostgresDriver } from '@quadrille/postgres';
import { StorageEngine } from '@quadrille/storage';
import { open, restore } from 'quadrille';
import { storageConformance } from '@quadrille/storage/testing';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { PostgresServer, WITHOUT_POSTGRES } from './server.js';

const codeOf = async (call: Promise<unknown>): Promise<string> => {
  try {
    await call;
    return 'none';
  } catch (error) {
    return String((error as { code?: unknown }).code ?? error);
  }
};
const text = (value: string): Uint8Array => new TextEncoder().encode(value);

describe.skipIf(WITHOUT_POSTGRES !== '')(`PostgreSQL${WITHOUT_POSTGRES}`, () => {
  let server: PostgresServer;
  let databases = 0;
  const database = (): Promise<string> => server.database(`d${++databases}`);
  beforeAll(async () => {
    server = await PostgresServer.start();
  });
  afterAll(() => server.stop());

  sharedConformance({ describe, it, expect }, 'PostgreSQL', async () => {
    const url = await database();
    return { connect: () => new PostgresDriver(url) };
  });

  storageConformance(
    { describe, it, expect },
    'PostgreSQL',
    async () => {
      const url = await database();
      const driver = (): SharedStorage => new SharedStorage(new PostgresDriver(url));
      return { driver: driver(), again: driver };
    },
    { persistent: true },
  );

  test('a wrong password, a database that is not there, and a server that is away', async () => {
    const url = await database();
    expect(await codeOf(new PostgresDriver(server.url('d1', 'owner', 'wrong')).open())).toBe('STORE_ACCESS');
    expect(await codeOf(new PostgresDriver(server.url('nowhere')).open())).toBe('STORE_ACCESS');
    const away = url.replace(String(server.port), '1');
    expect(await codeOf(new PostgresDriver(away).open())).toBe('STORE_UNAVAILABLE');
    expect(() => new PostgresDriver('mysql://host/db')).toThrow(/postgres:\/\/user@host/);
  });

  test('of several hosts the primary is taken', async () => {
    const url = await database();
    const driver = new PostgresDriver(url.replace('127.0.0.1', '127.0.0.1:1,127.0.0.1'));
    await driver.open();
    expect(await driver.casRoot(0, text('{}'), 0)).toBe('ok');
    await driver.close();
  });

  test('a table of another program is not touched', async () => {
    const url = await database();
    const { Client } = await import('pg');
    const client = new Client({ connectionString: url });
    await client.connect();
    await client.query('CREATE TABLE qd_meta (id int)');
    expect(await codeOf(new PostgresDriver(url).open())).toBe('NOT_A_STORE');
    const { rows } = await client.query(`SELECT count(*)::int AS n FROM pg_class WHERE relname LIKE 'qd_%'`);
    expect(rows).toEqual([{ n: 1 }]);
    await client.end();
  });

  test('a role that only reads is told so when it writes, and reads', async () => {
    const url = await database();
    const before = await open(url);
    await before.repository('acme/people', { create: true });
    await before.close();
    const { Client } = await import('pg');
    const client = new Client({ connectionString: url });
    await client.connect();
    await client.query(`ALTER DATABASE ${new URL(url).pathname.slice(1)} SET default_transaction_read_only = on`);
    await client.end();
    expect(await codeOf(open(url))).toBe('READ_ONLY');
    const reader = await open(url, { readOnly: true });
    expect(await (await reader.repository('acme/people')).size()).toBe(0);
    await reader.close();
  });

  test('a newer format is refused', async () => {
    const url = await database();
    const driver = new PostgresDriver(url);
    await driver.open();
    await driver.close();
    const { Client } = await import('pg');
    const client = new Client({ connectionString: url });
    await client.connect();
    await client.query('UPDATE qd_meta SET format = 99');
    await client.end();
    expect(await codeOf(new PostgresDriver(url).open())).toBe('FORMAT_VERSION');
  });

  test('a process that seemed to be away writes nothing after another one has taken over', async () => {
    const url = await database();
    // It never gives a second sign of life, as if it were suspended.
    const suspended = new SharedStorage(new PostgresDriver(url), { beatMs: 3_600_000 });
    const one = await StorageEngine.open(suspended);
    await one.write([{ type: 'put', key: text('a'), value: text('1') }], { durable: true });
    const two = await StorageEngine.open(new SharedStorage(new PostgresDriver(url), { silenceMs: 50 }));
    await two.write([{ type: 'put', key: text('a'), value: text('2') }], { durable: true });
    const write = (): Promise<unknown> =>
      one.write([{ type: 'put', key: text('b'), value: text('3') }], { durable: true });
    expect(await codeOf(write())).toBe('LEASE_LOST');
    expect(await codeOf(one.recover())).toBe('LEASE_LOST');
    expect(await codeOf(write())).toBe('LEASE_LOST');
    expect(await two.get(text('b'))).toBe(undefined);
    expect(await codeOf(two.write([{ type: 'put', key: text('c'), value: text('4') }], { durable: true }))).toBe(
      'none',
    );
    await one.close();
    await two.close();
  });

  test('the library opens it by its URL, and other processes read beside it', async () => {
    const url = await database();
    const db = await open(url);
    const repo = await db.repository('acme/people', { create: true });
    await repo.update('INSERT DATA { <urn:ann> <urn:age> 30 }', { message: 'the first' });
    const reader = await open(url, { readOnly: true });
    expect(await (await reader.repository('acme/people')).size()).toBe(1);
    await repo.update('INSERT DATA { <urn:bob> <urn:age> 40 }');
    expect(await (await reader.repository('acme/people')).size()).toBe(1);
    expect(await codeOf((await reader.repository('acme/people')).update('DELETE WHERE { ?s ?p ?o }'))).toBe(
      'READ_ONLY',
    );
    expect((await repo.maintenance.verify()).problems).toEqual([]);
    await Promise.all([reader.close(), db.close()]);
    expect(db.location).toBe(url.replace(':secret', ''));
  });

  test('while one process writes another one is refused, or waits', async () => {
    const url = await database();
    const one = await open(url);
    await expect(open(url)).rejects.toMatchObject({
      code: 'STORE_LOCKED',
      message: expect.stringContaining(`process ${process.pid}`) as string,
    });
    const waiting = open(url, { lockTimeoutMs: 60_000 });
    await one.close();
    await (await waiting).close();
  });

  test('options that a database does not have, and stores that are not there', async () => {
    const url = await database();
    expect(await codeOf(open(url, { durability: 'process' }))).toBe('INVALID_OPTION');
    expect(await codeOf(open(url, { backend: 'lmdb' }))).toBe('INVALID_OPTION');
    expect(await codeOf(open(url, { workers: 2 }))).toBe('INVALID_OPTION');
    expect(await codeOf(open(url, { create: false }))).toBe('STORE_NOT_FOUND');
    expect(await codeOf(restore('backup', url, { to: 1 }))).toBe('INVALID_OPTION');
    expect(await codeOf(restore('backup', url, { backend: 'lmdb' }))).toBe('INVALID_OPTION');
    expect(await codeOf(restore('nowhere', url))).toBe('INPUT_NOT_FOUND');
  });

  test('the server is killed between writes: nothing acknowledged is lost', async () => {
    const own = await PostgresServer.start();
    try {
      const url = await own.database('kills');
      const engine = await StorageEngine.open(new SharedStorage(new PostgresDriver(url, { waitMs: 100 })));
      const acknowledged: string[] = [];
      for (let round = 0; round < 3; round++) {
        for (let i = 0; i < 20; i++) {
          const key = `${round}-${i}`;
          await engine.write([{ type: 'put', key: text(key), value: text(key.repeat(200)) }], { durable: true });
          acknowledged.push(key);
        }
        await own.kill();
        expect(await codeOf(engine.get(text(`${round}-0`)))).toBe('STORE_UNAVAILABLE');
        await own.resume();
      }
      for (const key of acknowledged) expect(await engine.get(text(key))).toEqual(text(key.repeat(200)));
      await engine.close();
    } finally {
      await own.stop();
    }
  });

  test('a database that may lose commits is refused', async () => {
    const own = await PostgresServer.start({ settings: ['synchronous_commit = off'] });
    try {
      expect(await codeOf(new PostgresDriver(await own.database('unsafe')).open())).toBe('STORE_UNSAFE');
    } finally {
      await own.stop();
    }
  });
});
