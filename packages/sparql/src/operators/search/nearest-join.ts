/** Literals of vectors, the nearest first, with the quads that have them and the rows of the input that fit to these. */
import { EvaluationError, XSD } from '@quadrille/model';
import { type FoundLiteral, type IdSeeker, MISS, type NearestLiterals } from '../../dataset/id-dataset.js';
import { type Batch, BATCH_ROWS, BatchBuilder } from '../../execute/core/batch.js';
import type { Execution, NextBatch, Operator } from '../../execute/core/operator.js';
import { nextOf, type Producing, type Waiting } from '../../execute/core/waiting.js';
import { RowStore } from '../../execute/table/id-table.js';
import type { NearestPlan } from '../../plan/plan.js';
import { type ResolvedPattern, resolvePattern, RowFilter } from '../scan/pattern-columns.js';
import { scoreTerm } from './search.js';

/** Bytes that a candidate takes: its id, its bound, and its place in the order. */
const CANDIDATE_BYTES = 16;
/** The vectors of up to so many subjects are looked up. Of more, those that are nearest are compared with them. */
const MOST_SUBJECTS = 8192;

/** Rows of the input with the same vector, by the subject that they have; 0: any. */
type RowsBySubject = Map<number, number[]>;

/** Where the columns of the pattern stand in the input; -1: they do not. */
interface Joined {
  readonly s: number;
  readonly g: number;
}

export class NearestJoin implements Operator {
  readonly #batches: Producing<Batch>;
  readonly #rows: RowStore;
  readonly #out: BatchBuilder;
  readonly #joined: Joined;
  #seeker: IdSeeker | undefined;
  #reserved = 0;
  #want = BATCH_ROWS;

  constructor(
    private readonly plan: NearestPlan,
    private readonly input: Operator,
    private readonly execution: Execution,
  ) {
    const { pattern, variables } = plan;
    const names = plan.input.variables;
    this.#rows = new RowStore(names.length, execution.memory);
    this.#out = new BatchBuilder(variables.length);
    this.#joined = {
      s: pattern.s.kind === 'variable' ? names.indexOf(pattern.s.name) : -1,
      g: pattern.g.kind === 'each' ? names.indexOf(pattern.g.name) : -1,
    };
    this.#batches = this.#run();
  }

  next(want = BATCH_ROWS): NextBatch {
    this.#want = want;
    return nextOf(this.#batches);
  }

  *#run(): Producing<Batch> {
    const { plan, execution } = this;
    if (execution.dataset.nearest === undefined)
      throw wrong(
        'vec:nearest does not search graphs of other repositories, nor those of the caller: ask it alone, or by SERVICE <repo:…>',
      );
    const name = this.#literal(0);
    const count = this.#count();
    const groups = yield* this.#readInput();
    const pattern = resolvePattern(plan.pattern, execution);
    if (!pattern.possible || count === 0) return;
    for (const [vector, rows] of groups) yield* this.#nearest({ name, count, vector, rows, pattern });
    if (this.#out.length > 0) yield this.#out.take();
  }

  /** The rows of the input by their vectors, and then by their subjects. */
  *#readInput(): Waiting<Map<number, RowsBySubject>> {
    const { plan, execution } = this;
    const groups = new Map<number, RowsBySubject>();
    const column = plan.vector === undefined ? -1 : plan.input.variables.indexOf(plan.vector);
    for (;;) {
      let batch = this.input.next();
      if (batch instanceof Promise) batch = (yield batch) as Batch | undefined;
      if (batch === undefined) return groups;
      const first = this.#rows.length;
      yield* this.#rows.add(batch.columns, batch.length, execution.control);
      for (let i = 0; i < batch.length; i++) {
        const vector = column === -1 ? 0 : batch.columns[column]![i]!;
        if (column !== -1 && vector === 0) throw wrong(`?${plan.vector!}, the vector behind vec:nearest, has no value`);
        let rows = groups.get(vector);
        if (rows === undefined) groups.set(vector, (rows = new Map()));
        const subject = this.#joined.s === -1 ? 0 : batch.columns[this.#joined.s]![i]!;
        const same = rows.get(subject);
        if (same === undefined) rows.set(subject, [first + i]);
        else same.push(first + i);
      }
    }
  }

  *#nearest(asked: {
    readonly name: string;
    readonly count: number;
    readonly vector: number;
    readonly rows: RowsBySubject;
    readonly pattern: ResolvedPattern;
  }): Producing<Batch> {
    const { control, memory, dataset } = this.execution;
    const { rows, pattern } = asked;
    const subjects = subjectsOf(rows, pattern.s);
    const term = yield* this.#vector(asked.vector);
    const question = { name: asked.name, vector: term.value, datatype: term.datatype, subjects };
    const { vectors, property } = (yield dataset.nearest!(question, control)) as NearestLiterals;
    const bytes = vectors.count * CANDIDATE_BYTES;
    memory.reserve(bytes);
    this.#reserved += bytes;
    let left = property === 0 ? 0 : asked.count;
    const filter = new RowFilter(pattern);
    const seeker = dataset.seeker({ s: pattern.s !== 0, p: true, o: true, g: pattern.g !== 0 });
    this.#seeker = seeker;
    while (left > 0) {
      const pause = control.checkpoint();
      if (pause !== undefined) yield pause;
      let near = vectors.next();
      if (near instanceof Promise) near = (yield near) as FoundLiteral | undefined;
      if (near === undefined) break;
      filter.reset();
      seeker.seek(pattern.s, property, near.id, pattern.g);
      let score = 0;
      for (let found = seeker.next(); found !== 0 && left > 0; found = seeker.next()) {
        if (found === MISS) {
          yield seeker.fetch();
          continue;
        }
        for (let row = seeker.start; row < seeker.end && left > 0; row++) {
          if (!filter.passes(seeker, row) || !this.#fits(rows, seeker.s[row]!, seeker.g[row]!)) continue;
          if (score === 0 && this.plan.score !== undefined) score = yield* this.#scoreId(near.score);
          this.#push(rows, seeker.s[row]!, seeker.g[row]!, score);
          left--;
        }
      }
      if (this.#out.length >= Math.min(this.#want, BATCH_ROWS)) yield this.#out.take();
    }
    seeker.close();
    this.#seeker = undefined;
    memory.release(bytes);
    this.#reserved -= bytes;
  }

  /** Rows of the input that fit to a quad. */
  *#fitting(rows: RowsBySubject, subject: number, graph: number): Generator<number> {
    const column = this.#joined.g === -1 ? undefined : this.#rows.columns[this.#joined.g]!;
    for (const same of subject === 0 ? [rows.get(0)] : [rows.get(subject), rows.get(0)])
      for (const row of same ?? []) if (column === undefined || column[row] === 0 || column[row] === graph) yield row;
  }

  #fits(rows: RowsBySubject, subject: number, graph: number): boolean {
    return this.#fitting(rows, subject, graph).next().done !== true;
  }

  #push(rows: RowsBySubject, subject: number, graph: number, score: number): void {
    const { plan } = this;
    const { pattern } = plan;
    const names = plan.input.variables;
    for (const row of this.#fitting(rows, subject, graph)) {
      this.#out.reserve(1);
      for (const [i, name] of plan.variables.entries()) {
        let id: number;
        if (name === plan.score) id = score;
        else if (pattern.s.kind === 'variable' && name === pattern.s.name) id = subject;
        else if (pattern.g.kind === 'each' && name === pattern.g.name) id = graph;
        else id = this.#rows.columns[names.indexOf(name)]![row]!;
        this.#out.columns[i]![this.#out.length] = id;
      }
      this.#out.length++;
    }
  }

  *#scoreId(score: number): Generator<Promise<unknown>, number, unknown> {
    const id = this.execution.terms.intern(scoreTerm(score));
    return id instanceof Promise ? ((yield id) as number) : id;
  }

  *#vector(id: number): Waiting<{ readonly value: string; readonly datatype: string }> {
    const { execution, plan } = this;
    const given = plan.arguments[1]!;
    const term =
      plan.vector === undefined ? execution.resolve(given) : ((yield execution.terms.term(id)) as typeof given);
    if (term.termType !== 'Literal') throw wrong(`the vector behind vec:nearest is no literal: ${term.value}`);
    return { value: term.value, datatype: term.datatype.value };
  }

  #literal(at: number): string {
    const term = this.execution.resolve(this.plan.arguments[at]!);
    if (term.termType !== 'Literal') throw wrong(`vec:nearest has the name of vectors behind it, as a string`);
    return term.value;
  }

  #count(): number {
    const term = this.execution.resolve(this.plan.arguments[2]!);
    const count = term.termType === 'Literal' && term.datatype.value === `${XSD}integer` ? Number(term.value) : -1;
    if (!(count >= 0)) throw wrong('the third member behind vec:nearest is a number of rows: an integer from 0 on');
    return count;
  }

  close(): void {
    this.#seeker?.close();
    this.#seeker = undefined;
    this.#rows.free();
    this.execution.memory.release(this.#reserved);
    this.#reserved = 0;
    this.#batches.return();
    this.input.close();
  }
}

/** The only subjects that count. `undefined`: any, or too many to look at each of them. */
function subjectsOf(rows: RowsBySubject, constant: number): Uint32Array | undefined {
  if (constant !== 0) return Uint32Array.of(constant);
  return rows.has(0) || rows.size > MOST_SUBJECTS ? undefined : Uint32Array.from(rows.keys()).sort();
}

const wrong = (message: string): EvaluationError => new EvaluationError('UNSUPPORTED', message);
