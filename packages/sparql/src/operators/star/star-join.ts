/** For each row of the input, several properties of its subject, which are looked up together. */
import { DEFAULT_GRAPH } from '@quadrille/model';
import { MISS, type IdSeeker } from '../../dataset/id-dataset.js';
import type { StarPlan } from '../../plan/plan.js';
import { BatchMemory, gather, rowsOfWidth, type Batch } from '../../execute/core/batch.js';
import { stepped, type Execution, type NextBatch, type Operator, type Step } from '../../execute/core/operator.js';
import { isWhole, placesOf } from '../../execute/core/places.js';
import { Ramp } from '../../execute/core/ramp.js';
import { resolveGraph, type ResolvedGraph } from '../scan/graphs.js';
import { StarRows } from './star-rows.js';
import type { PlanOperator } from '../../execute/core/plan-operator.js';
import { SeekThenHash } from '../seek/seek-then-hash.js';

/** So many windows are read without looking at the clock. */
const WINDOWS = 256;

class StarJoin implements Operator {
  readonly #rows: StarRows;
  readonly #graph: ResolvedGraph;
  /** The columns of the input that have the subject and the graph; -1: the graph is one. */
  readonly #subjectAt: number;
  readonly #graphAt: number;
  /** For each output column: the input column to copy, or -1. */
  readonly #inputs: readonly number[];
  readonly #made: BatchMemory;
  readonly #most: number;
  readonly #ramp: Ramp;
  #seeker: IdSeeker | undefined;
  #batch: Batch | undefined;
  #row = 0;
  #room = 0;
  #state: 'begin' | 'read' | 'make' = 'begin';
  #ended: boolean;

  constructor(
    plan: StarPlan,
    private readonly input: Operator,
    private readonly execution: Execution,
  ) {
    this.#rows = new StarRows(plan, execution);
    this.#graph = resolveGraph(plan.graph, execution);
    const { variables } = plan.input;
    this.#subjectAt = variables.indexOf(plan.subject);
    this.#graphAt = plan.graph.kind === 'each' ? variables.indexOf(plan.graph.name) : -1;
    this.#inputs = placesOf(plan.variables, variables);
    this.#made = new BatchMemory(execution.memory);
    this.#most = rowsOfWidth(plan.variables.length);
    this.#ramp = new Ramp(plan.variables.length);
    this.#ended = !this.#rows.possible || !this.#graph.visible;
  }

  next(want = this.#most): NextBatch {
    this.#room = this.#ramp.next(want);
    return stepped(this.#step);
  }

  readonly #step = (): Step => {
    for (;;) {
      const pause = this.execution.control.checkpoint();
      if (pause !== undefined) return pause;
      if (this.#batch === undefined) {
        if (this.#ended) return undefined;
        const next = this.input.next(this.#room);
        if (next instanceof Promise) return next.then(this.#receive);
        this.#receive(next);
        continue;
      }
      if (!this.#joinRows(this.#batch)) return this.#seeker!.fetch();
      const isUsed = this.#row >= this.#batch.length;
      // Rows of one input only: their columns are copied from it.
      if (!isUsed && this.#rows.count < this.#room) continue;
      const joined = this.#joined(this.#batch);
      if (isUsed) this.#batch = undefined;
      if (joined.length > 0) return joined;
      this.#room = this.#ramp.next(this.#room);
    }
  };

  readonly #receive = (batch: Batch | undefined): void => {
    this.#batch = batch;
    this.#row = 0;
    this.#ended = batch === undefined;
  };

  /** Rows until there are enough, the batch is used up or a while has passed; false where the seeker has to fetch. */
  #joinRows(batch: Batch): boolean {
    const isBound = this.#graphAt !== -1 || this.#graph.id !== 0;
    const seeker = (this.#seeker ??= this.execution.dataset.seeker({ s: true, p: false, o: false, g: isBound }));
    const rows = this.#rows;
    for (let windows = 0; windows < WINDOWS && this.#row < batch.length && rows.count < this.#room;) {
      if (this.#state === 'begin') {
        rows.begin();
        this.#state = this.#seek(seeker, batch) ? 'read' : 'make';
      }
      if (this.#state === 'read') {
        const found = seeker.next();
        if (found === MISS) return false;
        windows++;
        if (found > 0) {
          rows.collect(seeker, seeker.start, seeker.end);
          continue;
        }
        this.#state = 'make';
        rows.complete();
      }
      if (!rows.make(this.#row, 0, this.#room - rows.count)) return true;
      this.#state = 'begin';
      this.#row++;
    }
    return true;
  }

  #seek(seeker: IdSeeker, { columns }: Batch): boolean {
    const subject = columns[this.#subjectAt]![this.#row]!;
    if (this.#graphAt === -1) {
      seeker.seek(subject, 0, 0, this.#graph.id);
      return true;
    }
    const graph = columns[this.#graphAt]![this.#row]!;
    if (graph === DEFAULT_GRAPH || !this.#graph.accepts!(graph)) return false;
    seeker.seek(subject, 0, 0, graph);
    return true;
  }

  #joined(batch: Batch): Batch {
    const { ids, outputs, count } = this.#rows;
    // Where each row has one match, the columns of the input are handed on.
    const isSame = isWhole(ids, count, batch.length);
    this.#made.reserve(count, this.#inputs.length);
    const columns = this.#inputs.map((input) => {
      if (input === -1) return ids;
      const column = batch.columns[input]!;
      return isSame ? column : gather(column, ids, count);
    });
    for (const { at, values } of outputs) columns[at] = values.slice(0, count);
    this.#rows.clear();
    return { columns, length: count };
  }

  close(): void {
    this.#seeker?.close();
    this.#seeker = undefined;
    this.#made.free();
    this.#rows.free();
    this.input.close();
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
