/** What readers of a line see at one moment. It never changes: each publication replaces it. */
import type { IndexVersion } from '../index/index-version.js';
import type { Checkpoints } from '../revision/checkpoints.js';
import type { RevisionRecord } from '../revision/record.js';
import type { Statistics } from '../index/statistics.js';

export interface State {
  /** The newest durable revision: readers see it, and its commit was acknowledged. */
  readonly head: RevisionRecord;
  /** The runs and memtables. Commits append rows of later revisions to the newest memtable. */
  readonly index: IndexVersion;
  /** The small deltas up to this revision are in runs. */
  readonly flushed: number;
}

/** What a publication changes, also of what the next commit builds on. */
export interface StateChange extends Partial<State> {
  readonly statistics?: Statistics | undefined;
  /** The stored statistics on which the next ones build. */
  readonly checkpoints?: Checkpoints;
}
