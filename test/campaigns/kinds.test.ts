/**
 * A few runs of the kinds whose modules no other test of the suite calls. `npm run campaign -- KIND` runs long.
 *
 * QUADRILLE_SEED repeats them.
 */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askDirectory, damage, makeOriginals } from '../crash/damaged-files.js';
import { SEED } from '../model/environment.js';
import { RightsWalk } from '../rest/rights-walk.js';
import { Chance } from '../sparql-random/chance.js';
import { compareWithOxigraph } from '../sparql-random/check-oxigraph.js';
import { randomData } from '../sparql-random/data.js';
import { randomQuery } from '../sparql-random/generate/query.js';
import { plainData } from '../sparql-random/known-oxigraph.js';
import { Oxigraph } from '../sparql-random/oxigraph.js';
import { hasSuite, W3C_FOLDER } from '../w3c/manifest.js';
import { runCampaign } from './campaign.js';
import { kindOf } from './kinds.js';
import { RunSeed } from './kind.js';
import type { Result } from './results.js';

/** Kind, and the milliseconds that it gets beside its first run. */
const SHARES: readonly (readonly [string, number])[] = [
  ['fault', 300],
  ['full-disk', 300],
  ['upgrade', 0],
];

async function share(name: string, ms: number): Promise<Result> {
  const results: Result[] = [];
  const options = { name, kind: (await kindOf(name))!, seed: String(SEED), first: 1, commit: 'suite' };
  await runCampaign({ ...options, minutes: ms / 60_000, onResult: (result) => results.push(result) });
  return results[0]!;
}

describe(`a share of campaigns (QUADRILLE_SEED=${SEED})`, () => {
  it.each(SHARES)('%s', async (name, ms) => {
    const { faults, runs } = await share(name, ms);
    expect(faults).toEqual([]);
    expect(runs).toBeGreaterThan(0);
  });

  if (hasSuite('a share of mutated documents', W3C_FOLDER))
    it('parser', async () => expect((await share('parser', 0)).faults).toEqual([]));

  it('query: Oxigraph has the same answers', async () => {
    const number = new RunSeed('query', String(SEED), 1).number();
    const data = plainData(randomData(new Chance(0, number)));
    const chance = new Chance(1, number);
    const queries = Array.from({ length: 8 }, () => randomQuery(chance, data));
    const oxigraph = new Oxigraph();
    const { failure } = await compareWithOxigraph(oxigraph, data, queries, () => false).finally(() => oxigraph.close());
    expect(failure).toBeUndefined();
  });

  it('http: rights over a walk', async () => {
    const { requests } = await RightsWalk.run(new RunSeed('http', String(SEED), 1).random(), 80);
    expect(requests).toBeGreaterThanOrEqual(80);
  });
});

describe(`damaged files (QUADRILLE_SEED=${SEED})`, () => {
  const directory = mkdtempSync(join(tmpdir(), 'quadrille-damaged-'));
  let originals: Awaited<ReturnType<typeof makeOriginals>>;
  beforeAll(async () => void (originals = await makeOriginals(directory, 'leveldb')));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  it('give right answers or errors', async () => {
    // Opening one changes its files.
    for (const { path, states } of originals) {
      const copy = `${path}-copy`;
      cpSync(path, copy, { recursive: true });
      expect(await askDirectory('leveldb', copy, states, false)).toEqual([]);
    }
    const random = new RunSeed('corruption', String(SEED), 1).random();
    for (let n = 0; n < 6; n++) {
      const original = originals[n % originals.length]!;
      const path = join(directory, 'damaged');
      const damaged = damage(original, path, random);
      if (damaged !== undefined) await askDirectory('leveldb', path, original.states, damaged.mayEndEarly);
    }
  });
});
