/** Quads whose objects pass comparisons with constants, as far as the index of order tells. */
import type { IdRange } from '../../plan/id-ranges.js';
import type { ValueRangePlan } from '../../plan/plan.js';
import { Later } from '../../execute/core/later.js';
import type { Execution, Operator } from '../../execute/core/operator.js';
import { PassingIds } from '../../execute/core/passing-ids.js';
import type { PlanOperator } from '../../execute/core/plan-operator.js';
import { finish } from '../../execute/core/waiting.js';
import { SeekJoin } from '../seek/seek-join.js';
import { Union } from '../union/union.js';
import { Rows } from '../values/values.js';

async function openRange(
  { range, scan, seek, mostSought }: ValueRangePlan,
  execution: Execution,
  openScan: (ranges?: readonly IdRange[]) => Operator,
): Promise<Operator> {
  const passing = await finish(PassingIds.of(range, mostSought, execution));
  if (passing === undefined) return openScan();
  const { ids, inline } = passing;
  const sought = new SeekJoin(seek, new Rows({ columns: [ids], length: ids.length }), execution);
  return inline.length === 0
    ? sought
    : new Union({ variables: scan.variables, inputs: [seek, scan] }, [sought, openScan(inline)], execution);
}

export const valueRange: PlanOperator<ValueRangePlan> = {
  detail: ({ range, scan }, print) => `${print.pattern(scan.pattern)}, index of order: range of ?${range.variable}`,
  open: (plan, { execution, openAs }) =>
    new Later(
      () =>
        openRange(plan, execution, (ranges) =>
          openAs(
            plan.scan,
            false,
            0,
            ranges && { ...execution, ranges: new Map([...(execution.ranges ?? []), [plan.scan.within!, ranges]]) },
          ),
        ),
      execution.control,
    ),
};
