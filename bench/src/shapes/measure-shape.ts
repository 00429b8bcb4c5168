/** Measures one shape: its queries, with several parameter sets each, by Quadrille and by Oxigraph. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Random } from '../generate/random.js';
import { compareWithOxigraph, openBoth } from '../sparql/compare-with-oxigraph.js';
import type { QueryCase } from '../sparql/ratios.js';
import type { Context, Figures } from '../workload.js';
import { NAMESPACE, type Shape } from './shape.js';

const PREFIXES = `PREFIX : <${NAMESPACE}> PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>\n`;
/** Number of parameter sets of each template. Each set makes a query of its own. */
export const SETS = 2;
/** Texts of each query: the first is repeated, and as many of the others are run as there is time for. */
const NEW_TEXTS = 101;

export async function measureShape(shape: Shape, { scratch, queries, seed }: Context): Promise<Figures> {
  const draw = new Random();
  const file = join(scratch, 'data.nq');
  draw.restart(seed, 0, 0);
  await mkdir(scratch, { recursive: true });
  await writeFile(file, [...shape.quads(draw)].join(''));
  const stores = await openBoth(file, scratch);
  const figures = await compareWithOxigraph(shape.name, casesOf(shape, seed, queries), stores);
  await stores.close();
  return figures;
}

function* casesOf({ templates }: Shape, seed: number, wanted: readonly string[]): Generator<QueryCase> {
  const draw = new Random();
  for (const [number, [name, template]] of Object.entries(templates).entries()) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    for (let set = 1; set <= SETS; set++) {
      draw.restart(seed, number + 1, set);
      const texts = Array.from({ length: NEW_TEXTS }, (_, i) => `${PREFIXES}${template(draw)} # ${set}.${i}`);
      yield { name: `${name} ${set}`, texts };
    }
  }
}
