/**
 * ORDER BY of which the first rows are wanted, by an index in which the first key is sorted: it reads and sorts one part of the objects
 * after the other, and stops where enough rows were taken. Every value of the key is in one part, so the other keys need no
 * more than the part. Where objects have ids without their values, and no index of order knows them, it reads and sorts everything.
 */
import type * as RDF from '@rdfjs/types';
import { FIRST_INLINE_ID } from '@quadrille/model';
import { type IdScan, MISS } from '../../dataset/id-dataset.js';
import { Cost } from '../../plan/cost.js';
import type { Plan, SortByRanges, SortPlan } from '../../plan/plan.js';
import type { Batch } from '../../execute/core/batch.js';
import { keysBetween } from '../../execute/core/keyed-ids.js';
import type { Execution, NextBatch, Operator } from '../../execute/core/operator.js';
import { variableColumn } from '../../execute/core/variable-column.js';
import { finish, pauseOf, type Waiting } from '../../execute/core/waiting.js';
import type { IdRange } from '../../plan/id-ranges.js';
import { passingValues } from '../../plan/key-ranges.js';
import { endOfClass, isInPart, type ObjectPart, ObjectParts, type ObjectSource } from './object-parts.js';
import { ColumnFilter } from '../filter/column-filter.js';
import { Sort } from './sort.js';
import type { PlanOperator } from '../../execute/core/plan-operator.js';

const GROWTH = 4;
/** Rows of a first part that are looked up, for one that is wanted. */
const RESERVE = 2;

type OpenRanges = (plan: Plan, name: string, ranges: readonly IdRange[]) => Operator;

const NO_KEYS = Promise.resolve(undefined);

/** Each literal is a range of its own. */
const rangesOf = ({ ids, ranges }: ObjectPart): readonly IdRange[] =>
  ids.length === 0 ? ranges : [...Array.from(ids, (id) => ({ least: id, greatest: id })), ...ranges];

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
  /** The parts so far. */
  readonly #done: ObjectPart[] = [];
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
      this.#sort ??= yield* this.#nextSort(limit - this.#given);
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
  *#nextSort(limit: number): Waiting<Sort | undefined> {
    if (this.#isLast || this.#parts === undefined) return undefined;
    const plan: SortPlan = limit === Infinity ? this.plan : { ...this.plan, limit };
    if (this.#parts === null) {
      this.#isLast = true;
      return new Sort(plan, this.openAll(), this.execution);
    }
    // The parts read so far exceed this share of the quads and gave too few rows. The plan for all rows reads the rest.
    const isEnough = this.#read > this.#quads * Cost.mostOfPart;
    const part = isEnough ? null : yield* this.#parts.next(this.#rows);
    if (part === undefined) return undefined;
    if (part === null) {
      this.#isLast = true;
      return this.#sorted(plan, this.plan.input, this.openAll(), this.#done, false);
    }
    this.#done.push(part);
    this.#read += this.#rows;
    this.#rows *= GROWTH;
    const { plan: input, name } = this.byRanges;
    return this.#sorted(plan, input, this.openRanges(input, name, rangesOf(part)), [part], true);
  }

  // The pattern may also have been joined by seeks, which do not look at ranges.
  #sorted(plan: SortPlan, input: Plan, rows: Operator, parts: readonly ObjectPart[], isInside: boolean): Sort {
    const column = variableColumn(plan.keys[0]!.expression, input.variables);
    const passes = (id: number): boolean => parts.some((part) => isInPart(part, id)) === isInside;
    return new Sort({ ...plan, input }, new ColumnFilter(rows, column, passes, this.execution), this.execution);
  }

  *#findParts(): Waiting<ObjectParts | null> {
    const { dataset } = this.execution;
    const predicate = this.#predicate;
    if (predicate === 0 || dataset.stepObjects === undefined) return null;
    const classes = yield* this.#presentClasses();
    if (classes === undefined) return null;
    const { present, isKeyed } = classes;
    const quads = dataset.estimate({ s: 0, p: predicate, o: 0, g: 0 });
    this.#quads = quads instanceof Promise ? ((yield quads) as number) : quads;
    const { descending } = this.plan.keys[0]!;
    const { range } = this.byRanges.scan;
    const passing = range && passingValues(range, (term: RDF.Term) => this.execution.resolve(term));
    const stepObjects = (from: number, rows: number): number | undefined =>
      dataset.stepObjects!({ predicate, from, rows, descending });
    if (!isKeyed) return new ObjectParts({ stepObjects }, descending, passing, present);
    // Each row is looked up by itself.
    this.#rows = Math.max(Cost.leastLookedUp, Math.min(this.plan.limit ?? Infinity, this.#rows) * RESERVE);
    const keys: ObjectSource['keys'] = {
      step: (keyRange, rows) => dataset.stepKeys!(keyRange, rows, descending),
      between: (keyRange) => keysBetween(keyRange, this.execution),
    };
    return new ObjectParts({ stepObjects, keys }, descending, passing, present);
  }

  /** The first object of each class of ids; `undefined` where one neither contains its value nor has a key. */
  *#presentClasses(): Waiting<{ readonly present: readonly number[]; readonly isKeyed: boolean } | undefined> {
    const { dataset, control } = this.execution;
    const present: number[] = [];
    let isKeyed = false;
    for (let least = 0; ;) {
      const id = yield* this.#firstObject(least);
      if (id === 0) return { present, isKeyed };
      if (id < FIRST_INLINE_ID) {
        isKeyed = ((yield dataset.areKeyed?.(this.#predicate, control) ?? NO_KEYS) as boolean | undefined) === true;
        if (!isKeyed) return undefined;
        least = FIRST_INLINE_ID;
        continue;
      }
      const end = endOfClass(id);
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
