/** The type of a conformance rule, and its context. */

import type { StorageDriver } from '../contract.js';
import type { StorageEngine } from '../engine.js';

/** The functions of a test runner that the suite uses. Those of vitest and jest fit. */
export interface TestApi {
  describe(name: string, body: () => void): unknown;
  it(name: string, body: () => Promise<void>): unknown;
  expect(actual: unknown): {
    toBe(expected: unknown): void;
    toEqual(expected: unknown): void;
  };
}

/** The context of a rule: an open engine over an empty store. */
export interface RuleContext {
  readonly engine: StorageEngine;
  readonly driver: StorageDriver;
  readonly expect: TestApi['expect'];
  /** Closes the engine and opens a new one over the same data. */
  readonly reopen: () => Promise<StorageEngine>;
}

/** The rules by name. A name says what must hold. */
export type Rules = Record<string, (context: RuleContext) => Promise<void>>;
