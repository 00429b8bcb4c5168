/**
 * The sizes at which the engine changes its strategy. Tests set small sizes, so that little data reaches every
 * strategy.
 */
import { INLINE_DELTA_BYTES } from '../format/layout.js';

/** Sizes at which the engine writes and merges. Tests make them small. */
export interface Tuning {
  /** Rows of the memtable at which it is flushed to runs. */
  readonly memtableRows: number;
  /** Terms of the dictionary's tail, or bytes of their texts, at which the tail is flushed. */
  readonly tailTerms: number;
  /** The same, in bytes of their texts. */
  readonly tailBytes: number;
  /**
   * Number of runs of similar size at which they are merged. Also the largest ratio between a run and the next older
   * one of similar size.
   */
  readonly tierRuns: number;
  /**
   * Largest encoded delta that a revision record holds itself, in bytes; larger deltas become runs. At most the
   * default.
   */
  readonly deltaBytes: number;
  /** Rows of one run that a large change writes. A larger change writes several runs. */
  readonly chunkRows: number;
  /**
   * Up to this many new terms of a load, of at most `tailBytes`, join the dictionary's tail. More terms become term
   * blocks and a hash run at once.
   */
  readonly loadTailTerms: number;
  /**
   * Bytes of texts of earlier chunks that a load keeps. Beyond that it forgets them and looks terms up in the
   * dictionary.
   */
  readonly arenaBytes: number;
  /** Statistics of up to this many predicates and graphs are stored as a whole; those of more, as changes. */
  readonly wholeStatistics: number;
  /** Most revisions between two checkpoints of the statistics. Large revisions cause earlier checkpoints. */
  readonly checkpointRevisions: number;
  /** Bytes of the vectors of an index that stay in memory once they were read. Questions read the others each time. */
  readonly vectorBytes: number;
  /** Number of most recently used repositories that stay in memory whatever their size. */
  readonly sparedRepositories: number;
}

export const DEFAULT_TUNING: Tuning = {
  memtableRows: 128 * 1024,
  tailTerms: 64 * 1024,
  tailBytes: 4 * 1024 * 1024,
  tierRuns: 8,
  deltaBytes: INLINE_DELTA_BYTES,
  chunkRows: 1 << 20,
  loadTailTerms: 4096,
  arenaBytes: 32 * 1024 * 1024,
  wholeStatistics: 1024,
  checkpointRevisions: 256,
  vectorBytes: 256 * 1024 * 1024,
  sparedRepositories: 4,
};
