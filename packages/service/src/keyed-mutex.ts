/** Mutual exclusion by key: of an account by its name, of a repository by `account/repository`; always in this order. */
import { Mutex } from '@quadrille/model';

export class KeyedMutex {
  readonly #used = new Map<string, { readonly mutex: Mutex; users: number }>();

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
}
