/** Polls the progress of an import. Records how long it stands still, and fails if it goes back. */
import { setTimeout as delay } from 'node:timers/promises';

const EVERY_MS = 100;

interface Status {
  readonly uuid: string;
  readonly operation: string;
  readonly working: boolean;
  readonly status: string;
  readonly pct: number;
  readonly message: string;
}

export class ProgressWatch {
  /** Longest time without a change of the progress, in seconds. */
  longestStill = 0;
  /** The last status. */
  last: Status | undefined;
  #stopped = false;
  readonly #running: Promise<void>;

  constructor(private readonly repository: string) {
    this.#running = this.#watch();
  }

  async #watch(): Promise<void> {
    let changed = performance.now();
    while (!this.#stopped) {
      const status = await statusOf(this.repository);
      const now = performance.now();
      if (status.operation === 'import' && status.working) {
        if (status.pct < (this.last?.pct ?? 0)) throw new Error(`progress fell to ${String(status.pct)}`);
        const still = this.last === undefined ? 0 : (now - changed) / 1000;
        this.longestStill = Math.max(this.longestStill, still);
        if (status.message !== this.last?.message || status.pct !== this.last.pct) changed = now;
        this.last = status;
      }
      await delay(EVERY_MS);
    }
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#running;
  }
}

export async function statusOf(repository: string): Promise<Status> {
  return (await (await fetch(`${repository}/status`)).json()) as Status;
}
