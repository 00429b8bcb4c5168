/** A repository as the library shows it: its head to read and write, its history, its care, and RDF/JS. */
import type { EventEmitter } from 'node:events';
import { platform } from '#platform';
import type * as RDF from '@rdfjs/types';
import { toRevision } from '@quadrille/core';
import { blankNode, defaultGraph, iri, lazySequence } from '@quadrille/model';
import type {
  DiffEntry,
  HistoryEvent,
  HistoryOptions,
  ImportOptions,
  LogOptions,
  Metadata,
  Namespaces,
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
  Tags,
  UpdateOptions,
  VerifyReport,
} from './api/index.js';
import { RowBindings } from './rdfjs/bindings.js';
import { historyBatches } from './read/history.js';
import { StoredTags } from './names/namespaces.js';
import {
  HISTORY_OPTIONS,
  IMPORT_OPTIONS,
  LOG_OPTIONS,
  QUERY_OPTIONS,
  READ_OPTIONS,
  UPDATE_OPTIONS,
} from './options/calls.js';
import { checkOptions } from './options/check-options.js';
import { checkPattern, checkTerms, quadBatches } from './read/quads.js';
import { abandon, settled, View } from './read/view.js';
import type { ViewContext } from './read/view.js';
import { emitterFor, itemsOf } from './rdfjs/streams.js';
import { LazyResults, oneByOne } from './read/results.js';
import { repositoryStats } from './stats.js';
import { WritableView } from './write/writable-view.js';

export class OpenRepository extends WritableView implements Repository {
  readonly tags: Tags;

  constructor(
    context: ViewContext,
    readonly namespaces: Namespaces,
    readonly metadata: Metadata,
  ) {
    super(context, () => context.core.head);
    this.tags = new StoredTags(context.core);
  }

  async prefixes(): Promise<Readonly<Record<string, string>>> {
    return this.context.prefixes();
  }

  at(ref: Ref): ReadView {
    const { core } = this.context;
    return new View(this.context, () => core.tryResolve(ref) ?? core.resolve(ref));
  }

  // ── History ─────────────────────────────────────────────────────────────────────────────────────────────────────

  log(options: LogOptions = {}): Results<Revision> {
    checkOptions(options, LOG_OPTIONS, 'log');
    const { limit, before } = options;
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
    return new LazyResults(() => oneByOne(lazySequence(revisions)), options.signal);
  }

  diff(from: Ref, to: Ref = 'HEAD', options: ReadOptions = {}): Results<DiffEntry> {
    checkOptions(options, READ_OPTIONS, 'diff');
    const { core } = this.context;
    const ends = settled(Promise.all([core.resolve(from), core.resolve(to)]));
    const entries = async function* (): AsyncGenerator<DiffEntry[]> {
      const [first, second] = await ends;
      yield* core.diff(first.number, second.number, options.signal);
    };
    return new LazyResults(() => lazySequence(entries), options.signal);
  }

  history(pattern: QuadPattern = {}, options: HistoryOptions = {}): Results<HistoryEvent> {
    checkPattern(pattern);
    checkOptions(options, HISTORY_OPTIONS, 'history');
    const { core } = this.context;
    return new LazyResults(() => lazySequence(() => historyBatches(core, pattern, options)), options.signal);
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

  import(stream: RDF.Stream<RDF.Quad>, options: ImportOptions = {}): EventEmitter {
    const items = itemsOf<RDF.Quad>(stream);
    return emitterFor(async () => {
      checkOptions(options, IMPORT_OPTIONS, 'import');
      const { blankNodes = 'scope', ...commit } = options;
      await this.addStream(items, commit, blankNodes);
    });
  }

  removeMatches(
    subject?: RDF.Term | null,
    predicate?: RDF.Term | null,
    object?: RDF.Term | null,
    graph?: RDF.Term | null,
  ): EventEmitter {
    const pattern = { subject, predicate, object, graph };
    checkTerms(pattern);
    return emitterFor(() => this.remove(pattern));
  }

  deleteGraph(graph: RDF.Quad_Graph | string): EventEmitter {
    const term = typeof graph === 'string' ? graphTerm(graph) : graph;
    return this.removeMatches(null, null, null, term);
  }

  async toDataset(pattern: QuadPattern = {}): Promise<RDF.DatasetCore> {
    const { toDataset } = await import('./rdfjs/to-dataset.js');
    return toDataset(this.quads(pattern));
  }

  async queryBindings(
    query: string,
    context?: RDF.QueryContext & QueryOptions,
  ): Promise<RDF.ResultStream<RDF.Bindings>> {
    const { answer, snapshot } = await this.answerOf('bindings', query, queryOptions(context));
    const rows = mapped(answer.batches, RowBindings.fromRow, () => snapshot.close());
    return platform.streamOf(
      () => lazySequence<readonly RDF.Bindings[]>(() => rows),
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
      () => lazySequence(() => quads),
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

function pick(context: object | undefined, known: object): object {
  return Object.fromEntries(Object.entries(context ?? {}).filter(([key]) => Object.hasOwn(known, key)));
}
