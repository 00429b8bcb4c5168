/** How much of a long work is done, step by step, so that whoever watches it always sees it move. */

/** With each slice of work, this part of what is left of the step counts as done. */
const CREEP = 1 / 64;

export class WorkMeter {
  #done = 0;
  #start = 0;
  #end = 0;

  get done(): number {
    return this.#done;
  }

  /** The next step, of so much work. */
  begin(amount: number): void {
    this.#start = this.#end;
    this.#done = Math.max(this.#done, this.#start);
    this.#end += amount;
  }

  /** So much of the step is done, from 0 to 1. */
  reach(share: number): void {
    this.#done = Math.max(this.#done, this.#start + Math.min(1, share) * (this.#end - this.#start));
  }

  /** A slice of the step is done, of nobody knows how many. */
  creep(): void {
    this.#done += (this.#end - this.#done) * CREEP;
  }

  end(): void {
    this.#done = this.#end;
  }
}
