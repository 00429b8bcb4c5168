/** Reading one revision: the head of a repository, or any other one. */
import type * as RDF from '@rdfjs/types';
import type { Repository as CoreRepository, Snapshot } from '@quadrille/core';
import { hasAtOnce, quadsAtOnce, toRevision } from '@quadrille/core';
import { checkTerm, lazySequence, StateError } from '@quadrille/model';
import type { QueryableDataset, SparqlAnswer, WrittenAnswer } from '@quadrille/sparql';
import type {
  Bindings,
  BlameEntry,
  BlameOptions,
  DumpOptions,
  Explanation,
  ExplainOptions,
  PreparedQuery,
  JsonLdContexts,
  PrepareOptions,
  QuadPattern,
  QueryAnswer,
  QueryOptions,
  ReadOptions,
  SearchAnswer,
  SearchOptions,
  ReadView,
  Results,
  Revision,
  Row,
  SelectOptions,
  SparqlText,
  SyncReadOptions,
} from '../api/index.js';
import { HOST } from '../host/host-of.js';
import type { HostedView, HostQueryOptions } from '../host/host-types.js';
import { SnapshotDataset } from '../sparql/datasets.js';
import {
  BLAME_OPTIONS,
  checkBindings,
  DUMP_OPTIONS,
  EXPLAIN_OPTIONS,
  QUERY_OPTIONS,
  READ_OPTIONS,
  SYNC_READ_OPTIONS,
} from '../options/calls.js';
import { checkOptions, checkSignal, endsOf, wrongOption } from '../options/check-options.js';
import type { LazyEngine } from '../sparql/lazy-engine.js';
import { prepareText, preparedQuery } from '../sparql/prepared.js';
import { bound, checkPattern, QuadBatches, termBatches } from './quads.js';
import { type AnswerOf, lazyQuads, lazyRows, ofKind, queryAnswer } from './query-answer.js';
import type { BatchSource, ResultEnds } from './results.js';
import { LazyResults, oneByOne } from './results.js';
import { closedOnFailure, closing, deferred, settled, withSnapshotClosed } from './snapshot-source.js';
import type { Started } from './snapshot-source.js';
import { CORE, type QueriedRepository } from '../sparql/open-other.js';
import { moreData, type QueryPins, queryPins } from '../sparql/query-pins.js';
import { selectCall, sparqlCall } from '../sparql/sparql-call.js';
import type { AnswerThreads } from '../threads/answer-threads.js';

type Head = CoreRepository['head'];

type Blames = typeof import('./blame.js');
let blames: Blames | undefined;

type AnswerDocuments = typeof import('../documents/answer-document.js');
let answerDocuments: AnswerDocuments | undefined;

// Modules that write documents load with the first one: a page that only opens a store has fewer bytes to fetch.
function loadAnswerDocuments(): AnswerDocuments | Promise<AnswerDocuments> {
  return answerDocuments ?? import('../documents/answer-document.js').then((loaded) => (answerDocuments = loaded));
}

/** The parts of a repository that a view uses. */
export interface ViewContext {
  readonly core: CoreRepository;
  readonly engine: LazyEngine;
  /** Where queries may run whose answers are documents. */
  readonly threads?: AnswerThreads | undefined;
  /** Contexts of JSON-LD that every load has. */
  readonly contexts?: JsonLdContexts | undefined;
  /** Of the other repositories. */
  readonly store: QueriedRepository['store'];
  /** Prefixes that hold without being declared. */
  prefixes(): Prefixes | Promise<Prefixes>;
  /**
   * Called before each item of a result and each call on a transaction.
   * @throws StateError `STORE_NOT_OPEN`, NotFoundError `REPOSITORY_DELETED`
   */
  check(): void;
}

/** What ends results of a repository early. */
export const endsFor = ({ check }: Pick<ViewContext, 'check'>, options: ReadOptions | undefined): ResultEnds => ({
  signal: options?.signal,
  check,
});

type Prefixes = Readonly<Record<string, string>>;
type Answered<A> = Started<A> | Promise<Started<A>>;

/** The dataset and options of a query. */
interface Evaluation {
  readonly snapshot: Snapshot;
  readonly dataset: QueryableDataset;
  readonly given: HostQueryOptions & {
    readonly prefixes: Prefixes;
    readonly repository: string;
    readonly repositories: QueryPins;
  };
}

export class View implements ReadView {
  readonly #context: ViewContext;
  /** The revision to read, as of the call. */
  readonly #resolve: () => Head | Promise<Head>;
  /** The same without waiting; `undefined` if it cannot be known at once. */
  readonly #resolveAtOnce: () => Head | undefined;

  constructor(context: ViewContext, resolve: () => Head | Promise<Head>, resolveAtOnce: () => Head | undefined) {
    this.#context = context;
    this.#resolve = resolve;
    this.#resolveAtOnce = resolveAtOnce;
  }

  get [HOST](): HostedView {
    return { serialize: (text, mediaType, options) => this.#serialize(text, mediaType, options) };
  }

  get [CORE](): CoreRepository {
    return this.#context.core;
  }

  #open(record: Head): Snapshot {
    return this.#context.core.snapshotOf(record);
  }

  // The record as soon as its repository is in memory. Returns a promise only if one of them is not there yet.
  #ready(record: Head | Promise<Head>): Head | Promise<Head> {
    if (record instanceof Promise) return record.then((head) => this.#ready(head));
    const ready = this.#context.core.ownerOf(record).ready();
    return ready === undefined ? record : ready.then(() => record);
  }

  async #withSnapshot<T>(use: (snapshot: Snapshot) => Promise<T>): Promise<T> {
    const snapshot = this.#open(await this.#ready(this.#resolve()));
    try {
      return await use(snapshot);
    } finally {
      snapshot.close();
    }
  }

  // The revision is fixed by the call, its snapshot is taken when the results are read.
  #lazy<T>(options: ReadOptions | undefined, batches: (snapshot: Snapshot) => BatchSource<T>): Results<T> {
    const record = settled(this.#resolve());
    return new LazyResults(() => this.#batchesAt(record, batches), endsFor(this.#context, options));
  }

  // Batches that are read from a revision's snapshot, which is closed with them.
  #batchesAt<T>(record: Head | Promise<Head>, batches: (snapshot: Snapshot) => BatchSource<T>): BatchSource<T> {
    return deferred(this.#ready(record), (head) => withSnapshotClosed(this.#open(head), batches));
  }

  async revision(): Promise<Revision> {
    return this.#withSnapshot(async ({ record }) => toRevision(record));
  }

  async size(): Promise<number> {
    return this.#withSnapshot(async ({ record }) => record.size);
  }

  async count(pattern: QuadPattern = {}, options?: ReadOptions): Promise<number> {
    checkPattern(pattern);
    checkOptions(options, READ_OPTIONS, 'count');
    return this.#withSnapshot(async (snapshot) => {
      const ids = await snapshot.ids(bound(pattern));
      checkSignal(options?.signal);
      return ids === undefined ? 0 : snapshot.count(ids, endsOf(options));
    });
  }

  async has(pattern: QuadPattern, options?: ReadOptions): Promise<boolean> {
    checkPattern(pattern);
    checkOptions(options, READ_OPTIONS, 'has');
    checkSignal(options?.signal);
    return this.#hasAtOnce(pattern) ?? (await this.quads(pattern, options).first()) !== undefined;
  }

  quads(pattern: QuadPattern = {}, options?: ReadOptions): Results<RDF.Quad> {
    checkPattern(pattern);
    checkOptions(options, READ_OPTIONS, 'quads');
    const record = settled(this.#resolve());
    const batches = (head: Head): BatchSource<RDF.Quad> => new QuadBatches(this.#open(head), pattern);
    return new LazyResults(() => deferred(this.#ready(record), batches), endsFor(this.#context, options));
  }

  hasSync(pattern: QuadPattern): boolean {
    checkPattern(pattern);
    const has = this.#hasAtOnce(pattern);
    if (has === undefined) throw wouldWait('hasSync');
    return has;
  }

  // Undefined where something must be read first.
  #hasAtOnce(pattern: QuadPattern): boolean | undefined {
    const snapshot = this.#openAtOnce();
    try {
      const has = snapshot === undefined ? -1 : hasAtOnce(snapshot, bound(pattern));
      return has === -1 ? undefined : has;
    } finally {
      snapshot?.close();
    }
  }

  quadsSync(pattern: QuadPattern = {}, options?: SyncReadOptions): RDF.Quad[] {
    checkPattern(pattern);
    checkOptions(options, SYNC_READ_OPTIONS, 'quadsSync');
    const snapshot = this.#openAtOnce();
    if (snapshot === undefined) throw wouldWait('quadsSync');
    try {
      const quads = quadsAtOnce(snapshot, bound(pattern), options?.limit ?? Infinity);
      if (quads === -1) throw wouldWait('quadsSync');
      return quads;
    } finally {
      snapshot.close();
    }
  }

  // The snapshot of a read that waits for nothing.
  #openAtOnce(): Snapshot | undefined {
    this.#context.check();
    const record = this.#resolveAtOnce();
    return record !== undefined && this.#context.core.ownerOf(record).handle.inMemory ? this.#open(record) : undefined;
  }

  blame(pattern: QuadPattern = {}, options: BlameOptions = {}): Results<BlameEntry> {
    checkPattern(pattern);
    checkOptions(options, BLAME_OPTIONS, 'blame');
    const { core } = this.#context;
    const record = settled(options.at === undefined ? this.#resolve() : core.locate(options.at));
    const batches = (loaded: Blames): BatchSource<BlameEntry> => {
      blames = loaded;
      return this.#batchesAt(record, (at) =>
        loaded.blameBatches(core.ownerOf(at.record), at, bound(pattern), options, toRevision),
      );
    };
    return new LazyResults(() => deferred(blames ?? import('./blame.js'), batches), endsFor(this.#context, options));
  }

  graphs(options?: ReadOptions): Results<RDF.NamedNode | RDF.BlankNode> {
    checkOptions(options, READ_OPTIONS, 'graphs');
    return this.#lazy(
      options,
      (snapshot) => termBatches(snapshot, snapshot.graphs()) as BatchSource<RDF.NamedNode | RDF.BlankNode>,
    );
  }

  // The answer, with the snapshot that its rows are read from. Returns a promise only if something must be awaited.
  #answer(
    text: SparqlText,
    options: QueryOptions | undefined,
    record: Head | Promise<Head> = this.#resolve(),
  ): Answered<SparqlAnswer> {
    const { engine } = this.#context;
    return this.#evaluated(text, options, record, ({ dataset, given }) => engine.query(text, dataset, given));
  }

  #evaluated<A>(
    text: SparqlText,
    options: QueryOptions = {},
    record: Head | Promise<Head>,
    evaluate: (evaluation: Evaluation) => A | Promise<A>,
  ): Answered<A> {
    checkOptions(options, QUERY_OPTIONS, 'query');
    checkBindings(options.bindings);
    const ready = this.#ready(record);
    const prefixes = this.#context.prefixes();
    const repository = this.#context.core.name;
    const begin = (
      base: Snapshot,
      dataset: QueryableDataset,
      known: Prefixes,
      repositories: QueryPins,
    ): A | Promise<A> =>
      evaluate({
        snapshot: base,
        dataset,
        given: Object.assign({ ...options }, { prefixes: known, repository, repositories }),
      });
    const hasMore = options.extraGraphs !== undefined || mayNameBlame(text, options);
    if (ready instanceof Promise || prefixes instanceof Promise || hasMore)
      return this.#evaluatedLater(text, options, ready, prefixes, begin);
    const base = this.#open(ready);
    const snapshot = this.#pins(base, options);
    try {
      const answer = begin(base, new SnapshotDataset(base), prefixes, snapshot);
      return answer instanceof Promise ? closedOnFailure(answer, snapshot) : { answer, snapshot };
    } catch (error) {
      snapshot.close();
      throw error;
    }
  }

  async #evaluatedLater<A>(
    text: SparqlText,
    options: QueryOptions,
    record: Head | Promise<Head>,
    prefixes: Prefixes | Promise<Prefixes>,
    begin: (base: Snapshot, dataset: QueryableDataset, known: Prefixes, repositories: QueryPins) => A | Promise<A>,
  ): Promise<Started<A>> {
    const base = this.#open(await record);
    const snapshot = this.#pins(base, options);
    const evaluated = async (): Promise<A> =>
      begin(base, await this.#datasetOf(base, text, options), await prefixes, snapshot);
    return closedOnFailure(evaluated(), snapshot);
  }

  /** The snapshot as a dataset, with more graphs if there are some. */
  async #datasetOf(snapshot: Snapshot, text: SparqlText, options: QueryOptions): Promise<QueryableDataset> {
    let dataset: QueryableDataset = new SnapshotDataset(snapshot);
    const { extraGraphs } = options;
    if (mayNameBlame(text, options)) {
      const { core } = this.#context;
      dataset = await (await moreData()).withBlameGraph(dataset, core.ownerOf(snapshot.record), snapshot, toRevision);
    }
    return extraGraphs === undefined ? dataset : (await moreData()).withExtraGraphs(dataset, extraGraphs);
  }

  #pins(snapshot: Snapshot, { task }: HostQueryOptions): QueryPins {
    return queryPins(snapshot, this.#context, snapshot.record, task);
  }

  readonly select = selectCall((text, options?: SelectOptions) => {
    const record = settled(this.#resolve());
    return lazyRows(
      (query) => this.#answerOf('bindings', text, query, record),
      options,
      endsFor(this.#context, options),
    );
  });

  readonly construct = sparqlCall((text, options?: QueryOptions): Results<RDF.Quad> => this.#quads(text, options));
  readonly describe = sparqlCall((text, options?: QueryOptions): Results<RDF.Quad> => this.#quads(text, options));

  #quads(text: SparqlText, options?: QueryOptions): Results<RDF.Quad> {
    const record = settled(this.#resolve());
    return lazyQuads(() => this.#answerOf('quads', text, options, record), endsFor(this.#context, options));
  }

  readonly ask = sparqlCall(async (text, options?: QueryOptions): Promise<boolean> => {
    const { answer, snapshot } = await this.#answerOf('boolean', text, options);
    snapshot.close();
    return answer.value;
  });

  readonly query = sparqlCall(async (text, options?: QueryOptions): Promise<QueryAnswer> =>
    this.#query(text, options, this.#resolve()),
  );

  async #query(
    text: SparqlText,
    options: QueryOptions | undefined,
    record: Head | Promise<Head>,
  ): Promise<QueryAnswer> {
    return queryAnswer(await this.#answer(text, options, record), endsFor(this.#context, options));
  }

  /** The answer of a query that must be of one kind. */
  async #answerOf<K extends SparqlAnswer['type']>(
    kind: K,
    text: SparqlText,
    options?: QueryOptions,
    record?: Head | Promise<Head>,
  ): Promise<AnswerOf<K>> {
    return ofKind(kind, await this.#answer(text, options, record));
  }

  async prepare<R extends object = Row, B extends object = Bindings>(
    text: SparqlText,
    options: PrepareOptions = {},
  ): Promise<PreparedQuery<R, B>> {
    return preparedQuery(await prepareText(this.#context.engine, text, options, await this.#context.prefixes()), this);
  }

  async explain(text: SparqlText, options: ExplainOptions = {}): Promise<Explanation> {
    checkOptions(options, EXPLAIN_OPTIONS, 'explain');
    checkBindings(options.bindings);
    const record = settled(this.#resolve());
    const { explained } = await moreData();
    const snapshot = this.#open(await this.#ready(record));
    const pins = this.#pins(snapshot, options);
    return explained(this.#context, text, options, pins, this.#datasetOf(snapshot, text, options));
  }

  async search(text: string, options: SearchOptions = {}): Promise<SearchAnswer> {
    const head = settled(this.#resolve());
    const { checkSearch, searchSnapshot } = await import('./search.js');
    checkSearch(text, options);
    const record = options.at === undefined ? head : this.#context.core.locate(options.at);
    const snapshot = this.#open(await this.#ready(record));
    try {
      return await searchSnapshot(snapshot, text, options);
    } finally {
      snapshot.close();
    }
  }

  #serialize(text: SparqlText, mediaType: string, options?: HostQueryOptions): Results<string> {
    checkMediaType(mediaType, 'serialize');
    const record = settled(this.#resolve());
    const start = (): Answered<SparqlAnswer | WrittenAnswer> =>
      this.#evaluated<SparqlAnswer | WrittenAnswer>(text, options, record, ({ snapshot, dataset, given }) =>
        this.#written(text, mediaType, snapshot, dataset, given),
      );
    const document = ({
      answer,
    }: Started<SparqlAnswer | WrittenAnswer>): BatchSource<string> | Promise<BatchSource<string>> => {
      if (answer.type === 'document') return oneByOne(answer.pieces);
      const prefixes = this.#context.prefixes();
      const documents = loadAnswerDocuments();
      const open = (
        known: Prefixes,
        { documentOf }: AnswerDocuments,
      ): BatchSource<string> | Promise<BatchSource<string>> => {
        const text = documentOf(answer, mediaType, known);
        return text instanceof Promise ? text.then(oneByOne) : oneByOne(text);
      };
      if (!(prefixes instanceof Promise) && !(documents instanceof Promise)) return open(prefixes, documents);
      return Promise.all([prefixes, documents]).then(([known, loaded]) => open(known, loaded));
    };
    return new LazyResults(() => closing(start, document), endsFor(this.#context, options));
  }

  // A thread may take the query and write the document.
  #written(
    text: SparqlText,
    mediaType: string,
    snapshot: Snapshot,
    dataset: QueryableDataset,
    given: Evaluation['given'],
  ): ReturnType<LazyEngine['document']> {
    const { engine, threads, check } = this.#context;
    // A thread has the snapshot, and nothing beside it.
    if (threads === undefined || !(dataset instanceof SnapshotDataset)) return engine.query(text, dataset, given);
    const order = { snapshot, mediaType, prefixes: given.prefixes, check };
    return engine.document(text, dataset, given, (query) => threads.take(query, order));
  }

  dump(mediaType = 'application/n-quads', options: DumpOptions = {}): Results<string> {
    checkMediaType(mediaType, 'dump');
    checkOptions(options, DUMP_OPTIONS, 'dump');
    if (options.graph !== undefined) checkTerm(options.graph, 'graph');
    return this.#lazy(options, (snapshot) =>
      oneByOne(
        lazySequence(async () => {
          const { dumpText } = await import('../documents/dump.js');
          return dumpText(snapshot, mediaType, await this.#context.prefixes(), options);
        }),
      ),
    );
  }
}

const wouldWait = (call: string): StateError =>
  new StateError(
    'WOULD_WAIT',
    `${call}: something must be read from the storage first: await quads() or has() instead`,
  );

function checkMediaType(mediaType: unknown, call: string): void {
  if (typeof mediaType !== 'string') throw wrongOption(call, 'the media type', 'a string', mediaType);
}

/** Whether a query may read the graph that tells where quads are from. However its name is written, it ends with this word. */
function mayNameBlame(
  text: SparqlText,
  { bindings = {}, defaultGraphUris = [], namedGraphUris = [] }: QueryOptions,
): boolean {
  const isName = (name: unknown): boolean => typeof name === 'string' && name.includes('blame');
  // What is no text is refused later.
  const { text: words, values = [] } = typeof text === 'string' ? { text } : ((text ?? {}) as Partial<typeof text>);
  const terms = [...values, ...Object.values(bindings)];
  return [words, ...defaultGraphUris, ...namedGraphUris].some(isName) || terms.some(({ value }) => isName(value));
}
