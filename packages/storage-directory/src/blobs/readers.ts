/** Who reads what, so that something that is gone is let go only when everybody is done who may have seen the way to it. */

interface Generation {
  readers: number;
  readonly endings: (() => void)[];
}

export class Readers {
  readonly #generations: Generation[] = [{ readers: 0, endings: [] }];

  /** A reader begins; it says once that it is done. */
  enter(): () => void {
    const generation = this.#newest;
    generation.readers++;
    return () => {
      generation.readers--;
      this.#settle();
    };
  }

  /** Calls `ending` when all that have begun are done. Readers that begin from now on do not matter. */
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
