/** Tells other processes that this one lives, and waits until the one that writes no longer does. */

import { StateError } from '@quadrille/model';
import type { ServerBeat, SharedDriver } from '../contract.js';

export interface PresenceOptions {
  /** Time between two signs of life, in milliseconds. Default 1,000. */
  readonly beatMs?: number;
  /** How long the writer must be silent before another process takes over, in milliseconds. Default 3,000. */
  readonly silenceMs?: number;
  /** How long to wait for a writer that is not silent, in milliseconds. Default 0. */
  readonly lockTimeoutMs?: number;
  /** What other processes read about this one. Default: nothing. */
  readonly label?: string;
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** The presence of one process. */
export class Presence {
  readonly #driver: SharedDriver;
  readonly #server: string;
  readonly #options: Required<PresenceOptions>;
  #timer: ReturnType<typeof setInterval> | undefined;
  #beating: Promise<unknown> = Promise.resolve();

  constructor(driver: SharedDriver, server: string, options: PresenceOptions) {
    this.#driver = driver;
    this.#server = server;
    this.#options = { beatMs: 1000, silenceMs: 3000, lockTimeoutMs: 0, label: '', ...options };
  }

  /**
   * Waits until a process is silent, or has said goodbye.
   * @param holder undefined: nobody
   * @throws StateError `STORE_LOCKED` if it lives, and is still there after `lockTimeoutMs`
   */
  async waitFor(holder: string | undefined): Promise<void> {
    if (holder === undefined || holder === this.#server) return;
    const { silenceMs, beatMs, lockTimeoutMs } = this.#options;
    const begin = performance.now();
    let last = await this.#find(holder);
    let heard = begin;
    while (last !== undefined && performance.now() - heard < silenceMs) {
      await sleep(Math.min(beatMs, silenceMs) / 4);
      const next = await this.#find(holder);
      // Only this process's own clock counts, and only whether the count has changed.
      if (next !== undefined && next.beats !== last.beats) {
        heard = performance.now();
        if (heard - begin >= lockTimeoutMs) throw locked(next);
      }
      last = next;
    }
  }

  /** Begins to tell that this process lives. */
  async begin(): Promise<void> {
    await this.#beat();
    this.#timer ??= setInterval(() => {
      // A failure is silence. When the store is back, the next one is heard.
      this.#beating = this.#beat().catch(() => undefined);
    }, this.#options.beatMs);
    (this.#timer as { unref?: () => void }).unref?.();
  }

  /** Says goodbye, so that nobody has to wait. */
  async end(): Promise<void> {
    clearInterval(this.#timer);
    this.#timer = undefined;
    await this.#beating;
    await this.#driver.forget(this.#server).catch(() => undefined);
  }

  #beat(): Promise<readonly ServerBeat[]> {
    return this.#driver.heartbeat({ server: this.#server, body: new TextEncoder().encode(this.#options.label) });
  }

  /** Its last sign of life. A process that looks gives none itself. */
  async #find(holder: string): Promise<ServerBeat | undefined> {
    return (await this.#driver.servers()).find(({ server }) => server === holder);
  }
}

function locked({ server, body }: ServerBeat): StateError {
  const label = new TextDecoder().decode(body);
  const who = label === '' ? server : label;
  return new StateError(
    'STORE_LOCKED',
    `Another process writes to this store: ${who}. End it, or open the store with readOnly.`,
    { details: { holder: who } },
  );
}
