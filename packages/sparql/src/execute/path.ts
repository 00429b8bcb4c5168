/**
 * Property paths of unbounded or optional length: for each row of the input, the pairs of nodes that the path joins, each
 * once (SPARQL 1.2, section 18.4, ALP). A breadth-first search in ids from the end that is bound.
 */
import type { PathPlan } from '../plan/plan.js';
import { BATCH_ROWS, BatchBuilder, type Batch } from './batch.js';
import { IdSet } from './id-set.js';
import type { Execution, Operator } from './operator.js';
import { PathEdges } from './path-edges.js';
import { hasZeroLength, PathSearch, resolvePath, type PathStep } from './path-steps.js';
import { ReachCache } from './reach-cache.js';

/** One end of the path: an id that it always has, and the column of the input that binds it, or -1. */
interface End {
  readonly constant: number;
  readonly column: number;
}

export class Path implements Operator {
  readonly #edges: PathEdges;
  readonly #search: PathSearch;
  readonly #subject: End;
  readonly #object: End;
  /** Both ends are one variable. */
  readonly #isCycle: boolean;
  readonly #outputs: readonly { readonly column: number; readonly end: 'subject' | 'object' | undefined }[];
  readonly #reached: IdSet;
  readonly #cache: ReachCache;
  readonly #batches: AsyncGenerator<Batch, undefined>;
  #step: PathStep = { type: 'nothing' };
  #out: BatchBuilder;
  /** Where paths may begin, once that is asked for. */
  #starts: IdSet | undefined;
  /** The end of the last pair that was only tested: asked for again, it is worth a whole search. */
  #tested = 0;

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
    this.#isCycle = subject.kind === 'variable' && isEnd(object, subject.name);
    this.#outputs = plan.variables.map((name) => ({
      column: columns.indexOf(name),
      end: isEnd(subject, name) ? 'subject' : isEnd(object, name) ? 'object' : undefined,
    }));
    this.#edges = new PathEdges(plan.graph, execution);
    this.#search = new PathSearch(this.#edges, execution);
    this.#reached = new IdSet(execution.memory);
    this.#cache = new ReachCache(execution.memory);
    this.#out = new BatchBuilder(plan.variables.length);
    this.#batches = this.#run();
  }

  async next(): Promise<Batch | undefined> {
    const { value } = await this.#batches.next();
    return value;
  }

  async *#run(): AsyncGenerator<Batch, undefined> {
    const { plan } = this;
    const absent = (end: End, { kind }: PathPlan['subject']): boolean => kind === 'constant' && end.constant === 0;
    if (absent(this.#subject, plan.subject) || absent(this.#object, plan.object)) return undefined;
    this.#step = await resolvePath(plan.path, this.execution);
    for (;;) {
      await this.execution.control.checkpoint();
      const batch = await this.input.next();
      if (batch === undefined) break;
      for (let row = 0; row < batch.length; row++) yield* this.#joinRow(batch, row);
    }
    if (this.#out.length > 0) yield this.#out.take();
    return undefined;
  }

  async *#joinRow(batch: Batch, row: number): AsyncGenerator<Batch, void> {
    const idAt = ({ constant, column }: End): number => (column === -1 ? constant : batch.columns[column]![row]!);
    const subject = idAt(this.#subject);
    const object = idAt(this.#object);
    if (subject !== 0 && object !== 0) {
      if (await this.#joins(subject, object)) yield* this.#emit(batch, row, subject, Uint32Array.of(object), true);
    } else if (subject !== 0) yield* this.#emit(batch, row, subject, await this.#reach(subject, true), true);
    else if (object !== 0) yield* this.#emit(batch, row, object, await this.#reach(object, false), false);
    else yield* this.#joinAll(batch, row);
  }

  // Neither end is known: a search from every node.
  async *#joinAll(batch: Batch, row: number): AsyncGenerator<Batch, void> {
    const starts = (this.#starts ??= await this.#allStarts());
    for (let i = 0; i < starts.size; i++) {
      const start = starts.ids[i]!;
      if (!this.#isCycle) yield* this.#emit(batch, row, start, await this.#reach(start, true), true);
      else if (await this.#joins(start, start)) yield* this.#emit(batch, row, start, Uint32Array.of(start), true);
    }
  }

  async #allStarts(): Promise<IdSet> {
    const starts = new IdSet(this.execution.memory);
    if (hasZeroLength(this.plan.kind)) await this.#search.allNodes(starts);
    else await this.#search.starts(this.#step, true, starts);
    return starts;
  }

  /** All nodes that the path joins with one, which is its subject if `forward`. Good until the next search. */
  async #reach(start: number, forward: boolean): Promise<Uint32Array> {
    const known = this.#cache.get(start, forward);
    if (known !== undefined) return known;
    const reached = await this.#searchFrom(start, forward, 0);
    const ids = reached.ids.subarray(0, reached.size);
    this.#cache.set(start, forward, ids);
    return ids;
  }

  async #joins(subject: number, object: number): Promise<boolean> {
    if (subject === object && hasZeroLength(this.plan.kind)) return true;
    const again = this.#tested === subject || this.#cache.get(subject, true) !== undefined;
    this.#tested = subject;
    if (again) return (await this.#reach(subject, true)).includes(object);
    return (await this.#searchFrom(subject, true, object)).has(object);
  }

  async #searchFrom(start: number, forward: boolean, target: number): Promise<IdSet> {
    const { kind } = this.plan;
    const search = this.#search;
    const reached = this.#reached;
    reached.clear();
    if (hasZeroLength(kind)) reached.add(start);
    if (kind === 'ZeroOrMorePath') {
      await search.close(this.#step, forward, reached, target);
      return reached;
    }
    const first = new IdSet(this.execution.memory);
    first.add(start);
    await search.expand(this.#step, first, 0, 1, forward, reached);
    first.free();
    if (kind === 'OneOrMorePath') await search.close(this.#step, forward, reached, target);
    return reached;
  }

  // One row for each of `others`, which are objects if `forward`.
  async *#emit(
    batch: Batch,
    row: number,
    start: number,
    others: Uint32Array,
    forward: boolean,
  ): AsyncGenerator<Batch, void> {
    for (let done = 0; done < others.length;) {
      const some = others.subarray(done, done + BATCH_ROWS - this.#out.length);
      this.#write(batch, row, start, some, forward);
      done += some.length;
      if (!this.#out.isFull) continue;
      await this.execution.control.checkpoint();
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
    this.#starts?.free();
    this.input.close();
  }
}
