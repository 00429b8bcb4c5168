/** Stores of every earlier format are read and stay as they are, until the first commit upgrades them. */
import { cp, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MemoryDriver } from '@quadrille/storage';
import type { StorageDriver } from '@quadrille/storage';
import { FaultDriver } from '@quadrille/storage/testing';
import { describe, expect, test } from 'vitest';
import type { Backend, Database, Location, OpenOptions, Revision } from './index.js';
import { open } from './index.js';
import { all, directory, lines, q } from './testing/fixtures.js';
import { markerOf, OLD_STORE, oldDirectory, oldMemory, openDriver, versionsIn } from './testing/old-store.js';

const FORMATS: readonly [Backend, number][] = [
  ['leveldb', 1],
  ['leveldb', 2],
  ['leveldb', 3],
  ['leveldb', 4],
  ['lmdb', 1],
  ['lmdb', 2],
  ['lmdb', 4],
];
const NEWEST = 5;
/** Stores before format 4 had no own number in their entry. */
const entryOf = (format: number): number => (format < 4 ? 1 : format);
const OLD_RECORDS = [1, 1, 1, 1, 1, 1];

async function using<T>(place: Location, options: OpenOptions, run: (db: Database) => Promise<T>): Promise<T> {
  const db = await open(place, options);
  try {
    return await run(db);
  } finally {
    await db.close();
  }
}

const triple = (line: string): string => line.replace(/^(\S+ \S+) (v\d+|Alice|Bob|Carol)\b/, '$1 "$2"');

/** Everything of the old revisions can be read: states, ids, times, authors, messages, the tag. */
async function expectOld(db: Database): Promise<void> {
  const people = await db.repository('acme/people');
  const log = (await all(people.log())).filter(({ number }) => number <= OLD_STORE.log.length);
  expect(log).toMatchObject(
    OLD_STORE.log.map(({ time, ...revision }: Record<string, unknown>) => ({
      ...revision,
      time: new Date(time as string),
      kind: 'commit',
      parents: revision['number'] === 1 ? [] : [OLD_STORE.log.at(-Number(revision['number']) + 1)!.id],
    })),
  );
  for (const [number, state] of Object.entries(OLD_STORE.states))
    expect(await lines(people.at(Number(number)).quads())).toEqual(
      state
        .map(triple)
        .map((text) => text.trim())
        .toSorted(),
    );
  expect((await people.at('v1').revision()).number).toBe(4);
  expect((await (await db.repository('acme/empty')).revision()).number).toBe(1);
}

const commit = async (db: Database): Promise<Revision> =>
  (await db.repository('acme/people')).add(q('new p o'), { author: 'me', message: 'the first of a new version' });

/** Calls that read, or that are refused, and so must not upgrade. */
async function withoutCommit(db: Database): Promise<void> {
  const people = await db.repository('acme/people');
  await expect(people.add(q('a p b'), { ifRevision: 1 })).rejects.toMatchObject({ code: 'REVISION_CONFLICT' });
  await expect(people.add(q('a p b'), { message: 'x'.repeat(16_385) })).rejects.toMatchObject({
    code: 'INVALID_OPTION',
  });
  await expect(people.add(q('a p b'), { author: 'é'.repeat(513) })).rejects.toMatchObject({ code: 'INVALID_OPTION' });
  expect((await people.add(q('alice name "Alice"'))).number).toBe(5);
  await people.tags.set('v2', 'HEAD');
  expect((await db.verify()).problems).toEqual([]);
}

describe.each(FORMATS)('%s with marker %i', (backend, format) => {
  test('is read, and upgraded by the first commit', async () => {
    const path = join(await directory(), 'store');
    await oldDirectory(path, backend, format);
    const { id } = await markerOf(path);
    await using(path, {}, async (db) => {
      await expectOld(db);
      await withoutCommit(db);
    });
    expect((await markerOf(path)).format).toBe(format);
    expect(await versionsIn(await openDriver(path, backend))).toEqual({
      format: entryOf(format),
      records: OLD_RECORDS,
    });

    const warnings: unknown[] = [];
    const logger = { info: () => undefined, error: () => undefined, warn: (...said: unknown[]) => warnings.push(said) };
    await using(path, { logger: logger as never }, async (db) => {
      expect(warnings).toEqual([]);
      const revision = await commit(db);
      expect(revision).toMatchObject({ number: 6, kind: 'commit', parents: [OLD_STORE.log[0]!.id] });
      expect(warnings).toEqual([[expect.stringContaining('cannot be undone'), expect.anything()]]);
      await commit(db);
      await (await db.repository('acme/people')).remove(q('new p o'));
      expect(warnings.length).toBe(1);
      await expectOld(db);
    });
    expect(await markerOf(path)).toMatchObject({ format: NEWEST, id });
    expect(await versionsIn(await openDriver(path, backend))).toEqual({
      format: NEWEST,
      records: [1, 1, 1, 1, 1, 2, 2, 1],
    });
    await using(path, {}, async (db) => {
      await expectOld(db);
      expect(await db.verify()).toMatchObject({ ok: true, problems: [] });
      expect((await (await db.repository('acme/new', { create: true })).revision()).number).toBe(1);
    });
  });

  test('read-only, and without upgrade: is read, and commits are refused', async () => {
    const path = join(await directory(), 'store');
    await oldDirectory(path, backend, format);
    await using(path, { readOnly: true }, async (db) => {
      await expectOld(db);
      await expect(commit(db)).rejects.toMatchObject({ code: 'READ_ONLY' });
    });
    await using(path, { upgrade: false }, async (db) => {
      await expectOld(db);
      const people = await db.repository('acme/people');
      const refused = expect.objectContaining({ code: 'FORMAT_VERSION' }) as Error;
      await expect(commit(db)).rejects.toEqual(refused);
      await expect(people.update('INSERT DATA { <urn:a> <urn:b> <urn:c> }')).rejects.toEqual(refused);
      const document = new TextEncoder().encode('<urn:a> <urn:b> <urn:c> .');
      await expect(people.load(document, { format: 'nt' })).rejects.toEqual(refused);
      await expect(people.revert('HEAD')).rejects.toEqual(refused);
      await expect(db.repository('acme/new', { create: true })).rejects.toEqual(refused);
      expect((await people.tags.list().toArray()).map(({ name }) => name)).toEqual(['v1']);
    });
    expect((await markerOf(path)).format).toBe(format);
    expect((await versionsIn(await openDriver(path, backend))).records).toEqual(OLD_RECORDS);
    await using(path, {}, commit);
    await using(path, { upgrade: false }, commit);
  });
});

test('without a marker: memory, and the drivers of others', async () => {
  const driver = await oldMemory();
  await using({ storage: driver }, {}, async (db) => {
    await expectOld(db);
    await withoutCommit(db);
  });
  expect(await versionsIn(driver)).toEqual({ format: 1, records: OLD_RECORDS });
  await using({ storage: driver }, { upgrade: false }, async (db) =>
    expect(commit(db)).rejects.toMatchObject({ code: 'FORMAT_VERSION' }),
  );
  await using({ storage: driver }, {}, commit);
  expect((await versionsIn(driver)).format).toBe(NEWEST);
  await using({ storage: driver }, { upgrade: false }, async (db) => {
    await expectOld(db);
    await commit(db);
  });
});

test('many first commits at once, in several repositories: one upgrade', async () => {
  const driver = await oldMemory();
  const warnings: string[] = [];
  const logger = { info: () => undefined, error: () => undefined, warn: (text: string) => void warnings.push(text) };
  await using({ storage: driver }, { logger }, async (db) => {
    const names = ['people', 'empty', 'new', 'newer'].map((name) => `acme/${name}`);
    await Promise.all(
      names.flatMap((name) =>
        Array.from({ length: 5 }, async (_, i) =>
          (await db.repository(name, { create: true })).add(q(`s${String(i)} p o`)),
        ),
      ),
    );
    expect((await db.verify()).problems).toEqual([]);
    expect((await db.repositories().toArray()).length).toBe(4);
  });
  expect(warnings.length).toBe(1);
});

test('a marker or an entry that cannot be written: the commit fails, and the next one upgrades', async () => {
  for (const at of [1, 2, 3]) {
    const path = join(await directory(), 'store');
    await oldDirectory(path, 'leveldb', 3);
    const driver = new FaultDriver(await openDriver(path, 'leveldb'));
    await using({ storage: driver }, {}, async (db) => {
      await db.repository('acme/people');
      const error = Object.assign(new Error('no room'), { code: 'ENOSPC' });
      driver.setFault({ effect: 'fail', operations: ['write'], at, error });
      await expect(commit(db)).rejects.toMatchObject({ code: 'STORAGE_FULL' });
      await expectOld(db);
      driver.setFault();
      expect((await commit(db)).number).toBe(6);
      await expectOld(db);
      expect((await db.verify()).problems).toEqual([]);
    });
    expect((await markerOf(path)).format).toBe(NEWEST);
  }
});

/** Calls `step` before and after everything that changes what is stored. */
function stepping(driver: StorageDriver, step: () => Promise<void>): StorageDriver {
  return new Proxy(driver, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== 'function') return member;
      if (name !== 'write' && name !== 'raiseFormat') return member.bind(target) as unknown;
      return async (...given: unknown[]): Promise<unknown> => {
        await step();
        const answer: unknown = await member.apply(target, given);
        await step();
        return answer;
      };
    },
  });
}

describe.each(FORMATS)('a kill at every write of the upgrade: %s with marker %i', (backend, format) => {
  test('leaves the old store or the new one, and never a record that an older version would meet', async () => {
    const parent = await directory();
    const path = join(parent, 'store');
    await oldDirectory(path, backend, format);
    const copies: string[] = [];
    const copy = async (): Promise<void> => {
      const to = join(parent, `killed-${String(copies.length)}`);
      await cp(path, to, { recursive: true, filter: (file) => !file.endsWith('.pid') });
      copies.push(to);
    };
    await using({ storage: stepping(await openDriver(path, backend), copy) }, {}, async (db) => {
      expect((await commit(db)).number).toBe(6);
      // The marker is written beside the old one and renamed.
      const half = join(parent, 'killed-half');
      await cp(copies[0]!, half, { recursive: true });
      await writeFile(join(half, 'quadrille.json.new'), '{"format":');
      copies.push(half);
    });
    // Marker, entry and commit, each before and after.
    expect(copies.length).toBeGreaterThanOrEqual(7);
    const found = new Set<string>();
    for (const killed of copies) {
      const marked = (await markerOf(killed)).format;
      const { format: stored, records } = await versionsIn(await openDriver(killed, backend));
      if (stored === NEWEST) expect(marked).toBe(NEWEST);
      if (records.includes(2)) expect(stored).toBe(NEWEST);
      found.add(`${String(marked === NEWEST)} ${String(stored)} ${String(records.includes(2))}`);
      await using(killed, {}, async (db) => {
        await expectOld(db);
        const head = await (await db.repository('acme/people')).revision();
        expect(head.number).toBe(records.includes(2) ? 6 : 5);
        const next = await (await db.repository('acme/people')).add(q('after p o'));
        expect(next.number).toBe(head.number + 1);
        expect((await db.verify()).problems).toEqual([]);
      });
      expect((await markerOf(killed)).format).toBe(NEWEST);
      expect(await readdir(killed)).not.toContain('quadrille.json.new');
    }
    expect([...found].toSorted()).toEqual([
      `false ${String(entryOf(format))} false`,
      `true ${String(entryOf(format))} false`,
      `true ${String(NEWEST)} false`,
      `true ${String(NEWEST)} true`,
    ]);
  });
});

test('a new store has the newest format at once; its id is that of the marker', async () => {
  const path = join(await directory(), 'store');
  await using(path, { upgrade: false }, async (db) => {
    await (await db.repository('people', { create: true })).add(q('a p b'));
  });
  const { format, id } = await markerOf(path);
  expect(format).toBe(NEWEST);
  const driver = await openDriver(path, 'leveldb');
  await driver.open();
  const entry = await driver.get(Uint8Array.of(1));
  await driver.close();
  expect(Buffer.from(entry!.slice(-16)).toString('hex')).toBe(id.replaceAll('-', ''));
});

test('an entry of a newer format is refused', async () => {
  const driver = new MemoryDriver();
  await using({ storage: driver }, {}, (db) => db.repository('people', { create: true }));
  const { StorageEngine } = await import('@quadrille/storage');
  const engine = await StorageEngine.open(driver);
  await engine.write([{ type: 'put', key: Uint8Array.of(1), value: Uint8Array.of(NEWEST + 1, 1) }], { durable: true });
  await engine.close();
  await expect(open({ storage: driver })).rejects.toMatchObject({ code: 'FORMAT_VERSION' });
});
