/** The number of quads that match a pattern, read from the index instead of from the quads. */
import { dataFactory, DEFAULT_GRAPH, inlineInteger, XSD } from '@quadrille/model';
import { MISS, type IdScan } from '../../dataset/id-dataset.js';
import type { CountPlan } from '../../plan/plan.js';
import type { Batch } from '../core/batch.js';
import type { Execution, Operator } from '../core/operator.js';
import { resolvePattern, RowFilter, type ResolvedPattern } from './pattern-columns.js';

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

  async next(): Promise<Batch | undefined> {
    if (this.#done) return undefined;
    this.#done = true;
    await this.execution.control.checkpoint();
    const id = await integerId(await this.#count(), this.execution);
    return { columns: this.plan.variables.map(() => Uint32Array.of(id)), length: 1 };
  }

  async #count(): Promise<number> {
    const pattern = resolvePattern(this.plan.pattern, this.execution);
    if (!pattern.possible) return 0;
    const { s, p, o, g } = pattern;
    const { dataset } = this.execution;
    const filter = new RowFilter(pattern);
    if (filter.passesAll) return dataset.count({ s, p, o, g });
    if (dataset.extraGraphs === undefined && isAllNamedGraphs(this.plan, pattern)) {
      const inDefault = await dataset.count({ s, p, o, g: DEFAULT_GRAPH });
      return (await dataset.count({ s, p, o, g: 0 })) - inDefault;
    }
    this.#scan = dataset.scan({ s, p, o, g });
    return this.#countRows(this.#scan, filter);
  }

  async #countRows(scan: IdScan, filter: RowFilter): Promise<number> {
    for (let count = 0; ;) {
      await this.execution.control.checkpoint();
      const rows = scan.next();
      if (rows === 0) return count;
      if (rows === MISS) await scan.fetch();
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
