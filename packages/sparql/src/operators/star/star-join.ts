/** For each row of the input, several properties of its subject, which are looked up together. */
import { DEFAULT_GRAPH } from '@quadrille/model';
import { MISS, type IdSeeker, type SoughtIds } from '../../dataset/id-dataset.js';
import type { StarPlan } from '../../plan/plan.js';
import type { Batch } from '../../execute/core/batch.js';
import type { Execution, Operator } from '../../execute/core/operator.js';
import { resolveGraph, type ResolvedGraph } from '../scan/graphs.js';
import { StarRows } from './star-rows.js';
import type { PlanOperator } from '../../execute/core/plan-operator.js';
import { LookupJoin, type Found } from '../seek/lookup-join.js';
import { SeekThenHash } from '../seek/seek-then-hash.js';

/** So many windows are read without looking at the clock. */
const WINDOWS = 256;

class StarJoin extends LookupJoin {
  readonly #rows: StarRows;
  readonly #graph: ResolvedGraph;
  /** The columns of the input that have the subject and the graph; -1: the graph is one. */
  readonly #subjectAt: number;
  readonly #graphAt: number;
  #seeker: IdSeeker | undefined;
  #state: 'begin' | 'read' | 'make' = 'begin';

  constructor(plan: StarPlan, input: Operator, execution: Execution) {
    const { variables } = plan.input;
    super(plan.variables, variables, input, execution);
    this.#rows = new StarRows(plan, execution);
    this.#graph = resolveGraph(plan.graph, execution);
    this.#subjectAt = variables.indexOf(plan.subject);
    this.#graphAt = plan.graph.kind === 'each' ? variables.indexOf(plan.graph.name) : -1;
    if (!this.#rows.possible || !this.#graph.visible) this.skipInput();
  }

  /** A subject with more rows than are wanted is not behind the present row. */
  protected readonly isLeft = false;

  protected find(batch: Batch): Found {
    const isBound = this.#graphAt !== -1 || this.#graph.id !== 0;
    const seeker = (this.#seeker ??= this.execution.dataset.seeker({ s: true, p: false, o: false, g: isBound }));
    const rows = this.#rows;
    for (let windows = 0; this.row < batch.length && rows.count < this.room;) {
      if (windows >= WINDOWS) return 'more';
      if (this.#state === 'begin') {
        rows.begin();
        this.#state = this.#seek(seeker, batch) ? 'read' : 'make';
      }
      if (this.#state === 'read') {
        const found = seeker.next();
        if (found === MISS) return 'miss';
        windows++;
        if (found > 0) {
          rows.collect(seeker, seeker.start, seeker.end);
          continue;
        }
        this.#state = 'make';
        rows.complete();
      }
      if (!rows.make(this.row, 0, this.room - rows.count)) return 'enough';
      this.#state = 'begin';
      this.row++;
    }
    return 'enough';
  }

  protected fetch(batch: Batch): Promise<void> {
    return this.#seeker!.fetch(this.#ahead(batch));
  }

  *#ahead(batch: Batch): Generator<SoughtIds, void, undefined> {
    const end = this.endOfAhead(batch);
    for (let row = this.row + 1; row < end; row++) {
      const graph = this.#graphOf(batch, row);
      if (graph !== undefined) yield [batch.columns[this.#subjectAt]![row]!, 0, 0, graph];
    }
  }

  #seek(seeker: IdSeeker, batch: Batch): boolean {
    const graph = this.#graphOf(batch, this.row);
    if (graph === undefined) return false;
    seeker.seek(batch.columns[this.#subjectAt]![this.row]!, 0, 0, graph);
    return true;
  }

  /** The graph in which the subject of a row is looked up; `undefined` where it may not be seen. */
  #graphOf({ columns }: Batch, row: number): number | undefined {
    if (this.#graphAt === -1) return this.#graph.id;
    const graph = columns[this.#graphAt]![row]!;
    return graph === DEFAULT_GRAPH || !this.#graph.accepts!(graph) ? undefined : graph;
  }

  protected take(batch: Batch): Batch {
    const { ids, outputs, count } = this.#rows;
    const columns = this.copied(batch, ids, count, outputs.length);
    for (const { at, values } of outputs) columns[at] = values.slice(0, count);
    this.#rows.clear();
    return { columns, length: count };
  }

  override close(): void {
    this.#seeker?.close();
    this.#seeker = undefined;
    this.#rows.free();
    super.close();
  }
}

export const star: PlanOperator<StarPlan> = {
  detail: ({ subject, legs, graph }, print) => {
    const shown = legs.map(
      ({ mode, predicate, object }) =>
        `${mode === 'inner' ? '' : `${mode} `}${print.constant(predicate)} ${print.term(object)}`,
    );
    return `?${subject} ${shown.join(' ; ')}${print.graph(graph)}`;
  },
  open: (plan, opening) => {
    const { open, later, execution } = opening;
    const { input, afterwards } = plan;
    if (input.type === 'unit') return later((more) => more.scanStars(plan, execution));
    const join = (rows: Operator): Operator => new StarJoin(plan, rows, execution);
    return afterwards === undefined ? join(open(input)) : new SeekThenHash(afterwards, opening, open(input), join);
  },
};
