/**
 * Runs the updates of one repository. Each update is evaluated on a snapshot, concurrently with others, and committed on the newest head.
 * If a commit since the snapshot has changed quads that its patterns read, the update is evaluated again.
 */
import { ConflictError, Mutex } from '@quadrille/model';
import type * as RDF from '@rdfjs/types';
import type { Revision, SparqlText } from '../api/index.js';
import type { HostCommitOptions, HostQueryOptions } from '../host/host-types.js';
import { checkSignal } from '../options/check-options.js';
import type { ViewContext } from '../read/view.js';
import { OpenTransaction } from './transaction.js';

/** Number of concurrent evaluations before an update waits for the writer lock. */
const BESIDE = 2;
/** Number of evaluations under the writer lock. Commits that have read nothing need no lock and can still come first. */
const IN_TURN = 9;

/** Metadata of the commit. */
export type CommitInfo = { [Name in keyof Omit<HostCommitOptions, 'signal'>]?: HostCommitOptions[Name] | undefined };

export class Updates {
  /**
   * The writer lock. Updates that have read data hold it during their commit. An update that has lost twice also holds it during
   * its evaluation.
   */
  readonly #turn = new Mutex();

  constructor(private readonly context: ViewContext) {}

  /**
   * @throws ConflictError `REVISION_CONFLICT` if `ifRevision` is not the head, or if other commits come first each time; EvaluationError
   * `ABORTED` for the signal, and the error that ends the task
   */
  async run(text: SparqlText, options: HostQueryOptions, info: CommitInfo): Promise<Revision> {
    const { task, signal } = options;
    try {
      const data = await this.#data(text, options);
      if (data !== undefined) return await this.#insert(data, options, info);
      for (let left = BESIDE; left > 0; left--) {
        const revision = await this.#attempt(text, options, info, false);
        if (!(revision instanceof ConflictError)) return revision;
      }
      return await this.#inTurn(options, async () => {
        for (let left = IN_TURN; ; left--) {
          const revision = await this.#attempt(text, options, info, true);
          if (!(revision instanceof ConflictError)) return revision;
          if (left <= 1) throw revision;
        }
      });
    } catch (error) {
      task?.control.throwIfFailed();
      checkSignal(signal);
      throw error;
    }
  }

  /** The quads of an update that adds these and reads nothing; `undefined` for any other one. */
  async #data(text: SparqlText, options: HostQueryOptions): Promise<readonly RDF.Quad[] | undefined> {
    const { bindings, defaultGraphUris, namedGraphUris, baseIRI } = options;
    if (bindings !== undefined || defaultGraphUris !== undefined || namedGraphUris !== undefined) return undefined;
    const { engine, prefixes } = this.context;
    return engine.dataToInsert(text, { prefixes: await prefixes(), baseIRI });
  }

  #insert(data: readonly RDF.Quad[], { task, signal }: HostQueryOptions, info: CommitInfo): Promise<Revision> {
    task?.control.throwIfFailed();
    checkSignal(signal);
    if (task !== undefined) task.state = 'writing';
    return this.context.core.commit(data, [], info);
  }

  /** Evaluates and commits once. Returns the conflict if another commit came first and a retry is possible. */
  async #attempt(
    text: SparqlText,
    options: HostQueryOptions,
    info: CommitInfo,
    hasTurn: boolean,
  ): Promise<Revision | ConflictError> {
    const { task, signal } = options;
    const { core, prefixes } = this.context;
    // A signal of the task would be made for each update, with a listener and a timer.
    const ends = task === undefined ? signal : { throwIfAborted: () => task.control.throwIfFailed() };
    const staged = await core.begin({ rebases: true, signal: ends });
    const transaction = new OpenTransaction(staged, this.context, await prefixes());
    try {
      await transaction.update(text, options);
      transaction.end();
      if (task !== undefined) task.state = 'writing';
      const commit = (): Promise<Revision> => {
        task?.control.throwIfFailed();
        return core.commitTransaction(staged, info);
      };
      return await (hasTurn || !staged.hasRead ? commit() : this.#inTurn(options, commit));
    } catch (error) {
      // A retry is useless with ifRevision: the named revision never becomes the head again.
      const canRetry = info.ifRevision === undefined && error instanceof ConflictError;
      if (canRetry && error.code === 'REVISION_CONFLICT') return error;
      throw error;
    } finally {
      transaction.end();
      staged.close();
    }
  }

  #inTurn<T>({ task, signal }: HostQueryOptions, section: () => Promise<T>): Promise<T> {
    if (task !== undefined) {
      return this.#turn.runUnlessEnded((listener) => task.control.onFailure(listener), section);
    }
    if (signal === undefined) return this.#turn.run(section);
    return this.#turn.runUnlessEnded((listener) => onAbort(signal, listener), section);
  }
}

function onAbort(signal: AbortSignal, listener: (error: Error) => void): () => void {
  const aborted = (): void => listener(signal.reason as Error);
  signal.addEventListener('abort', aborted);
  return () => signal.removeEventListener('abort', aborted);
}
