/** What the operators of a plan really did: rows, calls and time of each node. */
import type { Batch } from '../execute/core/batch.js';
import type { Operator } from '../execute/core/operator.js';
import type { NodeProfile } from '../execute/explain-plan.js';
import type { Plan } from '../plan/plan.js';

export class Profile {
  readonly nodes = new Map<Plan, NodeProfile>();
  /** Rows of the result. */
  rows = 0;

  readonly watch = (plan: Plan, operator: Operator): Operator => {
    let node = this.nodes.get(plan);
    if (node === undefined) this.nodes.set(plan, (node = { rows: 0, ms: 0, opened: 0 }));
    node.opened++;
    const profile = node;
    return {
      next: async (want?: number): Promise<Batch | undefined> => {
        const start = performance.now();
        const batch = await operator.next(want);
        profile.ms += performance.now() - start;
        profile.rows += batch?.length ?? 0;
        return batch;
      },
      close: () => operator.close(),
    };
  };
}
