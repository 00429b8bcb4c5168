/** What a rule of the conformance suite is, and what it gets. */

import type { StorageDriver } from '../contract.js';
import type { StorageEngine } from '../engine.js';

/** What the suite uses of a test runner; vitest's and jest's globals fit. */
export interface TestApi {
  describe(name: string, body: () => void): unknown;
  it(name: string, body: () => Promise<void>): unknown;
  expect(actual: unknown): {
    toBe(expected: unknown): void;
    toEqual(expected: unknown): void;
  };
}

/** What a rule gets: an open engine over an empty store. */
export interface RuleContext {
  readonly engine: StorageEngine;
  readonly driver: StorageDriver;
  readonly expect: TestApi['expect'];
  /** Closes the engine and opens one over the same data. */
  readonly reopen: () => Promise<StorageEngine>;
}

/** By name: what must hold. */
export type Rules = Record<string, (context: RuleContext) => Promise<void>>;
