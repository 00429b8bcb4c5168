/** Mutual exclusion for asynchronous sections; first come, first served. */
export class Mutex {
  #last: Promise<unknown> | undefined;
  /** Sections that run or wait. */
  #sections = 0;
  #held = false;

  /** Runs a section when no other one runs: in this turn if none runs or waits. The sections come in the order of the calls. */
  run<T>(section: () => Promise<T>): Promise<T> {
    const result = this.#sections++ === 0 ? this.#begin(section) : this.#last!.then(() => this.#begin(section));
    this.#last = result.then(this.#release, this.#release);
    return result;
  }

  #begin<T>(section: () => Promise<T>): Promise<T> {
    this.#held = true;
    try {
      return section();
    } catch (error) {
      return Promise.reject(error);
    }
  }

  readonly #release = (): void => {
    this.#held = false;
    this.#sections--;
  };

  /** For code that only a section may call. @throws Error if no section runs: a fault of the program */
  assertHeld(): void {
    if (!this.#held) throw new Error('the lock is not held');
  }

  /**
   * As {@link run}. Who ends while it waits gives its turn up: the result rejects with the error, and the section does not run. `onEnd` calls
   * the listener at the end of the caller; its result removes the listener.
   */
  runUnlessEnded<T>(onEnd: (listener: (error: Error) => void) => () => void, section: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      let ended = false;
      const stopListening = onEnd((error) => {
        ended = true;
        reject(error);
      });
      void this.run(async () => {
        stopListening();
        if (!ended) await section().then(resolve, reject);
      });
    });
  }
}

/** One {@link Mutex} for each key that is in use. */
export class KeyedMutex {
  readonly #used = new Map<string, { readonly mutex: Mutex; users: number }>();

  /** Runs a section when no other one of this key runs. */
  async run<T>(key: string, section: () => Promise<T>): Promise<T> {
    const used = this.#used.get(key) ?? { mutex: new Mutex(), users: 0 };
    this.#used.set(key, used);
    used.users++;
    try {
      return await used.mutex.run(section);
    } finally {
      if (--used.users === 0) this.#used.delete(key);
    }
  }

  /** Resolves when no section of any key runs or waits. */
  async idle(): Promise<void> {
    for (let used = [...this.#used.values()]; used.length > 0; used = [...this.#used.values()])
      await Promise.all(used.map(({ mutex }) => mutex.run(async () => undefined)));
  }
}
