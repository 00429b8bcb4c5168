/** Exchange of a repository with other copies. What the first call needs is loaded by it. */
import { lazySequence } from '@quadrille/model';
import type {
  ExportHistoryOptions,
  ImportHistoryOptions,
  LoadSource,
  PullOptions,
  Remotes,
  ReplicationOptions,
  ReplicationReport,
  Repository,
  Results,
  Revision,
  Sync,
} from '../api/index.js';
import { EXPORT_OPTIONS, IMPORT_HISTORY_OPTIONS, PULL_OPTIONS, PUSH_OPTIONS } from '../options/calls.js';
import { checkOptions } from '../options/check-options.js';
import { LazyResults, listed, oneByOne } from '../read/results.js';
import { endsFor, type ViewContext } from '../read/view.js';

const replication = (): Promise<typeof import('./index.js')> => import('./index.js');

export class RepositorySync implements Sync {
  readonly #context: ViewContext;
  readonly #repository: Repository;
  readonly remotes: Remotes;

  constructor(context: ViewContext, repository: Repository) {
    this.#context = context;
    this.#repository = repository;
    const { core } = context;
    this.remotes = {
      get: async (name) => (await replication()).getRemote(core, name),
      set: async (name, remote) => (await replication()).setRemote(core, name, remote),
      delete: async (name) => (await replication()).deleteRemote(core, name),
      list: () => listed(async () => (await replication()).listRemotes(core)),
    };
  }

  async pull(remote: string | Repository = 'origin', options: PullOptions = {}): Promise<ReplicationReport> {
    checkOptions(options, PULL_OPTIONS, 'sync.pull');
    return (await replication()).pull({ core: this.#context.core, repository: this.#repository }, remote, options);
  }

  async push(remote: string | Repository = 'origin', options: ReplicationOptions = {}): Promise<ReplicationReport> {
    checkOptions(options, PUSH_OPTIONS, 'sync.push');
    return (await replication()).push({ core: this.#context.core, repository: this.#repository }, remote, options);
  }

  exportHistory(options: ExportHistoryOptions = {}): Results<string> {
    checkOptions(options, EXPORT_OPTIONS, 'sync.exportHistory');
    const { core } = this.#context;
    const head = core.head.number;
    const pieces = async (): Promise<AsyncIterable<string>> =>
      (await import('../history/export-history.js')).exportHistory(core, head, options);
    return new LazyResults(() => oneByOne(lazySequence(pieces)), endsFor(this.#context, options));
  }

  async importHistory(source: LoadSource, options: ImportHistoryOptions = {}): Promise<Revision> {
    checkOptions(options, IMPORT_HISTORY_OPTIONS, 'sync.importHistory');
    const { importHistory } = await import('../history/import-history.js');
    return importHistory(this.#context.core, this.#repository, source, options);
  }
}
