/**
 * Measures questions for the nearest vectors: `node bench/vectors.mjs [vectors] [numbers]`, by default 100,000 of 384 numbers, and 10 of them
 * are asked for. The same data and questions go to sqlite-vec if `python3` has apsw and sqlite_vec. Needs the built packages.
 */
import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { open } from '../packages/quadrille/dist/index.js';

const COUNT = Number(process.argv[2] ?? 100_000);
const DIMENSION = Number(process.argv[3] ?? 384);
const NEAREST = 10;
const ROUNDS = 5;
const QUESTIONS = 20;
const CANDIDATES = 1000;

let state = 12_345;
const uniform = () => ((state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) + 0.5) / 2 ** 32;
const normal = () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
const vector = () => Float32Array.from({ length: DIMENSION }, normal);
const base64 = ({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength).toString('base64');
const FLOAT32 = 'urn:quadrille:vector#float32';

const all = new Float32Array(COUNT * DIMENSION).map(normal);
const at = (i) => all.subarray(i * DIMENSION, (i + 1) * DIMENSION);
const questions = Array.from({ length: QUESTIONS }, vector);
const tell = (what, value) => console.log(`${what.padEnd(66)} ${value}`);
const spread = (times) => {
  const sorted = times.toSorted((x, y) => x - y);
  return `${sorted[sorted.length >> 1].toFixed(1)} (${sorted[0].toFixed(1)} to ${sorted.at(-1).toFixed(1)})`;
};

async function* lines() {
  for (let i = 0; i < COUNT; i += 500) {
    let text = '';
    for (let j = i; j < Math.min(COUNT, i + 500); j++) {
      text += `<http://e/${j}> <http://e/vector> "${base64(at(j))}"^^<${FLOAT32}> .\n`;
      if (j % Math.ceil(COUNT / CANDIDATES) === 0) text += `<http://e/${j}> <http://e/kind> <http://e/Candidate> .\n`;
    }
    yield Buffer.from(text);
  }
}

async function bytesOf(folder) {
  let bytes = 0;
  for (const entry of await readdir(folder, { recursive: true })) {
    const found = await stat(join(folder, entry));
    if (found.isFile()) bytes += found.size;
  }
  return bytes;
}

/** Cosines of a scan of all, the best ones first. */
function scanned(asked) {
  const cosine = (other) => {
    let [product, square] = [0, 0];
    for (let i = 0; i < DIMENSION; i++) {
      product += asked[i] * other[i];
      square += other[i] * other[i];
    }
    return product / Math.sqrt(square);
  };
  const cosines = Float64Array.from({ length: COUNT }, (_, i) => cosine(at(i)));
  return [...cosines.keys()].sort((x, y) => cosines[y] - cosines[x]).slice(0, NEAREST);
}

const vec = 'PREFIX vec: <urn:quadrille:vector#>';
const textOf = (asked, before = '') =>
  `${vec} SELECT ?s { ${before} (?s ?score) vec:nearest ("v" "${base64(asked)}"^^vec:float32 ${NEAREST}) }`;

async function ask(repo, asked, before) {
  const found = [];
  for await (const { s } of repo.select(textOf(asked, before))) found.push(Number(s.value.slice('http://e/'.length)));
  return found;
}

/** Times of rounds of all questions, in milliseconds for each: of the clock, and of the processor. */
async function timed(work) {
  const clock = [];
  const processor = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const [start, cpu] = [performance.now(), process.cpuUsage()];
    for (const asked of questions) await work(asked);
    const { user, system } = process.cpuUsage(cpu);
    // The first one warms up.
    if (round === 0) continue;
    clock.push((performance.now() - start) / QUESTIONS);
    processor.push((user + system) / 1000 / QUESTIONS);
  }
  return `${spread(clock)} ms, of the processor ${spread(processor)} ms`;
}

const folder = await mkdtemp(join(tmpdir(), 'quadrille-vectors-'));
try {
  const path = join(folder, 'store');
  let db = await open(path, { durability: 'process' });
  let repo = await db.repository('a/vectors', { create: true });
  let start = performance.now();
  await repo.load(lines(), { format: 'application/n-triples' });
  tell(`load ${COUNT} vectors of ${DIMENSION} numbers`, `${((performance.now() - start) / 1000).toFixed(1)} s`);
  await repo.maintenance.compact();
  await db.close();
  const without = await bytesOf(path);
  db = await open(path, { durability: 'process' });
  repo = await db.repository('a/vectors');
  start = performance.now();
  await repo.settings.set({ search: { vectors: { v: { property: 'http://e/vector', dimension: DIMENSION } } } });
  await repo.maintenance.compact();
  tell('make the index', `${((performance.now() - start) / 1000).toFixed(1)} s`);
  await db.close();
  tell('bytes of the index for each vector', ((await bytesOf(path)) - without) / COUNT);
  db = await open(path, { durability: 'process' });
  repo = await db.repository('a/vectors');
  start = performance.now();
  await ask(repo, questions[0]);
  tell('first question of a process', `${(performance.now() - start).toFixed(0)} ms`);
  tell(`nearest ${NEAREST} of all`, await timed((asked) => ask(repo, asked)));
  tell(
    `nearest ${NEAREST} of ${CANDIDATES} candidates`,
    await timed((asked) => ask(repo, asked, '?s <http://e/kind> <http://e/Candidate> .')),
  );
  let same = 0;
  for (const asked of questions) {
    const found = new Set(await ask(repo, asked));
    same += scanned(asked).filter((each) => found.has(each)).length;
  }
  tell(`recall at ${NEAREST}, of ${QUESTIONS} questions`, same / QUESTIONS / NEAREST);
  await db.close();
  await sqlite(folder);
} finally {
  await rm(folder, { recursive: true });
}

async function sqlite(folder) {
  const files = [join(folder, 'vectors'), join(folder, 'questions')];
  await writeFile(files[0], all);
  await writeFile(files[1], Buffer.concat(questions.map(({ buffer }) => Buffer.from(buffer))));
  const runner = new URL('peers/python/sqlite_vec_runner.py', import.meta.url).pathname;
  let times;
  try {
    const args = [runner, ...files, ...[DIMENSION, NEAREST, ROUNDS].map(String)];
    times = JSON.parse(execFileSync('python3', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
  } catch {
    tell('sqlite-vec', 'not installed');
    return;
  }
  tell(`sqlite-vec ${times.version}: nearest ${NEAREST} of all`, `${spread(times.ms)} ms`);
}
