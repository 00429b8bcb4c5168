/** A repository as the library shows it: the read interface of its head, the writes, and RDF/JS. */
import type { EventEmitter } from 'node:events';
import { platform } from '#platform';
import type * as RDF from '@rdfjs/types';
import { toRevision } from '@quadrille/core';
import {
  blankNode,
  ConflictError,
  defaultGraph,
  InvalidArgumentError,
  iri,
  pullFrom,
  StateError,
} from '@quadrille/model';
import type {
  CommitOptions,
  DiffEntry,
  HeldTransaction,
  HistoryEvent,
  HistoryOptions,
  LoadOptions,
  LoadSource,
  LogOptions,
  Metadata,
  Namespaces,
  PreparedRequest,
  PrepareOptions,
  QuadPattern,
  QueryOptions,
  ReadOptions,
  ReadView,
  Ref,
  Repository,
  RepositoryStats,
  Results,
  Revision,
  SpaceReport,
  SparqlText,
  Tags,
  Transaction,
  TransactionOptions,
  UpdateOptions,
  VerifyReport,
} from './api.js';
import { RowBindings } from './bindings.js';
import { QuadEncoder } from './encode-quads.js';
import { historyBatches } from './history.js';
import { OpenHeldTransaction } from './held-transaction.js';
import { loadDocument } from './load.js';
import { StoredTags } from './namespaces.js';
import {
  checkOptions,
  checkSignal,
  COMMIT_OPTIONS,
  HISTORY_OPTIONS,
  LOAD_OPTIONS,
  LOG_OPTIONS,
  QUERY_OPTIONS,
  READ_OPTIONS,
  TRANSACTION_OPTIONS,
  UPDATE_OPTIONS,
} from './options.js';
import { checkedUpdate, prepareText, preparedQuery } from './prepared.js';
import { checkPattern, checkTerms, quadBatches } from './quads.js';
import { abandon, settled, View } from './read-view.js';
import type { ViewContext } from './read-view.js';
import { emitterFor, itemsOf } from './rdfjs-stream.js';
import { LazyResults, oneByOne } from './results.js';
import { sparqlCall } from './sparql-call.js';
import { repositoryStats } from './stats.js';
import { asPattern, checkIsQuad, isQuads, OpenTransaction, quadsOf } from './transaction.js';
import type { QuadInput } from './transaction.js';

/** More quads than this are not collected before they are encoded. */
const COLLECTED_QUADS = 8192;
/** How often an update that lost a race is evaluated again before it gives up. */
const UPDATE_RETRIES = 10;

export class OpenRepository extends View implements Repository {
  readonly tags: Tags;
  // Updates of one process wait for each other: racing on the same head only makes them run again.
  #updates: Promise<unknown> = Promise.resolve();
  readonly #commits = new Set<Promise<unknown>>();
  readonly #held = new Set<HeldTransaction>();
  #closing = false;

  constructor(
    context: ViewContext,
    readonly namespaces: Namespaces,
    readonly metadata: Metadata,
  ) {
    super(context, () => context.core.head);
    this.tags = new StoredTags(context.core);
  }

  get name(): string {
    return this.context.core.name;
  }

  async prefixes(): Promise<Readonly<Record<string, string>>> {
    return this.context.prefixes();
  }

  at(ref: Ref): ReadView {
    const { core } = this.context;
    return new View(this.context, () => core.tryResolve(ref) ?? core.resolve(ref));
  }

  /** Refuses new commits, drops held transactions and waits for the commits under way. */
  async settle(): Promise<void> {
    this.#closing = true;
    for (const transaction of this.#held) await transaction.rollback();
    await Promise.allSettled(this.#commits);
  }

  // Work that ends by itself, and that closing waits for.
  async #commit<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    checkSignal(signal);
    if (this.#closing) throw this.#closed();
    const commit = work();
    this.#commits.add(commit);
    try {
      return await commit;
    } finally {
      this.#commits.delete(commit);
    }
  }

  // ── Writes ──────────────────────────────────────────────────────────────────────────────────────────────────────

  async load(source: LoadSource, options: LoadOptions = {}): Promise<Revision> {
    checkOptions(options, LOAD_OPTIONS, 'load');
    return loadDocument(this.context.core, source, options);
  }

  async add(quads: QuadInput, options: CommitOptions = {}): Promise<Revision> {
    checkOptions(options, COMMIT_OPTIONS, 'add');
    const input = quadsOf(quads);
    if (Array.isArray(input) && input.length <= COLLECTED_QUADS) {
      input.forEach(checkIsQuad);
      return this.#commit(options.signal, () => this.context.core.commit(input, [], options));
    }
    checkSignal(options.signal);
    return this.#addStream(input, options);
  }

  async #addStream(quads: Iterable<RDF.Quad> | AsyncIterable<RDF.Quad>, options: CommitOptions): Promise<Revision> {
    const { core } = this.context;
    const load = await core.beginLoad({ signal: options.signal });
    try {
      const encoder = new QuadEncoder(load);
      for await (const quad of quads) {
        encoder.push(quad);
        if (load.full) await load.writeChunk();
        if (load.quads % 256 === 0 && load.due) await load.pause();
      }
      return await core.finishLoad(load, options);
    } finally {
      await load.close();
    }
  }

  remove(quads: QuadInput | QuadPattern, options?: CommitOptions): Promise<Revision>;
  remove(stream: RDF.Stream<RDF.Quad>): EventEmitter;
  remove(
    input: QuadInput | QuadPattern | RDF.Stream<RDF.Quad>,
    options: CommitOptions = {},
  ): Promise<Revision> | EventEmitter {
    if (isStream(input)) return emitterFor(() => this.#remove(itemsOf<RDF.Quad>(input), {}));
    return this.#remove(input, options);
  }

  async #remove(input: QuadInput | QuadPattern, options: CommitOptions): Promise<Revision> {
    checkOptions(options, COMMIT_OPTIONS, 'remove');
    if (!isQuads(input)) {
      checkPattern(input);
      return this.#commit(options.signal, () => this.context.core.removeMatches(asPattern(input), options));
    }
    const quads: RDF.Quad[] = [];
    for await (const quad of quadsOf(input)) {
      checkIsQuad(quad);
      quads.push(quad);
    }
    return this.#commit(options.signal, () => this.context.core.commit([], quads, options));
  }

  readonly update = sparqlCall((text: SparqlText, options: UpdateOptions = {}): Promise<Revision> => {
    const run = async (): Promise<Revision> => {
      checkOptions(options, UPDATE_OPTIONS, 'update');
      const { message, author, ifRevision, id, ...query } = options;
      return this.#transact(
        (transaction) => transaction.update(text, query),
        { message, author, ifRevision, id },
        UPDATE_RETRIES,
      );
    };
    const before = this.#updates;
    const result = this.#commit(undefined, () => before.then(run));
    this.#updates = result.catch(() => undefined);
    return result;
  });

  override async prepare(text: SparqlText, options: PrepareOptions = {}): Promise<PreparedRequest> {
    const prepared = await prepareText(this.context.engine, text, options, await this.context.prefixes());
    return {
      ...preparedQuery(prepared, this),
      update: async (given) => this.update(prepared.request, checkedUpdate(given)),
    };
  }

  async transaction(
    run: (transaction: Transaction) => Promise<void> | void,
    options: TransactionOptions = {},
  ): Promise<Revision> {
    checkOptions(options, TRANSACTION_OPTIONS, 'transaction');
    const { retries = 0, signal, ...commit } = options;
    checkSignal(signal);
    const checked = async (transaction: Transaction): Promise<void> => {
      await run(transaction);
      checkSignal(signal);
    };
    return this.#transact(checked, commit, retries);
  }

  async begin(): Promise<HeldTransaction> {
    if (this.#closing) throw this.#closed();
    const { core, engine } = this.context;
    const transaction = await OpenHeldTransaction.begin(
      core,
      engine,
      await this.context.prefixes(),
      (signal, work) => this.#commit(signal, work),
      (ended) => this.#held.delete(ended),
    );
    this.#held.add(transaction);
    return transaction;
  }

  #closed(): StateError {
    return new StateError('STORE_NOT_OPEN', `repository ${this.name} is not open any more`);
  }

  async #transact(
    run: (transaction: OpenTransaction) => Promise<void> | void,
    commit: { [Name in keyof Omit<CommitOptions, 'signal'>]?: CommitOptions[Name] | undefined },
    retries: number,
  ): Promise<Revision> {
    const { core, engine } = this.context;
    const prefixes = await this.context.prefixes();
    for (let left = retries; ; left--) {
      const transaction = new OpenTransaction(await core.begin(), core, engine, prefixes);
      try {
        await run(transaction);
        transaction.end();
        return await core.commitTransaction(transaction.staged, commit);
      } catch (error) {
        // Under ifRevision the caller decides: the head that it named is gone for good.
        const lost =
          error instanceof ConflictError && error.code === 'REVISION_CONFLICT' && commit.ifRevision === undefined;
        if (!lost || left <= 0) throw error;
      } finally {
        transaction.end();
        transaction.staged.close();
      }
    }
  }

  async revert(ref: Ref, options: CommitOptions = {}): Promise<Revision> {
    checkOptions(options, COMMIT_OPTIONS, 'revert');
    return this.#commit(options.signal, () => this.context.core.revert(ref, options));
  }

  async reset(ref: Ref, options: CommitOptions = {}): Promise<Revision> {
    checkOptions(options, COMMIT_OPTIONS, 'reset');
    return this.#commit(options.signal, () => this.context.core.reset(ref, options));
  }

  // ── History ─────────────────────────────────────────────────────────────────────────────────────────────────────

  log(options: LogOptions = {}): Results<Revision> {
    checkOptions(options, LOG_OPTIONS, 'log');
    const { limit, before } = options;
    if (limit !== undefined && !(Number.isInteger(limit) && limit >= 0)) {
      throw new InvalidArgumentError('INVALID_OPTION', `log: limit must be a whole number, not ${String(limit)}`);
    }
    const { core } = this.context;
    const first = settled(core.resolve(before ?? 'HEAD'));
    const revisions = async function* (): AsyncGenerator<Revision> {
      const record = await first;
      if (before !== undefined) yield* core.log({ limit, before: record.number });
      else if (limit !== 0) {
        yield toRevision(record);
        yield* core.log({ limit: limit === undefined ? limit : limit - 1, before: record.number });
      }
    };
    return new LazyResults(() => oneByOne(pullFrom(revisions)), options.signal);
  }

  diff(from: Ref, to: Ref = 'HEAD', options: ReadOptions = {}): Results<DiffEntry> {
    checkOptions(options, READ_OPTIONS, 'diff');
    const { core } = this.context;
    const ends = settled(Promise.all([core.resolve(from), core.resolve(to)]));
    const entries = async function* (): AsyncGenerator<DiffEntry[]> {
      const [first, second] = await ends;
      yield* core.diff(first.number, second.number, options.signal);
    };
    return new LazyResults(() => pullFrom(entries), options.signal);
  }

  history(pattern: QuadPattern = {}, options: HistoryOptions = {}): Results<HistoryEvent> {
    checkPattern(pattern);
    checkOptions(options, HISTORY_OPTIONS, 'history');
    const { core } = this.context;
    return new LazyResults(() => pullFrom(() => historyBatches(core, pattern, options)), options.signal);
  }

  // ── Care ────────────────────────────────────────────────────────────────────────────────────────────────────────

  async stats(): Promise<RepositoryStats> {
    return repositoryStats(this.context.core);
  }

  verify(): Promise<VerifyReport> {
    return this.context.core.verify();
  }

  rebuild(): Promise<SpaceReport> {
    return this.context.core.rebuild();
  }

  compact(): Promise<SpaceReport> {
    return this.context.core.compact();
  }

  /** Repositories are closed with their database; this only makes `await using` possible. */
  async [Symbol.asyncDispose](): Promise<void> {}

  // ── RDF/JS ──────────────────────────────────────────────────────────────────────────────────────────────────────

  match(
    subject?: RDF.Term | null,
    predicate?: RDF.Term | null,
    object?: RDF.Term | null,
    graph?: RDF.Term | null,
  ): RDF.Stream<RDF.Quad> {
    const pattern = { subject, predicate, object, graph };
    checkTerms(pattern);
    const record = this.context.core.head;
    return platform.streamOf(() => this.batchesAt(record, (snapshot) => quadBatches(snapshot, pattern)));
  }

  import(stream: RDF.Stream<RDF.Quad>): EventEmitter {
    const items = itemsOf<RDF.Quad>(stream);
    return emitterFor(() => this.#addStream(items, {}));
  }

  removeMatches(
    subject?: RDF.Term | null,
    predicate?: RDF.Term | null,
    object?: RDF.Term | null,
    graph?: RDF.Term | null,
  ): EventEmitter {
    const pattern = { subject, predicate, object, graph };
    checkTerms(pattern);
    return emitterFor(() => this.#remove(pattern, {}));
  }

  deleteGraph(graph: RDF.Quad_Graph | string): EventEmitter {
    const term = typeof graph === 'string' ? graphTerm(graph) : graph;
    return this.removeMatches(null, null, null, term);
  }

  async toDataset(pattern: QuadPattern = {}): Promise<RDF.DatasetCore> {
    const { toDataset } = await import('./to-dataset.js');
    return toDataset(this.quads(pattern));
  }

  async queryBindings(
    query: string,
    context?: RDF.QueryContext & QueryOptions,
  ): Promise<RDF.ResultStream<RDF.Bindings>> {
    const { answer, snapshot } = await this.answerOf('bindings', query, queryOptions(context));
    const rows = mapped(answer.batches, RowBindings.fromRow, () => snapshot.close());
    return platform.streamOf(
      () => pullFrom<readonly RDF.Bindings[]>(() => rows),
      () => abandon(answer.batches, snapshot),
    );
  }

  async queryQuads(query: string, context?: RDF.QueryContext & QueryOptions): Promise<RDF.ResultStream<RDF.Quad>> {
    const { answer, snapshot } = await this.answerOf('quads', query, queryOptions(context));
    const quads = mapped(
      answer.batches,
      (quad) => quad,
      () => snapshot.close(),
    );
    return platform.streamOf(
      () => pullFrom(() => quads),
      () => abandon(answer.batches, snapshot),
    );
  }

  queryBoolean(query: string, context?: RDF.QueryContext & QueryOptions): Promise<boolean> {
    return this.ask(query, queryOptions(context));
  }

  async queryVoid(query: string, context?: RDF.QueryContext & UpdateOptions): Promise<void> {
    await this.update(query, pick(context, UPDATE_OPTIONS) as UpdateOptions);
  }
}

function isStream(input: unknown): input is RDF.Stream<RDF.Quad> {
  if (typeof input !== 'object' || input === null) return false;
  const { on, read } = input as { on?: unknown; read?: unknown };
  return typeof on === 'function' && (typeof read === 'function' || !(Symbol.iterator in input));
}

function graphTerm(name: string): RDF.Quad_Graph {
  return name === '' ? defaultGraph() : name.startsWith('_:') ? blankNode(name.slice(2)) : iri(name);
}

async function* mapped<T, R>(
  batches: AsyncIterable<readonly T[]>,
  map: (item: T) => R,
  done: () => void,
): AsyncGenerator<readonly R[]> {
  try {
    for await (const items of batches) yield items.map(map);
  } finally {
    done();
  }
}

// A query context of RDF/JS may hold keys of other engines.
function queryOptions(context: (RDF.QueryContext & QueryOptions) | undefined): QueryOptions {
  return pick(context, QUERY_OPTIONS) as QueryOptions;
}

function pick(context: object | undefined, keys: readonly string[]): object {
  return Object.fromEntries(Object.entries(context ?? {}).filter(([key]) => keys.includes(key)));
}
