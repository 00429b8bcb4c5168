/**
 * A query that ends at any moment ends with the right error and gives everything back. Its signal is aborted, its time is over, or its
 * memory is used up at the n-th look at the clock or the n-th reservation. A run tries some moments of each query, other ones each time;
 * QUADRILLE_MOMENTS=all tries all, QUADRILLE_SEED repeats a run.
 */
import { EvaluationError } from '@quadrille/model';
import { seededRandom } from '@quadrille/storage/testing';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { EvaluationControl } from '../control/control.js';
import { Memory } from '../control/memory.js';
import { processMemory } from '../control/process-memory.js';
import { ArrayDataset } from '../testing/array-dataset.js';
import { answer, datasetOf } from '../testing/fixtures.js';
import { QUERIES_OF_ALL_KINDS, subjectsWithNumbers } from '../testing/queries-of-all-kinds.js';
import type { EvaluationOptions } from './options.js';

const SEED = Number(process.env['QUADRILLE_SEED'] ?? 1);
const ALL = process.env['QUADRILLE_MOMENTS'] === 'all';
const SHARE = 8;
const TIMEOUT_MS = 60_000;

const random = seededRandom(SEED);
let dataset: ArrayDataset;
beforeAll(async () => {
  console.log(`any moment: QUADRILLE_SEED=${String(SEED)}`);
  const { quads } = await datasetOf(subjectsWithNumbers(40, 12));
  dataset = new ArrayDataset(quads, { batchQuads: 7, misses: true });
});

afterEach(() => vi.restoreAllMocks());

/** Calls `at` at the n-th of some moments. */
class Moments {
  count = 0;

  constructor(
    private readonly n: number,
    private readonly at: () => void,
  ) {}

  pass(): void {
    if (++this.count === this.n) this.at();
  }
}

/** Spies on every look at the clock. */
function watchChecks(moments: Moments): void {
  const { checkpoint } = EvaluationControl.prototype;
  vi.spyOn(EvaluationControl.prototype, 'checkpoint').mockImplementation(function (this: EvaluationControl) {
    moments.pass();
    return checkpoint.call(this);
  });
}

function watchReservations(moments: Moments): void {
  for (const name of ['reserve', 'reserveValues'] as const) {
    const reserve = Memory.prototype[name];
    vi.spyOn(Memory.prototype, name).mockImplementation(function (this: Memory, bytes: number) {
      moments.pass();
      reserve.call(this, bytes);
    });
  }
}

/** How a query can be ended. */
interface End {
  readonly code: string;
  /** Ends what `run` evaluates at its n-th moment. */
  begin(n: number, run: (options: EvaluationOptions) => Promise<Result>): Promise<Outcome>;
}

/** The error of a query; `undefined` where it was read to its end. */
type Result = { readonly code?: string } | undefined;
interface Outcome {
  readonly result: Result;
  /** How many moments the query had. */
  readonly count: number;
}

const ENDS: readonly End[] = [
  {
    code: 'ABORTED',
    async begin(n, run) {
      const aborting = new AbortController();
      const moments = new Moments(n, () => aborting.abort());
      watchChecks(moments);
      const result = await run({ signal: aborting.signal });
      return { result, count: moments.count };
    },
  },
  {
    code: 'QUERY_TIMEOUT',
    async begin(n, run) {
      const now = performance.now.bind(performance);
      let later = 0;
      vi.spyOn(performance, 'now').mockImplementation(() => now() + later);
      const moments = new Moments(n, () => (later = 2 * TIMEOUT_MS));
      watchChecks(moments);
      const result = await run({ timeoutMs: TIMEOUT_MS });
      return { result, count: moments.count };
    },
  },
  {
    code: 'QUERY_MEMORY',
    async begin(n, run) {
      const moments = new Moments(n, () => {
        throw new EvaluationError('QUERY_MEMORY', 'no more memory');
      });
      watchReservations(moments);
      const result = await run({});
      return { result, count: moments.count };
    },
  },
];

/** What must be left of a query. */
const NOTHING = { bytes: 0, evaluations: 0, scans: 0 };
const left = (): typeof NOTHING => ({
  bytes: processMemory.takenBytes,
  evaluations: processMemory.evaluations,
  scans: dataset.ids.openScans,
});

function chosen(count: number): readonly number[] {
  const all = Array.from({ length: count }, (_, i) => i + 1);
  if (ALL || count <= SHARE) return all;
  return [1, ...Array.from({ length: SHARE - 2 }, () => 2 + Math.floor(random() * (count - 2))), count];
}

const read = (query: string, options: EvaluationOptions): Promise<Result> =>
  answer(query, dataset, options).then(
    () => undefined,
    (error: unknown) => error as { code?: string },
  );

/** Blank nodes and UUIDs are other ones each time. */
const isRepeatable = (query: string): boolean => !query.includes('[]');

describe.each(QUERIES_OF_ALL_KINDS)('%s', (query) => {
  test.each(ENDS)('ends with $code at any moment', async ({ code, begin }) => {
    const end = async (n: number): Promise<Outcome> => {
      const outcome = await begin(n, (options) => read(query, options));
      vi.restoreAllMocks();
      return outcome;
    };
    const whole = await answer(query, dataset);
    const { result, count } = await end(Infinity);
    expect([result, count > 0]).toEqual([undefined, true]);
    let ended = 0;
    for (const n of chosen(count)) {
      const outcome = await end(n);
      // What is in caches by now has fewer moments.
      const wanted = outcome.count < n ? undefined : code;
      expect(outcome.result?.code, `at ${String(n)} of ${String(count)}`).toBe(wanted);
      expect(left(), `behind ${String(n)} of ${String(count)}`).toEqual(NOTHING);
      if (outcome.result !== undefined) ended++;
    }
    expect(ended).toBeGreaterThan(0);
    const again = await answer(query, dataset);
    if (isRepeatable(query)) expect(again).toEqual(whole);
    expect(left()).toEqual(NOTHING);
  });
});
