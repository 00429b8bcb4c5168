/** The engine of the library. */
import { Engine, type EngineOptions } from './engine/engine.js';

/** The evaluator in id space. */
export function createSparqlEngine(options?: EngineOptions): Engine {
  return new Engine(options);
}
