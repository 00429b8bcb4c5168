/**
 * Measures live answers: `node bench/live.mjs [quads]`, by default 1,000,000. After a commit of ten quads the answer of a query of three
 * patterns is followed by its delta, and compared by running it again. Both are measured in turn, so that other work on the machine
 * concerns both. Needs the built packages.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { iri, open, quad } from '../packages/quadrille/dist/index.js';

const QUADS = Number(process.argv[2] ?? 1_000_000);
const ROUNDS = 31;
const CHANGES = 10;
const PEOPLE = QUADS / 4;

const name = (text) => iri(`http://e/${text}`);
const QUERIES = {
  'three patterns, chosen by a value':
    'SELECT ?a ?b ?c { ?a <http://e/knows> ?b . ?b <http://e/knows> ?c . ?c <http://e/city> <http://e/c7> }',
  'three patterns, all rows':
    'SELECT ?a ?b ?city { ?a <http://e/knows> ?b . ?b <http://e/city> ?city . ?a <http://e/age> ?age }',
  'three patterns, counted by city':
    'SELECT ?city (COUNT(*) AS ?n) { ?a <http://e/knows> ?b . ?b <http://e/city> ?city . ?a <http://e/age> ?age } GROUP BY ?city',
  'three patterns, distinct':
    'SELECT DISTINCT ?b { ?a <http://e/knows> ?b . ?b <http://e/city> <http://e/c7> . ?a <http://e/age> ?age }',
};

function* lines() {
  for (let i = 0; i < PEOPLE; i++) {
    yield `<http://e/s${i}> <http://e/knows> <http://e/s${(i * 7919) % PEOPLE}> .\n`;
    yield `<http://e/s${i}> <http://e/city> <http://e/c${i % 997}> .\n`;
    yield `<http://e/s${i}> <http://e/age> <http://e/a${i % 90}> .\n`;
    yield `<http://e/s${i}> <http://e/name> "name ${i}" .\n`;
  }
}

const median = (times) => times.toSorted((x, y) => x - y)[Math.floor(times.length / 2)];
const tell = (what, value) => console.log(`${what.padEnd(62)} ${value}`);
/** Processor time tells more than the clock where other work shares the machine. */
const timed = async (work) => {
  const cpu = process.cpuUsage();
  const start = performance.now();
  const result = await work();
  const ms = performance.now() - start;
  const { user, system } = process.cpuUsage(cpu);
  return { ms, cpuMs: (user + system) / 1000, result };
};

/** Ten quads of the query: some are new, and some replace others. */
const change = (round) =>
  Array.from({ length: CHANGES }, (_, i) => {
    const person = name(`s${(round * 104_729 + i * 7) % PEOPLE}`);
    return i % 2 === 0
      ? quad(person, name('knows'), name(`s${(round * 31 + i) % PEOPLE}`))
      : quad(person, name('city'), name('c7'));
  });

const folder = await mkdtemp(join(tmpdir(), 'quadrille-live-'));
try {
  const db = await open(join(folder, 'store'), { durability: 'process' });
  const repository = await db.repository('a/big', { create: true });
  await repository.load(Readable.from(lines()), { format: 'application/n-triples' });
  tell('quads', await repository.size());

  let rounds = 0;
  for (const [what, text] of Object.entries(QUERIES)) {
    const delta = repository.live(text);
    const rerun = repository.live(text, { maxRows: 2 ** 31 });
    for (const live of [delta, rerun]) await live.next();
    const times = { whole: [], cpu: [], rerun: [], rerunCpu: [] };
    let rows = 0;
    for (let round = 1; round <= ROUNDS; round++) {
      await repository.add(change(++rounds));
      const first = await timed(() => delta.next());
      if (first.result.value.path !== 'delta') throw new Error('the delta was not used');
      times.whole.push(first.ms);
      times.cpu.push(first.cpuMs);
      rows = first.result.value.added.length;
      // Running it again takes so long that some rounds are enough.
      if (round % 10 !== 1) continue;
      const second = await timed(() => rerun.next());
      times.rerun.push(second.ms);
      times.rerunCpu.push(second.cpuMs);
      if (round === 1 && second.result.value.added.length !== rows) throw new Error('the paths do not agree');
    }
    for (const live of [delta, rerun]) await live.return();
    const [whole, again] = [median(times.whole), median(times.rerun)];
    tell(
      `${what}: update by delta, median and most (ms)`,
      `${whole.toFixed(2)}, ${Math.max(...times.whole).toFixed(2)}`,
    );
    tell('  the same in CPU time, median (ms)', median(times.cpu).toFixed(2));
    tell('  update by rerun (ms); delta / rerun', `${again.toFixed(1)}; ${(whole / again).toFixed(5)}`);
    tell(
      '  the same in CPU time',
      `${median(times.rerunCpu).toFixed(1)}; ${(median(times.cpu) / median(times.rerunCpu)).toFixed(5)}`,
    );
    tell('  rows of the last delta', rows);
  }

  // A commit that no query reads.
  const live = repository.live(QUERIES['three patterns, all rows']);
  const [first] = [await live.next()];
  if (first.value.path !== 'initial') throw new Error('no first answer');
  const waiting = live.next();
  const { ms } = await timed(async () => {
    for (let i = 0; i < 100; i++) await repository.add(quad(name(`x${i}`), name('other'), name('y')));
    await repository.add(quad(name('s1'), name('knows'), name('s2')));
    await waiting;
  });
  tell('100 commits that the query does not read, and one (ms)', ms.toFixed(1));
  await live.return();
  await db.close();
} finally {
  await rm(folder, { recursive: true, force: true });
}
