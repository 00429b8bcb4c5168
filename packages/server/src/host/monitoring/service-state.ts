/** Whether the store can be read and written. */
import type { Database } from 'quadrille';

/** Whether a service can be used. */
export interface ServiceState {
  /** `nominal`; `read-only`: a write failed and no later one succeeded; `unavailable`: reads fail too. */
  readonly status: 'nominal' | 'read-only' | 'unavailable';
  /** Whether reads succeed. */
  readonly readable: boolean;
  /** Whether writes succeed. */
  readonly writable: boolean;
}

const NOMINAL: ServiceState = { status: 'nominal', readable: true, writable: true };
const READ_ONLY: ServiceState = { status: 'read-only', readable: true, writable: false };
const UNAVAILABLE: ServiceState = { status: 'unavailable', readable: false, writable: false };

/** Shortest time between two probes of the store. */
const PROBED_EVERY_MS = 1000;

export class StateProbe {
  #readable = true;
  #probedAt = Number.NEGATIVE_INFINITY;
  #probing: Promise<void> | undefined;

  constructor(
    private readonly database: Database,
    private readonly now: () => number,
  ) {}

  /** Synchronous if the last probe is recent. */
  state(): ServiceState | Promise<ServiceState> {
    const age = this.now() - this.#probedAt;
    if (age >= 0 && age < PROBED_EVERY_MS) return this.#state();
    this.#probing ??= this.#probe().finally(() => (this.#probing = undefined));
    return this.#probing.then(() => this.#state());
  }

  #state(): ServiceState {
    const { state } = this.database;
    if (state === 'closed' || !this.#readable) return UNAVAILABLE;
    return state === 'failed' ? READ_ONLY : NOMINAL;
  }

  async #probe(): Promise<void> {
    try {
      await this.database.accounts.list().toArray();
      this.#readable = true;
    } catch {
      this.#readable = false;
    }
    this.#probedAt = this.now();
  }
}
