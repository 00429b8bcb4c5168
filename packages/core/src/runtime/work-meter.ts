/** Measures how much of a long task is done, step by step, so that its progress always moves. */

/** The share of the rest of a step that each slice of work counts as done. */
const CREEP = 1 / 64;

export class WorkMeter {
  #done = 0;
  #start = 0;
  #end = 0;

  get done(): number {
    return this.#done;
  }

  /** Begins the next step, which is `amount` of the whole work. */
  begin(amount: number): void {
    this.#start = this.#end;
    this.#done = Math.max(this.#done, this.#start);
    this.#end += amount;
  }

  /** Reports that `share` of the step is done, from 0 to 1. */
  reach(share: number): void {
    this.#done = Math.max(this.#done, this.#start + Math.min(1, share) * (this.#end - this.#start));
  }

  /** Reports that one slice of the step is done, if the number of slices is unknown. */
  creep(): void {
    this.#done += (this.#end - this.#done) * CREEP;
  }

  end(): void {
    this.#done = this.#end;
  }
}
