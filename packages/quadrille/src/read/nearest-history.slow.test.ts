/** vec:nearest finds what a scan finds, at all revisions and branches of random histories. */
import { join } from 'node:path';
import { iri, literal, quad, type QuadrilleError } from '@quadrille/model';
import { expect, test } from 'vitest';
import { Random } from '../testing/random.js';
import { open, type Repository } from '../index.js';
import { directory } from '../testing/fixtures.js';

const DIMENSION = 12;
const NEAREST = 7;
const SENSE = iri('urn:sense');
const KIND = iri('urn:kind');
const FLOAT32 = iri('urn:quadrille:vector#float32');
const SETTING = { vectors: { sense: { property: SENSE.value, dimension: DIMENSION } } };

class RandomVectors extends Random {
  // Of few directions, so that the same ones come again, and of many.
  vector(): Float32Array {
    const next = this.below(2) === 0 ? () => this.below(2) || 0.25 : () => this.next() - 0.5;
    return Float32Array.from({ length: DIMENSION }, next);
  }
}

const literalOf = (numbers: Float32Array) => literal(Buffer.from(numbers.buffer).toString('base64'), FLOAT32);
const numbersOf = (text: string) => new Float32Array(new Uint8Array(Buffer.from(text, 'base64')).buffer);
const graphOf = (random: RandomVectors) => (random.below(4) === 0 ? iri('urn:g') : undefined);

const someQuads = (random: RandomVectors, count: number) =>
  Array.from({ length: count }, () => {
    const subject = iri(`urn:s${String(random.below(40))}`);
    if (random.below(4) === 0) return quad(subject, KIND, iri(`urn:k${String(random.below(3))}`));
    return quad(subject, SENSE, literalOf(random.vector()), graphOf(random));
  });

function cosine(x: Float32Array, y: Float32Array): number {
  const product = (a: Float32Array, b: Float32Array): number => a.reduce((sum, number, i) => sum + number * b[i]!, 0);
  return product(x, y) / Math.sqrt(product(x, x) * product(y, y));
}

type View = Pick<Repository, 'select'>;

async function compare(view: View, random: RandomVectors, where: string): Promise<void> {
  const asked = random.vector();
  const before = random.of(['', '?s <urn:kind> <urn:k1> .', 'VALUES ?s { <urn:s1> <urn:s2> <urn:s3> }']);
  const [start, end] = random.of([
    ['', ''],
    ['GRAPH <urn:g> {', '}'],
    ['GRAPH ?g {', '}'],
  ] as const);
  const { value } = literalOf(asked);
  const nearest = `?s ?score { ${start} ${before} (?s ?score) <urn:quadrille:vector#nearest> ("sense" "${value}"^^<${FLOAT32.value}> ${String(NEAREST)}) ${end} }`;
  const found = await view.select(`SELECT ${nearest}`).toArray();
  const scan = `SELECT ?s ?v { ${start} ${before} ?s <${SENSE.value}> ?v ${end} }`;
  const all = (await view.select(scan).toArray())
    .map(({ s, v }) => ({ s: s!.value, score: cosine(asked, numbersOf(v!.value)) }))
    .sort((x, y) => y.score - x.score);
  expect(found.length, `${where}: ${scan}`).toBe(Math.min(NEAREST, all.length));
  for (const [i, { s, score }] of found.entries()) {
    expect(Number(score!.value), `${where}: ${scan}`).toBeCloseTo(all[i]!.score, 5);
    expect(all.some((each) => each.s === s!.value && Math.abs(each.score - Number(score!.value)) < 1e-5)).toBe(true);
  }
}

type Change = (repo: Repository, branch: Repository, random: RandomVectors) => Promise<unknown>;

const CHANGES: readonly (readonly [number, Change])[] = [
  [12, (_, branch, random) => branch.add(someQuads(random, 1 + random.below(30)))],
  [
    3,
    async (_, branch, random) => {
      const all = await branch.quads({ predicate: SENSE }).toArray();
      return branch.remove(all.filter(() => random.below(5) === 0));
    },
  ],
  [2, (repo, _, random) => repo.branches.create(`b${String(random.below(100))}`, { from: 'HEAD' })],
  [2, async (_, branch) => branch.revert((await branch.revision()).number)],
  [
    2,
    async (repo, _, random) => {
      const names = (await repo.branches.list().toArray()).map(({ name }) => name).filter((name) => name !== 'main');
      if (names.length > 0) await repo.branches.merge(random.of(names), { strategy: 'theirs' });
    },
  ],
  [1, async (repo) => repo.maintenance.trim({ to: Math.max(1, (await repo.revision()).number - 5) })],
  [
    2,
    async (repo, branch, random) => {
      const all = await branch.quads({ predicate: SENSE }).toArray();
      const quads = all.filter(() => random.below(10) === 0).slice(0, 5);
      return repo.maintenance.erase({ quads }, { reason: 'not ours' });
    },
  ],
  [1, (repo) => repo.maintenance.compact()],
  [1, (repo) => repo.maintenance.rebuild()],
  [1, (repo) => repo.settings.set({ search: null })],
];

/** What a random history may ask for in vain. */
const REFUSED = /_NOT_FOUND$|_CONFLICT$|^ALREADY_EXISTS$|^NOTHING_TO_ERASE$|^REVISION_TRIMMED$|^BRANCH_/;

async function ignored(work: Promise<unknown>): Promise<void> {
  await work.catch((error: QuadrilleError) => {
    if (!REFUSED.test(error.code)) throw error;
  });
}

test.each([
  ['memory', 1],
  ['memory', 2],
  ['directory', 3],
])('in %s (seed %i)', { timeout: 120_000 }, async (place, seed) => {
  const random = new RandomVectors(seed);
  const path = place === 'memory' ? ':memory:' : join(await directory(), 'store');
  let db = await open(path, { durability: 'process' });
  let repo = await db.repository('a/r', { create: true });
  const weighted = CHANGES.flatMap(([weight, change]) => Array.from({ length: weight }, () => change));
  const done = new Set<Change>();
  for (let step = 0; step < 100; step++) {
    if ((await repo.settings.get()).search === undefined) await repo.settings.set({ search: SETTING });
    const names = (await repo.branches.list().toArray()).map(({ name }) => name);
    const branch = await repo.branches.open(random.of(names));
    const change = random.of(weighted);
    await ignored(change(repo, branch, random).then(() => done.add(change)));
    if (random.below(25) === 0 && place === 'directory') {
      await db.close();
      db = await open(path, { durability: 'process' });
      repo = await db.repository('a/r');
      continue;
    }
    if ((await repo.settings.get()).search === undefined) await repo.settings.set({ search: SETTING });
    const { number } = await branch.revision();
    const at = random.below(2) === 0 ? number : 1 + random.below(number);
    await ignored(compare(branch.at(at), random, `step ${String(step)}, ${branch.name} at ${String(at)}`));
  }
  // A trim may come too early.
  expect(done.size).toBeGreaterThanOrEqual(CHANGES.length - 1);
  expect((await db.verify()).problems).toEqual([]);
  await db.close();
});
