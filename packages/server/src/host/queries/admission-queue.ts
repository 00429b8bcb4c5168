/** Limits how many operations run at the same time, in total and of one account. The others wait; accounts take turns. */
import { AccessError } from '@quadrille/model';
import { ByteBudget } from '../byte-budget.js';

export interface QueueLimits {
  readonly atOnce: number;
  readonly atOncePerAccount: number;
  readonly waitingPerAccount: number;
  /** Memory limit of all waiting operations, in bytes. One account may use a quarter of it. Default: no limit. */
  readonly waitingBytes?: number;
}

/** Waiting time that is suggested to a refused client. */
const RETRY_AFTER_SECONDS = 30;
const SHARE_OF_ACCOUNT = 4;

interface Waiting {
  readonly since: number;
  readonly go: () => void;
  readonly bytes: number;
}

/** The waiting operations of an account: at least one. */
interface Line {
  readonly waiting: Waiting[];
  readonly bytes: ByteBudget;
}

export class AdmissionQueue {
  readonly #running = new Map<string, number>();
  // The account whose turn is next comes first.
  readonly #lines = new Map<string, Line>();
  readonly #bytes: ByteBudget;
  #total = 0;

  /** `what` names the operations in messages, such as `imports`. */
  constructor(
    private readonly what: string,
    private readonly limits: QueueLimits,
  ) {
    this.#bytes = new ByteBudget(limits.waitingBytes ?? Number.POSITIVE_INFINITY);
  }

  /**
   * Waits for a place. Resolves with a function that gives the place back; rejects with the reason of the signal. `bytes` is the
   * memory that the operation holds while it waits.
   * @throws AccessError `RATE_LIMITED` where too many of the account wait, or hold too much
   */
  async enter(account: string, signal: AbortSignal | undefined, bytes = 0): Promise<() => void> {
    signal?.throwIfAborted();
    if (!this.#mayRun(account) || this.#lines.has(account)) await this.#wait(account, signal, bytes);
    else this.#take(account);
    let left = false;
    return () => {
      if (!left) this.#leave(account);
      left = true;
    };
  }

  get waiting(): number {
    return Array.from(this.#lines.values(), ({ waiting }) => waiting.length).reduce((sum, length) => sum + length, 0);
  }

  /** How long another account than this one waits for places that others have; 0 if none does. */
  longestWaitMs(except: string): number {
    const { atOncePerAccount } = this.limits;
    const since = Array.from(this.#lines)
      .filter(([account]) => account !== except && (this.#running.get(account) ?? 0) < atOncePerAccount)
      .map(([, { waiting }]) => waiting[0]?.since ?? Number.POSITIVE_INFINITY);
    return since.length === 0 ? 0 : performance.now() - Math.min(...since);
  }

  #mayRun(account: string): boolean {
    return this.#total < this.limits.atOnce && (this.#running.get(account) ?? 0) < this.limits.atOncePerAccount;
  }

  #take(account: string): void {
    this.#total++;
    this.#running.set(account, (this.#running.get(account) ?? 0) + 1);
  }

  #leave(account: string): void {
    this.#total--;
    const left = this.#running.get(account)! - 1;
    if (left === 0) this.#running.delete(account);
    else this.#running.set(account, left);
    this.#admit();
  }

  #wait(account: string, signal: AbortSignal | undefined, bytes: number): Promise<void> {
    const line = this.#lines.get(account) ?? {
      waiting: [],
      bytes: new ByteBudget(this.#bytes.limit / SHARE_OF_ACCOUNT),
    };
    if (line.waiting.length >= this.limits.waitingPerAccount) throw this.#full('too many');
    this.#count(line, bytes);
    if (line.bytes.exceeded || this.#bytes.exceeded) {
      this.#count(line, -bytes);
      throw this.#full('too large');
    }
    this.#lines.set(account, line);
    return new Promise((resolve, reject) => {
      const entry: Waiting = {
        since: performance.now(),
        bytes,
        go: () => {
          signal?.removeEventListener('abort', leave);
          resolve();
        },
      };
      const leave = (): void => {
        line.waiting.splice(line.waiting.indexOf(entry), 1);
        this.#count(line, -bytes);
        if (line.waiting.length === 0 && this.#lines.get(account) === line) this.#lines.delete(account);
        reject(signal?.reason as Error);
      };
      line.waiting.push(entry);
      signal?.addEventListener('abort', leave, { once: true });
    });
  }

  #count(line: Line, bytes: number): void {
    line.bytes.hold(bytes);
    this.#bytes.hold(bytes);
  }

  #full(why: 'too many' | 'too large'): AccessError {
    const message =
      why === 'too many'
        ? `too many ${this.what} of this account are waiting`
        : `the ${this.what} that are waiting hold too much memory`;
    return new AccessError('RATE_LIMITED', message, { details: { retryAfter: RETRY_AFTER_SECONDS } });
  }

  #admit(): void {
    for (const [account, line] of this.#lines) {
      if (this.#total >= this.limits.atOnce) return;
      if (!this.#mayRun(account)) continue;
      // An account with more waiting operations goes to the end.
      this.#lines.delete(account);
      const next = line.waiting.shift()!;
      this.#count(line, -next.bytes);
      if (line.waiting.length > 0) this.#lines.set(account, line);
      this.#take(account);
      next.go();
    }
  }
}
