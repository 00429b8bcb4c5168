/** Faults of simulated files: one call of an operation fails. */

/** `at`: which call from now on, counted from 1. A write that fails leaves the first `torn` bytes of it behind (default 0). */
export interface SimulatedFault<Operation extends string> {
  readonly operation: Operation;
  readonly at?: number;
  readonly torn?: number;
  readonly error?: Error;
}

export class SimulatedFaults<Operation extends string> {
  readonly calls: Record<Operation, number>;
  #fault: SimulatedFault<Operation> | undefined;
  #left = 0;
  #fired = 0;

  constructor(
    private readonly what: string,
    operations: readonly Operation[],
  ) {
    this.calls = Object.fromEntries(operations.map((operation) => [operation, 0])) as Record<Operation, number>;
  }

  set(fault?: SimulatedFault<Operation>): void {
    this.#fault = fault;
    this.#left = fault?.at ?? 1;
    this.#fired = 0;
  }

  /** How often the present fault has hit. */
  get fired(): number {
    return this.#fired;
  }

  /** Of a write that fails. */
  get torn(): number {
    return this.#fault?.torn ?? 0;
  }

  /** Counts a call; throws where it is the one that fails. */
  call(operation: Operation): void {
    this.calls[operation]++;
    const fault = this.#fault;
    if (fault?.operation !== operation || --this.#left !== 0) return;
    this.#fired++;
    throw fault.error ?? Object.assign(new Error(`injected fault in ${operation} of ${this.what}`), { code: 'EIO' });
  }
}
