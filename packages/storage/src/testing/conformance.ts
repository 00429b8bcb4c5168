/**
 * The conformance suite: every rule of the contract as a test. A backend needs one call to test itself:
 *
 *      storageConformance({ describe, it, expect }, 'memory', async () => ({ driver: new MemoryDriver() }));
 */

import type { StorageDriver } from '../contract.js';
import { StorageEngine } from '../engine.js';
import { besideRules } from './conformance-beside.js';
import { engineRules } from './conformance-engine.js';
import type { RuleContext, TestApi } from './conformance-rule.js';
import { readRules } from './conformance-reads.js';
import { snapshotRules } from './conformance-snapshots.js';
import { writeRules } from './conformance-writes.js';

/** A new, empty store for one test. */
export interface ConformanceStore {
  /** The driver, not open yet. */
  readonly driver: StorageDriver;
  /** Makes another driver over the same data, after `driver` was closed. Required if `persistent`. */
  readonly again?: () => StorageDriver;
  /** Called at the end of the test, after every driver was closed. */
  readonly dispose?: () => Promise<void>;
}

export interface ConformanceOptions {
  /** Whether the data remain when the driver is closed, for a new driver. Default false. */
  readonly persistent?: boolean;
}

export function storageConformance(
  testApi: TestApi,
  name: string,
  factory: () => Promise<ConformanceStore>,
  options: ConformanceOptions = {},
): void {
  const groups = {
    reads: readRules,
    writes: writeRules,
    'reads beside writes': besideRules,
    snapshots: snapshotRules,
    engine: engineRules(options.persistent === true),
  };
  testApi.describe(`storage conformance: ${name}`, () => {
    for (const [group, rules] of Object.entries(groups)) {
      testApi.describe(group, () => {
        for (const [rule, body] of Object.entries(rules)) {
          testApi.it(rule, () => runRule(testApi, factory, body));
        }
      });
    }
  });
}

async function runRule(
  testApi: TestApi,
  factory: () => Promise<ConformanceStore>,
  body: (context: RuleContext) => Promise<void>,
): Promise<void> {
  const store = await factory();
  let engine = await StorageEngine.open(store.driver);
  const reopen = async (): Promise<StorageEngine> => {
    await engine.close();
    engine = await StorageEngine.open(store.again?.() ?? store.driver);
    return engine;
  };
  try {
    await body({ engine, driver: store.driver, expect: testApi.expect, reopen });
    testApi.expect(engine.openIterators).toBe(0);
  } finally {
    await engine.close();
    await store.dispose?.();
  }
}
