/** The subjects that have several properties: one scan of all their quads in the order of the subjects. */
import { DEFAULT_GRAPH } from '@quadrille/model';
import { MISS, type IdScan } from '../../dataset/id-dataset.js';
import type { StarPlan } from '../../plan/plan.js';
import { BatchMemory, rowsOfWidth, type Batch } from '../../execute/core/batch.js';
import { stepped, type Execution, type NextBatch, type Operator, type Step } from '../../execute/core/operator.js';
import { resolveGraph, type ResolvedGraph } from '../scan/graphs.js';
import { StarRows } from './star-rows.js';

export class StarScan implements Operator {
  readonly #rows: StarRows;
  readonly #graph: ResolvedGraph;
  readonly #made: BatchMemory;
  readonly #most: number;
  readonly #ofEachGraph: boolean;
  #want: number;
  #scan: IdScan | undefined;
  /** What is left of the window. */
  #from = 0;
  #to = 0;
  /** The present subject; 0: none. */
  #subject = 0;
  #inGraph = 0;
  /** Its rows are being made. */
  #isComplete = false;
  #ended: boolean;

  constructor(
    private readonly plan: StarPlan,
    private readonly execution: Execution,
  ) {
    this.#rows = new StarRows(plan, execution);
    this.#graph = resolveGraph(plan.graph, execution);
    this.#ofEachGraph = plan.graph.kind === 'each';
    this.#made = new BatchMemory(execution.memory);
    this.#want = this.#most = rowsOfWidth(plan.variables.length);
    this.#ended = !this.#rows.possible || !this.#graph.visible;
  }

  next(want = this.#most): NextBatch {
    this.#want = Math.min(want, this.#most);
    return stepped(this.#step);
  }

  readonly #step = (): Step => {
    const rows = this.#rows;
    for (;;) {
      const pause = this.execution.control.checkpoint();
      if (pause !== undefined) return pause;
      if (this.#isComplete && !this.#make()) return this.#taken();
      if (this.#ended) return rows.count === 0 ? undefined : this.#taken();
      if (this.#from === this.#to) {
        const scan = (this.#scan ??= this.#open());
        const found = scan.next();
        if (found === MISS) return scan.fetch();
        this.#from = scan.start;
        this.#to = scan.end;
        if (found === 0) {
          this.#ended = true;
          this.#complete();
          continue;
        }
      }
      this.#read(this.#scan!);
      if (rows.count >= this.#want) return this.#taken();
    }
  };

  #open(): IdScan {
    const { id } = this.#graph;
    const order = id === DEFAULT_GRAPH ? 'spog' : 'gspo';
    return this.execution.dataset.scan({ s: 0, p: 0, o: 0, g: id }, { order });
  }

  // Subjects of the window, until there are enough rows.
  #read(scan: IdScan): void {
    const { s, g } = scan;
    while (this.#from < this.#to) {
      const start = this.#from;
      const subject = s[start]!;
      const graph = this.#ofEachGraph ? g[start]! : 0;
      if (subject !== this.#subject || graph !== this.#inGraph) {
        this.#complete();
        if (this.#isComplete && !this.#make()) return;
        if (this.#rows.count >= this.#want) return;
        this.#subject = subject;
        this.#inGraph = graph;
        this.#rows.begin();
      }
      const other = this.#ofEachGraph ? g : s;
      let end = start + 1;
      while (end < this.#to && s[end] === subject && other[end] === other[start]) end++;
      if (graph === 0 || this.#graph.accepts!(graph)) this.#rows.collect(scan, start, end);
      this.#from = end;
    }
  }

  #complete(): void {
    if (this.#subject === 0) return;
    this.#rows.complete();
    this.#isComplete = true;
  }

  /** Rows of the present subject; false where there are more than are wanted now. */
  #make(): boolean {
    const isDone = this.#rows.make(this.#subject, this.#inGraph, this.#want - this.#rows.count);
    if (!isDone) return false;
    this.#isComplete = false;
    this.#subject = 0;
    return true;
  }

  #taken(): Batch {
    const { ids, graphs, outputs, count } = this.#rows;
    const { variables, subject } = this.plan;
    this.#made.reserve(count, variables.length);
    const columns = variables.map((name) => (name === subject ? ids : graphs).slice(0, count));
    for (const { at, values } of outputs) columns[at] = values.slice(0, count);
    this.#rows.clear();
    return { columns, length: count };
  }

  close(): void {
    this.#scan?.close();
    this.#scan = undefined;
    this.#ended = true;
    this.#made.free();
    this.#rows.free();
  }
}
