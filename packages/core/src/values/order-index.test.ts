/** What the index of order finds is what a look at all literals finds. */
import { iri, literal, quad, XSD } from '@quadrille/model';
import { Family, familyOf, orderKey, type FamilyNumber } from '@quadrille/model/order-key';
import { MemoryDriver, StorageEngine } from '@quadrille/storage';
import { expect, test } from 'vitest';
import { Tag } from '../format/layout.js';
import { platformEnv } from '../runtime/env.js';
import type { Snapshot } from '../read/snapshot.js';
import { Store } from '../store.js';
import { Random } from '../testing/random.js';
import type { KeyRange } from './order-index.js';

const utf8 = new TextEncoder();
const keyOf = (text: string, datatype: string): [number, number] => {
  const family = familyOf(utf8.encode(`"${text}"^^<${XSD}${datatype}>`));
  return [family, family === -1 ? 0 : orderKey];
};

test.each([
  ['2001-10-26T21:32:52Z', 'dateTime', Family.zonedDateTimes, Date.UTC(2001, 9, 26, 21, 32, 52)],
  ['2001-10-26T21:32:52.125+02:00', 'dateTime', Family.zonedDateTimes, Date.UTC(2001, 9, 26, 19, 32, 52, 125)],
  ['2001-10-26T21:32:52-14:00', 'dateTimeStamp', Family.zonedDateTimes, Date.UTC(2001, 9, 27, 11, 32, 52)],
  ['2000-02-29T00:00:00', 'dateTime', Family.localDateTimes, Date.UTC(2000, 1, 29)],
  ['1900-02-28', 'date', Family.localDates, Date.UTC(1900, 1, 28)],
  ['1900-02-28+01:00', 'date', Family.zonedDates, Date.UTC(1900, 1, 28) - 3_600_000],
  ['-1.50e3', 'double', Family.numbers, -1500],
  ['0.1', 'float', Family.numbers, Math.fround(0.1)],
  ['123456789012345678901', 'integer', Family.numbers, 123_456_789_012_345_680_000],
  ['-0.0E0', 'double', Family.numbers, 0],
  ['255', 'unsignedByte', Family.numbers, 255],
])('%s of %s', (text, datatype, family, key) => {
  expect(keyOf(text, datatype)).toEqual([family, key]);
});

// Whoever asks looks at them: they have no value, or one that the usual forms do not have.
test.each([
  ['2001-02-29T21:32:52Z', 'dateTime'],
  ['1900-02-29', 'date'],
  ['2001-10-26T24:00:00Z', 'dateTime'],
  ['-0044-03-15T00:00:00Z', 'dateTime'],
  ['12001-10-26T21:32:52', 'dateTime'],
  ['2001-10-26T21:32:52', 'dateTimeStamp'],
  ['2001-10-26T21:32:52.Z', 'dateTime'],
  ['2001-10-26T21:32:52+15:00', 'dateTime'],
  ['2001-10-26T21:32:5', 'dateTime'],
  ['', 'dateTime'],
  ['2001-10', 'date'],
  ['256', 'unsignedByte'],
  ['1e3', 'decimal'],
  ['1.5', 'integer'],
  ['.5', 'decimal'],
  ['NaN', 'double'],
  ['INF', 'double'],
  ['1e400', 'double'],
  ['', 'double'],
])('%s of %s is of no usual form', (text, datatype) => {
  expect(keyOf(text, datatype)[0]).toBe(Family.others);
});

test('a term without an order', () => {
  for (const term of [
    '"a"',
    '"2001"@en',
    '<http://www.w3.org/2001/XMLSchema#date>',
    `"2001"^^<${XSD}gYear>`,
    '_:b',
    '',
  ])
    expect([term, familyOf(utf8.encode(term))]).toEqual([term, -1]);
});

function someLiteral(random: Random) {
  const number = (random.below(2001) - 1000) / (random.below(2) === 0 ? 1 : 8);
  switch (random.below(7)) {
    case 0:
      return literal(new Date(1e12 + random.below(1e6) * 1000).toISOString(), iri(`${XSD}dateTime`));
    case 1:
      return literal(new Date(1e12 + random.below(1e6) * 1000).toISOString().slice(0, 19), iri(`${XSD}dateTime`));
    case 2:
      return literal(`2020-0${1 + random.below(9)}-1${random.below(10)}+0${random.below(10)}:00`, iri(`${XSD}date`));
    case 3:
      return literal(String(random.below(9)), iri(`${XSD}${['int', 'byte', 'positiveInteger'][random.below(3)]}`));
    case 4:
      return literal(['NaN', 'INF', 'wrong', '1.'][random.below(4)]!, iri(`${XSD}double`));
    default:
      return literal(`${number}e${random.below(5) - 2}`, iri(`${XSD}double`));
  }
}

const FAMILIES = Object.values(Family);
const EVERYTHING = { least: -Infinity, greatest: Infinity };

/** All literals with their keys, by a look at each term. */
function scanned({ timeline: { dictionary }, record }: Snapshot): { id: number; family: number; key: number }[] {
  const found: { id: number; family: number; key: number }[] = [];
  for (let id = 2; id < record.termMark; id++) {
    const term = dictionary.tryEntryIfAny(id);
    const family = term ? familyOf(term) : -1;
    if (family !== -1) found.push({ id, family, key: orderKey });
  }
  return found;
}

async function compare(snapshot: Snapshot, random: Random): Promise<void> {
  const all = scanned(snapshot);
  const family = FAMILIES[random.below(FAMILIES.length)] as FamilyNumber;
  const own = all.filter((each) => each.family === family).sort((a, b) => a.key - b.key || a.id - b.id);
  const some = (): number => own[random.below(own.length)]?.key ?? 0;
  const [a, b] = [some(), some()];
  const range: KeyRange =
    random.below(4) === 0 ? { family, ...EVERYTHING } : { family, least: Math.min(a, b), greatest: Math.max(a, b) };
  const expected = own.filter(({ key }) => key >= range.least && key <= range.greatest);
  const found = (await snapshot.keysBetween(range))!;
  const known = [...found.ids].map((id, i) => ({ id, key: found.keys[i]! }));
  known.sort((x, y) => x.key - y.key || x.id - y.id);
  expect(known).toEqual(expected.map(({ id, key }) => ({ id, key })));
  // Literals of later revisions count, too.
  const isNewest = snapshot.record.termMark === snapshot.timeline.dictionary.settled;
  const count = (await snapshot.countKeys(range))!;
  expect(isNewest ? count : Math.min(count, known.length)).toBe(known.length);
  const rows = 1 + random.below(20);
  const descending = random.below(2) === 0;
  const end = await snapshot.stepKeys(range, rows, descending);
  if (end === null || end === undefined) return expect(end).toBe(null);
  expect(end).toBeGreaterThanOrEqual(range.least);
  expect(end).toBeLessThanOrEqual(range.greatest);
  const part = known.filter(({ key }) => (descending ? key >= end : key <= end));
  if (isNewest) expect(part.length).toBeGreaterThanOrEqual(rows);
}

test.each([1, 2, 3])('at every revision, with loads, compactions, erasures and reopenings (seed %i)', async (seed) => {
  const random = new Random(seed);
  const driver = new MemoryDriver();
  const tuning = { tailTerms: 64, loadTailTerms: 16, tierRuns: 3, memtableRows: 200 };
  const open = async () => {
    const store = await Store.open(await StorageEngine.open(driver), { env: platformEnv(), tuning });
    return { store, repository: await store.repository('a/r', true) };
  };
  let { store, repository } = await open();
  for (let step = 0; step < 60; step++) {
    const count = 1 + random.below(random.below(4) === 0 ? 150 : 10);
    const quads = Array.from({ length: count }, () =>
      quad(iri(`http://e/${random.below(50)}`), iri('http://e/value'), someLiteral(random)),
    );
    await repository.commit(quads, []);
    const kind = random.below(14);
    if (kind === 0) await repository.maintenance.compact();
    if (kind === 1) await repository.maintenance.rebuild();
    if (kind === 2) {
      await store.close();
      ({ store, repository } = await open());
    }
    const { number } = repository.head;
    const snapshot = await repository.snapshotAt(random.below(2) === 0 ? number : 1 + random.below(number));
    const range = { family: Family.numbers, ...EVERYTHING };
    if ((await snapshot.keysBetween(range)) !== undefined) for (let i = 0; i < 5; i++) await compare(snapshot, random);
    snapshot.close();
  }
  await repository.maintenance.compact();
  expect(repository.handle.timeline.dictionary.orderIndex).toBeDefined();
  const last = repository.snapshot();
  for (let i = 0; i < 40; i++) await compare(last, random);
  last.close();
  const { problems, checked } = await store.verify();
  expect(problems).toEqual([]);
  expect(checked['values']).toBeGreaterThan(100);
  await store.close();
});

test('a damaged index answers nothing, verification names it, and rebuild makes it again', async () => {
  const driver = new MemoryDriver();
  const tuning = { tailTerms: 64, loadTailTerms: 16, tierRuns: 3, memtableRows: 200 };
  const open = async () => {
    const store = await Store.open(await StorageEngine.open(driver), { env: platformEnv(), tuning });
    return { store, repository: await store.repository('a/r', true) };
  };
  let { store, repository } = await open();
  const random = new Random(5);
  const quads = Array.from({ length: 400 }, (_, i) =>
    quad(iri(`http://e/${i}`), iri('http://e/v'), someLiteral(random)),
  );
  await repository.commit(quads, []);
  await repository.maintenance.compact();
  const { keyspace } = repository.handle.timeline;
  const pages: Uint8Array[] = [];
  for await (const entries of keyspace.range(keyspace.tagRange(Tag.orderPart), { read: 'keys' }))
    pages.push(...entries.map(({ key }) => key));
  await store.close();
  // The first one has literals.
  const [page] = await driver.getMany([pages[0]!]);
  const changed = page!.slice();
  changed[changed.length - 1]! ^= 1;
  await driver.write([{ type: 'put', key: pages[0]!, value: changed }], { durable: false });
  ({ store, repository } = await open());
  const range = { family: Family.numbers, ...EVERYTHING };
  let snapshot = repository.snapshot();
  expect(await snapshot.keysBetween(range)).toBeUndefined();
  expect(await snapshot.countKeys(range)).toBeUndefined();
  snapshot.close();
  expect((await store.verify()).problems).not.toEqual([]);
  await repository.maintenance.rebuild();
  // It is made in the background, or now.
  await repository.maintenance.compact();
  expect((await store.verify()).problems).toEqual([]);
  snapshot = repository.snapshot();
  expect((await snapshot.keysBetween(range))!.ids.length).toBeGreaterThan(50);
  snapshot.close();
  await store.close();
});

test('verification finds a bit of a literal that has a key, or has none', async () => {
  const tuning = { tailTerms: 64, loadTailTerms: 16, tierRuns: 3, memtableRows: 200 };
  const store = await Store.open(await StorageEngine.open(new MemoryDriver()), { env: platformEnv(), tuning });
  const repository = await store.repository('a/r', true);
  const random = new Random(6);
  await repository.commit(
    Array.from({ length: 200 }, (_, i) => quad(iri(`http://e/${i}`), iri('http://e/v'), someLiteral(random))),
    [],
  );
  await repository.maintenance.compact();
  const { keyspace } = repository.handle.timeline;
  const keys: Uint8Array[] = [];
  for await (const entries of keyspace.range(keyspace.tagRange(Tag.orderPart), { read: 'keys' }))
    keys.push(...entries.map(({ key }) => key));
  const key = keys.at(-1)!;
  const bits = (await keyspace.getKey(key))!.slice();
  bits[10]! ^= 4;
  await keyspace.write([{ type: 'put', key, value: bits }]);
  // What was read before is in memory.
  repository.handle.timeline.dictionary.orderIndex = undefined;
  const { problems } = await store.verify();
  expect(problems.map(({ code, where }) => [code, where])).toEqual([
    ['INDEX_DISAGREES', expect.stringContaining('index of order')],
  ]);
  await store.close();
});
