/** A repository as the library shows it: its head to read and write, its history, and its parts. */
import type { Repository as CoreRepository } from '@quadrille/core';
import type {
  Branches,
  DiffEntry,
  HistoryEvent,
  HistoryOptions,
  LiveOptions,
  LoadSource,
  LogOptions,
  Maintenance,
  PatchOptions,
  Proof,
  QuadPattern,
  ReadOptions,
  Ref,
  Repository,
  RepositoryNamespaces,
  Results,
  Revision,
  RevisionView,
  Settings,
  ShapesReport,
  SparqlText,
  Sync,
  Tags,
  ValidateOptions,
  WatchOptions,
} from './api/index.js';
import { type BranchesContext, RepositoryBranches } from './branch/branches.js';
import { loadGuard } from './guard/load-guard.js';
import { RepositoryProof } from './integrity/repository-proof.js';
import { CONTEXT } from './live/compare-answers.js';
import { Live } from './live/live.js';
import { RepositoryMaintenance } from './maintenance/repository-maintenance.js';
import { type StoredNamespaces, StoredTags, withEffective } from './names/namespaces.js';
import { settingsOf } from './names/settings.js';
import { HISTORY_OPTIONS, LIVE_OPTIONS, PATCH_OPTIONS, READ_OPTIONS, WATCH_OPTIONS } from './options/calls.js';
import { checkOptions } from './options/check-options.js';
import { loggedRevisions } from './read/log.js';
import { bound, checkPattern } from './read/quads.js';
import { type BatchSource, LazyResults } from './read/results.js';
import { OpenRevisionView } from './read/revision-view.js';
import { deferred, settled } from './read/snapshot-source.js';
import { endsFor } from './read/view.js';
import { Watch } from './read/watch.js';
import { RepositorySync } from './replication/repository-sync.js';
import { RunningWrites, type Settling } from './write/running-writes.js';
import { WritableView } from './write/writable-view.js';

type Head = CoreRepository['head'];

/** What a repository is made of. */
export interface RepositoryContext extends BranchesContext {
  /** Writes that closing the database waits for. */
  readonly busy: Set<Settling>;
}

export class OpenRepository extends WritableView implements Repository {
  readonly #context: RepositoryContext;
  readonly branches: Branches;
  readonly namespaces: RepositoryNamespaces;
  readonly tags: Tags;
  readonly settings: Settings;
  readonly sync: Sync;
  readonly proof: Proof;
  readonly maintenance: Maintenance;

  constructor(context: RepositoryContext, namespaces: StoredNamespaces) {
    const { core } = context;
    const writes = new RunningWrites(context.check, context.busy);
    super(context, writes);
    this.#context = context;
    this.branches = new RepositoryBranches(context, writes);
    this.namespaces = withEffective(namespaces, async () => context.prefixes());
    this.tags = new StoredTags(core);
    this.settings = settingsOf(core, context.engine);
    this.sync = new RepositorySync(context, this);
    this.proof = new RepositoryProof(context);
    this.maintenance = new RepositoryMaintenance(core);
  }

  get name(): string {
    return this.#context.core.name;
  }

  get branch(): string {
    return this.#context.core.branchName;
  }

  at(ref: Ref): RevisionView {
    return new OpenRevisionView(this.#context, ref);
  }

  async validate(options: ValidateOptions = {}): Promise<ShapesReport> {
    const { core, engine } = this.#context;
    return (await loadGuard()).validateAt(core, options, { engine, repository: core.name });
  }

  async patch(source: LoadSource, options: PatchOptions = {}): Promise<Revision> {
    checkOptions(options, PATCH_OPTIONS, 'patch');
    const { applyPatch } = await import('./write/patch.js');
    return applyPatch(this.#context.core, this.namespaces, source, options);
  }

  // ── History ─────────────────────────────────────────────────────────────────────────────────────────────────────

  log(options: LogOptions = {}): Results<Revision> {
    return loggedRevisions(this.#context, options);
  }

  diff(from: Ref, to: Ref = 'HEAD', pattern: QuadPattern = {}, options: ReadOptions = {}): Results<DiffEntry> {
    checkPattern(pattern);
    checkOptions(options, READ_OPTIONS, 'diff');
    const { core } = this.#context;
    const find = (ref: Ref): Head | Promise<Head> => settled(core.tryResolve(ref) ?? core.locate(ref));
    const [first, second] = [find(from), find(to)];
    const changes = (one: Head, other: Head): BatchSource<DiffEntry> =>
      core.diff(one, other, bound(pattern), options.signal);
    const source = (): BatchSource<DiffEntry> =>
      first instanceof Promise || second instanceof Promise
        ? deferred(Promise.all([first, second]), ([one, other]) => changes(one, other))
        : changes(first, second);
    return new LazyResults(source, endsFor(this.#context, options));
  }

  history(pattern: QuadPattern = {}, options: HistoryOptions = {}): Results<HistoryEvent> {
    checkPattern(pattern);
    checkOptions(options, HISTORY_OPTIONS, 'history');
    const { from, to, signal } = options;
    return new LazyResults(
      () => this.#context.core.history.events(bound(pattern), { from, to }, signal),
      endsFor(this.#context, options),
    );
  }

  watch(options: WatchOptions = {}): Watch {
    checkOptions(options, WATCH_OPTIONS, 'watch');
    checkPattern(options.pattern ?? {});
    return new Watch(this.#context, options);
  }

  get [CONTEXT](): RepositoryContext {
    return this.#context;
  }

  live(text: SparqlText, options: LiveOptions = {}): Live {
    checkOptions(options, LIVE_OPTIONS, 'live');
    return new Live(this, this.#context, text, options);
  }

  /** Repositories are closed with their database; this only makes `await using` possible. */
  async [Symbol.asyncDispose](): Promise<void> {}

  /** What `console.log` shows. */
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return `Repository ${this.name} (branch ${this.branch})`;
  }
}
