/** Runs a plan in one named graph after the other. */
import { DEFAULT_GRAPH } from '@quadrille/model';
import type { GraphLoopPlan } from '../../plan/plan.js';
import { BATCH_ROWS, type Batch } from '../core/batch.js';
import type { Execution, NextBatch, Operator } from '../core/operator.js';
import { finish, type Waiting } from '../core/waiting.js';

export class GraphLoop implements Operator {
  /** Per output column: of the inner plan, or -1 for the graph. */
  readonly #columns: readonly number[];
  #graphs: number[] | undefined;
  #inner: Operator | undefined;
  #graph = 0;
  readonly #innerName: number;

  constructor(
    private readonly plan: GraphLoopPlan,
    /** Opens the inner plan in a graph. */
    private readonly open: (graph: number) => Operator,
    private readonly execution: Execution,
  ) {
    this.#columns = plan.variables.map((name) => (name === plan.name ? -1 : plan.inner.variables.indexOf(name)));
    this.#innerName = plan.inner.variables.indexOf(plan.name);
  }

  next(want?: number): NextBatch {
    return finish(this.#nextOf(want));
  }

  *#nextOf(want: number | undefined): Waiting<Batch | undefined> {
    this.#graphs ??= (yield this.#named()) as number[];
    if (this.plan.inner.type === 'unit') return this.#onlyGraphs(this.#graphs);
    for (;;) {
      const pause = this.execution.control.checkpoint();
      if (pause !== undefined) yield pause;
      if (this.#inner === undefined) {
        const graph = this.#graphs.shift();
        if (graph === undefined) return undefined;
        this.#graph = graph;
        this.#inner = this.open(graph);
      }
      let batch = this.#inner.next(want);
      if (batch instanceof Promise) batch = (yield batch) as Batch | undefined;
      if (batch === undefined) {
        this.#inner.close();
        this.#inner = undefined;
        continue;
      }
      const named = this.#withGraph(batch);
      if (named.length > 0) return named;
    }
  }

  #onlyGraphs(graphs: number[]): Batch | undefined {
    const some = Uint32Array.from(graphs.splice(0, BATCH_ROWS));
    return some.length === 0 ? undefined : { columns: this.#columns.map(() => some), length: some.length };
  }

  // The inner plan may bind the variable too: then the value must be this graph.
  #withGraph(batch: Batch): Batch {
    const own = this.#innerName === -1 ? undefined : batch.columns[this.#innerName]!;
    const rows: number[] = [];
    for (let row = 0; row < batch.length; row++) {
      if (own === undefined || own[row] === 0 || own[row] === this.#graph) rows.push(row);
    }
    const columns = this.#columns.map((at) =>
      at === -1
        ? new Uint32Array(rows.length).fill(this.#graph)
        : Uint32Array.from(rows, (row) => batch.columns[at]![row]!),
    );
    return { columns, length: rows.length };
  }

  async #named(): Promise<number[]> {
    const { dataset, constants } = this.execution;
    const { graphs } = await dataset.statistics();
    const isExtra = (id: number): boolean => dataset.extraGraphs?.has(id) === true;
    const among = this.plan.among?.map((constant) => constants[constant]!);
    const ids =
      among === undefined ? [...graphs.keys()] : [...new Set(among)].filter((id) => graphs.has(id) || isExtra(id));
    return ids.filter((id) => id !== DEFAULT_GRAPH).sort((a, b) => a - b);
  }

  close(): void {
    this.#inner?.close();
    this.#inner = undefined;
    this.#graphs = [];
  }
}
