// A million rows grouped by as many texts, stored ones and computed ones, by processes with small heaps: each of them answers with less
// than 300 MB of memory, or ends with QUERY_MEMORY. QUADRILLE_KILLERS=all tries more of them.
import { execFile } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BIN, quadrille } from '../rest/curl.js';

const ROWS = 1_000_000;
const LINES_AT_ONCE = 1000;
const ALL = process.env['QUADRILLE_KILLERS'] === 'all';
const HEAPS_MEGABYTES = ALL ? [256, 512, 4096] : [256];
const MOST_MEGABYTES = 300;

/**
 * Says at its end how much memory the process had at most. On Linux `maxRSS` begins with what the process had that started it, so
 * the kernel is asked.
 */
const SAY_PEAK = `data:text/javascript,${encodeURIComponent(`
import { existsSync, readFileSync } from 'node:fs';
const status = '/proc/self/status';
const own = () => readFileSync(status, 'utf8').match(/VmHWM:\\s*(\\d+)/)[1];
const peak = () => (existsSync(status) ? own() : process.resourceUsage().maxRSS);
process.on('exit', () => process.stderr.write('peak ' + peak() + ' KB'));
`)}`;

let directory: string;
let store: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'quadrille-groups-'));
  store = join(directory, 'store');
  const file = join(directory, 'million.nt');
  await pipeline(Readable.from(statements()), createWriteStream(file));
  await quadrille('load', store, file);
}, 120_000);
afterAll(() => rm(directory, { recursive: true, force: true }));

function* statements(): Generator<string> {
  for (let first = 0; first < ROWS; first += LINES_AT_ONCE) {
    const lines = Array.from(
      { length: LINES_AT_ONCE },
      (_, i) => `<urn:s:${first + i}> <urn:t> "the text ${first + i}" .\n`,
    );
    yield lines.join('');
  }
}

interface Run {
  /** The number that the query gives; `undefined` where it had too little memory. */
  readonly count: number | undefined;
  readonly peakMegabytes: number;
}

/** A process of its own for a query. It rejects where the process ends in any other way than with an answer or with QUERY_MEMORY. */
function run(query: string, heapMegabytes: number): Promise<Run> {
  const node = [`--max-old-space-size=${heapMegabytes}`, '--import', SAY_PEAK];
  return new Promise((done, fail) => {
    execFile(process.execPath, [...node, BIN, 'query', store, query, '--format', 'csv'], (error, stdout, stderr) => {
      const peak = /peak (\d+) KB/.exec(stderr)?.[1];
      const outOfMemory = error !== null && stderr.includes('QUERY_MEMORY');
      if (peak === undefined || (error !== null && !outOfMemory)) return fail(new Error(stderr));
      const count = outOfMemory ? undefined : Number(stdout.split('\r\n')[1]);
      done({ count, peakMegabytes: Number(peak) / 1024 });
    });
  });
}

const groups = (select: string, by: string): string =>
  `SELECT (COUNT(*) AS ?n) { SELECT ${select} { ?s <urn:t> ?t } GROUP BY ${by} }`;

const QUERIES: readonly (readonly [string, string])[] = [
  ['stored texts', groups('?t (COUNT(*) AS ?c)', '?t')],
  ['computed texts', groups('?u (COUNT(*) AS ?c)', '(CONCAT(?t, "!") AS ?u)')],
  ['nodes, the least computed text of each', groups('?s (MIN(UCASE(?t)) AS ?c)', '?s')],
  ['stored texts, a computed one of each', groups('?t (SAMPLE(UCASE(?t)) AS ?c)', '?t')],
  ...(ALL ? ([['stored texts, the least of each', groups('?t (MIN(?s) AS ?c)', '?t')]] as const) : []),
  ['stored texts, all nodes of each', groups('?t (GROUP_CONCAT(?s) AS ?c)', '?t')],
];

describe.each(HEAPS_MEGABYTES)('with a heap of %i MB', (heapMegabytes) => {
  test.each(QUERIES)('%s', { timeout: 60_000 }, async (_, query) => {
    const { count, peakMegabytes } = await run(query, heapMegabytes);
    expect([ROWS, undefined]).toContain(count);
    if (count !== undefined) expect(peakMegabytes).toBeLessThan(MOST_MEGABYTES);
    expect(peakMegabytes).toBeLessThan(2.2 * heapMegabytes);
  });
});

test('stored texts need no table of groups', { timeout: 60_000 }, async () => {
  expect(await run(QUERIES[0]![1], HEAPS_MEGABYTES[0]!)).toMatchObject({ count: ROWS });
});
