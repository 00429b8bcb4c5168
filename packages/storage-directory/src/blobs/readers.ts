/** Counts readers. It tells when all readers have ended that began before something was removed. */

interface Generation {
  readers: number;
  readonly endings: (() => void)[];
}

export class Readers {
  readonly #generations: Generation[] = [{ readers: 0, endings: [] }];

  /** Registers a reader. Call the returned function once when it has ended. */
  enter(): () => void {
    const generation = this.#newest;
    generation.readers++;
    return () => {
      generation.readers--;
      this.#settle();
    };
  }

  /** Calls `ending` when all present readers have ended. Later readers do not count. */
  whenDone(ending: () => void): void {
    this.#newest.endings.push(ending);
    this.#generations.push({ readers: 0, endings: [] });
    this.#settle();
  }

  get #newest(): Generation {
    return this.#generations.at(-1)!;
  }

  #settle(): void {
    while (this.#generations.length > 1 && this.#generations[0]!.readers === 0) {
      for (const ending of this.#generations.shift()!.endings) ending();
    }
  }
}
