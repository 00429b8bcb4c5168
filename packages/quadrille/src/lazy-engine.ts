/** The SPARQL engine, loaded with the first query: its parser alone costs half of what importing everything else does. */
import type { RemoteSources, SparqlEngine } from '@quadrille/sparql';

/** `remote` is handed on with every request. */
export function lazyEngine(remote?: RemoteSources): SparqlEngine {
  let loaded: Promise<SparqlEngine> | undefined;
  const engine = (): Promise<SparqlEngine> =>
    (loaded ??= import('@quadrille/sparql').then((sparql) => sparql.createSparqlEngine()));
  return {
    query: async (request, dataset, options) => (await engine()).query(request, dataset, { remote, ...options }),
    update: async (request, dataset, options) => (await engine()).update(request, dataset, { remote, ...options }),
    explain: async (request, dataset, options) => (await engine()).explain(request, dataset, { remote, ...options }),
  };
}
