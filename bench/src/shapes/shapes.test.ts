import { open } from 'quadrille';
import { Parser } from 'n3';
import { describe, expect, it } from 'vitest';
import { Random } from '../generate/random.js';
import { manyGraphs } from './many-graphs.js';
import { SETS } from './measure-shape.js';
import { NAMESPACE } from './shape.js';
import { social } from './social.js';
import { sparseCatalogue } from './sparse-catalogue.js';
import { taxonomy } from './taxonomy.js';
import { timeSeries } from './time-series.js';

describe.each([social, manyGraphs, taxonomy, sparseCatalogue, timeSeries])('the shape $name', (shape) => {
  const textsOf = (seed: number): string[] => {
    const draw = new Random();
    return Object.values(shape.templates).flatMap((template, number) =>
      Array.from({ length: SETS }, (_, set) => {
        draw.restart(seed, number + 1, set);
        return template(draw);
      }),
    );
  };
  const linesOf = (seed: number): string[] => {
    const draw = new Random();
    draw.restart(seed, 0, 0);
    return [...shape.quads(draw)];
  };

  it('has at least 30 queries, which the seed determines', () => {
    expect(textsOf(1).length).toBeGreaterThanOrEqual(30);
    expect(textsOf(1)).toEqual(textsOf(1));
    expect(textsOf(1)).not.toEqual(textsOf(2));
  });

  it('has 50,000 to 200,000 quads that can be read, others for another seed', () => {
    const lines = linesOf(1);
    expect(lines.length).toBeGreaterThan(50_000);
    expect(lines.length).toBeLessThan(200_000);
    expect(lines.slice(0, 1000)).not.toEqual(linesOf(2).slice(0, 1000));
    expect(new Parser({ format: 'N-Quads' }).parse(lines.slice(0, 1000).join(''))).toHaveLength(1000);
  });

  it('has queries that the engine accepts', async () => {
    const db = await open(':memory:');
    const repository = await db.repository('a/b', { create: true });
    const prefixes = `PREFIX : <${NAMESPACE}> PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>\n`;
    for (const text of textsOf(3)) await repository.query(prefixes + text);
    await db.close();
  });
});
