/** The sizes at which the engine changes its way of working. Tests make them small to take every way with little data. */
import { INLINE_DELTA_BYTES } from '../format/layout.js';

export interface Tuning {
  /** A memtable with so many rows is written out as runs. */
  readonly memtableRows: number;
  /** The dictionary's tail is written out when it has so many terms, or so many bytes of text. */
  readonly tailTerms: number;
  readonly tailBytes: number;
  /** Runs of like size are merged when there are so many; also how many times larger the next older one may be. */
  readonly tierRuns: number;
  /** Most bytes of quads that a revision record holds itself; larger deltas are runs. At most the default. */
  readonly deltaBytes: number;
  /** Rows of a run that a change writes: larger changes become several. */
  readonly chunkRows: number;
  /** So few new terms of a load, of at most `tailBytes`, join the dictionary's tail; more become blocks and a hash run at once. */
  readonly loadTailTerms: number;
  /** Texts of earlier chunks of a load are forgotten when they take so many bytes. */
  readonly arenaBytes: number;
  /** The changes of one transaction, and their terms, take at most so many bytes of memory. */
  readonly transactionBytes: number;
  /** A checkpoint of the statistics is written at least every so many revisions (fewer, where they are large). */
  readonly checkpointRevisions: number;
  /** So many repositories that were used last are kept in memory, whatever they take. */
  readonly sparedRepositories: number;
}

export const DEFAULT_TUNING: Tuning = {
  memtableRows: 128 * 1024,
  tailTerms: 32 * 1024,
  tailBytes: 2 * 1024 * 1024,
  tierRuns: 8,
  deltaBytes: INLINE_DELTA_BYTES,
  chunkRows: 1 << 20,
  loadTailTerms: 4096,
  arenaBytes: 32 * 1024 * 1024,
  transactionBytes: 1024 * 1024 * 1024,
  checkpointRevisions: 256,
  sparedRepositories: 4,
};
