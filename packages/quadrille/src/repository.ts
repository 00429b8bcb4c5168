/** A repository as the library shows it: its head to read and write, its history, its care, and RDF/JS. */
import type { EventEmitter } from 'node:events';
import type * as RDF from '@rdfjs/types';
import type { Repository as CoreRepository } from '@quadrille/core';
import { toRevision } from '@quadrille/core';
import { blankNode, defaultGraph, iri, lazySequence } from '@quadrille/model';
import type {
  AnswerDiff,
  ChainReport,
  Branches,
  BranchOptions,
  DiffEntry,
  ExportHistoryOptions,
  HistoryEvent,
  HistoryOptions,
  ImportHistoryOptions,
  ImportOptions,
  LiveOptions,
  LogOptions,
  Metadata,
  LoadSource,
  Namespaces,
  PatchOptions,
  PullOptions,
  QuadPattern,
  QueryOptions,
  ReadOptions,
  ReadView,
  Ref,
  Remotes,
  ReplicationOptions,
  ReplicationReport,
  Repository,
  RepositoryStats,
  Results,
  Revision,
  RevisionSignature,
  Signer,
  Settings,
  SignOptions,
  SpaceReport,
  SparqlText,
  Tags,
  EraseOptions,
  EraseReport,
  EraseTarget,
  TrimOptions,
  ShapesReport,
  TrimReport,
  ValidateOptions,
  UpdateOptions,
  VerifyChainOptions,
  VerifyReport,
  WatchOptions,
} from './api/index.js';
import { backgroundFailure } from './metrics.js';
import { StoredTags } from './names/namespaces.js';
import { loadGuard } from './guard/load-guard.js';
import { settingsOf } from './names/settings.js';
import {
  BRANCH_OPTIONS,
  CREATE_BRANCH_OPTIONS,
  DELETE_BRANCH_OPTIONS,
  EXPORT_OPTIONS,
  HISTORY_OPTIONS,
  IMPORT_HISTORY_OPTIONS,
  IMPORT_OPTIONS,
  LIVE_OPTIONS,
  LOG_OPTIONS,
  PATCH_OPTIONS,
  PULL_OPTIONS,
  PUSH_OPTIONS,
  QUERY_OPTIONS,
  READ_OPTIONS,
  SIGN_OPTIONS,
  UPDATE_OPTIONS,
  VERIFY_CHAIN_OPTIONS,
  WATCH_OPTIONS,
} from './options/calls.js';
import { checkOptions } from './options/check-options.js';
import { bound, checkPattern, checkTerms } from './read/quads.js';
import { deferred, settled } from './read/snapshot-source.js';
import { knownOptions } from './rdfjs/rdfjs-view.js';
import { RevisionView } from './rdfjs/revision-view.js';
import { itemsOf } from './rdfjs/stream-items.js';
import { emitterFor } from './rdfjs/streams.js';
import type { BatchSource } from './read/results.js';
import { LazyResults, oneByOne } from './read/results.js';
import { Live } from './live/live.js';
import { Watch } from './read/watch.js';
import { quadLength } from './write/quad-input.js';
import { WritableView } from './write/writable-view.js';
import type { WriteContext } from './write/writable-view.js';

const replication = (): Promise<typeof import('./replication/index.js')> => import('./replication/index.js');
const remotesOf = (core: CoreRepository): Remotes => ({
  get: async (name) => (await replication()).getRemote(core, name),
  set: async (name, remote) => (await replication()).setRemote(core, name, remote),
  delete: async (name) => (await replication()).deleteRemote(core, name),
  list: async () => (await replication()).listRemotes(core),
});
const integrity = (): Promise<typeof import('./integrity/index.js')> => import('./integrity/index.js');
type Head = CoreRepository['head'];

interface RepositoryContext extends WriteContext {
  /** What the library shows of the engine's repository on another branch. */
  onBranch(core: WriteContext['core']): Repository;
}

export class OpenRepository extends WritableView implements Repository {
  readonly tags: Tags;
  readonly remotes: Remotes;
  readonly settings: Settings;

  constructor(
    protected override readonly context: RepositoryContext,
    readonly namespaces: Namespaces,
    readonly metadata: Metadata,
  ) {
    super(context);
    this.tags = new StoredTags(context.core);
    this.remotes = remotesOf(context.core);
    this.settings = settingsOf(context.core, context.engine);
  }

  get branchName(): string {
    return this.context.core.branchName;
  }

  readonly branches: Branches = {
    list: async () => (await this.#lines()).listBranches(this.context.core),
    get: async (name) => (await this.#lines()).findBranch(this.context.core, name),
    create: async (name, options = {}) => {
      checkOptions(options, CREATE_BRANCH_OPTIONS, 'branches.create');
      return (await this.#lines()).createBranch(this.context.core, name, options.from);
    },
    rename: async (name, to) => (await this.#lines()).renameBranch(this.context.core, name, to),
    delete: async (name, options = {}) => {
      checkOptions(options, DELETE_BRANCH_OPTIONS, 'branches.delete');
      return (await this.#lines()).deleteBranch(this.context.core, name, options);
    },
  };

  async branch(name: string, options: BranchOptions = {}): Promise<Repository> {
    checkOptions(options, BRANCH_OPTIONS, 'branch');
    return this.context.onBranch(await (await this.#lines()).openBranch(this.context.core, name, options));
  }

  #lines(): Promise<typeof import('./branch/stored-branches.js')> {
    this.context.check();
    return import('./branch/stored-branches.js');
  }

  async prefixes(): Promise<Readonly<Record<string, string>>> {
    return this.context.prefixes();
  }

  at(ref: Ref): ReadView {
    return new RevisionView(this.context, ref);
  }

  async validate(options: ValidateOptions = {}): Promise<ShapesReport> {
    const { core, engine } = this.context;
    return (await loadGuard()).validateAt(core, options, { engine, repository: core.name });
  }

  async patch(source: LoadSource, options: PatchOptions = {}): Promise<Revision> {
    checkOptions(options, PATCH_OPTIONS, 'patch');
    const { applyPatch } = await import('./write/patch.js');
    return applyPatch(this.context.core, this.namespaces, source, options);
  }

  // ── History ─────────────────────────────────────────────────────────────────────────────────────────────────────

  log(options: LogOptions = {}): Results<Revision> {
    checkOptions(options, LOG_OPTIONS, 'log');
    const { limit, before, signal, pattern, branches, ...filter } = options;
    const { core } = this.context;
    if (branches === 'all') return this.#graph(options);
    if (pattern !== undefined) checkPattern(pattern);
    if (pattern !== undefined || Object.values(filter).some((value) => value !== undefined)) {
      const { author, message, from, until } = filter;
      const wanted = { author, message, pattern: pattern && bound(pattern) };
      const head = core.head.number;
      const selected = () => core.history.select(head, { from, until, before }, wanted, { limit, signal });
      return new LazyResults(() => oneByOne(lazySequence(selected)), this.ends(options));
    }
    const first = settled(core.resolve(before ?? 'HEAD'));
    const revisions = async function* (): AsyncGenerator<Revision> {
      const record = await first;
      if (before !== undefined) yield* core.history.log({ limit, before: record.number });
      else if (limit !== 0) {
        yield toRevision(record);
        yield* core.history.log({ limit: limit === undefined ? limit : limit - 1, before: record.number });
      }
    };
    return new LazyResults(() => oneByOne(lazySequence(revisions)), this.ends(options));
  }

  #graph(options: LogOptions): Results<Revision> {
    const revisions = async (): Promise<AsyncIterable<Revision>> => {
      const { graphRevisions } = await import('./branch/graph-revisions.js');
      return graphRevisions(this.context.core, options);
    };
    return new LazyResults(() => oneByOne(lazySequence(revisions)), this.ends(options));
  }

  diff(from: Ref, to: Ref = 'HEAD', pattern: QuadPattern = {}, options: ReadOptions = {}): Results<DiffEntry> {
    checkPattern(pattern);
    checkOptions(options, READ_OPTIONS, 'diff');
    const { core } = this.context;
    const find = (ref: Ref): Head | Promise<Head> => settled(core.tryResolve(ref) ?? core.locate(ref));
    const [first, second] = [find(from), find(to)];
    const changes = (one: Head, other: Head): BatchSource<DiffEntry> =>
      core.diff(one, other, bound(pattern), options.signal);
    const source = (): BatchSource<DiffEntry> =>
      first instanceof Promise || second instanceof Promise
        ? deferred(Promise.all([first, second]), ([one, other]) => changes(one, other))
        : changes(first, second);
    return new LazyResults(source, this.ends(options));
  }

  history(pattern: QuadPattern = {}, options: HistoryOptions = {}): Results<HistoryEvent> {
    checkPattern(pattern);
    checkOptions(options, HISTORY_OPTIONS, 'history');
    const { from, to, signal } = options;
    return new LazyResults(
      () => this.context.core.history.events(bound(pattern), { from, to }, signal),
      this.ends(options),
    );
  }

  watch(options: WatchOptions = {}): Watch {
    checkOptions(options, WATCH_OPTIONS, 'watch');
    checkPattern(options.pattern ?? {});
    return new Watch(this.context, options);
  }

  async answerDiff(text: SparqlText, from: Ref, to: Ref = 'HEAD', options: QueryOptions = {}): Promise<AnswerDiff> {
    checkOptions(options, QUERY_OPTIONS, 'answerDiff');
    const { answerDiff, answerSource } = await import('./live/index.js');
    return answerDiff(answerSource(this, this.context), text, [from, to], options);
  }

  live(text: SparqlText, options: LiveOptions = {}): Live {
    checkOptions(options, LIVE_OPTIONS, 'live');
    return new Live(this, this.context, text, options);
  }

  exportHistory(options: ExportHistoryOptions = {}): Results<string> {
    checkOptions(options, EXPORT_OPTIONS, 'exportHistory');
    const { core } = this.context;
    const head = core.head.number;
    const pieces = async (): Promise<AsyncIterable<string>> =>
      (await import('./history/export-history.js')).exportHistory(core, head, options);
    return new LazyResults(() => oneByOne(lazySequence(pieces)), this.ends(options));
  }

  async importHistory(source: LoadSource, options: ImportHistoryOptions = {}): Promise<Revision> {
    checkOptions(options, IMPORT_HISTORY_OPTIONS, 'importHistory');
    const { importHistory } = await import('./history/import-history.js');
    return importHistory(this.context.core, this, source, options);
  }

  // ── Replication ─────────────────────────────────────────────────────────────────────────────────────────────────

  async pull(remote: string | Repository = 'origin', options: PullOptions = {}): Promise<ReplicationReport> {
    checkOptions(options, PULL_OPTIONS, 'pull');
    return (await replication()).pull({ core: this.context.core, repository: this }, remote, options);
  }

  async push(remote: string | Repository = 'origin', options: ReplicationOptions = {}): Promise<ReplicationReport> {
    checkOptions(options, PUSH_OPTIONS, 'push');
    return (await replication()).push({ core: this.context.core, repository: this }, remote, options);
  }

  // ── Integrity ───────────────────────────────────────────────────────────────────────────────────────────────────

  async digest(ref: Ref = 'HEAD', options: ReadOptions = {}): Promise<string> {
    checkOptions(options, READ_OPTIONS, 'digest');
    return (await integrity()).digestOf(this.context.core, ref, options);
  }

  async contentHash(ref: Ref = 'HEAD', options: ReadOptions = {}): Promise<string> {
    checkOptions(options, READ_OPTIONS, 'contentHash');
    return (await integrity()).contentHashOf(this.context.core, ref, options);
  }

  async sign(signer: string | Signer, options: SignOptions = {}): Promise<RevisionSignature> {
    checkOptions(options, SIGN_OPTIONS, 'sign');
    return (await integrity()).sign(this.context.core, signer, options);
  }

  signatures(options: ReadOptions = {}): Results<RevisionSignature> {
    checkOptions(options, READ_OPTIONS, 'signatures');
    const stored = async (): Promise<AsyncIterable<RevisionSignature>> =>
      (await integrity()).storedSignatures(this.context.core);
    return new LazyResults(() => oneByOne(lazySequence(stored)), this.ends(options));
  }

  async verifyChain(options: VerifyChainOptions = {}): Promise<ChainReport> {
    checkOptions(options, VERIFY_CHAIN_OPTIONS, 'verifyChain');
    return (await integrity()).chainReport(this.context.core, options);
  }

  // ── Upkeep ──────────────────────────────────────────────────────────────────────────────────────────────────────

  async stats(): Promise<RepositoryStats> {
    const { repositoryStats } = await import('./stats.js');
    return repositoryStats(this.context.core, backgroundFailure);
  }

  verify(): Promise<VerifyReport> {
    return this.context.core.maintenance.verify();
  }

  rebuild(): Promise<SpaceReport> {
    return this.context.core.maintenance.rebuild();
  }

  async trim(options: TrimOptions = {}): Promise<TrimReport> {
    return (await import('./history/trim-history.js')).trimHistory(this.context.core, options);
  }

  async erase(target: EraseTarget, options: EraseOptions): Promise<EraseReport> {
    return (await import('./history/erase-data.js')).eraseData(this.context.core, target, options);
  }

  async compact(): Promise<SpaceReport> {
    return (await import('./history/trim-history.js')).compact(this.context.core);
  }

  /** Repositories are closed with their database; this only makes `await using` possible. */
  async [Symbol.asyncDispose](): Promise<void> {}

  // ── RDF/JS ──────────────────────────────────────────────────────────────────────────────────────────────────────

  import(stream: RDF.Stream<RDF.Quad>, options: ImportOptions = {}): EventEmitter {
    const items = itemsOf<RDF.Quad>(stream, quadLength);
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

  async queryVoid(query: string, context?: RDF.QueryContext & UpdateOptions): Promise<void> {
    await this.update(query, knownOptions<UpdateOptions>(context, UPDATE_OPTIONS));
  }
}

function graphTerm(name: string): RDF.Quad_Graph {
  return name === '' ? defaultGraph() : name.startsWith('_:') ? blankNode(name.slice(2)) : iri(name);
}
