/** For tests of storage backends and of what stands above them; see the package's `./testing` entry. */

export { storageConformance, type ConformanceOptions, type ConformanceStore } from './testing/conformance.js';
export type { TestApi } from './testing/conformance-rule.js';
export { FaultDriver, type Fault, type FaultEffect, type FaultOperation } from './testing/fault-driver.js';
export { SimulatedDriver, type CrashOptions, type SimulatedDriverOptions } from './testing/simulated-driver.js';
export { seededRandom } from './testing/random.js';
