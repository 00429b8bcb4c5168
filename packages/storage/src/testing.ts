/** For tests of storage backends and of what stands above them; see the package's `./testing` entry. */

export {
  storageConformance,
  type ConformanceOptions,
  type ConformanceStore,
  type TestApi,
} from './testing/conformance.js';
export { FaultDriver, type Fault, type FaultEffect, type FaultOperation } from './testing/fault-driver.js';
export { SimulatedDriver, type CrashOptions, type SimulatedDriverOptions } from './testing/simulated-driver.js';
export { seededRandom } from './testing/random.js';
