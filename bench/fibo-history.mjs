/**
 * A real history: FIBO's releases, each one a branch that is merged into `main`. Then the queries of BEAR over it: a pattern in one
 * version (VM), the difference of its answers between two versions (DM), and its answers in all versions (VQ).
 * `node bench/fibo-history.mjs FOLDER`: the folder with the releases (manifest.json, NN-VERSION.add.nq.gz). Needs the built packages.
 */
import { createReadStream } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createGunzip, gunzipSync } from 'node:zlib';
import { Parser } from 'n3';
import { answerDiff, open } from '../packages/quadrille/dist/index.js';

const [data] = process.argv.slice(2);
if (data === undefined) throw new Error('Name the folder with the releases: node bench/fibo-history.mjs FOLDER');
const versions = JSON.parse(await readFile(join(data, 'manifest.json'), 'utf8'));
const ROUNDS = 3;

const folder = await mkdtemp(join(tmpdir(), 'quadrille-fibo-'));
const tell = (what, value) => console.log(`${what.padEnd(70)} ${value}`);
const median = (times) => times.toSorted((x, y) => x - y)[Math.floor(times.length / 2)];
const mean = (times) => times.reduce((sum, time) => sum + time, 0) / times.length;
const milliseconds = async (work) => {
  const start = performance.now();
  await work();
  return performance.now() - start;
};
const expectEqual = (what, found, expected) => {
  if (found !== expected) throw new Error(`${what}: ${found}, and not ${expected}`);
};
const quadsOf = async (file) =>
  new Parser({ format: 'N-Quads' }).parse(gunzipSync(await readFile(join(data, file))).toString('utf8'));

/** The graph, subject, predicate and object in N-Quads, for comparisons. */
const textOf = async (quads) => {
  const lines = new Set();
  for await (const { subject, predicate, object, graph } of quads)
    lines.add(
      [subject, predicate, object, graph]
        .map((term) => JSON.stringify([term.termType, term.value, term.language, term.datatype?.value]))
        .join(' '),
    );
  return lines;
};

async function loadReleases(main) {
  const [loads, merges] = [[], []];
  for (const { version, full, add, del, total } of versions) {
    const name = `release/${version}`;
    const branch = await main.branches.open(name, { create: true });
    const load = { format: 'application/n-quads', message: version };
    loads.push(
      await milliseconds(async () => {
        if (del !== undefined) await branch.remove(await quadsOf(del), { message: `what ${version} leaves out` });
        await branch.load(createReadStream(join(data, full ?? add)).pipe(createGunzip()), load);
      }),
    );
    merges.push(await milliseconds(() => main.branches.merge(name, { message: `merge ${version}` })));
    expectEqual(`quads after ${version}`, await main.size(), total);
  }
  tell('releases, each one a branch that is merged', versions.length);
  tell('changing a branch to a release, median (ms)', median(loads).toFixed(0));
  tell('merging a release, median and longest (ms)', `${median(merges).toFixed(0)} ${Math.max(...merges).toFixed(0)}`);
}

/** Patterns as BEAR has them: predicates, and predicates with objects, each with some answers. */
async function patternsOf(main) {
  const rows = await main
    .select(
      'SELECT ?p ?o (COUNT(*) AS ?n) { GRAPH ?g { ?s ?p ?o } } GROUP BY ?p ?o HAVING(COUNT(*) > 4 && COUNT(*) < 500) ORDER BY ?p ?o',
    )
    .toArray();
  const pairs = rows
    .filter((_, i) => i % Math.ceil(rows.length / 43) === 0)
    .map(({ p, o }) => ({ predicate: p, object: o }));
  const some = await main
    .select(
      'SELECT ?p (COUNT(*) AS ?n) { GRAPH ?g { ?s ?p ?o } } GROUP BY ?p HAVING(COUNT(*) > 4 && COUNT(*) < 500) ORDER BY ?p LIMIT 6',
    )
    .toArray();
  return [...pairs, ...some.map(({ p }) => ({ predicate: p }))];
}

const counted = async (results) => {
  let count = 0;
  for await (const _ of results) count++;
  return count;
};

async function bearQueries(main) {
  const patterns = await patternsOf(main);
  const head = Number((await main.revision()).number);
  const numbers = Array.from({ length: 37 }, (_, i) => 1 + Math.round(((head - 1) * (i + 1)) / 37));
  const works = {
    'VM: a pattern in one version': (pattern, number) => counted(main.at(number).quads(pattern)),
    'VQ: a pattern in all versions': (pattern) => counted(main.history(pattern)),
  };
  tell('patterns', patterns.length);
  for (const [what, work] of Object.entries(works)) {
    const times = [];
    let answers = 0;
    for (let round = 0; round < ROUNDS; round++)
      for (const [i, pattern] of patterns.entries())
        times.push(
          await milliseconds(async () => (answers += await work(pattern, numbers[(i * 7 + round) % numbers.length]))),
        );
    tell(
      `${what}, mean and median (ms)`,
      `${mean(times).toFixed(3)} ${median(times).toFixed(3)}  (${(answers / times.length).toFixed(0)} answers)`,
    );
  }
  const times = [];
  for (const [i, { predicate, object }] of patterns.entries()) {
    const value = object === undefined ? '?o' : termText(object);
    const text = `SELECT * { GRAPH ?g { ?s <${predicate.value}> ${value} } }`;
    times.push(await milliseconds(() => answerDiff(main, text, numbers[i % 20], numbers[20 + (i % 17)])));
  }
  tell(
    'DM: differences of its answers between two versions, mean and median (ms)',
    `${mean(times).toFixed(3)} ${median(times).toFixed(3)}`,
  );
}

const termText = (term) =>
  term.termType === 'NamedNode'
    ? `<${term.value}>`
    : `${JSON.stringify(term.value)}${term.language === '' ? `^^<${term.datatype.value}>` : `@${term.language}`}`;

async function blamed(main) {
  let quads = 0;
  let merged = 0;
  const time = await milliseconds(async () => {
    for await (const entry of main.blame({})) {
      quads++;
      if (entry.merged !== undefined) merged++;
    }
  });
  expectEqual('blamed quads', quads, versions.at(-1).total);
  tell('blame of every quad (ms; quads; of these from a merged branch)', `${time.toFixed(0)} ${quads} ${merged}`);
}

try {
  const db = await open(join(folder, 'store'));
  const main = await db.repository('fibo/ontologies', { create: true });
  await loadReleases(main);
  await bearQueries(main);
  await blamed(main);
  expectEqual('problems', (await main.maintenance.verify()).problems.length, 0);
  // A clone has the same content, and the newest release is what the documents say.
  const other = await open(join(folder, 'clone'));
  const clone = await milliseconds(() => other.clone('fibo/ontologies', main));
  const copy = await other.repository('fibo/ontologies');
  expectEqual('contentHash of the clone', await copy.proof.contentHash(), await main.proof.contentHash());
  tell('clone of main with its history (ms)', clone.toFixed(0));
  const newest = await textOf(main.quads());
  expectEqual('quads of the newest release', newest.size, versions.at(-1).total);
  const { bytes } = await main.maintenance.stats();
  tell('size of the store (MB)', (bytes / 1e6).toFixed(1));
  await other.close();
  await db.close();
} finally {
  await rm(folder, { recursive: true, force: true });
}
