/** 100,000 rows as a SPARQL JSON document: rows per second, after a warm-up. */
import { open } from 'quadrille';
import { hostOf } from 'quadrille/host';
import { REPOSITORY } from '../../data-sets.js';
import { timed } from '../../measure.js';
import { spreadOf } from '../../report/statistics.js';
import type { Figures, Workload } from '../../workload.js';
import { figure, pathOf } from '../../workload.js';

const ROWS = 100_000;
const QUERY = `SELECT ?s ?p ?o WHERE { ?s ?p ?o } LIMIT ${ROWS}`;
const JSON_RESULTS = 'application/sparql-results+json';
const PASSES = 5;

/** Parses the first document. The later ones are only received. */
async function documentRate(document: () => Promise<AsyncIterable<string | Uint8Array>>): Promise<Figures> {
  const parts: Uint8Array[] = [];
  for await (const chunk of await document()) parts.push(Buffer.from(chunk as string));
  const text = Buffer.concat(parts).toString();
  const { results } = JSON.parse(text) as { results: { bindings: unknown[] } };
  if (results.bindings.length !== ROWS) throw new Error(`${results.bindings.length} rows instead of ${ROWS}`);
  const rates: number[] = [];
  for (let pass = 0; pass < PASSES; pass++) {
    const { result, seconds } = await timed(async () => {
      let length = 0;
      for await (const chunk of await document()) length += chunk.length;
      return length;
    });
    if (result < ROWS) throw new Error('the document was cut short');
    rates.push(ROWS / seconds);
  }
  return { rate: figure(spreadOf(rates).median, 'rows/s') };
}

export const workload: Workload = {
  name: 'results-json',
  parts: {
    quadrille: {
      backend: 'quadrille',
      needs: ['store-1m'],
      measure: async (context) => {
        const db = await open(pathOf(context, 'store-1m'));
        const repository = await db.repository(REPOSITORY);
        const figures = await documentRate(async () => hostOf(repository).serialize(QUERY, JSON_RESULTS));
        await db.close();
        return figures;
      },
    },
    'comunica-rdf-stores': {
      backend: 'comunica-rdf-stores',
      needs: ['bsbm-1m'],
      once: true,
      measure: async (context) => {
        const { QueryEngine } = await import('@comunica/query-sparql-rdfjs');
        const { openRdfStore } = await import('../../stores/rdf-stores-store.js');
        const { store, opened } = await openRdfStore();
        await opened.load(pathOf(context, 'bsbm-1m'));
        const engine = new QueryEngine();
        return documentRate(async () => {
          const result = await engine.query(QUERY, { sources: [store] });
          const { data } = await engine.resultToString(result, JSON_RESULTS);
          return data as unknown as AsyncIterable<Uint8Array>;
        });
      },
    },
  },
  comparisons: [{ figure: 'rate', backend: 'comunica-rdf-stores', how: 'ratio' }],
};
