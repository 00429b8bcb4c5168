/** The engines that there are. */
import type { SparqlEngine } from './engine/sparql-engine.js';
import { Engine } from './engine/engine.js';

/** The evaluator in id space. What it does not have goes to Comunica, where that is installed. */
export function createSparqlEngine(): Engine {
  return new Engine({ fallback: createComunicaEngine });
}

let comunica: Promise<SparqlEngine> | undefined;

/**
 * An engine that evaluates through Comunica, which is an optional peer.
 * @throws EvaluationError `UNSUPPORTED` where it is not installed
 */
export function createComunicaEngine(): Promise<SparqlEngine> {
  comunica ??= import('./comunica/engine.js').then(({ openComunicaEngine }) => openComunicaEngine());
  comunica.catch(() => {
    comunica = undefined;
  });
  return comunica;
}
