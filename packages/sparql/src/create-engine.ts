/** The engines that there are. */
import type { SparqlEngine } from './engine/sparql-engine.js';
import { Engine, type EngineOptions } from './engine/engine.js';

/** The evaluator in id space. */
export function createSparqlEngine(options?: EngineOptions): Engine {
  return new Engine(options);
}

let comunica: Promise<SparqlEngine> | undefined;

/**
 * An engine that evaluates through Comunica, which is an optional peer. Nothing loads it but this call.
 * @throws EvaluationError `UNSUPPORTED` where it is not installed
 */
export function createComunicaEngine(): Promise<SparqlEngine> {
  comunica ??= import('./comunica/engine.js').then(({ openComunicaEngine }) => openComunicaEngine());
  comunica.catch(() => {
    comunica = undefined;
  });
  return comunica;
}
