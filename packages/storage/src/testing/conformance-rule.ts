/** The type of a conformance rule, and its context. */

import type { StorageDriver } from '../contract.js';
import type { StorageEngine } from '../engine.js';

/** The functions of a test runner that the suite uses. Those of vitest and jest fit. */
export interface TestApi {
  /** Groups tests. */
  describe(name: string, body: () => void): unknown;
  /** Defines a test. */
  it(name: string, body: () => Promise<void>): unknown;
  /** Compares a value. */
  expect(actual: unknown): {
    /** Fails unless both are the same value. */
    toBe(expected: unknown): void;
    /** Fails unless both have the same content. */
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
