/** What the steps of a large change share. */
import type { IndexAt } from '../../index/read/find-interval.js';
import type { IdPattern } from '../../index/orders.js';
import type { Statistics } from '../../index/statistics.js';
import type { RunSession } from '../../index/run/run-session.js';
import type { Timeline } from '../../timeline/timeline.js';
import type { Pacer } from '../../runtime/env.js';
import type { WorkMeter } from '../../runtime/work-meter.js';

export interface ChangeJob {
  readonly timeline: Timeline;
  /** The index version and revision with which the change is compared. */
  readonly base: IndexAt;
  /**
   * The quads that the input replaces: base quads that match and are not in the input are removed. `undefined`: none.
   */
  readonly scope: IdPattern | undefined;
  readonly session: RunSession;
  readonly pacer: Pacer;
  readonly work: WorkMeter;
  /** The rows that are written aside: new ones minus tombstones. */
  readonly counts: Statistics;
}
