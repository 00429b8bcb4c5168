/** Mutual exclusion for asynchronous sections; first come, first served. */
export class Mutex {
  #last: Promise<unknown> = Promise.resolve();

  run<T>(section: () => Promise<T>): Promise<T> {
    const result = this.#last.then(section);
    this.#last = result.catch(() => undefined);
    return result;
  }
}
