/** A large change under way: what its steps need of the repository. */
import type { IndexAt } from '../../index/read/find-interval.js';
import type { IdPattern } from '../../index/orders.js';
import type { RunSession } from '../../index/run/run-session.js';
import type { Generation } from '../../open/generation.js';
import type { Pacer } from '../../runtime/env.js';
import type { WorkMeter } from '../../runtime/work-meter.js';

export interface ChangeJob {
  readonly generation: Generation;
  /** What the change is compared with. */
  readonly base: IndexAt;
  /** What the input replaces: quads of the base that match and do not come again are removed. `undefined`: it is added. */
  readonly scope: IdPattern | undefined;
  readonly session: RunSession;
  readonly pacer: Pacer;
  readonly work: WorkMeter;
}
