/**
 * ORDER BY of which the first rows are wanted, by an index in which the first key is sorted: it reads and sorts one part of the objects
 * after the other, and stops where enough rows were taken. Every value of the key is in one part, so the other keys need no
 * more than the part. Where objects have ids without their values it reads and sorts everything.
 */
import type * as RDF from '@rdfjs/types';
import { FIRST_INLINE_ID } from '@quadrille/model';
import { MISS, type IdScan } from '../../dataset/id-dataset.js';
import { Cost } from '../../plan/cost.js';
import type { Plan, SortByRanges, SortPlan } from '../../plan/plan.js';
import type { Batch } from '../../execute/core/batch.js';
import type { Execution, NextBatch, Operator } from '../../execute/core/operator.js';
import { variableColumn } from '../../execute/core/variable-column.js';
import { finish, pauseOf, type Waiting } from '../../execute/core/waiting.js';
import { idRanges, type IdRange } from '../../plan/id-ranges.js';
import { endOfClass, ObjectParts } from './object-parts.js';
import { RangeFilter } from './range-filter.js';
import { Sort } from './sort.js';
import type { PlanOperator } from '../../execute/core/plan-operator.js';

const GROWTH = 4;

type OpenRanges = (plan: Plan, name: string, ranges: readonly IdRange[]) => Operator;

class RangeSort implements Operator {
  readonly #predicate: number;
  /** `undefined`: not known yet; `null`: everything is read at once. */
  #parts: ObjectParts | null | undefined;
  /** What is sorted now. */
  #sort: Sort | undefined;
  #rows: number = Cost.leastOfPart;
  /** Quads of the parts so far, about. */
  #read = 0;
  #quads = 0;
  #given = 0;
  #isLast = false;

  constructor(
    private readonly plan: SortPlan,
    private readonly byRanges: SortByRanges,
    private readonly openAll: () => Operator,
    private readonly openRanges: OpenRanges,
    private readonly execution: Execution,
  ) {
    this.#predicate = execution.constants[byRanges.predicate]!;
  }

  next(): NextBatch {
    return finish(this.#nextOf());
  }

  *#nextOf(): Waiting<Batch | undefined> {
    const { limit = Infinity } = this.plan;
    for (;;) {
      yield* pauseOf(this.execution.control);
      if (this.#parts === undefined) this.#parts = yield* this.#findParts();
      if (this.#given >= limit) return undefined;
      this.#sort ??= this.#nextSort(limit - this.#given);
      if (this.#sort === undefined) return undefined;
      let batch = this.#sort.next();
      if (batch instanceof Promise) batch = (yield batch) as Batch | undefined;
      if (batch !== undefined) {
        this.#given += batch.length;
        return batch;
      }
      this.#sort.close();
      this.#sort = undefined;
    }
  }

  /** Sorts the next part. */
  #nextSort(limit: number): Sort | undefined {
    if (this.#isLast || this.#parts === undefined) return undefined;
    const plan: SortPlan = limit === Infinity ? this.plan : { ...this.plan, limit };
    if (this.#parts === null) {
      this.#isLast = true;
      return new Sort(plan, this.openAll(), this.execution);
    }
    // The parts read so far exceed this share of the quads and gave too few rows. The plan for all rows reads the rest.
    if (this.#read > this.#quads * Cost.mostOfPart) {
      this.#isLast = true;
      const rest = this.#parts.rest();
      return rest.length === 0 ? undefined : this.#sorted(plan, this.plan.input, this.openAll(), rest);
    }
    const ranges = this.#parts.next(this.#rows);
    if (ranges === undefined) return undefined;
    this.#read += this.#rows;
    this.#rows *= GROWTH;
    const { plan: input, name } = this.byRanges;
    return this.#sorted(plan, input, this.openRanges(input, name, ranges), ranges);
  }

  // The pattern may also have been joined by seeks, which do not look at ranges.
  #sorted(plan: SortPlan, input: Plan, rows: Operator, ranges: readonly IdRange[]): Sort {
    const column = variableColumn(plan.keys[0]!.expression, input.variables);
    return new Sort({ ...plan, input }, new RangeFilter(rows, column, ranges), this.execution);
  }

  *#findParts(): Waiting<ObjectParts | null> {
    const { dataset } = this.execution;
    const predicate = this.#predicate;
    if (predicate === 0 || dataset.stepObjects === undefined) return null;
    const present = yield* this.#presentClasses();
    if (present === undefined) return null;
    const quads = dataset.estimate({ s: 0, p: predicate, o: 0, g: 0 });
    this.#quads = quads instanceof Promise ? ((yield quads) as number) : quads;
    const { descending } = this.plan.keys[0]!;
    const { range } = this.byRanges.scan;
    const ranges = range === undefined ? [{}] : idRanges(range, (term: RDF.Term) => this.execution.resolve(term));
    return new ObjectParts(
      (step) => dataset.stepObjects!({ ...step, predicate, descending }),
      descending,
      ranges,
      present,
    );
  }

  /** The first object of each class of ids; `undefined` where one does not contain its value. */
  *#presentClasses(): Waiting<number[] | undefined> {
    const present: number[] = [];
    for (let least = 0; ;) {
      const id = yield* this.#firstObject(least);
      if (id === 0) return present;
      const end = id < FIRST_INLINE_ID ? undefined : endOfClass(id);
      if (end === undefined) return undefined;
      present.push(id);
      least = end + 1;
    }
  }

  // In any graph; 0: none.
  *#firstObject(least: number): Waiting<number> {
    const scan: IdScan = this.execution.dataset.scan(
      { s: 0, p: this.#predicate, o: 0, g: 0 },
      { order: 'posg', least },
    );
    try {
      for (;;) {
        yield* pauseOf(this.execution.control);
        const rows = scan.next();
        if (rows !== MISS) return rows === 0 ? 0 : scan.o[scan.start]!;
        yield scan.fetch();
      }
    } finally {
      scan.close();
    }
  }

  close(): void {
    this.#isLast = true;
    this.#parts = null;
    this.#sort?.close();
    this.#sort = undefined;
  }
}

export const sort: PlanOperator<SortPlan> = {
  detail: ({ keys, limit, byRanges }, print) =>
    keys
      .map(({ expression, descending }) => `${descending ? 'desc ' : ''}${print.expression(expression)}`)
      .join(', ')
      .concat(limit === undefined ? '' : `, first ${limit}`)
      .concat(byRanges === undefined ? '' : ', by parts of an index'),
  open: (plan, { openAs, execution }) => {
    const openAll = (): Operator => openAs(plan.input, false);
    if (plan.byRanges === undefined) return new Sort(plan, openAll(), execution);
    const openRanges: OpenRanges = (inner, name, ranges) =>
      openAs(inner, false, 0, { ...execution, ranges: new Map([...(execution.ranges ?? []), [name, ranges]]) });
    return new RangeSort(plan, plan.byRanges, openAll, openRanges, execution);
  },
};
