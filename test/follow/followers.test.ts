/** Databases that follow another one over a shared store in memory: what they show, and when. */
import { SharedMemory, SharedMemoryDriver, SharedStorage, type SharedStorageOptions } from '@quadrille/storage-shared';
import { seededRandom } from '@quadrille/storage/testing';
import { open, type Database, type Repository } from 'quadrille';
import { hostOf } from 'quadrille/host';
import { afterEach, describe, expect, test } from 'vitest';

const opened: Database[] = [];
afterEach(async () => {
  for (const db of opened.splice(0).reverse()) await db.close();
});

async function connect(memory: SharedMemory, options: SharedStorageOptions): Promise<Database> {
  const db = await open({ storage: new SharedStorage(new SharedMemoryDriver(memory), options) });
  opened.push(db);
  return db;
}

async function pair(
  options: SharedStorageOptions = {},
): Promise<{ writer: Database; follower: Database; memory: SharedMemory }> {
  const memory = new SharedMemory();
  const writer = await connect(memory, options);
  await writer.repository('acme/people', { create: true });
  return { writer, follower: await connect(memory, { follow: true }), memory };
}

const insert = (repo: Repository, name: string): Promise<unknown> =>
  repo.update(`INSERT DATA { <urn:${name}> <urn:p> "${name}" }`);
const names = async (repo: Pick<Repository, 'select'>): Promise<string[]> =>
  (await repo.select('SELECT ?o { ?s <urn:p> ?o } ORDER BY ?o', { values: 'js' }).toArray()).map((row) =>
    String(row['o']),
  );

describe('a database that follows', () => {
  test('shows commits after a refresh, and snapshots keep their revision', async () => {
    const { writer, follower } = await pair();
    const repo = await writer.repository('acme/people');
    const there = await follower.repository('acme/people');
    await insert(repo, 'a');
    await hostOf(follower).refresh();
    expect(await names(there)).toEqual(['a']);
    const before = there.at(await there.revision());
    await insert(repo, 'b');
    expect(await names(there)).toEqual(['a']);
    await hostOf(follower).refresh();
    expect(await names(there)).toEqual(['a', 'b']);
    expect(await names(before)).toEqual(['a']);
    expect(await there.revision()).toEqual(await repo.revision());
    await expect(insert(there, 'c')).rejects.toMatchObject({ code: 'READ_ONLY' });
  });

  test('commits of the same turn of the event loop share an entry of the log', async () => {
    const { writer } = await pair();
    const repo = await writer.repository('acme/people');
    await insert(repo, 'warm');
    const appends = (): number => writer.metrics().shared!.appends;
    const before = appends();
    for (let i = 0; i < 20; i++) {
      const later = new Promise((resolve) => setImmediate(() => resolve(insert(repo, `b${i}`))));
      await Promise.all([insert(repo, `a${i}`), later]);
    }
    // A pause of the process may part two of them.
    expect(appends() - before).toBeLessThan(30);
    expect((await names(repo)).length).toBe(41);
  });

  test('many refreshes at once show each commit once', async () => {
    const { writer, follower } = await pair();
    const repo = await writer.repository('acme/people');
    const there = await follower.repository('acme/people');
    const expected: string[] = [];
    for (let i = 0; i < 20; i++) {
      await insert(repo, `n${i + 10}`);
      expected.push(`n${i + 10}`);
      const early = hostOf(follower).refresh();
      await Promise.all([hostOf(follower).refresh(), early, hostOf(follower).refresh({ maxAgeMs: 0 })]);
      expect(await names(there)).toEqual(expected);
    }
  });

  test('sees repositories come and go', async () => {
    const { writer, follower } = await pair();
    const there = await follower.repository('acme/people');
    await writer.repository('acme/other', { create: true });
    await expect(follower.repository('acme/other')).rejects.toMatchObject({ code: 'REPOSITORY_NOT_FOUND' });
    await hostOf(follower).refresh();
    expect((await follower.repositories().toArray()).map(({ name }) => name)).toEqual(['acme/other', 'acme/people']);
    await insert(await follower.repository('acme/other'), 'x').catch(() => undefined);
    await writer.deleteRepository('acme/people');
    const again = await writer.repository('acme/people', { create: true });
    await insert(again, 'new');
    expect(await names(there)).toEqual([]);
    await hostOf(follower).refresh();
    await expect(there.size()).rejects.toMatchObject({ code: 'REPOSITORY_DELETED' });
    expect(await names(await follower.repository('acme/people'))).toEqual(['new']);
  });

  test('sees branches, prefixes, tags and settings', async () => {
    const { writer, follower } = await pair();
    const repo = await writer.repository('acme/people');
    const there = await follower.repository('acme/people');
    await insert(repo, 'a');
    await repo.branches.create('draft');
    const draft = await repo.branches.open('draft');
    await insert(draft, 'd');
    await repo.namespaces.set('ex', 'urn:ex:');
    await repo.tags.set('first', 'HEAD');
    await hostOf(follower).refresh();
    const draftThere = await there.branches.open('draft');
    expect(await names(draftThere)).toEqual(['a', 'd']);
    expect(await there.namespaces.get('ex')).toBe('urn:ex:');
    expect(await names(there.at('first'))).toEqual(['a']);
    await insert(draft, 'e');
    await insert(repo, 'b');
    await repo.namespaces.set('ex', 'urn:other:');
    await hostOf(follower).refresh();
    expect(await names(draftThere)).toEqual(['a', 'd', 'e']);
    expect(await names(there)).toEqual(['a', 'b']);
    expect(await there.namespaces.get('ex')).toBe('urn:other:');
    await repo.branches.rename('draft', 'final');
    await hostOf(follower).refresh();
    expect(await names(await there.branches.open('final'))).toEqual(['a', 'd', 'e']);
    await repo.branches.delete('final', { force: true });
    await hostOf(follower).refresh();
    await expect(there.branches.open('final')).rejects.toMatchObject({ code: 'BRANCH_NOT_FOUND' });
  });

  test('feeds tell of the commits of another process', async () => {
    const { writer, follower } = await pair();
    const there = await follower.repository('acme/people');
    const changes = there.watch()[Symbol.asyncIterator]();
    const next = changes.next();
    await insert(await writer.repository('acme/people'), 'a');
    const until = setInterval(() => void hostOf(follower).refresh(), 5);
    expect((await next).done).toBe(false);
    clearInterval(until);
    await changes.return?.();
  });

  test('at least a revision, and an age', async () => {
    const { writer, follower } = await pair();
    const repo = await writer.repository('acme/people');
    const there = await follower.repository('acme/people');
    await hostOf(follower).refresh();
    await insert(repo, 'a');
    const revision = await repo.revision();
    await hostOf(follower).refresh({ maxAgeMs: 60_000 });
    expect(await names(there)).toEqual([]);
    await hostOf(follower).refresh({ atLeast: { repository: 'acme/people', revision: revision.id } });
    expect(await names(there)).toEqual(['a']);
    const unknown = { repository: 'acme/people', revision: '0192e4a0-0000-7000-8000-000000000000' };
    await expect(hostOf(follower).refresh({ atLeast: unknown })).rejects.toMatchObject({ code: 'STALE_READ' });
  });

  test('a writer that another one has replaced learns it from a refresh', async () => {
    const memory = new SharedMemory();
    const one = await connect(memory, { yields: true });
    await one.repository('acme/people', { create: true });
    await hostOf(one).refresh();
    await connect(memory, { takesOver: true });
    await expect(hostOf(one).refresh()).rejects.toMatchObject({ code: 'LEASE_LOST' });
    await expect(insert(await one.repository('acme/people'), 'a')).rejects.toMatchObject({ code: 'LEASE_LOST' });
  });
});

const SEED = Number(process.env['QUADRILLE_SEED'] ?? 1);

test(`a random life of a store, seen by a follower (QUADRILLE_SEED=${SEED})`, { timeout: 60_000 }, async () => {
  const random = seededRandom(SEED);
  const pick = (count: number): number => Math.floor(random() * count);
  const { writer, follower } = await pair({ checkpointEntries: 20, graceMs: 3_600_000 });
  const repo = await writer.repository('acme/people');
  const there = await follower.repository('acme/people');
  await repo.branches.create('draft');
  const kept: { readonly view: Pick<Repository, 'select'>; readonly names: readonly string[] }[] = [];
  for (let step = 0; step < Number(process.env['QUADRILLE_STEPS'] ?? 120); step++) {
    const line = pick(3) === 0 ? await repo.branches.open('draft') : repo;
    const kind = pick(12);
    if (kind < 6) await insert(line, `n${pick(60)}`);
    else if (kind < 8) await line.update(`DELETE DATA { <urn:n${pick(60)}> <urn:p> "n${pick(60)}" }`);
    else if (kind === 8) await line.remove({});
    else if (kind === 9) await repo.maintenance.compact();
    else if (kind === 10)
      await line.load(
        { text: Array.from({ length: 400 }, (_, i) => `<urn:l${step}> <urn:q> "${i}" .`).join('\n') },
        { format: 'nt' },
      );
    else await line.branches.reset((await line.log({ limit: 3 }).toArray()).at(-1)!);
    if (pick(3) === 0) continue;
    await hostOf(follower).refresh();
    for (const [ours, theirs] of [
      [repo, there],
      [await repo.branches.open('draft'), await there.branches.open('draft')],
    ] as const) {
      expect(await theirs.revision()).toEqual(await ours.revision());
      const expected = await names(ours);
      expect(await names(theirs)).toEqual(expected);
      expect(await theirs.count()).toBe(await ours.count());
      kept.push({ view: theirs.at(await theirs.revision()), names: expected });
    }
    const old = kept[pick(kept.length)]!;
    expect(await names(old.view)).toEqual(old.names);
  }
  expect((await there.maintenance.verify()).problems).toEqual([]);
});

test('a cold point query takes at most six round trips, however many terms its answer has', async () => {
  const memory = new SharedMemory();
  const writer = await connect(memory, {});
  const repo = await writer.repository('acme/people', { create: true });
  const lines = Array.from({ length: 20_000 }, (_, i) => `<urn:s${i % 500}> <urn:p${i % 40}> <urn:o${i * 7}> .\n`);
  await repo.load(new TextEncoder().encode(lines.join('')), { format: 'application/n-triples' });
  await repo.maintenance.compact();
  for (const consistency of ['strong', 'fixed'] as const) {
    const follower = await connect(memory, { follow: true });
    const there = await follower.repository('acme/people');
    const before = follower.metrics().shared!.roundTrips;
    if (consistency === 'strong') await hostOf(follower).refresh();
    expect(await there.select('SELECT ?p ?o { <urn:s7> ?p ?o }').toArray()).toHaveLength(40);
    const trips = follower.metrics().shared!.roundTrips - before;
    expect(trips).toBeGreaterThan(consistency === 'strong' ? 2 : 1);
    expect(trips).toBeLessThanOrEqual(consistency === 'strong' ? 6 : 5);
  }
});
