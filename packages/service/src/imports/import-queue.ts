/** Lets so many run at once, of one account and in all; the rest wait, and the accounts take turns. */
import { AccessError } from '@quadrille/model';

export interface QueueLimits {
  readonly atOnce: number;
  readonly atOncePerAccount: number;
  readonly waitingPerAccount: number;
}

/** When to try again, where too many wait. Seconds. */
const RETRY_AFTER = 30;

interface Waiting {
  readonly go: () => void;
}

export class ImportQueue {
  readonly #running = new Map<string, number>();
  // In the order in which it is their turn; none is empty.
  readonly #waiting = new Map<string, Waiting[]>();
  #total = 0;

  constructor(private readonly limits: QueueLimits) {}

  /**
   * Resolves with a function that gives the place back. An abort while it waits rejects with the signal's reason.
   * @throws AccessError `RATE_LIMITED` where too many of the account wait
   */
  async enter(account: string, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (!this.#mayRun(account) || this.#waiting.has(account)) await this.#wait(account, signal);
    else this.#take(account);
    let left = false;
    return () => {
      if (!left) this.#leave(account);
      left = true;
    };
  }

  get waiting(): number {
    return Array.from(this.#waiting.values(), (line) => line.length).reduce((sum, length) => sum + length, 0);
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

  #wait(account: string, signal: AbortSignal): Promise<void> {
    const line = this.#waiting.get(account) ?? [];
    if (line.length >= this.limits.waitingPerAccount) {
      throw new AccessError('RATE_LIMITED', 'too many imports of this account are waiting', {
        details: { retryAfter: RETRY_AFTER },
      });
    }
    this.#waiting.set(account, line);
    return new Promise((resolve, reject) => {
      const entry: Waiting = {
        go: () => {
          signal.removeEventListener('abort', leave);
          resolve();
        },
      };
      const leave = (): void => {
        line.splice(line.indexOf(entry), 1);
        if (line.length === 0 && this.#waiting.get(account) === line) this.#waiting.delete(account);
        reject(signal.reason as Error);
      };
      line.push(entry);
      signal.addEventListener('abort', leave, { once: true });
    });
  }

  #admit(): void {
    for (const [account, line] of this.#waiting) {
      if (this.#total >= this.limits.atOnce) return;
      if (!this.#mayRun(account)) continue;
      // To the end of the turns, as long as more of it wait.
      this.#waiting.delete(account);
      const next = line.shift()!;
      if (line.length > 0) this.#waiting.set(account, line);
      this.#take(account);
      next.go();
    }
  }
}
