/** A library that is loaded when it is first needed, and then stays. */
export class LazyLibrary<T> {
  #loading: Promise<void> | undefined;
  #loaded: T | undefined;

  constructor(private readonly importIt: () => Promise<T>) {}

  get isLoaded(): boolean {
    return this.#loaded !== undefined;
  }

  /** What failed is tried again at the next call. */
  load(): Promise<void> {
    return (this.#loading ??= this.importIt().then(
      (loaded) => void (this.#loaded = loaded),
      (error: unknown) => {
        this.#loading = undefined;
        throw error;
      },
    ));
  }

  /** The library. Whoever plans a request has loaded it. */
  get(): T {
    if (this.#loaded === undefined) throw new Error('a library of functions was not loaded before its first call');
    return this.#loaded;
  }
}
