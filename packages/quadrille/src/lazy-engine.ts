/** The SPARQL engine, loaded with the first query: its parser alone costs half of what importing everything else does. */
import type { SparqlEngine } from '@quadrille/sparql';

export function lazyEngine(): SparqlEngine {
  let loaded: Promise<SparqlEngine> | undefined;
  const engine = (): Promise<SparqlEngine> =>
    (loaded ??= import('@quadrille/sparql').then((sparql) => sparql.createComunicaEngine()));
  return {
    query: async (request, dataset, options) => (await engine()).query(request, dataset, options),
    update: async (request, dataset, options) => (await engine()).update(request, dataset, options),
    explain: async (request, dataset, options) => (await engine()).explain(request, dataset, options),
  };
}
