/**
 * Measures blame beside lookups: `node bench/blame.mjs [quads]`, by default 200,000: half of them come from branches that were merged.
 * Lookups and blames are made in turn. Needs the built packages.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { iri, open } from '../packages/quadrille/dist/index.js';

const QUADS = Number(process.argv[2] ?? 200_000);
const PER_SUBJECT = 4;
const MERGES = 10;
const ROUNDS = 25;
const LOOKUPS = 2000;

const name = (text) => iri(`http://e/${text}`);
function* lines(prefix, count) {
  for (let i = 0; i < count; i++)
    yield `<http://e/${prefix}${Math.floor(i / PER_SUBJECT)}> <http://e/p${i % PER_SUBJECT}> "${prefix} ${i % 997}" .\n`;
}
const load = (repository, prefix, count) =>
  repository.load(Readable.from(lines(prefix, count)), { format: 'application/n-triples' });
const median = (times) => times.toSorted((x, y) => x - y)[Math.floor(times.length / 2)];
const tell = (what, value) => console.log(`${what.padEnd(66)} ${value}`);

const folder = await mkdtemp(join(tmpdir(), 'quadrille-blame-'));
try {
  const db = await open(join(folder, 'store'), { durability: 'process' });
  const main = await db.repository('a/blamed', { create: true });
  await load(main, 'own', QUADS / 2);
  const each = QUADS / 2 / MERGES;
  for (let merge = 0; merge < MERGES; merge++) {
    const branch = await main.branches.open(`b${merge}`, { create: true });
    await load(branch, `merged${merge}x`, each);
    await main.branches.merge(`b${merge}`);
  }
  await main.maintenance.compact();
  tell('quads', await main.size());
  const subjects = {
    own: Array.from({ length: LOOKUPS }, (_, i) => name(`own${(i * 7919) % (QUADS / 2 / PER_SUBJECT)}`)),
    merged: Array.from({ length: LOOKUPS }, (_, i) =>
      name(`merged${i % MERGES}x${(i * 7919) % Math.floor(each / PER_SUBJECT)}`),
    ),
  };
  for (const [what, some] of Object.entries(subjects)) {
    const times = { lookup: [], blame: [] };
    for (let round = 0; round < ROUNDS; round++) {
      for (const [kind, work] of [
        ['lookup', (subject) => main.quads({ subject }).toArray()],
        ['blame', (subject) => main.blame({ subject }).toArray()],
      ]) {
        const start = performance.now();
        let rows = 0;
        for (const subject of some) rows += (await work(subject)).length;
        times[kind].push(performance.now() - start);
        if (rows !== LOOKUPS * PER_SUBJECT) throw new Error(`${what}, ${kind}: ${rows} rows`);
      }
    }
    const ratios = times.blame.map((time, i) => time / times.lookup[i]);
    tell(
      `${what} quads: blame / lookup (µs a lookup of ${PER_SUBJECT} quads)`,
      `${median(ratios).toFixed(2)} (${((1000 * median(times.lookup)) / LOOKUPS).toFixed(1)})`,
    );
  }
  await db.close();
} finally {
  await rm(folder, { recursive: true, force: true });
}
