/** The turn of one query or update: its place among the running ones, its task, and its state while the answer waits for its reader. */
import { EvaluationError, type Place, QuadrilleError } from '@quadrille/model';
import type { Task } from 'quadrille/host';
import type { QueryLimits } from './query-limits.js';
import { unref } from '../platform/timers.js';

/** A request whose reader stalls for this time gives up its place. */
const STALL_MS = 1000;
/** A change of more quads keeps its place until it is stored: it holds memory. */
const MOST_STAGED = 1000;

interface TurnOptions {
  readonly limits: QueryLimits;
  readonly enterAgain: () => Place | Promise<Place>;
  readonly onFailed: (code: string) => void;
  /** Lets a change wait for the storage without a place. Returns what ends that, or `undefined` if too many do so already. */
  readonly startCommit: () => (() => void) | undefined;
  /** Whether the client requested the time limit. */
  readonly asked: boolean;
  /** Whether it keeps its place while its reader is stalled. */
  readonly keepsPlace: boolean;
}

/** The place of a query among those that run. */
export class Turn {
  #place: Place | undefined;
  /** Processor time in milliseconds that was charged to earlier places of this turn. */
  #chargedMs = 0;
  /** Time since which the answer waits for its reader. */
  #waitsSince: number | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #left = false;
  #endCommit: (() => void) | undefined;

  constructor(
    /** The request, which is listed among the running ones. */
    readonly task: Task,
    place: Place,
    private readonly options: TurnOptions,
  ) {
    this.#place = place;
    task.state = 'parsing';
    task.control.startClock();
  }

  /** The options of all calls that belong to the turn. */
  get call(): {
    /** The request to which the calls belong. */
    readonly task: Task;
    /** Its limit of memory in bytes. */
    readonly memoryBytes?: number;
  } {
    const { memoryBytes } = this.options.limits;
    return memoryBytes === undefined ? { task: this.task } : { task: this.task, memoryBytes };
  }

  /** Called if the text is an update: its time limit is longer. */
  becomesUpdate(): void {
    const { limits, asked } = this.options;
    this.task.kind = 'update';
    if (!asked) this.task.control.clock.limit(limits.updateTimeoutMs);
  }

  /**
   * Called when a change is staged. A small one gives up its place while it waits for the storage, so that the changes of
   * more requests can share a write.
   * @param quads how many it adds and removes
   */
  commits(quads: number): void {
    if (this.#left || this.#place === undefined || quads > MOST_STAGED) return;
    this.#endCommit = this.options.startCommit();
    if (this.#endCommit !== undefined) this.#giveBack();
  }

  /** Whether the answer waits for its reader. */
  get waits(): boolean {
    return this.#waitsSince !== undefined;
  }

  /** Called when the answer waits for its reader. Stops the clock. A long wait costs the place first, and then ends the turn. */
  pause(): void {
    if (this.#left) return;
    this.task.state = 'writing';
    this.task.control.stopClock();
    this.#waitsSince = performance.now();
    this.#timer ??= this.#look(Math.min(STALL_MS, this.options.limits.writeStallMs));
  }

  /**
   * Called when the reader takes the next part. Returns a promise if it has to wait for a place again.
   * @throws EvaluationError `ABORTED` if the turn was ended meanwhile
   */
  resume(): void | Promise<void> {
    this.#waitsSince = undefined;
    this.task.control.throwIfFailed();
    if (this.#place === undefined) return this.#enterAgain();
    this.task.control.startClock();
    return undefined;
  }

  async #enterAgain(): Promise<void> {
    const place = await this.options.enterAgain();
    // The turn may have ended meanwhile.
    if (this.#left) return place.leave(0);
    this.#place = place;
    this.task.control.startClock();
  }

  #look(afterMs: number): ReturnType<typeof setTimeout> {
    const timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.#waitsSince === undefined) return;
      const { writeStallMs } = this.options.limits;
      const waited = performance.now() - this.#waitsSince;
      if (waited >= writeStallMs) return this.#endStalled(writeStallMs);
      const stalls = waited >= STALL_MS;
      if (stalls && !this.options.keepsPlace) this.#giveBack();
      this.#timer = this.#look(Math.max(1, (stalls ? writeStallMs : Math.min(STALL_MS, writeStallMs)) - waited));
    }, afterMs);
    return unref(timer);
  }

  #endStalled(writeStallMs: number): void {
    const seconds = String(writeStallMs / 1000);
    this.task.control.fail(new EvaluationError('ABORTED', `the reader took nothing of the answer for ${seconds} s`));
  }

  #giveBack(): void {
    const { busyMs } = this.task.control.clock;
    this.#place?.leave(busyMs - this.#chargedMs);
    this.#chargedMs = busyMs;
    this.#place = undefined;
  }

  /** Ends the turn, with its error if it failed. Later calls do nothing. */
  leave(error?: unknown): void {
    if (this.#left) return;
    this.#left = true;
    clearTimeout(this.#timer);
    const failure = error ?? this.task.control.failure;
    if (failure instanceof QuadrilleError) this.options.onFailed(failure.code);
    this.task.control.stopClock();
    this.#giveBack();
    this.#endCommit?.();
    this.task.end();
  }
}
