/** A SELECT whose answers are compared: it runs in two states, or only for what joins with the quads that changed. */
import type * as RDF from '@rdfjs/types';
import type { PreparedSparql } from '@quadrille/sparql';
import type { DeltaQuery, QuadRead } from '@quadrille/sparql/delta';
import type { Ref, Revision, Row, Rows, SparqlText } from '../api/index.js';
import type { HostQueryOptions } from '../host/host-types.js';
import type { AnswerSource } from './answer-source.js';
import { HeldAnswer } from './held-answer.js';
import type { NetChanges } from './net-changes.js';

type Loaded = typeof import('@quadrille/sparql/delta');

/** The states before and after a change, and the change. */
export interface Step {
  readonly from: Ref;
  readonly to: Ref;
  readonly changes: NetChanges;
}

/** The rows that a change adds and removes. */
export interface Difference {
  readonly added: Row[];
  readonly removed: Row[];
}

export class FollowedQuery {
  private constructor(
    private readonly loaded: Loaded,
    private readonly source: AnswerSource,
    private readonly prepared: PreparedSparql,
    private readonly options: HostQueryOptions,
    /** The columns of its answer; none are known of a query that the engine refuses. */
    readonly columns: readonly string[],
    /** What it reads; `undefined`: its answer may change with any revision. */
    readonly reads: readonly QuadRead[] | undefined,
    /** `undefined`: it has to run again. */
    readonly delta: DeltaQuery | undefined,
  ) {}

  /** @throws ParseError */
  static async prepare(source: AnswerSource, text: SparqlText, given: HostQueryOptions): Promise<FollowedQuery> {
    const loaded = await import('@quadrille/sparql/delta');
    const prepared = await source.prepare(text, given);
    const { baseIRI: _, ...options } = given;
    const { columns, reads, delta } = loaded.dependenceOf(prepared, options);
    // What stands beside the quads of the repository may change with each run.
    const isAlone = options.extraGraphs === undefined && options.extensionFunctions === undefined;
    // A limit of rows is one of the whole answer.
    const byDelta = isAlone && options.maxRows === undefined ? delta : undefined;
    return new FollowedQuery(loaded, source, prepared, options, columns, isAlone ? reads : undefined, byDelta);
  }

  /** A text that only equal quads have in common. */
  readonly keyOf = (quad: RDF.Quad): string => this.loaded.quadKey(quad);

  /** Whether the query reads this quad. */
  readsQuad(quad: RDF.Quad): boolean {
    return this.reads === undefined || this.loaded.touches(this.reads, quad);
  }

  /** Whether a revision has changed a quad that the query reads. For revisions of any size. */
  async isTouchedBy(revision: Revision): Promise<boolean> {
    for (const read of this.reads ?? []) if (await this.source.touches(revision, read)) return true;
    return this.reads === undefined;
  }

  /** The whole answer. */
  answerAt(ref: Ref, options: HostQueryOptions = {}): Promise<HeldAnswer> {
    const rows = this.source.repository.at(ref).select(this.prepared.request, { ...this.options, ...options });
    return HeldAnswer.read(rows, this.#memory(options));
  }

  /** The solutions that a change makes, and, counted below zero, those that it ends. For `delta`. */
  async solutions({ from, to, changes }: Step, options: HostQueryOptions = {}): Promise<HeldAnswer> {
    const found = new HeldAnswer(this.delta!.counted?.keys ?? this.delta!.columns, this.#memory(options));
    await this.#read(to, changes.of(1), options, (row) => found.add(row));
    await this.#read(from, changes.of(-1), options, (row) => found.add(row, -1));
    return found;
  }

  /** What a change adds to an answer, and removes from it. For `delta` without counts. */
  async difference(step: Step, options: HostQueryOptions = {}): Promise<Difference> {
    if (this.delta!.distinct) return this.#distinctRows(step, options);
    const solutions = await this.solutions(step, options);
    return { added: solutions.without(), removed: solutions.missing() };
  }

  async #distinctRows({ from, to, changes }: Step, options: HostQueryOptions): Promise<Difference> {
    const { columns } = this.delta!;
    const [made, ended] = [columns, columns].map((names) => new HeldAnswer(names, this.#memory(options)));
    await this.#read(to, changes.of(1), options, (row) => made!.add(row));
    await this.#read(from, changes.of(-1), options, (row) => ended!.add(row));
    // A row that comes from other solutions too was there before, or stays.
    const added = await this.#absent(
      from,
      made!.distinct().filter((row) => !ended!.has(row)),
      options,
    );
    const removed = await this.#absent(
      to,
      ended!.distinct().filter((row) => !made!.has(row)),
      options,
    );
    return { added, removed };
  }

  async #absent(ref: Ref, rows: readonly Row[], options: HostQueryOptions): Promise<Row[]> {
    if (rows.length === 0) return [];
    const there = new HeldAnswer(this.delta!.columns, this.#memory(options));
    for await (const row of this.#select(ref, this.delta!.existing(rows), options)) there.add(row);
    return rows.filter((row) => !there.has(row));
  }

  async #read(
    ref: Ref,
    quads: readonly RDF.Quad[],
    options: HostQueryOptions,
    take: (row: Row) => void,
  ): Promise<void> {
    for (const { request, isFirst } of this.delta!.parts(quads))
      for await (const row of this.#select(ref, request, options)) if (isFirst(row)) take(row);
  }

  #select(ref: Ref, request: PreparedSparql['request'], options: HostQueryOptions): Rows {
    // The values of variables are in the request.
    const { bindings: _, ...rest } = this.options;
    return this.source.repository.at(ref).select(request, { ...rest, ...options });
  }

  #memory({ memoryBytes = this.options.memoryBytes }: HostQueryOptions): number | undefined {
    return memoryBytes;
  }
}
