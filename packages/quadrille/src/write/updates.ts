/**
 * The updates of one repository. Each is evaluated on a snapshot, beside others, and committed on the newest head: that is right as
 * long as no commit since the snapshot has changed what its patterns read. Otherwise it is evaluated again.
 */
import { ConflictError, Mutex } from '@quadrille/model';
import type { CommitOptions, QueryOptions, Revision, SparqlText } from '../api/index.js';
import { checkSignal } from '../options/check-options.js';
import type { ViewContext } from '../read/view.js';
import { OpenTransaction } from './transaction.js';

/** How often an update is evaluated beside others. */
const BESIDE = 2;
/** How often it is evaluated while it has the turn: commits that have read nothing need no turn, and can still come first. */
const IN_TURN = 9;

/** What is said of a commit. */
export type CommitInfo = { [Name in keyof Omit<CommitOptions, 'signal'>]?: CommitOptions[Name] | undefined };

export class Updates {
  /** The turn of the writer: updates that have read have it while they are committed, and one that has lost twice while it is evaluated. */
  readonly #turn = new Mutex();

  constructor(private readonly context: ViewContext) {}

  /**
   * @throws ConflictError `REVISION_CONFLICT` where `ifRevision` is not the head, or others come first each time; EvaluationError
   * `ABORTED` for the signal, and what ends the task
   */
  async run(text: SparqlText, options: QueryOptions, info: CommitInfo): Promise<Revision> {
    const { task, signal } = options;
    try {
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

  /** Evaluates and commits once. Gives the conflict where another commit was first, and it can be tried again. */
  async #attempt(
    text: SparqlText,
    options: QueryOptions,
    info: CommitInfo,
    hasTurn: boolean,
  ): Promise<Revision | ConflictError> {
    const { task, signal } = options;
    const { core, prefixes } = this.context;
    const staged = await core.begin({ rebases: true, signal: task?.control.signal ?? signal });
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
      // Where a revision is named it will not be the head again.
      const canRetry = info.ifRevision === undefined && error instanceof ConflictError;
      if (canRetry && error.code === 'REVISION_CONFLICT') return error;
      throw error;
    } finally {
      transaction.end();
      staged.close();
    }
  }

  #inTurn<T>({ task, signal }: QueryOptions, section: () => Promise<T>): Promise<T> {
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
