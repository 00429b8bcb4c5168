/** Reads without a promise: the same as those with one, or WOULD_WAIT. */
import { describe, expect, onTestFinished, test } from 'vitest';
import type * as RDF from '@rdfjs/types';
import { MemoryDriver } from '@quadrille/storage';
import { type Database, defaultGraph, iri, literal, open, quad, type QuadPattern, type ReadView } from '../index.js';
import { directory, ex, line, lines, many, memory, q, repository } from '../testing/fixtures.js';

const DATA = ['a p b', 'a p "1"', 'a q b', 'b p b', 'a p b g', 'c p "1" g', 'c p d h'];
const WOULD_WAIT = expect.objectContaining({ name: 'StateError', code: 'WOULD_WAIT' }) as Error;

const sync = (view: ReadView, pattern?: QuadPattern): string[] => view.quadsSync(pattern).map(line).toSorted();

/** All shapes of patterns of a quad. */
function* patternsOf({ subject, predicate, object, graph }: RDF.Quad): Generator<QuadPattern> {
  for (let mask = 0; mask < 16; mask++)
    yield {
      ...(mask & 1 && { subject }),
      ...(mask & 2 && { predicate }),
      ...(mask & 4 && { object }),
      ...(mask & 8 && { graph }),
    };
}

/** Reads all shapes of patterns of some quads in both ways. */
async function sameAsAsync(view: ReadView, quads: readonly RDF.Quad[]): Promise<void> {
  for (const each of quads) {
    for (const pattern of patternsOf(each)) {
      const expected = await lines(view.quads(pattern));
      expect(sync(view, pattern)).toEqual(expected);
      expect(view.hasSync(pattern)).toBe(expected.length > 0);
    }
    expect(view.hasSync(each)).toBe((await view.count(each)) > 0);
  }
}

async function reopened(db: Database, path: string): Promise<Database> {
  await db.close();
  const again = await open(path);
  onTestFinished(() => again.close());
  return again;
}

/** Storage that answers with promises, like a database server. */
function asyncDriver(): MemoryDriver {
  const driver = new MemoryDriver();
  Object.assign(driver, { capabilities: { ...driver.capabilities, getSync: false } });
  return driver;
}

test('give what the asynchronous reads give: heads, old revisions, branches, behind a compaction, on a disk', async () => {
  const path = await directory();
  let db = await open(path);
  let repo = await db.repository('a/r', { create: true });
  const asked = ['c p "1" g', 'nobody p b'].map(q);
  const { number } = await repo.add(DATA.map(q));
  await repo.remove({ graph: ex('g') });
  await repo.add([q('c p "1" g'), q('e p b')]);
  let branch = await repo.branches.open('side', { create: true });
  await branch.add(q('a p d g'));
  await repo.remove(q('e p b'));
  const all = async (): Promise<void> => {
    for (const view of [repo, branch, repo.at(number), repo.at(1), branch.at(number), repo.at('HEAD~1')])
      await sameAsAsync(view, asked);
  };
  await all();
  await repo.maintenance.compact();
  await all();
  db = await reopened(db, path);
  repo = await db.repository('a/r');
  branch = await repo.branches.open('side');
  // LevelDB gives what is not in memory at once.
  expect(sync(repo.at(number))).toEqual(DATA.toSorted());
  expect(sync(branch)).toContain('a p d g');
  await all();
});

test('variables and null match anything; a wrong pattern or option is refused', async () => {
  const repo = await repository(...DATA);
  expect(sync(repo)).toEqual(DATA.toSorted());
  expect(sync(repo, { subject: null, graph: defaultGraph() })).toHaveLength(4);
  expect(repo.hasSync({})).toBe(true);
  expect((await repository()).hasSync({})).toBe(false);
  for (const wrong of [null, 'a', { s: ex('a') }, ex('a'), { subject: 'http://example.org/a' }]) {
    const pattern = wrong as unknown as QuadPattern;
    expect(() => repo.quadsSync(pattern)).toThrow(expect.objectContaining({ code: 'INVALID_PATTERN' }) as Error);
    expect(() => repo.hasSync(pattern)).toThrow(expect.objectContaining({ code: 'INVALID_PATTERN' }) as Error);
  }
  for (const limit of [-1, 1.5, '3' as never])
    expect(() => repo.quadsSync({}, { limit })).toThrow(expect.objectContaining({ code: 'INVALID_OPTION' }) as Error);
});

test('a limit ends them early', async () => {
  const repo = await repository();
  await repo.add(many(3000));
  for (const limit of [0, 1, 63, 64, 65, 2999, 3000, 4000]) {
    const found = repo.quadsSync({ predicate: ex('p') }, { limit });
    expect(found).toHaveLength(Math.min(limit, 3000));
    expect(new Set(found.map(line)).size).toBe(found.length);
  }
});

test('long texts, also in triple terms, are read at once where the storage gives them', async () => {
  const path = await directory();
  let db = await open(path);
  let repo = await db.repository('a/r', { create: true });
  const long = literal('long text '.repeat(20_000));
  const object = quad(ex('a'), ex('says'), long) as RDF.Term as RDF.Quad_Object;
  await repo.add([quad(ex('a'), ex('p'), object), quad(ex('b'), ex('p'), long), ...many(300)]);
  await repo.maintenance.compact();
  db = await reopened(db, path);
  repo = await db.repository('a/r');
  const [said] = repo.quadsSync({ subject: ex('a') });
  expect(said!.object.equals(object)).toBe(true);
  expect(repo.quadsSync({ predicate: ex('p') })).toHaveLength(302);
  expect(repo.hasSync(quad(ex('b'), ex('p'), long))).toBe(true);
});

test('a commit changes what the next one gives, and not what was given', async () => {
  const repo = await repository('a p b');
  const before = repo.quadsSync();
  const reading = repo.quads()[Symbol.asyncIterator]();
  await reading.next();
  const adding = repo.add(q('c p d'));
  expect(sync(repo)).toEqual(['a p b']);
  await adding;
  expect(sync(repo)).toEqual(['a p b', 'c p d']);
  expect(before.map(line)).toEqual(['a p b']);
  expect((await reading.next()).done).toBe(true);
});

describe('revisions by any ref', () => {
  test('that the storage can find at once', async () => {
    const repo = await repository('a p b');
    const old = await repo.revision();
    await repo.tags.set('v1', old);
    for (let n = 0; n < 40; n++) await repo.add(q(`s${n} p o`));
    for (const ref of [old, old.number, `#${old.number}`, old.id, 'v1', 'HEAD~40'])
      expect(sync(repo.at(ref)), String(ref)).toEqual(['a p b']);
    expect(repo.at(new Date(old.time)).quadsSync().length).toBeGreaterThan(0);
    expect(repo.at('TAIL').quadsSync()).toEqual([]);
  });

  test('others would wait', async () => {
    const repo = await repository('a p b');
    await repo.branches.open('side', { create: true });
    for (const ref of ['side', 99, 'nothing']) expect(() => repo.at(ref).quadsSync()).toThrow(WOULD_WAIT);
    await expect(repo.at(99).quads().toArray()).rejects.toMatchObject({ code: 'REVISION_NOT_FOUND' });
  });

  test('behind a trim', async () => {
    const repo = await repository('a p b');
    for (let n = 0; n < 5; n++) await repo.add(q(`s${n} p o`));
    await repo.maintenance.trim({ last: 2 });
    expect(repo.quadsSync()).toHaveLength(6);
    expect(() => repo.at(2).quadsSync()).toThrow(WOULD_WAIT);
    await expect(repo.at(2).quads().toArray()).rejects.toMatchObject({ code: 'REVISION_TRIMMED' });
    expect(repo.at('HEAD~1').quadsSync()).toHaveLength(5);
  });
});

describe('WOULD_WAIT', () => {
  test('where the storage has no synchronous read, until what they need is in memory', async () => {
    const driver = asyncDriver();
    let db = await open({ storage: driver });
    let repo = await db.repository('a/r', { create: true });
    await repo.add(many(5000));
    await repo.maintenance.compact();
    await db.close();
    db = await open({ storage: driver });
    onTestFinished(() => db.close());
    repo = await db.repository('a/r');
    const pattern = { subject: ex('s2500') };
    expect(() => repo.quadsSync(pattern)).toThrow(WOULD_WAIT);
    expect(() => repo.hasSync(pattern)).toThrow(WOULD_WAIT);
    expect(await lines(repo.quads(pattern))).toEqual(['s2500 p o2500']);
    expect(sync(repo, pattern)).toEqual(['s2500 p o2500']);
    expect(repo.hasSync(pattern)).toBe(true);
    expect(await repo.count(q('s2500 p o2500'))).toBe(1);
    expect(repo.hasSync(q('s2500 p o2500'))).toBe(true);
    expect(() => repo.quadsSync()).toThrow(WOULD_WAIT);
  });

  test('where the repository was unloaded', async () => {
    const db = await memory({ repositoryBytes: 0 });
    const repo = await db.repository('first', { create: true });
    await repo.add(q('a p b'));
    for (let n = 0; n < 6; n++) await (await db.repository(`other${n}`, { create: true })).add(q('a p b'));
    for (let n = 0; n < 20; n++) await new Promise(setImmediate);
    expect(() => repo.hasSync(q('a p b'))).toThrow(WOULD_WAIT);
    expect(await repo.count(q('a p b'))).toBe(1);
    expect(repo.hasSync(q('a p b'))).toBe(true);
  });
});

test('a closed store and a deleted repository say so', async () => {
  const db = await open(':memory:');
  const repo = await db.repository('a/r', { create: true });
  const other = await db.repository('a/s', { create: true });
  await repo.add(quad(iri('urn:a'), iri('urn:b'), iri('urn:c')));
  const view = repo.at(1);
  await db.deleteRepository('a/s');
  expect(() => other.quadsSync()).toThrow(expect.objectContaining({ code: 'REPOSITORY_DELETED' }) as Error);
  await db.close();
  for (const each of [repo, view])
    for (const read of [() => each.quadsSync(), () => each.hasSync({})])
      expect(read).toThrow(expect.objectContaining({ code: 'STORE_NOT_OPEN' }) as Error);
});
