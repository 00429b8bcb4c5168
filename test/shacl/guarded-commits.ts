/**
 * Random commits against random shapes: a commit is taken if and only if a validation of all data after it finds no violation, or none that
 * the state before did not have. The guard looks at what the commit affects alone.
 */
import { termToNTriples } from '@quadrille/model';
import type * as RDF from '@rdfjs/types';
import {
  asStore,
  type Database,
  defaultGraph,
  quad,
  type Repository,
  type ShapesError,
  type ShapesReport,
} from 'quadrille';
import { validateDataset } from 'quadrille/shacl';
import { ex, type RandomShapes, textOf } from './random-shapes.js';

const SHAPES = ex('shapes');
const VIOLATION = 'http://www.w3.org/ns/shacl#Violation';

const key = (one: RDF.Quad): string =>
  termToNTriples(one.subject) + termToNTriples(one.predicate) + termToNTriples(one.object);
const sorted = (quads: Iterable<RDF.Quad>): string => textOf(quads).split('\n').toSorted().join('\n');

const violationsOf = ({ results }: ShapesReport): Set<string> =>
  new Set(
    results
      .filter(({ severity }) => severity === VIOLATION)
      .map(({ focusNode, path, value, component, shape }) =>
        [termToNTriples(focusNode), path, value && termToNTriples(value), component, termToNTriples(shape)].join(' '),
      ),
  );

/** What came of a sequence of commits. */
export interface GuardedCommits {
  readonly taken: number;
  readonly refused: number;
  /** Shapes and commits. */
  readonly plan: string;
  /** What is wrong; `undefined` if nothing is. */
  readonly failure: string | undefined;
}

interface Model {
  readonly repository: Repository;
  readonly random: RandomShapes;
  readonly shapes: readonly RDF.Quad[];
  /** Whether only new results refuse. */
  readonly isSince: boolean;
  data: Map<string, RDF.Quad>;
}

/** `commits` changes of a repository of its own. No commits are made where the shapes refuse a graph without data. */
export async function guardedCommits(
  db: Database,
  name: string,
  random: RandomShapes,
  commits: number,
): Promise<GuardedCommits> {
  const shapes = [...new Map(random.shapes().map((one) => [key(one), one])).values()];
  const isSince = random.int(3) === 0;
  const repository = await db.repository(name, { create: true });
  const counts = { taken: 0, refused: 0 };
  const plan = [`# shapes, ${isSince ? 'since now' : 'always'}\n${textOf(shapes)}`];
  try {
    await repository.add(shapes.map(({ subject, predicate, object }) => quad(subject, predicate, object, SHAPES)));
    const isSet = await setShapes(repository, shapes, isSince);
    if (isSet !== true) return { ...counts, plan: plan.join('\n'), failure: isSet };
    const model: Model = { repository, random, shapes, isSince, data: new Map() };
    for (let i = 0; i < commits; i++) {
      const { told, conforms, failure } = await commit(model);
      plan.push(told);
      if (failure !== undefined)
        return { ...counts, plan: plan.join('\n'), failure: `${failure}\n${plan[0]!}\n${told}` };
      counts[conforms ? 'taken' : 'refused']++;
    }
    return { ...counts, plan: plan.join('\n'), failure: undefined };
  } finally {
    await db.deleteRepository(name);
  }
}

/** Whether the shapes are set; `undefined` if they are refused as they should be; what is wrong otherwise. */
async function setShapes(
  repository: Repository,
  shapes: readonly RDF.Quad[],
  isSince: boolean,
): Promise<true | undefined | string> {
  const report = await validateDataset([], shapes).catch((thrown: unknown) => thrown as ShapesError);
  // Some random queries are no SPARQL.
  const invalid = 'code' in report ? report.code : undefined;
  const conforms = isSince || 'code' in report || violationsOf(report).size === 0;
  const expected = invalid ?? (conforms ? undefined : 'SHAPES_VIOLATED');
  const error = await codeOf(
    repository.settings.set({ shapes: SHAPES.value, shapesSince: isSince ? 'now' : 'always' }),
  );
  if (error !== expected || (invalid !== undefined && invalid !== 'SHAPES_INVALID'))
    return `setting the shapes: ${String(error)}, where ${String(expected)} is right\n${textOf(shapes)}`;
  return expected === undefined ? true : undefined;
}

const codeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (thrown: unknown) => (thrown as ShapesError).code ?? thrown,
  );

interface Commit {
  readonly told: string;
  readonly conforms: boolean;
  readonly failure: string | undefined;
}

async function commit(model: Model): Promise<Commit> {
  const { repository, random, shapes, isSince, data } = model;
  const after = new Map(data);
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
  const told = `# before\n${textOf(data.values())}\n# removed\n${textOf(removed)}\n# added\n${textOf(added)}`;
  const now = violationsOf(await validateDataset(after.values(), shapes));
  const before = isSince ? violationsOf(await validateDataset(data.values(), shapes)) : new Set();
  const conforms = [...now].every((one) => before.has(one));
  const readsSize = random.int(2) === 0;
  let size: number | undefined;
  const error = await codeOf(
    repository.transaction(async (tx) => {
      await tx.remove(removed);
      await tx.add(added);
      if (readsSize) size = await tx.size();
    }),
  );
  const expected = conforms ? undefined : 'SHAPES_VIOLATED';
  const done = (failure?: string): Commit => ({ told, conforms, failure });
  if (error !== expected) return done(`the commit: ${String(error)}, where ${String(expected)} is right`);
  if (size !== undefined && size !== after.size + shapes.length)
    return done(`${String(size)} quads in the transaction`);
  if (conforms) model.data = after;
  const stored = await asStore(repository).toDataset({ graph: defaultGraph() });
  if (sorted(stored as unknown as Iterable<RDF.Quad>) !== sorted(model.data.values()))
    return done('other quads are stored');
  return done();
}
