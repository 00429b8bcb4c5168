/** Faults of simulated files: one call of an operation fails. */

/** `at`: the call that fails, counted from 1. A failing write leaves its first `torn` bytes (default 0). */
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

  /** Number of times that the present fault has hit. */
  get fired(): number {
    return this.#fired;
  }

  /** Number of bytes that a failing write leaves. */
  get torn(): number {
    return this.#fault?.torn ?? 0;
  }

  /** Counts a call. Throws if it is the one that fails. */
  call(operation: Operation): void {
    this.calls[operation]++;
    const fault = this.#fault;
    if (fault?.operation !== operation || --this.#left !== 0) return;
    this.#fired++;
    throw fault.error ?? Object.assign(new Error(`injected fault in ${operation} of ${this.what}`), { code: 'EIO' });
  }
}
