/** Vectors that a function makes of texts: at all revisions and lines a question finds what a scan of the texts finds. */
import { iri, literal, quad } from '@quadrille/model';
import { MemoryDriver, StorageEngine } from '@quadrille/storage';
import type * as RDF from '@rdfjs/types';
import { expect, test } from 'vitest';
import { Tag } from '../format/layout.js';
import type { Snapshot } from '../read/snapshot.js';
import type { Repository } from '../repository.js';
import { platformEnv } from '../runtime/env.js';
import { Store } from '../store.js';
import { Random } from '../testing/random.js';
import { cosineOf, vectorLiteral } from '../testing/vectors.js';
import type { EmbedTexts } from './embed-new.js';
import { VECTOR_DATATYPE } from '../vectors/vector-text.js';

const DIMENSION = 16;
const LABEL = 'http://e/label';
const OTHER = 'http://e/other';
const SETTING = { vectors: { sense: { property: LABEL, dimension: DIMENSION, embed: true as const } } };

/** Of equal texts the same one. */
function vectorOf(text: string): Float32Array {
  const random = new Random([...text].reduce((sum, letter) => (sum * 31 + letter.codePointAt(0)!) % 1_000_003, 7));
  return Float32Array.from({ length: DIMENSION }, () => random.next() - 0.5);
}

const ofAll: EmbedTexts = (texts) => texts.map(vectorOf);
const isHidden = (text: string): boolean => text.startsWith('hidden');

const open = async (driver: MemoryDriver, vectorBytes = 1 << 20) => {
  const tuning = { tailTerms: 64, loadTailTerms: 16, tierRuns: 3, memtableRows: 200, vectorBytes };
  const store = await Store.open(await StorageEngine.open(driver), { env: platformEnv(), tuning });
  return { store, repository: await store.repository('a/r', true) };
};

/** The texts that had the property, by their ids. */
class Known {
  readonly #ids = new Set<number>();

  async note({ handle: { timeline } }: Repository, quads: readonly RDF.Quad[]): Promise<void> {
    for (const { predicate, object } of quads)
      if (predicate.value === LABEL && object.termType === 'Literal')
        this.#ids.add(await timeline.encoder.encode(object));
  }

  /** What a snapshot has of them. */
  async in({ timeline: { dictionary, decoder }, record }: Snapshot): Promise<Map<number, Float32Array>> {
    const found = new Map<number, Float32Array>();
    for (const id of [...this.#ids].sort((x, y) => x - y)) {
      const entry = id < record.termMark ? dictionary.tryEntryIfAny(id) : null;
      if (!entry || entry.length === 0) continue;
      const term = (await decoder.decode(id)) as RDF.Literal;
      if (term.datatype.value.endsWith('tring') && !isHidden(term.value)) found.set(id, vectorOf(term.value));
    }
    return found;
  }
}

async function nearest(snapshot: Snapshot, asked: Float32Array, among?: readonly number[]) {
  const { vectors, property } = await snapshot.nearest({
    name: 'sense',
    vector: vectorLiteral(asked).value,
    datatype: VECTOR_DATATYPE,
    among: among && (() => Promise.resolve(Uint32Array.from(among))),
  });
  expect(property).toBe(LABEL);
  const found: { id: number; score: number }[] = [];
  for (let near = await vectors.next(); near !== undefined; near = await vectors.next()) found.push(near);
  return found;
}

async function compare(snapshot: Snapshot, known: Known, random: Random): Promise<number> {
  const all = await known.in(snapshot);
  const asked = vectorOf(`asked ${random.below(1000)}`);
  const among = random.below(3) === 0 ? [...all.keys()].filter(() => random.below(2) === 0) : undefined;
  const expected = [...all]
    .filter(([id]) => among?.includes(id) !== false)
    .map(([id, numbers]) => ({ id, score: cosineOf(asked, numbers) }))
    .sort((x, y) => y.score - x.score || x.id - y.id);
  const found = await nearest(snapshot, asked, among);
  const where = `at ${snapshot.number}`;
  expect(found.map(({ id }) => id).toSorted(), where).toEqual(expected.map(({ id }) => id).toSorted());
  for (const [i, { id, score }] of found.entries()) {
    expect(score, where).toBeCloseTo(expected[i]!.score, 6);
    expect(score, where).toBeCloseTo(cosineOf(asked, all.get(id)!), 6);
  }
  return found.length;
}

function someQuads(random: Random): RDF.Quad[] {
  const object = (): RDF.Literal => {
    // Some come first with another property, and some again after they were gone.
    const text = `${random.of(['', '', 'hidden '])}${random.of(['sun', 'moon', 'élan', '🪐'])} ${random.below(120)}`;
    return random.of([
      literal(text),
      literal(text, 'en'),
      literal(String(random.below(9000)), iri('http://www.w3.org/2001/XMLSchema#integer')),
      vectorLiteral(vectorOf(text)),
    ]);
  };
  return Array.from({ length: 1 + random.below(random.below(6) === 0 ? 90 : 8) }, () =>
    quad(iri(`http://e/${random.below(50)}`), iri(random.of([LABEL, LABEL, OTHER])), object()),
  );
}

async function branch(main: Repository, name: string): Promise<Repository> {
  const record = await main.resolve('HEAD');
  await (await main.branches()).create(name, { keyspace: main.handle.keyspace, record });
  return (await main.lines()).branch(name);
}

test.each([
  [1, 1 << 20],
  [2, 1 << 20],
  [3, 0],
])('histories with branches, failures, erasures, trims and reopenings (seed %i)', async (seed, vectorBytes) => {
  const random = new Random(seed);
  const driver = new MemoryDriver();
  let { store, repository } = await open(driver, vectorBytes);
  await repository.changeSettings((before) => ({ ...before, search: SETTING }));
  const known = new Known();
  let line = repository;
  const names: string[] = [];
  let found = 0;
  let calls = 0;
  const embed: EmbedTexts = async (texts) => {
    if (++calls % 7 === 3) throw new Error('the model is away');
    return texts.map((text) => (isHidden(text) ? undefined : vectorOf(text)));
  };
  const allOf = async (one: Repository): Promise<void> => {
    for (let isDone = false; !isDone;)
      isDone = await one
        .embedNew(embed, () => false)
        .then(
          () => true,
          (error: Error) => {
            expect(error.message).toBe('the model is away');
            return false;
          },
        );
  };
  const all = async (): Promise<void> => {
    await allOf(repository);
    for (const name of names) await allOf(await (await repository.lines()).branch(name));
  };
  for (let step = 0; step < 70; step++) {
    const quads = someQuads(random);
    await line.commit(quads, []);
    await known.note(line, quads);
    switch (random.below(16)) {
      case 0:
        await line.maintenance.compact();
        break;
      case 1:
        await store.close();
        ({ store, repository } = await open(driver, vectorBytes));
        line = repository;
        break;
      case 2:
        await line.maintenance.rebuild();
        break;
      case 3:
        await all();
        await repository.maintenance.erase({
          target: { quads: quads.slice(0, 2) },
          message: () => 'gone',
          attest: async () => new Map(),
        });
        break;
      case 4:
        if (random.below(2) === 0) line = repository;
        else line = await branch(repository, names[names.push(`b${names.length}`) - 1]!);
        break;
      case 5:
        await line.commit([], quads);
        break;
      case 6:
        await all();
        await repository.maintenance.trim({
          last: 3 + random.below(5),
          deleteHistory: true,
          dryRun: false,
          attest: async () => new Map(),
        });
        break;
      default:
    }
    if (random.below(3) > 0) continue;
    await all();
    expect(await line.searchProgress()).toBe(1);
    const snapshot = await line.snapshotAt(Math.max(1, line.head.number - random.below(2)));
    found += await compare(snapshot, known, random);
    snapshot.close();
  }
  expect(found).toBeGreaterThan(200);
  await all();
  await repository.maintenance.compact();
  const { problems, checked } = await repository.maintenance.verify();
  expect(problems).toEqual([]);
  expect(checked['vectors']).toBeGreaterThan(30);
  await store.close();
});

test('texts of earlier revisions get theirs when a function comes', async () => {
  const { store, repository } = await open(new MemoryDriver());
  const labelled = (text: string) => quad(iri('http://e/1'), iri(LABEL), literal(text));
  await repository.commit([labelled('sun')], []);
  const { number } = repository.head;
  await repository.commit([labelled('moon')], [labelled('sun')]);
  await repository.changeSettings((before) => ({ ...before, search: SETTING }));
  expect(await repository.searchProgress()).toBe(0);
  const before = repository.snapshot();
  expect(await nearest(before, vectorOf('sun'))).toEqual([]);
  await repository.embedNew(ofAll, () => false);
  expect(await repository.searchProgress()).toBe(1);
  expect((await nearest(before, vectorOf('sun')))[0]!.score).toBeCloseTo(1, 6);
  before.close();
  const first = await repository.snapshotAt(number);
  expect(await nearest(first, vectorOf('moon'))).toHaveLength(1);
  first.close();
  await store.close();
});

test('what is no vector is refused, and what was stored before stays', async () => {
  const { store, repository } = await open(new MemoryDriver());
  await repository.changeSettings((before) => ({ ...before, search: SETTING }));
  const quads = Array.from({ length: 100 }, (_, i) => quad(iri(`http://e/${i}`), iri(LABEL), literal(`text ${i}`)));
  await repository.commit(quads, []);
  for (const wrong of [
    (text: string) => vectorOf(text).slice(1),
    () => new Float32Array(DIMENSION),
    () => Float32Array.from({ length: DIMENSION }, () => NaN),
  ]) {
    const embed: EmbedTexts = (texts) => texts.map((text) => (text === 'text 90' ? wrong(text) : vectorOf(text)));
    await expect(repository.embedNew(embed, () => false)).rejects.toMatchObject({ code: 'INVALID_VECTOR' });
  }
  await expect(
    repository.embedNew(
      () => [],
      () => false,
    ),
  ).rejects.toMatchObject({ code: 'INVALID_VECTOR' });
  const snapshot = repository.snapshot();
  expect((await nearest(snapshot, vectorOf('text 0'))).length).toBe(64);
  snapshot.close();
  await store.close();
});

test('another property or dimension begins anew, and compaction deletes what nobody asks for', async () => {
  const { store, repository } = await open(new MemoryDriver());
  const set = async (search: object | undefined): Promise<void> =>
    void (await repository.changeSettings((before) => ({ ...before, search })));
  const stored = async (): Promise<number> => {
    const { keyspace } = repository.handle;
    let count = 0;
    for await (const entries of keyspace.range(keyspace.tagRange(Tag.embedding), { read: 'keys' }))
      count += entries.length;
    return count;
  };
  await set(SETTING);
  await repository.commit([quad(iri('http://e/1'), iri(LABEL), literal('sun'))], []);
  await repository.commit(
    [quad(iri('http://e/1'), iri(OTHER), literal('moon')), quad(iri('http://e/1'), iri(OTHER), literal('star'))],
    [],
  );
  await repository.embedNew(ofAll, () => false);
  expect(await stored()).toBe(2);
  await set({ vectors: { sense: { property: OTHER, dimension: DIMENSION, embed: true } } });
  await repository.embedNew(ofAll, () => false);
  expect(await stored()).toBe(3);
  await set({ vectors: { other: { property: OTHER, dimension: DIMENSION } } });
  await repository.maintenance.compact();
  expect(await stored()).toBe(1);
  await set(undefined);
  await repository.maintenance.compact();
  expect(await stored()).toBe(0);
  await store.close();
});

test('verification names damage, and rebuild deletes it, so that the text has its vector again', async () => {
  const { store, repository } = await open(new MemoryDriver());
  await repository.changeSettings((before) => ({ ...before, search: SETTING }));
  await repository.commit([quad(iri('http://e/1'), iri(LABEL), literal('sun'))], []);
  await repository.embedNew(ofAll, () => false);
  const { keyspace, timeline } = repository.handle;
  const id = await timeline.encoder.encode(literal('sun'));
  await keyspace.write([{ type: 'put', key: keyspace.key(Tag.embedding, 0, id), value: new Uint8Array(12) }]);
  expect((await repository.maintenance.verify()).problems).toMatchObject([{ code: 'INDEX_DISAGREES' }]);
  await repository.maintenance.rebuild();
  expect((await repository.maintenance.verify()).problems).toEqual([]);
  await repository.embedNew(ofAll, () => false);
  const snapshot = repository.snapshot();
  expect((await nearest(snapshot, vectorOf('sun')))[0]!.score).toBeCloseTo(1, 6);
  snapshot.close();
  await store.close();
});
