/** A test runner for pages: as much of one as the conformance suite asks for. */
import type { TestApi } from '@quadrille/storage/testing';

export interface PageResult {
  readonly name: string;
  /** Undefined where it passed. */
  readonly error: string | undefined;
}

interface PageTest {
  readonly name: string;
  readonly body: () => Promise<void>;
}

export class PageTests implements TestApi {
  readonly #tests: PageTest[] = [];
  readonly #path: string[] = [];

  readonly describe = (name: string, body: () => void): void => {
    this.#path.push(name);
    body();
    this.#path.pop();
  };

  readonly it = (name: string, body: () => Promise<void>): void => {
    this.#tests.push({ name: [...this.#path, name].join(' > '), body });
  };

  readonly expect = (actual: unknown): ReturnType<TestApi['expect']> => ({
    toBe(expected) {
      if (!Object.is(actual, expected)) throw new Error(`${show(actual)} is not ${show(expected)}`);
    },
    toEqual(expected) {
      if (!equal(actual, expected)) throw new Error(`${show(actual)} does not equal ${show(expected)}`);
    },
  });

  /** Runs them one after the other. */
  async run(): Promise<PageResult[]> {
    const results: PageResult[] = [];
    for (const { name, body } of this.#tests) {
      const error = await body().then(
        () => undefined,
        (reason: unknown) => (reason instanceof Error ? (reason.stack ?? reason.message) : String(reason)),
      );
      results.push({ name, error });
    }
    return results;
  }
}

const show = (value: unknown): string =>
  (value instanceof Uint8Array ? `bytes ${value.join()}` : (JSON.stringify(value) ?? String(value))).slice(0, 500);

/** Of what the suite compares: primitives, byte arrays and lists. */
function equal(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (a instanceof Uint8Array !== b instanceof Uint8Array) return false;
  const lists = (Array.isArray(a) && Array.isArray(b)) || (a instanceof Uint8Array && b instanceof Uint8Array);
  return lists && a.length === b.length && (a as unknown[]).every((value, i) => equal(value, (b as unknown[])[i]));
}
