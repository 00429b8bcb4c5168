/** A change that is complete, and not made yet. */
import type { Run } from '../index/run/run.js';
import type { RunPayload } from '../revision/record.js';
import type { NetChange } from './net-change.js';

/** A change that is about to be staged. */
export interface ProposedChange extends NetChange {
  /** The part that is written aside. */
  readonly aside?: {
    /** Its runs, with the revision that the change will have. */
    readonly runs: readonly Run[];
    readonly payload: RunPayload;
    /** Number of its quads. */
    readonly count: number;
  };
}
