/**
 * The plans of 188 queries over data of five shapes, as files: a change of the planner shows which plans it changes. Estimates are left
 * out. `npx vitest run test/plans -u` writes the files anew; read the difference before you commit it.
 */
import { open } from 'quadrille';
import { expect, test } from 'vitest';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Random } from '../../bench/src/generate/random.js';
import { manyGraphs } from '../../bench/src/shapes/many-graphs.js';
import { SETS } from '../../bench/src/shapes/measure-shape.js';
import { NAMESPACE, type Shape } from '../../bench/src/shapes/shape.js';
import { social } from '../../bench/src/shapes/social.js';
import { sparseCatalogue } from '../../bench/src/shapes/sparse-catalogue.js';
import { taxonomy } from '../../bench/src/shapes/taxonomy.js';
import { timeSeries } from '../../bench/src/shapes/time-series.js';

const SEED = 5;
const PREFIXES = `PREFIX : <${NAMESPACE}> PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>\n`;

function* queriesOf({ templates }: Shape): Generator<string> {
  const draw = new Random();
  for (const [number, template] of Object.values(templates).entries()) {
    for (let set = 1; set <= SETS; set++) {
      draw.restart(SEED, number + 1, set);
      yield template(draw);
    }
  }
}

const withoutEstimates = (plan: string): string => plan.replaceAll(/ {2}\[about [^\]]*\]/g, '');

test.each([social, manyGraphs, taxonomy, sparseCatalogue, timeSeries])(
  'plans of the shape $name',
  async (shape) => {
    const folder = await mkdtemp(join(tmpdir(), 'quadrille-plans-'));
    const draw = new Random();
    draw.restart(SEED, 0, 0);
    const file = join(folder, 'data.nq');
    await writeFile(file, [...shape.quads(draw)].join(''));
    const db = await open(':memory:');
    try {
      const repository = await db.repository('a/b', { create: true });
      await repository.load(file);
      const plans: string[] = [];
      for (const query of queriesOf(shape)) {
        const { text } = await repository.explain(PREFIXES + query);
        plans.push(`${query}\n\n${withoutEstimates(text)}\n`);
      }
      await expect(plans.join('\n')).toMatchFileSnapshot(`golden/${shape.name}.txt`);
    } finally {
      await db.close();
      await rm(folder, { recursive: true });
    }
  },
  60_000,
);
