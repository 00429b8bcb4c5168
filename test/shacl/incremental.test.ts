/**
 * Random commits against random shapes: a commit is taken if and only if a validation of all data after it finds no violation. The guard
 * looks at what the commit affects alone. QUADRILLE_SEED repeats a run.
 */
import { termToNTriples } from '@quadrille/model';
import type * as RDF from '@rdfjs/types';
import { asStore, defaultGraph, open, quad, type Repository, type ShapesError } from 'quadrille';
import { validateDataset } from 'quadrille/shacl';
import { afterAll, expect, test } from 'vitest';
import { ex, RandomShapes, SEED, textOf } from './random-shapes.js';

const SHAPES = ex('shapes');
const key = (one: RDF.Quad): string =>
  termToNTriples(one.subject) + termToNTriples(one.predicate) + termToNTriples(one.object);

const counts = { taken: 0, refused: 0 };
const db = await open(':memory:');
afterAll(async () => {
  await db.close();
  console.log(`QUADRILLE_SEED=${SEED}: ${counts.taken} commits taken, ${counts.refused} refused`);
});

class Model {
  data = new Map<string, RDF.Quad>();

  constructor(
    private readonly repository: Repository,
    private readonly random: RandomShapes,
    private readonly shapes: readonly RDF.Quad[],
  ) {}

  async commit(): Promise<void> {
    const { random } = this;
    const after = new Map(this.data);
    const removed: RDF.Quad[] = [];
    const added: RDF.Quad[] = [];
    for (let i = random.int(4); i > 0 && after.size > 0; i--) {
      const gone = random.pick([...after.values()]);
      after.delete(key(gone));
      removed.push(gone);
    }
    for (let i = 1 + random.int(5); i > 0; i--) {
      const one = random.triple();
      after.set(key(one), one);
      added.push(one);
    }
    const { conforms } = await validateDataset(after.values(), this.shapes);
    const error = await this.repository
      .transaction(async (tx) => {
        await tx.remove(removed);
        await tx.add(added);
        if (random.int(2) === 0) expect(await tx.size()).toBe(after.size + this.shapes.length);
      })
      .then(
        () => undefined,
        (thrown: unknown) => thrown as ShapesError,
      );
    const told = `${textOf(this.shapes)}\n# before\n${textOf(this.data.values())}\n# removed\n${textOf(removed)}\n# added\n${textOf(added)}`;
    expect(error?.code ?? error, `QUADRILLE_SEED=${SEED}\n${told}`).toBe(conforms ? undefined : 'SHAPES_VIOLATED');
    if (conforms) this.data = after;
    const stored = await asStore(this.repository).toDataset({ graph: defaultGraph() });
    expect(
      textOf(stored as never)
        .split('\n')
        .sort(),
      told,
    ).toEqual(textOf(this.data.values()).split('\n').sort());
    counts[conforms ? 'taken' : 'refused']++;
  }
}

/** The first ones have SHACL Core alone. */
const CORE = 30;

test.each(Array.from({ length: 90 }, (_, i) => i))(`sequence %i (QUADRILLE_SEED=${SEED})`, async (index) => {
  const random = new RandomShapes(index, { core: index < CORE });
  const shapes = [...new Map(random.shapes().map((one) => [key(one), one])).values()];
  const repository = await db.repository(`acme/r${index}`, { create: true });
  await repository.add(shapes.map(({ subject, predicate, object }) => quad(subject, predicate, object, SHAPES)));
  const { conforms } = await validateDataset([], shapes);
  const set = repository.settings.set({ shapes: SHAPES.value });
  if (!conforms) return expect(set).rejects.toMatchObject({ code: 'SHAPES_VIOLATED' });
  await set;
  const model = new Model(repository, random, shapes);
  for (let i = 0; i < 15; i++) await model.commit();
});
