/** Tools for tests of storage backends and of code above them: the `./testing` entry of the package. */

export { storageConformance, type ConformanceOptions, type ConformanceStore } from './testing/conformance.js';
export type { TestApi } from './testing/conformance-rule.js';
export { FaultDriver, type Fault, type FaultEffect, type FaultOperation } from './testing/fault-driver.js';
export { SimulatedDriver, type CrashOptions, type SimulatedDriverOptions } from './testing/simulated-driver.js';
export { seededRandom } from './testing/random.js';
