/** The number of quads that match a pattern, read from the index instead of from the quads. */
import { dataFactory, DEFAULT_GRAPH, inlineInteger, XSD } from '@quadrille/model';
import { MISS, type IdScan } from '../../dataset/id-dataset.js';
import type { CountPlan } from '../../plan/plan.js';
import type { Batch } from '../../execute/core/batch.js';
import type { Execution, NextBatch, Operator } from '../../execute/core/operator.js';
import { finish, pauseOf, type Waiting } from '../../execute/core/waiting.js';
import { resolvePattern, RowFilter, type ResolvedPattern } from '../scan/pattern-columns.js';
import type { PlanOperator } from '../../execute/core/plan-operator.js';

const INTEGER = dataFactory.namedNode(`${XSD}integer`);

/** The id of an xsd:integer. */
export function integerId(value: number, execution: Execution): number | Promise<number> {
  return inlineInteger(value) || execution.terms.intern(dataFactory.literal(String(value), INTEGER));
}

export class Count implements Operator {
  #done = false;
  #scan: IdScan | undefined;

  constructor(
    private readonly plan: CountPlan,
    private readonly execution: Execution,
  ) {}

  next(): NextBatch {
    return finish(this.#nextOf());
  }

  *#nextOf(): Waiting<Batch | undefined> {
    if (this.#done) return undefined;
    this.#done = true;
    yield* pauseOf(this.execution.control);
    const found = integerId(yield* this.#count(), this.execution);
    const id = found instanceof Promise ? ((yield found) as number) : found;
    return { columns: this.plan.variables.map(() => Uint32Array.of(id)), length: 1 };
  }

  *#count(): Waiting<number> {
    const pattern = resolvePattern(this.plan.pattern, this.execution);
    if (!pattern.possible) return 0;
    const { s, p, o, g } = pattern;
    const { dataset, control } = this.execution;
    const filter = new RowFilter(pattern);
    // Rows of further graphs may have to be computed: a scan does that in steps.
    const isStored = dataset.extraGraphs?.has(g) !== true;
    if (filter.passesAll && isStored) return (yield dataset.count({ s, p, o, g }, control)) as number;
    if (dataset.extraGraphs === undefined && isAllNamedGraphs(this.plan, pattern)) {
      const inDefault = (yield dataset.count({ s, p, o, g: DEFAULT_GRAPH }, control)) as number;
      return ((yield dataset.count({ s, p, o, g: 0 }, control)) as number) - inDefault;
    }
    this.#scan = dataset.scan({ s, p, o, g });
    return yield* this.#countRows(this.#scan, filter);
  }

  *#countRows(scan: IdScan, filter: RowFilter): Waiting<number> {
    for (let count = 0; ;) {
      yield* pauseOf(this.execution.control);
      const rows = scan.next();
      if (rows === 0) return count;
      if (rows === MISS) yield scan.fetch();
      else for (let row = scan.start; row < scan.end; row++) if (filter.passes(scan, row)) count++;
    }
  }

  close(): void {
    this.#scan?.close();
    this.#scan = undefined;
    this.#done = true;
  }
}

function isAllNamedGraphs({ pattern }: CountPlan, { variables }: ResolvedPattern): boolean {
  if (pattern.g.kind !== 'each' || pattern.g.among !== undefined) return false;
  return [...variables.values()].every((positions) => positions.length === 1);
}

export const count: PlanOperator<CountPlan> = {
  detail: ({ pattern }, print) => print.pattern(pattern),
  open: (plan, { execution }) => new Count(plan, execution),
};
