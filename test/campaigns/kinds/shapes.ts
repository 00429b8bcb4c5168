import { open } from 'quadrille';
import { guardedCommits } from '../../shacl/guarded-commits.js';
import { RandomShapes } from '../../shacl/random-shapes.js';
import { type Kind, must } from '../kind.js';

/** Commits of a run. */
const COMMITS = 15;
/** One run in so many has SHACL Core alone. */
const CORE_EACH = 4;

export const kind: Kind = {
  runs: 'graphs of shapes',
  operations: 'commits',
  promise:
    'A repository with shapes takes a commit if and only if all its data obey them afterwards. With `shapesSince: now` what was wrong before may stay.',
  how: `Random shapes of SHACL Core and SHACL-SPARQL: paths, constraints, components and targets in SPARQL, reifier shapes, shapes that refer to themselves. Each graph of them has ${COMMITS} random commits, which add and remove quads in a transaction. The guard looks at what a commit affects alone. All data before and after it are validated as a whole, from memory. One run in ${CORE_EACH} has SHACL Core alone, and about one in three has \`shapesSince: now\`.`,
  notPromised: 'Queries with `NOW()` or `RAND()`, whose answers change without a commit.',
  goal: 10_000,
  async open() {
    const db = await open(':memory:');
    return {
      async run(seed) {
        const random = new RandomShapes(seed.index, { core: seed.index % CORE_EACH === 0, seed: seed.number() });
        const { taken, refused, plan, failure } = await guardedCommits(db, 'acme/guarded', random, COMMITS);
        must(failure === undefined, () => failure!);
        return { plan, operations: taken + refused };
      },
      close: () => db.close(),
    };
  },
};
