/** What a load tells of itself while it runs is true: on real files, packed and not, and on a stream. */
import { createReadStream, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createGunzip } from 'node:zlib';
import { open } from 'quadrille';
import type { Database, LoadOptions, LoadProgress, LoadSource, Repository, Revision } from 'quadrille';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DATA_FOLDER, missing } from './shared-data.js';

const SMALL = { file: join(DATA_FOLDER, 'bsbm/bsbm-100k.nt.gz'), quads: 110_665 };
const LARGE = { file: join(DATA_FOLDER, 'bsbm/bsbm-1m.nt.gz'), quads: 1_022_446 };
const PHASES = ['reading', 'indexing', 'committing', 'done'];
const LIMIT_MS = 120_000;
/** The fraction must not stand still for longer. */
const STILL_MS = 2000;
/** Share of the bytes consumed by which `bytesRead` may be off. */
const BYTES_TOLERANCE = 0.02;

interface Told extends LoadProgress {
  readonly at: number;
  /** Bytes that the source had given by then. */
  readonly given: number;
}

let directory: string;
let db: Database;
let repository: Repository;
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'quadrille-progress-'));
  db = await open(directory);
  repository = await db.repository('data', { create: true });
});
afterEach(async () => {
  await db.close();
  rmSync(directory, { recursive: true });
});

/** Loads, and answers all that was told, with the head at the moment at which the fraction was 1. */
async function loadTold(
  source: LoadSource,
  options: LoadOptions = {},
  given = (): number => 0,
): Promise<{ told: Told[]; revision: Revision; headWhenDone: number }> {
  const told: Told[] = [];
  let whenDone: Promise<Revision> | undefined;
  const onProgress = (progress: LoadProgress): void => {
    told.push({ ...progress, at: performance.now(), given: given() });
    if (progress.fraction === 1) whenDone ??= repository.revision();
  };
  const revision = await repository.load(source, { ...options, onProgress });
  return { told, revision, headWhenDone: (await whenDone!).number };
}

function expectRules(told: readonly Told[], consumed: number, quads: number): void {
  const phases = told.map(({ phase }) => phase);
  expect(phases.filter((phase, i) => phase !== phases[i - 1])).toEqual(PHASES);
  for (const [i, progress] of told.entries()) {
    const before = told[i - 1];
    expect(progress.bytesRead).toBeGreaterThanOrEqual(before?.bytesRead ?? 0);
    expect(progress.quads).toBeGreaterThanOrEqual(before?.quads ?? 0);
    if (progress.fraction !== undefined) expect(progress.fraction).toBeGreaterThanOrEqual(before?.fraction ?? 0);
    expect(progress.fraction === 1).toBe(progress.phase === 'done');
  }
  const last = told.at(-1)!;
  expect(last.phase).toBe('done');
  expect(Math.abs(last.bytesRead - consumed)).toBeLessThanOrEqual(BYTES_TOLERANCE * consumed);
  expect(last.quads).toBe(quads);
  expect(told.filter(({ phase }) => phase === 'done')).toHaveLength(1);
}

/** The longest time for which the fraction did not grow. */
function longestStill(told: readonly Told[]): number {
  let longest = 0;
  let since = told[0]!;
  for (const progress of told) {
    if (progress.fraction! > since.fraction!) {
      longest = Math.max(longest, progress.at - since.at);
      since = progress;
    }
  }
  return longest;
}

const noSmall = missing(SMALL.file);
const noLarge = missing(LARGE.file);

describe('progress of a load', () => {
  it.skipIf(noSmall !== '')(
    `of a gzipped file counts its packed bytes${noSmall}`,
    async () => {
      const bytes = statSync(SMALL.file).size;
      const { told, revision, headWhenDone } = await loadTold(SMALL.file);
      expectRules(told, bytes, SMALL.quads);
      expect(told.every(({ bytesTotal }) => bytesTotal === bytes)).toBe(true);
      expect(headWhenDone).toBe(revision.number);
      expect(await repository.size()).toBe(SMALL.quads);
    },
    LIMIT_MS,
  );

  it.skipIf(noLarge !== '')(
    `of a million never stands still, and tells the bytes that were consumed${noLarge}`,
    async () => {
      // A stream of the unpacked bytes of which we know how far it is.
      let given = 0;
      let bytesTotal = 0;
      for await (const chunk of createReadStream(LARGE.file).pipe(createGunzip()))
        bytesTotal += (chunk as Buffer).length;
      async function* unpacked(): AsyncGenerator<Uint8Array> {
        for await (const chunk of createReadStream(LARGE.file).pipe(createGunzip())) {
          given += (chunk as Buffer).length;
          yield chunk as Buffer;
        }
      }
      const { told, revision, headWhenDone } = await loadTold(
        unpacked(),
        { format: 'application/n-triples', bytesTotal },
        () => given,
      );
      expectRules(told, bytesTotal, LARGE.quads);
      for (const progress of told)
        expect(progress.given - progress.bytesRead).toBeLessThanOrEqual(BYTES_TOLERANCE * bytesTotal);
      expect(told.length).toBeGreaterThan(10);
      expect(longestStill(told)).toBeLessThan(STILL_MS);
      expect(headWhenDone).toBe(revision.number);
      expect(revision).toMatchObject({ number: 2, added: LARGE.quads, removed: 0 });
    },
    LIMIT_MS,
  );

  it('of a stream of unknown length has no fraction before it is done', async () => {
    async function* lines(): AsyncGenerator<Uint8Array> {
      for (let n = 0; n < 1000; n++) yield Buffer.from(`<http://e/${n}> <http://e/p> "${n}" .\n`);
    }
    const { told, headWhenDone } = await loadTold(lines(), { format: 'nt' });
    const consumed = Array.from({ length: 1000 }, (_, n) => `<http://e/${n}> <http://e/p> "${n}" .\n`).join('').length;
    expectRules(told, consumed, 1000);
    expect(told.slice(0, -1).every(({ fraction }) => fraction === undefined)).toBe(true);
    expect(headWhenDone).toBe(2);
  });

  it('of a load that fails never says that it is done', async () => {
    const told: LoadProgress[] = [];
    const text = `${Array.from({ length: 10_000 }, (_, n) => `<http://e/${n}> <http://e/p> "${n}" .`).join('\n')}\noops`;
    const load = repository.load({ text }, { format: 'nt', onProgress: (progress) => told.push(progress) });
    await expect(load).rejects.toMatchObject({ code: 'RDF_SYNTAX', line: 10_001 });
    expect(told.length).toBeGreaterThan(0);
    const seen = told.length;
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(told.length).toBe(seen);
    for (const { fraction, phase } of told) {
      expect(fraction).toBeLessThan(1);
      expect(phase).not.toBe('done');
    }
  });

  it('of a load that changes nothing ends with 1 too', async () => {
    const text = '<http://e/s> <http://e/p> <http://e/o> .\n';
    await repository.load({ text }, { format: 'nt' });
    const { told, revision } = await loadTold({ text }, { format: 'nt' });
    expectRules(told, text.length, 1);
    expect(revision.number).toBe(2);
  });
});
