/** Connections to PostgreSQL that break at every message, stall, and answer late; and a database that is full or takes no writes. */
import { PostgresDriver } from '@quadrille/postgres';
import { StorageEngine } from '@quadrille/storage';
import { SharedStorage, type SharedStorageOptions } from '@quadrille/storage-shared';
import { open } from 'quadrille';
import { hostOf } from 'quadrille/host';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { inShare, SHARE_TEXT } from '../share.js';
import { PostgresServer, WITHOUT_POSTGRES } from './server.js';
import { type Fate, type Message, WireProxy } from './wire-proxy.js';

const text = (value: string): Uint8Array => new TextEncoder().encode(value);
/** A long value goes into a pack, and a short one into the entry. */
const VALUES = { a: 'short', b: 'long'.repeat(300), c: 'again' };
const put = (key: string, value: string) => [{ type: 'put', key: text(key), value: text(value) }] as const;
const codeOf = async (call: Promise<unknown>): Promise<string> => {
  try {
    await call;
    return 'none';
  } catch (error) {
    return String((error as { code?: unknown }).code ?? error);
  }
};
/** Its parameters. The statement is sent once a connection, and then has a name. */
const isAppend = ({ from, type, bytes }: Message): boolean =>
  from === 'client' && type === 'B' && bytes.includes('quadrille_append_');

describe.skipIf(WITHOUT_POSTGRES !== '')(`the wire to PostgreSQL${WITHOUT_POSTGRES}`, () => {
  let server: PostgresServer;
  let proxy: WireProxy;
  let databases = 0;
  beforeAll(async () => {
    server = await PostgresServer.start();
    proxy = await WireProxy.start(server.port);
  });
  afterEach(() => proxy.heal());
  afterAll(async () => {
    await proxy.stop();
    await server.stop();
  });
  const database = (): Promise<string> => server.database(`w${++databases}`);
  const ask = (url: string, statement: string) =>
    server.ask((query) => query(statement), new URL(url).pathname.slice(1));
  /** A storage through the proxy that gives no signs of life by itself, so that its messages are always the same. */
  const storage = (url: string, options: SharedStorageOptions = {}): SharedStorage =>
    new SharedStorage(
      new PostgresDriver(proxy.through(url), { statementMs: 400, connectMs: 2000, waitMs: 2000, connections: 1 }),
      { beatMs: 3_600_000, silenceMs: 0, ...options },
    );

  /** Opens the store, writes three times, and reads what is there over another connection. Returns what was acknowledged. */
  async function life(url: string): Promise<string> {
    let engine: StorageEngine;
    try {
      engine = await StorageEngine.open(storage(url));
    } catch (error) {
      expect((error as { code?: unknown }).code).toBe('STORE_UNAVAILABLE');
      // Whoever is not answered in time opens it again.
      engine = await StorageEngine.open(storage(url));
    }
    let acknowledged = '';
    try {
      for (const [key, value] of Object.entries(VALUES)) {
        const code = await codeOf(engine.write(put(key, value), { durable: true }));
        if (code === 'none') acknowledged += key;
        else await engine.recover();
      }
    } finally {
      await engine.close();
    }
    return acknowledged;
  }

  test(`every message is the last one, or does not arrive: nothing is lost or doubled (${SHARE_TEXT})`, async () => {
    const url = await database();
    await life(url);
    proxy.messages = 0;
    const empty = 'TRUNCATE qd_root, qd_log, qd_pack, qd_server';
    await ask(url, empty);
    await life(url);
    const count = proxy.messages;
    expect(count).toBeGreaterThan(60);
    for (const fate of ['cut', 'last'] as const) {
      for (let at = 1; at <= count; at++) {
        if (!inShare(at, 12)) continue;
        await ask(url, empty);
        proxy.messages = 0;
        proxy.fate = ({ number }) => (number === at ? fate : 'pass');
        expect([fate, at, await life(url)]).toEqual([fate, at, 'abc']);
        const entries = await ask(url, 'SELECT epoch FROM qd_log WHERE length(body) > 0');
        expect([fate, at, entries.length]).toEqual([fate, at, 3]);
        const again = await StorageEngine.open(new SharedStorage(new PostgresDriver(url), { silenceMs: 0 }));
        for (const [key, value] of Object.entries(VALUES)) expect(await again.get(text(key))).toEqual(text(value));
        await again.close();
      }
    }
  });

  test.each<[string, (message: Message) => Fate]>([
    ['an append stalls', (message) => (isAppend(message) ? 'stall' : 'pass')],
    ['an append gets no answer', (message) => (isAppend(message) ? 'deaf' : 'pass')],
    ['an append arrives late', (message) => (isAppend(message) ? 700 : 'pass')],
  ])('%s: it is found out what became of it', async (_, fate) => {
    const url = await database();
    const engine = await StorageEngine.open(storage(url));
    await engine.write(put('a', VALUES.a), { durable: true });
    let left = 2;
    proxy.fate = (message) => {
      const its = left > 0 ? fate(message) : 'pass';
      if (its !== 'pass') left--;
      return its;
    };
    await engine.write(put('b', VALUES.b), { durable: true });
    expect(left).toBe(0);
    await engine.write(put('c', VALUES.c), { durable: true });
    expect((await ask(url, 'SELECT FROM qd_log WHERE length(body) > 0')).length).toBe(3);
    for (const [key, value] of Object.entries(VALUES)) expect(await engine.get(text(key))).toEqual(text(value));
    await engine.close();
  });

  /** What ends a transaction, behind an append that has arrived. */
  const isEndOfAppend = (): ((message: Message) => boolean) => {
    let isNext = false;
    return (message) => {
      if (message.from === 'server') return false;
      if (isAppend(message)) isNext = true;
      return isNext && message.type === 'S';
    };
  };
  const short = { statementMs: 5000, connectMs: 2000, waitMs: 5000, abandonedMs: 100, connections: 2 };

  test('a writer that is gone between a statement and its end does not block the next one', async () => {
    const url = await database();
    const gone = await StorageEngine.open(
      new SharedStorage(new PostgresDriver(proxy.through(url), short), { beatMs: 3_600_000, silenceMs: 0 }),
    );
    await gone.write(put('a', VALUES.a), { durable: true });
    const isEnd = isEndOfAppend();
    let stalled: () => void;
    const isStalled = new Promise<void>((resolve) => (stalled = resolve));
    // From then on, nothing of it arrives any more, also over new connections.
    let isGone = false;
    proxy.fate = (message) => {
      if (isEnd(message)) {
        isGone = true;
        stalled();
      }
      return isGone ? 'vanish' : 'pass';
    };
    const lost = codeOf(gone.write(put('b', VALUES.a), { durable: true }));
    await isStalled;
    const open = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND xact_start IS NOT NULL AND wait_event = 'ClientRead'`;
    // The statement has arrived, and is done in its time.
    await expect.poll(async () => (await ask(url, open)).length, { timeout: 60_000 }).toBe(1);
    const next = await StorageEngine.open(new SharedStorage(new PostgresDriver(url, short), { silenceMs: 0 }));
    await next.write(put('c', VALUES.c), { durable: true });
    expect((await ask(url, open)).length).toBe(0);
    proxy.heal();
    // Its place in the log is taken, so it knows that nothing was done.
    expect(await lost).toBe('LEASE_LOST');
    expect(await next.get(text('b'))).toBeUndefined();
    expect(await next.get(text('a'))).toEqual(text(VALUES.a));
    await gone.close();
    await next.close();
  });

  test('a writer whose own statement was left without its end goes on', async () => {
    const url = await database();
    const engine = await StorageEngine.open(
      new SharedStorage(new PostgresDriver(proxy.through(url), { ...short, statementMs: 300 }), {
        beatMs: 3_600_000,
        silenceMs: 0,
      }),
    );
    const isEnd = isEndOfAppend();
    let left = 1;
    proxy.fate = (message) => (left > 0 && isEnd(message) && left-- > 0 ? 'vanish' : 'pass');
    for (const [key, value] of Object.entries(VALUES)) await engine.write(put(key, value), { durable: true });
    expect(left).toBe(0);
    expect((await ask(url, 'SELECT FROM qd_log WHERE length(body) > 0')).length).toBe(3);
    await engine.close();
  });

  test('slow messages change nothing', async () => {
    const url = await database();
    proxy.fate = ({ from }) => (from === 'server' ? 5 : 0);
    expect(await life(url)).toBe('abc');
  });

  test.each(['stall', 'deaf'] as const)(
    'a commit that stays unknown (%s) is COMMIT_UNKNOWN with its revision, and is looked for',
    async (fate) => {
      const url = await database();
      const db = await open({ storage: storage(url, { resolveMs: 500 }) });
      const repo = await db.repository('acme/people', { create: true });
      await repo.update('INSERT DATA { <urn:a> <urn:p> 1 }');
      proxy.fate = (message) => (isAppend(message) ? fate : 'pass');
      const insert = (name: string): Promise<unknown> => repo.update(`INSERT DATA { <urn:${name}> <urn:p> 1 }`);
      const told = await Promise.all(
        ['b', 'c'].map((name) =>
          insert(name).then(
            () => undefined,
            (error: unknown) => error as { code: string; details: { revision?: string } },
          ),
        ),
      );
      const [unknown] = told.filter((error) => error?.code === 'COMMIT_UNKNOWN');
      expect(unknown?.details.revision).toMatch(/^[\da-f-]{36}$/);
      // Nothing was sent for the one that waited behind it.
      for (const error of told) expect(error?.code).toMatch(/^(?:COMMIT_UNKNOWN|STORE_UNAVAILABLE)$/);
      proxy.heal();
      await insert('d');
      const found = await codeOf(repo.at(unknown!.details.revision!).revision());
      expect(found).toBe(fate === 'deaf' ? 'none' : 'REVISION_NOT_FOUND');
      const subjects = (await repo.select('SELECT ?s { ?s ?p ?o } ORDER BY ?s', { values: 'js' }).toArray()).map(
        ({ s }) => s,
      );
      const unknowns = told.flatMap((error, i) => (error?.code === 'COMMIT_UNKNOWN' ? [`urn:${'bc'[i]}`] : []));
      expect(subjects).toEqual(['urn:a', ...(fate === 'deaf' ? unknowns : []), 'urn:d']);
      expect((await repo.maintenance.verify()).problems).toEqual([]);
      await db.close();
    },
  );

  test('behind a pooler that forgets prepared statements, all go without names', async () => {
    const url = await database();
    let named = 0;
    proxy.forgets = true;
    proxy.fate = ({ type, bytes }) => {
      if (type === 'B' && bytes.includes('quadrille_')) named++;
      return 'pass';
    };
    try {
      expect(await life(url)).toBe('abc');
      const engine = await StorageEngine.open(storage(url, { follow: true }));
      for (let i = 0; i < 3; i++) await engine.refresh();
      expect(new TextDecoder().decode(await engine.get(text('a')))).toBe(VALUES.a);
      await engine.close();
    } finally {
      proxy.forgets = false;
    }
    // Two of each process: the second one was not prepared any more.
    expect(named).toBe(4);
  });

  test('reads of a connection that stalls end, and go on over another one', async () => {
    const url = await database();
    const engine = await StorageEngine.open(storage(url));
    await engine.write(put('b', VALUES.b), { durable: true });
    proxy.fate = ({ from }) => (from === 'client' ? 'stall' : 'pass');
    expect(await codeOf(engine.get(text('b')))).toBe('STORE_UNAVAILABLE');
    proxy.heal();
    expect(await engine.get(text('b'))).toEqual(text(VALUES.b));
    await engine.close();
  });

  test('a database that is full is STORAGE_FULL; reads go on, and writes when there is room', async () => {
    const url = await database();
    const db = await open(url);
    const repo = await db.repository('acme/people', { create: true });
    await repo.update('INSERT DATA { <urn:a> <urn:p> 1 }');
    for (const table of ['qd_log', 'qd_pack']) {
      await ask(
        url,
        `CREATE FUNCTION full_${table}() RETURNS trigger LANGUAGE plpgsql AS
         $$ BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$;
         CREATE TRIGGER full_disk BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION full_${table}()`,
      );
      const long = Array.from({ length: 400 }, (_, i) => `<urn:${table}${i}> <urn:p> "${'x'.repeat(50)}"`).join(' . ');
      const code = await codeOf(repo.update(`INSERT DATA { ${long} }`));
      expect([table, code]).toEqual([table, 'STORAGE_FULL']);
      expect(await repo.size()).toBe(table === 'qd_log' ? 1 : 401);
      await ask(url, `DROP TRIGGER full_disk ON ${table}`);
      await repo.update(`INSERT DATA { ${long} }`);
    }
    expect(await repo.size()).toBe(801);
    expect((await repo.maintenance.verify()).problems).toEqual([]);
    await db.close();
  });

  test('a role without rights is STORE_ACCESS, one that may only select reads, and a database that turns read-only is READ_ONLY', async () => {
    const url = await database();
    const name = new URL(url).pathname.slice(1);
    const db = await open(url);
    const repo = await db.repository('acme/people', { create: true });
    await ask(url, `CREATE ROLE ${name}_reader LOGIN PASSWORD 'secret'`);
    const reader = server.url(name, `${name}_reader`);
    expect(await codeOf(open(reader, { readOnly: true }))).toBe('STORE_ACCESS');
    await ask(url, `GRANT SELECT ON ALL TABLES IN SCHEMA public TO ${name}_reader`);
    await (await open(reader, { readOnly: true })).close();
    expect(await codeOf(open(reader, { lockTimeoutMs: 0 }))).toMatch(/STORE_LOCKED|STORE_ACCESS/);
    await ask(url, `ALTER DATABASE ${name} SET default_transaction_read_only = on`);
    await ask(
      url,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'quadrille' AND datname = '${name}'`,
    );
    // A write on a connection that ends at this moment would be in doubt.
    await hostOf(db).refresh();
    expect(await codeOf(repo.update('INSERT DATA { <urn:a> <urn:p> 1 }'))).toBe('READ_ONLY');
    expect(await repo.size()).toBe(0);
    await ask(
      url,
      `BEGIN; SET TRANSACTION READ WRITE; ALTER DATABASE ${name} RESET default_transaction_read_only; COMMIT`,
    );
    await ask(
      url,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'quadrille' AND datname = '${name}'`,
    );
    await hostOf(db)
      .refresh()
      .catch(() => undefined);
    await repo.update('INSERT DATA { <urn:a> <urn:p> 1 }');
    expect(await repo.size()).toBe(1);
    await db.close();
    expect(await codeOf(open(reader))).toBe('STORE_ACCESS');
  });

  const moments = [1, 3, 6, 10, 20];
  const some = moments.filter((_, i) => inShare(i, moments.length));
  test.each(some)(
    'a process that sleeps past its take-over, with a load and a compaction under way (message %i), changes nothing',
    async (at) => {
      const url = await database();
      // As if it were stopped: everything that it has sent by then arrives, and the rest much later.
      const slow = new PostgresDriver(proxy.through(url), { statementMs: 60_000, connectMs: 60_000 });
      const before = await open({ storage: new SharedStorage(slow, { beatMs: 3_600_000, graceMs: 0, yields: true }) });
      const repo = await before.repository('acme/people', { create: true });
      const line = (i: number): string => `<urn:s${i}> <urn:p${i % 7}> "${i}" .`;
      const lines = (from: number, count: number): { text: string } => ({
        text: Array.from({ length: count }, (_, i) => line(from + i)).join('\n'),
      });
      for (let i = 0; i < 3; i++) await repo.load(lines(i * 1000, 1000), { format: 'nt' });
      let wake!: () => void;
      const sleeps = new Promise<void>((resolve) => (wake = resolve));
      let sent = 0;
      let isAsleep = false;
      // A statement is several messages, which are sent at once.
      proxy.fate = ({ from, type }) => {
        if (from !== 'client' || ++sent < at || !/^[PQ]?$/.test(type)) return 'pass';
        isAsleep = true;
        return sleeps;
      };
      const told = Promise.all([
        codeOf(repo.load(lines(10_000, 20_000), { format: 'nt' })),
        codeOf(repo.maintenance.compact()),
      ]);
      await expect.poll(() => isAsleep).toBe(true);

      const after = await open({
        storage: new SharedStorage(new PostgresDriver(url), { takesOver: true, graceMs: 0 }),
      });
      const there = await after.repository('acme/people');
      await there.update('INSERT DATA { <urn:new> <urn:p> 1 }');
      const [size, head] = [await there.size(), await there.revision()];
      wake();
      const codes = await told;
      expect(codes.every((code) => ['LEASE_LOST', 'none'].includes(code))).toBe(true);
      if (size === 3001) expect(codes[0]).toBe('LEASE_LOST');
      expect(await codeOf(repo.maintenance.compact())).toBe('LEASE_LOST');
      await hostOf(after).refresh();
      expect([await there.size(), (await there.revision()).id]).toEqual([size, head.id]);
      await there.maintenance.compact();
      expect((await there.maintenance.verify()).problems).toEqual([]);
      await before.close();
      await after.close();
      const again = await open(url, { readOnly: true });
      expect((await (await again.repository('acme/people')).maintenance.verify()).problems).toEqual([]);
      await again.close();
    },
  );
});
