/** The limits of all queries and updates of an engine: how many run at once, and what each may take where its call does not say. */
import { FairQueue, type Place } from '@quadrille/model';
import type { EvaluationControl } from '../control/control.js';
import type { EvaluationOptions } from './options.js';
import type { Running } from './running.js';

/** Limits of the queries of an engine. */
export interface EngineLimits {
  /** Queries and updates that run at once. Default: any number. */
  readonly concurrency?: number | undefined;
  /** How many may wait beyond those; more are refused with `QUERY_QUEUE_FULL`. Default 512. */
  readonly queued?: number | undefined;
  /** How long one waits before it is refused. Default 10 s. */
  readonly queueMs?: number | undefined;
  /** What holds for a call that does not say. Default: any time. */
  readonly timeoutMs?: number | undefined;
  /** What holds for a call that does not say. Default 256 MB, less with a small heap. */
  readonly memoryBytes?: number | undefined;
}

export const DEFAULT_QUEUED = 512;
export const DEFAULT_QUEUE_MS = 10_000;

/** Everybody is the same party: an engine does not know who asks. */
const PARTY = '';

export class Admission {
  readonly #queue: FairQueue;

  private constructor({ queued, queueMs }: EngineLimits, concurrency: number) {
    const waiting = queued ?? DEFAULT_QUEUED;
    this.#queue = new FairQueue('queries', {
      places: concurrency,
      placesPerParty: concurrency,
      waiting,
      waitingPerParty: waiting,
      waitingBytes: Infinity,
      waitMs: queueMs ?? DEFAULT_QUEUE_MS,
    });
  }

  /** `undefined` where any number may run at once. */
  static of(limits: EngineLimits): Admission | undefined {
    return limits.concurrency === undefined ? undefined : new Admission(limits, limits.concurrency);
  }

  /**
   * Waits for a place. `entry` is listed meanwhile.
   * @throws EvaluationError `QUERY_QUEUE_FULL`, and what ends the control
   */
  async enter(entry: Running, control: EvaluationControl): Promise<Place> {
    entry.state = 'waiting';
    control.stopClock();
    const place = await this.#queue.enter({ party: PARTY, onEnd: (listener) => control.onFailure(listener) });
    control.startClock();
    entry.state = 'running';
    return place;
  }
}

/** The options of a call, with the limits of the engine where it says nothing. */
export function limited(options: EvaluationOptions, { timeoutMs, memoryBytes }: EngineLimits): EvaluationOptions {
  if (timeoutMs === undefined && memoryBytes === undefined) return options;
  return Object.assign(
    { ...options },
    { timeoutMs: options.timeoutMs ?? timeoutMs, memoryBytes: options.memoryBytes ?? memoryBytes },
  );
}
