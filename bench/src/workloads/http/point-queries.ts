/** Short queries over HTTP with 16 connections and cached plans: the server on one core, the client on another. */
import { fileURLToPath } from 'node:url';
import { REPOSITORY } from '../../data-sets.js';
import { getRequest, sendLoad, sendOnce } from '../../http/requests.js';
import { startServer } from '../../http/server.js';
import { AnswerDigest, type Answer } from '../../sparql/answer.js';
import type { Context, Figures, Workload } from '../../workload.js';
import { figure, pathOf } from '../../workload.js';

const CONNECTIONS = 16;
const WARM_SECONDS = 10;
const SECONDS = 8;
const SUBJECTS = 100;
const TYPE = 'application/sparql-results+json';
const INSTANCES = 'http://www4.wiwiss.fu-berlin.de/bizer/bsbm/v01/instances';
const LABEL = 'http://www.w3.org/2000/01/rdf-schema#label';

const script = (name: string): string => fileURLToPath(new URL(`../../http/${name}.js`, import.meta.url));
const QUADRILLE = fileURLToPath(new URL('../../../../packages/quadrille/bin/quadrille.js', import.meta.url));

/** Queries by the name of their figure. */
const QUERIES: Readonly<Record<string, (subject: string) => string>> = {
  'one value': (subject) => `SELECT ?label WHERE { <${subject}> <${LABEL}> ?label }`,
  'one subject': (subject) => `SELECT ?p ?o WHERE { <${subject}> ?p ?o }`,
};
const subjects = Array.from({ length: SUBJECTS }, (_, i) => `${INSTANCES}/ProductType${String(i + 1)}`);

async function measure(script: string, args: readonly string[], path: string): Promise<Figures> {
  const server = await startServer(script, args);
  const figures: Record<string, Figures[string]> = {};
  try {
    for (const [name, query] of Object.entries(QUERIES)) {
      const requests = subjects.map((subject) =>
        getRequest(`${path}?query=${encodeURIComponent(query(subject))}`, TYPE),
      );
      const load = { port: server.port, requests, connections: CONNECTIONS };
      const answers: Answer[] = [];
      for (const request of requests) answers.push(answerOf(await sendOnce(server.port, request)));
      await sendLoad({ ...load, seconds: WARM_SECONDS });
      const before = server.meters();
      const { rate, p99Ms } = await sendLoad({ ...load, seconds: SECONDS });
      const meters = server.meters();
      figures[name] = { ...figure(rate, '/s'), ...(args.length === 0 ? {} : { answers }), meters };
      figures[`${name}, p99`] = figure(p99Ms, 'ms');
      figures[`${name}, CPU`] = figure(((meters.cpuSeconds - before.cpuSeconds) / (rate * SECONDS)) * 1e6, 'µs');
    }
  } finally {
    await server.stop();
  }
  return figures;
}

interface Results {
  readonly results: { readonly bindings: readonly Readonly<Record<string, { readonly value: string }>>[] };
}

function answerOf(body: string): Answer {
  const { bindings } = (JSON.parse(body) as Results).results;
  const digest = new AnswerDigest();
  for (const row of bindings) digest.add(Object.entries(row).map(([name, { value }]) => [name, value]));
  return { rows: bindings.length, digest: digest.value };
}

const serve = (context: Context): string[] => ['serve', pathOf(context, 'store-1m'), '--port', '0', '--open', '--json'];

export const workload: Workload = {
  name: 'point-queries',
  parts: {
    constant: { backend: 'control', needs: [], measure: () => measure(script('constant-server'), [], '/') },
    quadrille: {
      backend: 'quadrille',
      needs: ['store-1m'],
      measure: (context) => measure(QUADRILLE, serve(context), `/${REPOSITORY}/sparql`),
    },
    oxigraph: {
      backend: 'oxigraph',
      needs: ['bsbm-1m'],
      measure: (context) => measure(script('oxigraph-server'), [pathOf(context, 'bsbm-1m')], '/'),
    },
  },
  comparisons: Object.keys(QUERIES).flatMap((figure) => [
    { figure, backend: 'control', how: 'ratio' as const },
    { figure, backend: 'oxigraph', how: 'ratio' as const },
  ]),
};
