/** The engines that there are. */
import type { SparqlEngine } from './engine/sparql-engine.js';
import type { EngineLimits } from './engine/admission.js';
import type { ExtensionFunctions } from './expression/extension-functions.js';
import { Engine } from './engine/engine.js';

/** The evaluator in id space. */
export function createSparqlEngine(limits?: EngineLimits, functions?: ExtensionFunctions): Engine {
  return new Engine({ limits, functions });
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
