/** Comunica as an engine, for comparison. It is an entry of its own, so that no bundler looks for Comunica in a program without it. */
import type { SparqlEngine } from '../../packages/sparql/src/engine/sparql-engine.js';

let comunica: Promise<SparqlEngine> | undefined;

/**
 * An engine that evaluates through Comunica, which is an optional peer. Nothing loads it but this call.
 * @throws EvaluationError `UNSUPPORTED` where it is not installed
 */
export function createComunicaEngine(): Promise<SparqlEngine> {
  comunica ??= import('./engine.js').then(({ openComunicaEngine }) => openComunicaEngine());
  comunica.catch(() => {
    comunica = undefined;
  });
  return comunica;
}
