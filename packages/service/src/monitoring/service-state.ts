/** Whether the store answers, and whether it takes writes. */
import type { Database } from 'quadrille';

export interface ServiceState {
  /** `nominal`; `read-only`: a write failed and none has succeeded since; `unavailable`: nothing can be read either. */
  readonly status: 'nominal' | 'read-only' | 'unavailable';
  readonly readable: boolean;
  readonly writable: boolean;
}

const NOMINAL: ServiceState = { status: 'nominal', readable: true, writable: true };
const READ_ONLY: ServiceState = { status: 'read-only', readable: true, writable: false };
const UNAVAILABLE: ServiceState = { status: 'unavailable', readable: false, writable: false };

/** However many ask, the store is read so often for it. */
const PROBED_EVERY_MS = 1000;

export class StateProbe {
  #readable = true;
  #probedAt = Number.NEGATIVE_INFINITY;
  #probing: Promise<void> | undefined;

  constructor(
    private readonly database: Database,
    private readonly now: () => number,
  ) {}

  /** A value where the store was read a moment ago. */
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
      await this.database.accounts.list();
      this.#readable = true;
    } catch {
      this.#readable = false;
    }
    this.#probedAt = this.now();
  }
}
