/**
 * Random updates on random data: the evaluator in id space, with and without optimisation, against Comunica.
 *
 * A run does one of fifty pieces of a campaign (chance.ts). QUADRILLE_SPARQL_SEED and QUADRILLE_SPARQL_PIECE repeat one, with
 * QUADRILLE_SPARQL_ONLY one request of it.
 */
import { describe, expect, it } from 'vitest';
import { ONLY, run } from './campaign.js';
import { Chance, RUN, SEED } from './chance.js';
import { checkUpdate, writeUpdates, type UpdateCase } from './check-update.js';
import { printData, randomData } from './data.js';
import { randomUpdates } from './generate/update.js';
import type { Update } from './syntax.js';

const UPDATES = Number(process.env['QUADRILLE_SPARQL_UPDATES'] ?? 100);
const LABELS =
  'INSERT DATA,DELETE DATA,DELETE WHERE,DELETE,INSERT,DELETE INSERT,WITH,USING,USING NAMED,CLEAR,DROP,CREATE,COPY,MOVE,ADD,SILENT'.split(
    ',',
  );

function caseAt(index: number): UpdateCase {
  const chance = new Chance(index, SEED ^ 0x1f2e);
  const data = randomData(chance);
  return { data, updates: randomUpdates(chance, data) };
}

const labelsOf = ({ updates }: UpdateCase): Set<string> => new Set(updates.flatMap(labelsOfUpdate));

function labelsOfUpdate(update: Update): string[] {
  if (update.update !== 'modify') return [update.update, ...('silent' in update && update.silent ? ['SILENT'] : [])];
  const parts = [
    ...(update.delete === undefined ? [] : ['DELETE']),
    ...(update.insert === undefined ? [] : ['INSERT']),
  ];
  return [
    parts.join(' '),
    ...(update.with === undefined ? [] : ['WITH']),
    ...(update.using.length === 0 ? [] : ['USING']),
    ...(update.usingNamed.length === 0 ? [] : ['USING NAMED']),
  ];
}

describe(`random updates (${RUN})`, () => {
  it('have no blank node in two patterns', () => {
    let labels = 0;
    for (let index = 0; index < 1000; index++) {
      const chance = new Chance(index, SEED ^ 0x2e1f);
      const patterns = randomUpdates(chance, randomData(chance)).flatMap((update) =>
        update.update === 'modify' ? [JSON.stringify(update.where)] : [],
      );
      const own = patterns.map((pattern) => new Set(pattern.match(/_:u\w+/g)));
      const all = own.flatMap((some) => [...some]);
      labels += all.length;
      expect(new Set(all).size, patterns.join('\n')).toBe(all.length);
    }
    expect(labels).toBeGreaterThan(10);
  });

  it(
    'leave the same quads on all engines',
    async () => {
      const { cases, failures, withRows, labels, left } = await run({
        cases: UPDATES,
        caseAt,
        check: checkUpdate,
        labels: labelsOf,
        print: ({ data, updates }) => `${writeUpdates(updates)}\n${printData(data)}`,
      });
      const notCompared = [...left.values()].reduce((sum, count) => sum + count, 0);
      process.stderr.write(
        `${cases} updates, ${withRows} change something, ${notCompared} not with Comunica: ${JSON.stringify([...left])}\n`,
      );
      expect(failures.join('\n\n')).toBe('');
      if (ONLY !== undefined) return;
      expect(withRows / cases).toBeGreaterThan(0.5);
      expect(notCompared / cases).toBeLessThan(0.5);
      expect(LABELS.filter((label) => (labels.get(label) ?? 0) < cases * 0.01)).toEqual([]);
    },
    120_000 + UPDATES * 100,
  );
});
