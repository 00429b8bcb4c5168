/** One random query over revisions of a stored repository, and over the same quads in an array. */
import { Engine } from '@quadrille/sparql';
import { SnapshotDataset } from '../../packages/quadrille/src/sparql/datasets.js';
import { ArrayDataset } from '../../packages/sparql/src/testing/array-dataset.js';
import { answerOf } from './answers.js';
import { Chance } from './chance.js';
import { countRows, differ, isTooLarge, withoutSlice, type Outcome, type QueryCase } from './check-query.js';
import { hasNewBlanks, modesOf, sameAnswer } from './compare.js';
import { toQuads } from './data.js';
import { StoredScene } from './stored-scene.js';
import { writeQuery } from './write.js';

export interface StoredCase extends QueryCase {
  /** Decides the history. */
  readonly choice: number;
}

const engine = new Engine();
const MAX_ROWS = 1500;
const MAX_WITH_BLANKS = 150;
/** Revisions that are asked. */
const REVISIONS = 4;

export async function checkStored({ data, query, choice }: StoredCase): Promise<Outcome> {
  const full = withoutSlice(query);
  const text = writeQuery(full);
  const scene = await StoredScene.make(data, new Chance(choice));
  let rows = 0;
  try {
    for (let asked = 0; asked < REVISIONS; asked++) {
      const { snapshot, quads } = await scene.revision();
      try {
        const wanted = await answerOf(engine, text, new ArrayDataset(toQuads(quads), { batchQuads: 64 }), {
          maxRows: MAX_ROWS,
        });
        const answer = await answerOf(engine, text, new SnapshotDataset(snapshot), { maxRows: MAX_ROWS });
        if (isTooLarge(wanted) || isTooLarge(answer)) continue;
        if (countRows(wanted) > MAX_WITH_BLANKS && hasNewBlanks(wanted)) continue;
        if (!sameAnswer(answer, wanted, { modes: modesOf(full), byValue: true })) {
          const name = `revision ${snapshot.number}, which has\n${quads.map((quad) => `  ${quad.join(' ')}`).join('\n')}`;
          return differ('stored differs', answer, name, wanted);
        }
        rows += countRows(answer);
      } finally {
        snapshot.close();
      }
    }
  } finally {
    await scene.close();
  }
  return { rows };
}
