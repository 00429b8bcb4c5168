/** Tools for tests of shared drivers and of code above them: the `./testing` entry of the package. */

export { explore, type Course, type Explored, type ExploreOptions } from './testing/explore.js';
export { sharedConformance, type SharedConformanceStore } from './testing/conformance.js';
export {
  checkTold,
  collector,
  MODEL_LOG,
  nothingTold,
  reader,
  writer,
  type ModelActor,
  type Told,
} from './testing/log-model.js';
