/** Which revision a quad is from, where merges have brought it. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { iri, quad } from '@quadrille/model';
import { open } from '../index.js';
import type { BlameEntry, Database, Repository } from '../index.js';

let database: Database;
let made = 0;
beforeAll(async () => {
  database = await open(':memory:');
});
afterAll(() => database.close());

const fresh = (): Promise<Repository> => database.repository(`r${++made}`, { create: true });
const triple = (subject: string) => quad(iri(`urn:${subject}`), iri('urn:p'), iri('urn:o'));
const shown = ({ quad: { subject }, revision, merged, removed }: BlameEntry): string =>
  [
    subject.value.slice(4),
    revision.message ?? '-',
    ...(merged === undefined ? [] : [`by ${String(merged.message)}`]),
    ...(removed === undefined ? [] : [`until ${String(removed.message)}`]),
  ].join(' ');
const blame = async (repository: Pick<Repository, 'blame'>, options = {}): Promise<string[]> =>
  (await repository.blame({}, options).toArray()).map(shown).toSorted();

test('through merges, and merges of merges', async () => {
  const main = await fresh();
  await main.add([triple('a')], { message: 'first' });
  const dev = await main.branches.open('dev', { create: true });
  const top = await dev.branches.open('top', { create: true });
  await top.add([triple('t')], { message: 'on top' });
  await top.add([triple('gone')], { message: 'soon gone' });
  await dev.add([triple('d')], { message: 'on dev' });
  await dev.branches.merge('top', { message: 'top into dev' });
  await main.add([triple('m'), triple('both')], { message: 'on main' });
  await dev.add([triple('both')], { message: 'both on dev' });
  await main.branches.merge('dev', { message: 'dev into main' });
  await main.remove([triple('gone')], { message: 'clean' });
  const expected = ['a first', 'both on main', 'd on dev by dev into main', 'm on main', 't on top by dev into main'];
  expect(await blame(main)).toEqual(expected);
  const gone = 'gone soon gone by dev into main until clean';
  expect(await blame(main, { removed: true })).toEqual([...expected, gone].toSorted());
  expect(await blame(dev)).toContain('t on top by top into dev');
  expect(await blame(main, { at: 'dev' })).toEqual(await blame(dev));
  const rows = await main
    .select(
      `SELECT ?rev { GRAPH <urn:quadrille:blame> { ?r <http://www.w3.org/1999/02/22-rdf-syntax-ns#reifies>
        <<( <urn:t> <urn:p> <urn:o> )>> ; <http://www.w3.org/ns/prov#wasGeneratedBy> ?rev } }`,
    )
    .toArray();
  const { id } = await main.at('top~1').revision();
  expect(rows.map((row) => row['rev']!.value)).toEqual([`urn:quadrille:revision:${id}`]);
  await main.maintenance.compact();
  expect(await blame(main)).toEqual(expected);
});

test('a value that a merge itself has made is from the merge', async () => {
  const main = await fresh();
  await main.settings.set({ functional: ['urn:p'] });
  await main.add([quad(iri('urn:a'), iri('urn:p'), iri('urn:1'))], { message: 'first' });
  const dev = await main.branches.open('dev', { create: true });
  const change = (repository: Repository, value: string) =>
    repository.update(`DELETE { ?s ?p ?o } INSERT { ?s ?p <urn:${value}> } WHERE { ?s ?p ?o }`, { message: value });
  await change(main, '2');
  await change(dev, '3');
  await main.branches.merge('dev', { onConflict: () => [iri('urn:4')], message: 'decided' });
  expect(await blame(main)).toEqual(['a decided']);
  await change(dev, '5');
  await main.branches.merge('dev', { onConflict: 'theirs', message: 'again' });
  expect(await blame(main)).toEqual(['a 5 by again']);
});

test('of what a large load has taken over on the other branch, and of revisions taken over by a fast-forward', async () => {
  const main = await fresh();
  const dev = await main.branches.open('dev', { create: true });
  const many = (from: number, to: number): string =>
    Array.from({ length: to - from }, (_, i) => `<urn:s${String(from + i)}> <urn:p> <urn:o> .\n`).join('');
  const data = (text: string) => ({ text });
  await Promise.all([
    dev.load(data(many(0, 6000)), { format: 'ntriples', message: 'one' }),
    dev.load(data(many(3000, 9000)), { format: 'ntriples', message: 'two' }),
  ]);
  await main.add([triple('m')], { message: 'on main' });
  const before = new Map((await dev.blame().toArray()).map((entry) => [entry.quad.subject.value, entry]));
  await main.branches.merge('dev', { message: 'merge' });
  const after = await main.blame().toArray();
  expect(after).toHaveLength(9001);
  for (const entry of after)
    if (entry.revision.message !== 'on main') {
      expect(entry.revision).toEqual(before.get(entry.quad.subject.value)!.revision);
      expect(entry.merged?.message).toBe('merge');
    }
  const next = await main.branches.open('next', { create: true });
  await next.add([triple('n')], { message: 'on next' });
  await next.branches.merge('dev', { strategy: 'ours' });
  await main.branches.merge('next', { fastForward: true });
  expect(await blame(main)).toEqual(await blame(next));
});

test('subjects with few and with many quads, of which some were merged', async () => {
  const main = await fresh();
  const of = (subject: string, n: number, predicate = 'p') =>
    quad(iri(`urn:${subject}`), iri(`urn:${predicate}`), iri(`urn:o${n}`));
  const some = (subject: string, count: number, from = 0) =>
    Array.from({ length: count }, (_, n) => of(subject, from + n, `p${n % 3}`));
  await main.add([...some('few', 3), ...some('many', 90)], { message: 'first' });
  const dev = await main.branches.open('dev', { create: true });
  await dev.add([...some('few', 3, 10), ...some('many', 90, 100), ...some('only', 5)], { message: 'on dev' });
  await main.add(some('few', 2, 20), { message: 'on main' });
  await main.branches.merge('dev', { message: 'merge' });
  const counts = new Map<string, number>();
  for await (const entry of main.blame({})) {
    const key = shown(entry);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  expect(Object.fromEntries(counts)).toEqual({
    'few first': 3,
    'few on dev by merge': 3,
    'few on main': 2,
    'many first': 90,
    'many on dev by merge': 90,
    'only on dev by merge': 5,
  });
  // What was kept of the other side is not used after its history was trimmed.
  await dev.add(some('few', 1, 30), { message: 'later' });
  await dev.maintenance.trim({ last: 1 });
  for await (const { quad: found, merged } of main.blame({ subject: iri('urn:only') }))
    expect([found.subject.value, merged?.message]).toEqual(['urn:only', 'merge']);
});
