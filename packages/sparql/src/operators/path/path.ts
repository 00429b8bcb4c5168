/**
 * Property paths of unbounded or optional length: for each row of the input, the pairs of nodes that the path joins, each
 * once (SPARQL 1.2, section 18.4, ALP). A breadth-first search in ids from the end that is bound.
 */
import type { PathPlan } from '../../plan/plan.js';
import { BatchBuilder, rowsOfWidth, type Batch } from '../../execute/core/batch.js';
import { Ramp } from '../../execute/core/ramp.js';
import { IdSet } from '../../execute/table/id-set.js';
import type { Execution, NextBatch, Operator } from '../../execute/core/operator.js';
import { finish, nextOf, type Producing, type Waiting } from '../../execute/core/waiting.js';
import { PathEdges } from './path-edges.js';
import { hasZeroLength, PathSearch, resolvePath, type PathStep } from './path-steps.js';
import { ReachCache } from './reach-cache.js';
import type { PlanOperator } from '../../execute/core/plan-operator.js';

/** One end of the path: an id that it always has, and the column of the input that binds it, or -1. */
interface End {
  readonly constant: number;
  readonly column: number;
}

const NONE = new Uint32Array(0);
const NO_ROWS: Batch = { columns: [], length: 0 };
/** Rows of the input that are answered from memory before the event loop may get its turn. */
const ROWS_PER_CHECKPOINT = 64;

const idAt = ({ constant, column }: End, batch: Batch, row: number): number =>
  column === -1 ? constant : batch.columns[column]![row]!;

export class Path implements Operator {
  readonly #edges: PathEdges;
  readonly #search: PathSearch;
  readonly #subject: End;
  readonly #object: End;
  /** The column of the graph in which a row is searched for, or -1 where all rows have the same. */
  readonly #graphColumn: number;
  #graph = 0;
  /** Both ends are one variable. */
  readonly #isCycle: boolean;
  /** Length zero joins the nodes of the graph then, and nothing else. */
  readonly #betweenVariables: boolean;
  readonly #outputs: readonly { readonly column: number; readonly end: 'subject' | 'object' | undefined }[];
  readonly #reached: IdSet;
  readonly #first: IdSet;
  /** What leads to the object of a pair. */
  readonly #leading: IdSet;
  readonly #cache: ReachCache;
  readonly #batches: Producing<Batch>;
  #step: PathStep = { type: 'nothing' };
  #out: BatchBuilder;
  readonly #ramp: Ramp;
  /** Rows of the next batch. */
  #room: number;
  /** Where paths may begin, once that is asked for. */
  #starts: IdSet | undefined;
  /** The node whose complete result is in {@link #reached}: as subject; if negative, as object. */
  #whole = 0;
  #searches = 0;
  /** How often a search from every node was made: the first one keeps no results, since most queries make only one. */
  #passes = 0;
  #lastSubject = 0;
  #lastObject = 0;

  constructor(
    private readonly plan: PathPlan,
    private readonly input: Operator,
    private readonly execution: Execution,
  ) {
    const { subject, object } = plan;
    const columns = plan.input.variables;
    const endOf = (term: PathPlan['subject']): End =>
      term.kind === 'constant'
        ? { constant: execution.constants[term.constant]!, column: -1 }
        : { constant: 0, column: columns.indexOf(term.name) };
    const isEnd = (term: PathPlan['subject'], name: string): boolean => term.kind === 'variable' && term.name === name;
    this.#subject = endOf(subject);
    this.#object = endOf(object);
    this.#graphColumn = plan.graph.kind === 'each' ? columns.indexOf(plan.graph.name) : -1;
    this.#isCycle = subject.kind === 'variable' && isEnd(object, subject.name);
    this.#betweenVariables = subject.kind === 'variable' && object.kind === 'variable';
    this.#outputs = plan.variables.map((name) => ({
      column: columns.indexOf(name),
      end: isEnd(subject, name) ? 'subject' : isEnd(object, name) ? 'object' : undefined,
    }));
    this.#edges = new PathEdges(plan.graph, execution);
    this.#search = new PathSearch(this.#edges, execution);
    this.#reached = new IdSet(execution.memory);
    this.#first = new IdSet(execution.memory);
    this.#leading = new IdSet(execution.memory);
    this.#cache = new ReachCache(execution.memory);
    this.#out = new BatchBuilder(plan.variables.length);
    this.#ramp = new Ramp(plan.variables.length);
    this.#room = rowsOfWidth(plan.variables.length);
    this.#batches = this.#run();
  }

  next(want = rowsOfWidth(this.plan.variables.length)): NextBatch {
    this.#room = this.#ramp.next(want);
    return nextOf(this.#batches);
  }

  *#run(): Producing<Batch> {
    const { plan } = this;
    const absent = (end: End, { kind }: PathPlan['subject']): boolean => kind === 'constant' && end.constant === 0;
    if (absent(this.#subject, plan.subject) || absent(this.#object, plan.object)) return;
    this.#step = yield* resolvePath(plan.path, this.execution);
    if (plan.together === true) return yield* this.#together();
    for (;;) {
      const pause = this.execution.control.checkpoint();
      if (pause !== undefined) yield pause;
      let batch = this.input.next(this.#room);
      if (batch instanceof Promise) batch = (yield batch) as Batch | undefined;
      if (batch === undefined) break;
      for (let row = 0; row < batch.length; row++) {
        const check = row % ROWS_PER_CHECKPOINT === 0 ? this.execution.control.checkpoint() : undefined;
        if (check !== undefined) yield check;
        if (this.#graphColumn !== -1) this.#enter(batch.columns[this.#graphColumn]![row]!);
        const subject = idAt(this.#subject, batch, row);
        const object = idAt(this.#object, batch, row);
        if (subject === 0 && object === 0) {
          yield* this.#joinAll(batch, row);
          continue;
        }
        const start = subject || object;
        const found = this.#partners(subject, object);
        const partners = found instanceof Promise ? ((yield found) as Uint32Array) : found;
        if (this.#isOnlyItself(start, partners) && (yield this.#edges.isNode(start)) === false) continue;
        if (this.#fits(partners)) this.#write(batch, row, start, partners, subject !== 0);
        else yield* this.#emit(batch, row, start, partners, subject !== 0);
      }
    }
    if (this.#out.length > 0) yield this.#out.take();
  }

  // One search from the ends that all rows bind. Rows are only the nodes at the other end, each once.
  *#together(): Producing<Batch> {
    const { input, plan } = this;
    const forward = plan.object.kind === 'variable' && plan.object.name === plan.variables[0];
    const near = forward ? this.#subject : this.#object;
    const starts = this.#first;
    starts.clear();
    for (;;) {
      const pause = this.execution.control.checkpoint();
      if (pause !== undefined) yield pause;
      const next = input.next();
      const batch = next instanceof Promise ? ((yield next) as Batch | undefined) : next;
      if (batch === undefined) break;
      for (let row = 0; row < batch.length; row++) starts.add(idAt(near, batch, row));
    }
    const search = this.#reachTogether(starts, forward);
    const reached = (yield search) as IdSet;
    yield* this.#emit(NO_ROWS, 0, 0, reached.ids.subarray(0, reached.size), forward);
    if (this.#out.length > 0) yield this.#out.take();
  }

  async #reachTogether(starts: IdSet, forward: boolean): Promise<IdSet> {
    const { kind } = this.plan;
    const reached = this.#reached;
    reached.clear();
    if (kind !== 'ZeroOrMorePath') await this.#search.expand(this.#step, starts, 0, starts.size, forward, reached);
    if (hasZeroLength(kind)) {
      for (let i = 0; i < starts.size; i++) {
        const start = starts.ids[i]!;
        if (!this.#betweenVariables || (await this.#edges.isNode(start))) reached.add(start);
      }
    }
    if (kind !== 'ZeroOrOnePath') await this.#search.close(this.#step, forward, reached);
    return reached;
  }

  // What is known of one graph says nothing of another.
  #enter(graph: number): void {
    if (graph === this.#graph) return;
    this.#graph = graph;
    this.#edges.enter(graph);
    this.#cache.free();
    this.#starts?.free();
    this.#starts = undefined;
    this.#whole = this.#searches = this.#passes = this.#lastSubject = this.#lastObject = 0;
  }

  // Length zero joins a term that variables have with itself only where it is a node of the graph.
  #isOnlyItself(start: number, partners: Uint32Array): boolean {
    return this.#betweenVariables && partners.length === 1 && partners[0] === start;
  }

  // The nodes at the other end: from the subject if it is known, else from the object.
  #partners(subject: number, object: number): Uint32Array | Promise<Uint32Array> {
    if (object === 0) return this.#reach(subject, true);
    if (subject === 0) return this.#reach(object, false);
    const joins = finish(this.#joins(subject, object));
    const partners = (found: boolean): Uint32Array => (found ? Uint32Array.of(object) : NONE);
    return joins instanceof Promise ? joins.then(partners) : partners(joins);
  }

  // Neither end is known: one search from every node.
  *#joinAll(batch: Batch, row: number): Producing<Batch> {
    const starts = (this.#starts ??= (yield this.#allStarts()) as IdSet);
    this.#passes++;
    for (let i = 0; i < starts.size; i++) {
      const start = starts.ids[i]!;
      const pause = i % ROWS_PER_CHECKPOINT === 0 ? this.execution.control.checkpoint() : undefined;
      if (pause !== undefined) yield pause;
      if (!this.#isCycle) {
        const found = this.#reach(start, true);
        const reached = found instanceof Promise ? ((yield found) as Uint32Array) : found;
        yield* this.#emit(batch, row, start, reached, true);
      } else if (yield* this.#joins(start, start)) yield* this.#emit(batch, row, start, Uint32Array.of(start), true);
    }
  }

  async #allStarts(): Promise<IdSet> {
    const starts = new IdSet(this.execution.memory);
    if (hasZeroLength(this.plan.kind)) await this.#search.allNodes(starts);
    else await this.#search.starts(this.#step, true, starts);
    return starts;
  }

  /** All nodes that the path joins with one, which is its subject if `forward`. Good until the next search. */
  #reach(start: number, forward: boolean): Uint32Array | Promise<Uint32Array> {
    const known = this.#cache.get(start, forward);
    if (known !== undefined) return known;
    const reached = this.#searchFrom(start, forward);
    if (reached instanceof Promise) return reached.then((found) => this.#keep(start, forward, found));
    return this.#keep(start, forward, reached);
  }

  #keep(start: number, forward: boolean, reached: IdSet): Uint32Array {
    const ids = reached.ids.subarray(0, reached.size);
    if (this.#passes !== 1) this.#cache.set(start, forward, ids);
    return ids;
  }

  // One pair is searched for from both ends. When the same end comes again, a complete search from it is made and kept.
  *#joins(subject: number, object: number): Waiting<boolean> {
    if (subject === object && hasZeroLength(this.plan.kind)) return true;
    if (this.#whole === -object) return this.#reached.has(subject);
    if (this.#whole === subject) return this.#reached.has(object);
    const again = { subject: subject === this.#lastSubject, object: object === this.#lastObject };
    this.#lastSubject = subject;
    this.#lastObject = object;
    const isBackward = again.object && !this.#isCycle;
    if (!isBackward && !again.subject) {
      const met = this.#meet(subject, object);
      return met instanceof Promise ? ((yield met) as boolean) : met;
    }
    const search = isBackward ? this.#searchFrom(object, false) : this.#searchFrom(subject, true);
    const found = search instanceof Promise ? ((yield search) as IdSet) : search;
    return found.has(isBackward ? subject : object);
  }

  /** Whether what a subject leads to and what leads to an object have a node in common. */
  #meet(subject: number, object: number): boolean | Promise<boolean> {
    const reached = this.#reached;
    reached.clear();
    this.#whole = 0;
    this.#edges.repeats = this.#searches++ > 0;
    const { kind } = this.plan;
    const rest = (): boolean | Promise<boolean> => {
      if (kind === 'ZeroOrOnePath') return reached.has(object);
      const leading = this.#leading;
      leading.clear();
      leading.add(object);
      return this.#search.meet(this.#step, reached, leading);
    };
    if (kind === 'ZeroOrMorePath') {
      reached.add(subject);
      return rest();
    }
    this.#first.clear();
    this.#first.add(subject);
    const wait = this.#search.expand(this.#step, this.#first, 0, 1, true, reached);
    return wait === undefined ? rest() : wait.then(rest);
  }

  #searchFrom(start: number, forward: boolean): IdSet | Promise<IdSet> {
    this.#reached.clear();
    this.#whole = 0;
    this.#edges.repeats = this.#searches++ > 0;
    if (this.plan.kind === 'ZeroOrMorePath') return this.#closeFrom(start, forward);
    this.#first.clear();
    this.#first.add(start);
    const wait = this.#search.expand(this.#step, this.#first, 0, 1, forward, this.#reached);
    if (wait !== undefined) return wait.then(() => this.#closeFrom(start, forward));
    return this.#closeFrom(start, forward);
  }

  #closeFrom(start: number, forward: boolean): IdSet | Promise<IdSet> {
    const { kind } = this.plan;
    const reached = this.#reached;
    const whole = (): IdSet => {
      this.#whole = forward ? start : -start;
      return reached;
    };
    if (hasZeroLength(kind)) reached.add(start);
    const wait = kind === 'ZeroOrOnePath' ? undefined : this.#search.close(this.#step, forward, reached);
    return wait === undefined ? whole() : wait.then(whole);
  }

  #fits(others: Uint32Array): boolean {
    return this.#out.length + others.length < this.#room;
  }

  // One row for each of `others`, which are objects if `forward`. Gives batches that are full.
  *#emit(batch: Batch, row: number, start: number, others: Uint32Array, forward: boolean): Iterable<Batch> {
    for (let done = 0; done < others.length;) {
      const some = others.subarray(done, done + Math.max(this.#room - this.#out.length, 1));
      this.#write(batch, row, start, some, forward);
      done += some.length;
      if (this.#out.length < this.#room) continue;
      yield this.#out.take();
    }
  }

  #write(batch: Batch, row: number, start: number, others: Uint32Array, forward: boolean): void {
    const out = this.#out;
    out.reserve(others.length);
    for (let i = 0; i < this.#outputs.length; i++) {
      const { column, end } = this.#outputs[i]!;
      const target = out.columns[i]!;
      if (end === (forward ? 'object' : 'subject')) target.set(others, out.length);
      else {
        const id = end === undefined ? batch.columns[column]![row]! : start;
        target.fill(id, out.length, out.length + others.length);
      }
    }
    out.length += others.length;
  }

  close(): void {
    this.#edges.close();
    this.#cache.free();
    this.#reached.free();
    this.#first.free();
    this.#leading.free();
    this.#starts?.free();
    this.input.close();
  }
}

const SUFFIX = { ZeroOrMorePath: '*', OneOrMorePath: '+', ZeroOrOnePath: '?' } as const;

export const path: PlanOperator<PathPlan> = {
  detail: (plan, print) =>
    `${print.term(plan.subject)} (${print.path(plan.path)})${SUFFIX[plan.kind]} ${print.term(plan.object)}${plan.together === true ? ', one search from all' : ''}`,
  open: (plan, { open, execution }) => new Path(plan, open(plan.input), execution),
};
