/** GROUP BY with its aggregates. Input that is sorted by the keys is grouped one group at a time, without a table of all groups. */
import type { IdStatistics } from '../../dataset/id-dataset.js';
import type { GroupPlan } from '../../plan/plan.js';
import { BatchMemory, rowsOfWidth, sliceRows, type Batch } from '../../execute/core/batch.js';
import { placesOf } from '../../execute/core/places.js';
import { ExtremeKeys } from './extreme-keys.js';
import { GroupAggregate } from './group-aggregate.js';
import { IdTable, RowStore } from '../../execute/table/id-table.js';
import type { Memory } from '../../control/memory.js';
import type { Execution, NextBatch, Operator } from '../../execute/core/operator.js';
import { nextOf, pauseOf, type Producing, type Waiting } from '../../execute/core/waiting.js';
import { namedGraphs } from '../statistics/statistics.js';
import { RowRuns, sortedBy } from '../../execute/table/row-runs.js';
import type { PlanOperator } from '../../execute/core/plan-operator.js';

/** Finished groups that are handed on at once. */
const FLUSH_GROUPS = 512;

/** Numbers groups by their keys. */
interface Groups {
  readonly size: number;
  readonly keys: readonly Uint32Array[];
  insert(columns: readonly Uint32Array[], row: number): number;
  free(): void;
}

export class Group implements Operator {
  readonly #keys: readonly number[];
  readonly #aggregates: readonly GroupAggregate[];
  readonly #extremeKeys: ExtremeKeys;
  readonly #streams: boolean;
  /** For each output column: the number of its aggregate or of its key, or neither. There may be thousands. */
  readonly #outputs: readonly { readonly aggregate: number; readonly key: number }[];
  readonly #most: number;
  readonly #batches: Producing<Batch>;
  #groups: Groups;
  readonly #made: BatchMemory;
  #numbers = new Uint32Array(0);

  constructor(
    private readonly plan: GroupPlan,
    private readonly input: Operator,
    private readonly execution: Execution,
  ) {
    const { variables, sorted } = plan.input;
    // No row has this key, so it does not divide groups.
    const keys = plan.keys.filter((name) => variables.includes(name));
    this.#keys = keys.map((name) => variables.indexOf(name));
    const extremes = new ExtremeKeys(plan.input.rows, execution);
    this.#extremeKeys = extremes;
    this.#aggregates = plan.aggregates.map((each) => new GroupAggregate(each, variables, extremes, execution));
    const aggregates = placesOf(
      plan.variables,
      plan.aggregates.map(({ variable }) => variable),
    );
    const places = placesOf(plan.variables, keys);
    this.#outputs = aggregates.map((aggregate, at) => ({ aggregate, key: places[at]! }));
    this.#most = rowsOfWidth(Math.max(variables.length, plan.variables.length));
    this.#streams = plan.ofGraphs === undefined && sortedBy(sorted, keys);
    this.#made = new BatchMemory(execution.memory);
    this.#groups = this.#newGroups();
    this.#batches = this.#run();
  }

  next(): NextBatch {
    return nextOf(this.#batches);
  }

  *#run(): Producing<Batch> {
    let started = false;
    for (const aggregate of this.#aggregates) yield* aggregate.compile();
    for (;;) {
      yield* pauseOf(this.execution.control);
      let batch = this.input.next(this.#most);
      if (batch instanceof Promise) batch = (yield batch) as Batch | undefined;
      if (batch === undefined) break;
      started = true;
      const split = this.#streams && this.#groups.size >= FLUSH_GROUPS ? this.#lastRun(batch) : 0;
      if (split > 0) {
        yield* this.#add(sliceRows(batch, 0, split));
        yield* this.#finished(this.#groups.size);
        this.#reset();
      }
      yield* this.#add(sliceRows(batch, split, batch.length));
    }
    yield* this.#addGraphs();
    // Without keys there is one group, even if there are no rows.
    if (started || this.plan.keys.length === 0 || this.#groups.size > 0)
      yield* this.#finished(Math.max(this.#groups.size, 1));
  }

  /** A group for each graph that has no row. */
  *#addGraphs(): Waiting<void> {
    const { ofGraphs } = this.plan;
    if (ofGraphs === undefined) return;
    const { graphs } = (yield this.execution.dataset.statistics()) as IdStatistics;
    const ids = namedGraphs(graphs, ofGraphs.among, this.execution);
    for (let start = 0; start < ids.length; start += this.#most) {
      const some = ids.subarray(start, start + this.#most);
      if (this.#groups instanceof IdTable) yield* this.#groups.makeRoom(some.length, this.execution.control);
      for (let i = 0; i < some.length; i++) this.#groups.insert([some], i);
      yield* pauseOf(this.execution.control);
    }
  }

  *#add(batch: Batch): Waiting<void> {
    if (this.#groups instanceof IdTable) yield* this.#groups.makeRoom(batch.length, this.execution.control);
    const numbers = this.#number(batch);
    for (const aggregate of this.#aggregates) {
      yield* aggregate.add(batch, numbers, this.#groups.size);
      yield* pauseOf(this.execution.control);
    }
  }

  // The group of each row.
  #number({ columns, length }: Batch): Uint32Array {
    if (this.#numbers.length < length) this.#numbers = new Uint32Array(length);
    const keys = this.#keys.map((column) => columns[column]!);
    const numbers = this.#numbers;
    if (keys.length === 0) {
      // All rows are of one group.
      numbers.fill(this.#groups.insert(keys, 0), 0, length);
      return numbers;
    }
    for (let row = 0; row < length; row++) numbers[row] = this.#groups.insert(keys, row);
    return numbers;
  }

  // Where the last run of rows with equal keys begins.
  #lastRun({ columns, length }: Batch): number {
    const last = length - 1;
    let start = last;
    while (start > 0 && this.#keys.every((column) => columns[column]![start - 1] === columns[column]![last])) start--;
    return start;
  }

  *#finished(count: number): Producing<Batch> {
    const { keys } = this.#groups;
    for (let start = 0; start < count; start += this.#most) {
      const end = Math.min(start + this.#most, count);
      const columns: Uint32Array[] = [];
      this.#made.reserve(end - start, this.#outputs.length);
      for (const { aggregate, key } of this.#outputs) {
        if (aggregate !== -1) columns.push((yield this.#aggregates[aggregate]!.results(start, end)) as Uint32Array);
        else columns.push(key === -1 ? new Uint32Array(end - start) : keys[key]!.slice(start, end));
      }
      yield* pauseOf(this.execution.control);
      yield { columns, length: end - start };
    }
  }

  #newGroups(): Groups {
    const { memory } = this.execution;
    if (this.#streams) return new SortedGroups(this.#keys.length, memory);
    return new IdTable(this.#keys.length, memory);
  }

  #reset(): void {
    this.#groups.free();
    this.#groups = this.#newGroups();
    for (const aggregate of this.#aggregates) aggregate.reset();
  }

  close(): void {
    this.#groups.free();
    for (const aggregate of this.#aggregates) aggregate.free();
    this.#extremeKeys.free();
    this.#made.free();
    this.input.close();
  }
}

/** Groups whose rows come next to one another. */
class SortedGroups implements Groups {
  readonly #runs: RowRuns;
  readonly #store: RowStore;

  constructor(
    private readonly width: number,
    memory: Memory,
  ) {
    this.#runs = new RowRuns(width);
    this.#store = new RowStore(width, memory);
  }

  get size(): number {
    return this.#store.length;
  }

  get keys(): readonly Uint32Array[] {
    return this.#store.columns;
  }

  insert(columns: readonly Uint32Array[], row: number): number {
    const store = this.#store;
    if (this.#runs.begins(columns, row)) {
      store.reserve(1);
      for (let i = 0; i < this.width; i++) store.columns[i]![store.length] = columns[i]![row]!;
      store.length++;
    }
    return store.length - 1;
  }

  free(): void {
    this.#store.free();
  }
}

export const group: PlanOperator<GroupPlan> = {
  detail: ({ keys, aggregates, ofGraphs }, { names }) =>
    `by ${ofGraphs === undefined ? '' : 'each graph '}${names(keys)}: ${aggregates.map(({ variable, aggregator, iri }) => `?${variable} := ${iri ?? aggregator}`).join(', ')}`,
  open: (plan, { openAs, isOrdered, execution }) => {
    const { input } = plan;
    const keys = plan.keys.filter((name) => input.variables.includes(name));
    // Rows of a group may be recognised by their neighbours.
    const isRead = keys.length > 0 && sortedBy(input.sorted, keys);
    return new Group(plan, openAs(input, isOrdered || isRead), execution);
  },
};
