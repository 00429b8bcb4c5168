/** The first row of a process: milliseconds from the start of Node.js, and from the import, to the first row of a small store. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { open } from 'quadrille';
import { join } from 'node:path';
import { spreadOf } from '../../report/statistics.js';
import { figure, type Figures, type Workload } from '../../workload.js';

const run = promisify(execFile);
/** Where the imports of a process are found. */
const FOLDER = fileURLToPath(new URL('.', import.meta.url));
const PROCESSES = 7;
const DATA = 'INSERT DATA { <urn:a> <urn:p> 1 }';
const QUERY = 'SELECT * { ?s ?p ?o } LIMIT 1';
const TELL = 'console.log(JSON.stringify([performance.now(), performance.now() - begin]));';

const inMemory = `
  const begin = performance.now();
  const { open } = await import('quadrille');
  const db = await open(':memory:');
  const repository = await db.repository('bench/first', { create: true });
  await repository.update('${DATA}');
  for await (const row of repository.select('${QUERY}')) ${TELL}
  await db.close();`;
const onDisk = (store: string): string => `
  const begin = performance.now();
  const { open } = await import('quadrille');
  const db = await open(${JSON.stringify(store)});
  const repository = await db.repository('bench/first');
  for await (const row of repository.select('${QUERY}')) ${TELL}
  await db.close();`;
const OXIGRAPH = `
  const begin = performance.now();
  const { default: oxigraph } = await import('oxigraph');
  const store = new oxigraph.Store();
  store.update('${DATA}');
  for (const row of store.query('${QUERY}')) ${TELL}`;
const NODE = `const begin = performance.now(); ${TELL}`;

/** Medians of several processes, after one that brings the files into the cache of the system. */
async function measured(place: string, code: string): Promise<Figures> {
  const starts: number[] = [];
  const imports: number[] = [];
  for (let n = 0; n <= PROCESSES; n++) {
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', code], { cwd: FOLDER });
    const [sinceStart, sinceImport] = JSON.parse(stdout) as [number, number];
    if (n === 0) continue;
    starts.push(sinceStart);
    imports.push(sinceImport);
  }
  return {
    [`${place}, since start`]: figure(spreadOf(starts).median, 'ms'),
    [`${place}, since import`]: figure(spreadOf(imports).median, 'ms'),
  };
}

export const workload: Workload = {
  name: 'first-row',
  parts: {
    quadrille: {
      backend: 'quadrille',
      needs: [],
      measure: async ({ scratch }) => {
        const store = join(scratch, 'store');
        const db = await open(store);
        await (await db.repository('bench/first', { create: true })).update(DATA);
        await db.close();
        return { ...(await measured('in memory', inMemory)), ...(await measured('on disk', onDisk(store))) };
      },
    },
    oxigraph: { backend: 'oxigraph', needs: [], measure: () => measured('in memory', OXIGRAPH) },
    node: { backend: 'control', needs: [], measure: () => measured('in memory', NODE) },
  },
  comparisons: [
    { figure: 'in memory, since start', backend: 'oxigraph', how: 'inverse' },
    { figure: 'in memory, since import', backend: 'oxigraph', how: 'inverse' },
  ],
};
