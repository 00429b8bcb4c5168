/**
 * Admission control for all queries and updates of clients, over every protocol. It precedes parsing, so a waiting request costs
 * only the memory of its text.
 */
import { FairQueue } from '@quadrille/model';
import type { Repository } from 'quadrille';
import type { HostedDatabase, Task, TaskOptions } from 'quadrille/host';
import type { QueryLimits } from './query-limits.js';
import { Turn } from './turn.js';

/** A query or an update of a client. */
export interface QueryRequest extends Omit<TaskOptions, 'timeoutMs' | 'repositories'> {
  /**
   * Opens another repository that the text names, for the client. A repository that it may not read has to fail like one that does
   * not exist. Required, so that no text of a client reads with the rights of the server.
   */
  readonly repositories: (name: string) => Promise<Repository>;
  /** The account of the client, or a substitute for anonymous ones. Parties share the server fairly. */
  readonly party: string;
  /** Time limit that the client requests, at most `longestTimeoutMs`. Default: the limit of the server. */
  readonly timeoutMs?: number | undefined;
  /** Replaces the limit of the server. */
  readonly queueMs?: number | undefined;
  /**
   * Whether the request keeps its place while its reader is stalled. Needed for requests that hold a resource for which running
   * requests wait. Default false.
   */
  readonly keepsPlace?: boolean | undefined;
  /** Called when `database.queries()` lists the request, before it waits. */
  readonly onBegun?: ((task: Task) => void) | undefined;
}

/** Figures since the start. */
export interface GateFigures {
  /** Number of running requests, and of waiting ones. */
  readonly running: number;
  /** Queries that wait for their turn. */
  readonly waiting: number;
  /** Queries that were let in since the start. */
  readonly admitted: number;
  /** Queries that were refused since the start. */
  readonly refused: number;
  /** Number of failed requests by error code. */
  readonly failed: ReadonlyMap<string, number>;
}

/** Memory limit for waiting texts, in bytes. One account may use a quarter of it. */
const WAITING_BYTES = 64 * 1024 ** 2;
/** Changes that wait for the storage without a place, for each place. */
const COMMITS_PER_PLACE = 8;

/** Lets queries in: a limited number at a time, and those of each party in turn. */
export class QueryGate {
  readonly #queue: FairQueue;
  readonly #failed = new Map<string, number>();
  #admitted = 0;
  #committing = 0;

  constructor(
    private readonly database: Pick<HostedDatabase, 'begin' | 'queryMemory'>,
    /** The limits of queries. */
    readonly limits: QueryLimits,
  ) {
    this.#queue = new FairQueue('queries', {
      places: limits.concurrency,
      placesPerParty: limits.concurrencyPerAccount,
      waiting: limits.queued,
      waitingPerParty: limits.queuedPerAccount,
      waitingBytes: WAITING_BYTES,
      waitMs: limits.queueMs,
    });
  }

  /** The limits with those of memory, which follow from the process where no option says them. */
  async allLimits(): Promise<Readonly<Record<keyof QueryLimits | 'columnBytes' | 'valueBytes', number>>> {
    const { limits } = this;
    const { queryBytes, columnBytes, valueBytes } = await this.database.queryMemory();
    return { ...limits, memoryBytes: limits.memoryBytes ?? queryBytes, columnBytes, valueBytes };
  }

  /** The figures for monitoring. */
  get figures(): GateFigures {
    const { working, waiting, refused } = this.#queue;
    return { running: working, waiting, admitted: this.#admitted, refused, failed: this.#failed };
  }

  /**
   * Waits for the turn of a request. The caller must end it with {@link Turn.leave}. Until then `database.queries()` lists it.
   * @throws EvaluationError `QUERY_QUEUE_FULL`, `ABORTED` if the client has disconnected or the request was cancelled
   */
  async enter(request: QueryRequest): Promise<Turn> {
    const { limits } = this;
    const { kind, text, repository, repositories, signal, party, timeoutMs, queueMs, keepsPlace = false } = request;
    const byDefault = kind === 'update' ? limits.updateTimeoutMs : limits.timeoutMs;
    const begun = this.database.begin({
      kind,
      text,
      repository,
      repositories,
      signal,
      timeoutMs: timeoutMs ?? byDefault,
    });
    const task = begun instanceof Promise ? await begun : begun;
    try {
      request.onBegun?.(task);
      task.control.throwIfFailed();
      const entered = this.#queue.enter({
        party,
        bytes: text.length * 2,
        onEnd: (listener) => task.control.onFailure(listener),
        waitMs: queueMs ?? limits.queueMs,
      });
      const place = entered instanceof Promise ? await entered : entered;
      this.#admitted++;
      const returns = { party, returns: true, onEnd: task.control.onFailure.bind(task.control) };
      return new Turn(task, place, {
        limits,
        enterAgain: () => this.#queue.enter(returns),
        onFailed: (code) => this.#failed.set(code, (this.#failed.get(code) ?? 0) + 1),
        // A time limit that the client requested holds for queries and for updates.
        asked: timeoutMs !== undefined,
        keepsPlace,
        startCommit: () => this.#startCommit(),
      });
    } catch (error) {
      task.end();
      throw error;
    }
  }

  #startCommit(): (() => void) | undefined {
    if (this.#committing >= COMMITS_PER_PLACE * this.limits.concurrency) return undefined;
    this.#committing++;
    return () => void this.#committing--;
  }

  /** Runs work in a turn and ends the turn. @throws as {@link enter}, and what `work` throws */
  async run<T>(request: QueryRequest, work: (turn: Turn) => Promise<T>): Promise<T> {
    const turn = await this.enter(request);
    try {
      const result = await work(turn);
      turn.leave();
      return result;
    } catch (error) {
      turn.leave(error);
      throw error;
    }
  }
}
