/** The first runs of a query in a process, while V8 is cold: milliseconds for all of them, of a store in memory that was loaded before. */
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { checkCount } from '../../data-sets.js';
import { spreadOf } from '../../report/statistics.js';
import { type Context, type Figure, figure, type Figures, type Workload } from '../../workload.js';

const run = promisify(execFile);
/** Where the imports of a process are found. */
const FOLDER = fileURLToPath(new URL('.', import.meta.url));
const PROCESSES = 5;
const RUNS = 20;

interface ShortQuery {
  readonly text: string;
  /** Rows or triples of its answer; 1 of an ASK that is true. */
  readonly rows: number;
}

const QUERIES: Readonly<Record<string, ShortQuery>> = {
  lookup: { text: 'SELECT * { <urn:p7> ?p ?o }', rows: 6 },
  star: {
    text: 'SELECT ?name ?age ?city { ?s <urn:name> ?name ; <urn:age> ?age ; <urn:city> ?city } LIMIT 50',
    rows: 50,
  },
  OPTIONAL: { text: 'SELECT ?s ?mail { ?s <urn:city> <urn:c3> OPTIONAL { ?s <urn:mail> ?mail } }', rows: 25 },
  UNION: { text: 'SELECT ?o { { <urn:p7> <urn:knows> ?o } UNION { ?o <urn:knows> <urn:p7> } }', rows: 6 },
  CONSTRUCT: { text: 'CONSTRUCT { ?s <urn:in> ?city } { ?s <urn:city> ?city ; <urn:age> 34 }', rows: 10 },
  aggregate: {
    text: 'SELECT ?city (COUNT(*) AS ?n) (AVG(?age) AS ?mean) { ?s <urn:city> ?city ; <urn:age> ?age } GROUP BY ?city',
    rows: 20,
  },
  ASK: { text: 'ASK { <urn:p7> <urn:knows>/<urn:knows> ?who . ?who <urn:city> <urn:c1> }', rows: 1 },
  'ORDER BY': { text: 'SELECT ?s ?age { ?s <urn:age> ?age } ORDER BY DESC(?age) ?s LIMIT 10', rows: 10 },
};

/** 500 people with a name, an age, a city, three others whom they know, and half of them with an address. */
function people(): string {
  const lines: string[] = [];
  for (let n = 0; n < 500; n++) {
    const person = `<urn:p${n}>`;
    lines.push(`${person} <urn:name> "Person ${n}" .`);
    lines.push(`${person} <urn:age> "${20 + ((n * 7) % 50)}"^^<http://www.w3.org/2001/XMLSchema#integer> .`);
    lines.push(`${person} <urn:city> <urn:c${n % 20}> .`);
    for (const step of [1, 13, 77]) lines.push(`${person} <urn:knows> <urn:p${(n * step + step) % 500}> .`);
    if (n % 2 === 0) lines.push(`${person} <urn:mail> "p${n}@example.org" .`);
  }
  return `${lines.join('\n')}\n`;
}

/** What the processes load: the file that is their last argument. */
const DATA = "(await import('node:fs')).readFileSync(process.argv.at(-1), 'utf8')";

/** A query that runs before the timed ones in half of the processes, so that those have loaded what every query needs. */
const ANOTHER = 'ASK { ?nobody <urn:age> 1 }';

const timed = (each: (query: string) => string, query: string, isFirst: boolean): string => `
  let rows = 0;
  ${isFirst ? '' : each(ANOTHER)}
  const begin = performance.now();
  for (let n = 0; n < ${RUNS}; n++) { ${each(query)} }
  console.log(JSON.stringify({ time: performance.now() - begin, rows }));`;

type CodeOf = (query: string, isFirst: boolean) => string;

const quadrille: CodeOf = (query, isFirst) => `
  const { open } = await import('quadrille');
  const db = await open(':memory:');
  const repository = await db.repository('bench/cold', { create: true });
  await repository.load({ text: ${DATA} }, { format: 'nt' });
  ${timed(
    (text) => `{
      const answer = await repository.query(${JSON.stringify(text)});
      if (answer.type === 'boolean') rows += Number(answer.value);
      else for await (const row of answer.rows ?? answer.quads) rows++;
    }`,
    query,
    isFirst,
  )}
  await db.close();`;

const oxigraph: CodeOf = (query, isFirst) => `
  const { default: { Store } } = await import('oxigraph');
  const store = new Store();
  store.load(${DATA}, { format: 'application/n-triples' });
  ${timed(
    (text) => `{
      const answer = store.query(${JSON.stringify(text)});
      if (typeof answer === 'boolean') rows += Number(answer);
      else for (const row of answer) rows++;
    }`,
    query,
    isFirst,
  )}`;

const NAMES = Object.keys(QUERIES);
const afterAnother = (name: string): string => `${name}, after another query`;

/** Medians of several processes for each query. */
async function measured({ scratch }: Context, codeOf: CodeOf): Promise<Figures> {
  const data = join(scratch, 'people.nt');
  await writeFile(data, people());
  const figures: Record<string, Figure> = {};
  for (const name of NAMES) {
    figures[name] = await medianOf(name, codeOf(QUERIES[name]!.text, true), data);
    figures[afterAnother(name)] = await medianOf(name, codeOf(QUERIES[name]!.text, false), data);
  }
  return figures;
}

async function medianOf(name: string, code: string, data: string): Promise<Figure> {
  const times: number[] = [];
  for (let n = 0; n < PROCESSES; n++) {
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', code, data], { cwd: FOLDER });
    const { time, rows } = JSON.parse(stdout) as { readonly time: number; readonly rows: number };
    checkCount(name, rows, RUNS * QUERIES[name]!.rows);
    times.push(time);
  }
  return figure(spreadOf(times).median, 'ms');
}

export const workload: Workload = {
  name: 'cold-runs',
  parts: {
    quadrille: { backend: 'quadrille', needs: [], measure: (context) => measured(context, quadrille) },
    oxigraph: { backend: 'oxigraph', needs: [], measure: (context) => measured(context, oxigraph) },
  },
  comparisons: [...NAMES, ...NAMES.map(afterAnother)].map((name) => ({
    figure: name,
    backend: 'oxigraph',
    how: 'inverse' as const,
  })),
  means: [
    { name: 'geometric mean', figures: NAMES, backend: 'oxigraph' },
    { name: 'geometric mean, after another query', figures: NAMES.map(afterAnother), backend: 'oxigraph' },
  ],
};
