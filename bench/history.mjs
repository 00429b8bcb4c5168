/**
 * Measures feeds and history files: `node bench/history.mjs [commits] [revisions]`, by default 5,000 and 20,000. Commits beside 1,000 open
 * watches of which 990 do not ask for more, against commits beside the ten that read along, in turn; and revisions a second of an import.
 * Needs the built packages.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { iri, literal, open, quad } from '../packages/quadrille/dist/index.js';

const COMMITS = Number(process.argv[2] ?? 5000);
const REVISIONS = Number(process.argv[3] ?? 20_000);
const ROUNDS = 7;
const READERS = 10;
const IDLE = 990;

const name = (text) => iri(`http://e/${text}`);
const median = (times) => times.toSorted((x, y) => x - y)[Math.floor(times.length / 2)];
const tell = (what, value) => console.log(`${what.padEnd(66)} ${value}`);
/** Time and processor time of some work, in milliseconds. Other work on the machine changes the former much more. */
const measured = async (work) => {
  const [start, cpu] = [performance.now(), process.cpuUsage()];
  await work();
  const { user, system } = process.cpuUsage(cpu);
  return { time: performance.now() - start, cpu: (user + system) / 1000 };
};

/** Reads along until it is ended. */
function reader(repository) {
  const watch = repository.watch();
  const ended = (async () => {
    for await (const _ of watch);
  })();
  return { end: () => watch.return(), ended };
}

/** A watch that has read its first revision, and asks for no other one. Half of them wait for what never comes. */
async function idle(repository, n) {
  const watch = repository.watch(n % 2 === 0 ? { since: 1 } : { since: 1, pattern: { predicate: name('never') } });
  if (n % 2 === 0) await watch.next();
  return watch;
}

async function watchers(db) {
  const times = { few: [], many: [] };
  let made = 0;
  for (let round = 0; round < ROUNDS; round++) {
    for (const kind of round % 2 === 0 ? ['few', 'many'] : ['many', 'few']) {
      const repository = await db.repository(`a/${kind}${round}`, { create: true });
      await repository.add(quad(name('s'), name('p'), literal('first')));
      const readers = Array.from({ length: READERS }, () => reader(repository));
      const waiting =
        kind === 'few' ? [] : await Promise.all(Array.from({ length: IDLE }, (_, n) => idle(repository, n)));
      times[kind].push(
        await measured(async () => {
          for (let n = 0; n < COMMITS; n++) await repository.add(quad(name(`s${made++}`), name('p'), literal('o')));
        }),
      );
      for (const each of readers) void each.end();
      for (const watch of waiting) await watch.return();
      await db.deleteRepository?.(`a/${kind}${round}`);
    }
  }
  for (const kind of ['time', 'cpu']) {
    const ratios = times.many.map((many, i) => many[kind] / times.few[i][kind]);
    tell(
      `${COMMITS} commits beside 1,000 watches / beside 10, ${kind}, median (all)`,
      `${median(ratios).toFixed(3)} (${ratios.map((ratio) => ratio.toFixed(2)).join(', ')})`,
    );
  }
}

async function imports(db) {
  const source = await db.repository('a/source', { create: true });
  for (let n = 0; n < REVISIONS; n++)
    await source.add(quad(name(`s${n % 997}`), name(`p${n % 7}`), literal(`value ${n}`)), { message: `commit ${n}` });
  const text = (await source.sync.exportHistory().toArray()).join('');
  const rates = [];
  for (let round = 0; round < 3; round++) {
    const target = await db.repository(`a/target${round}`, { create: true });
    const { time, cpu } = await measured(() => target.sync.importHistory({ text }));
    rates.push({ time: (1000 * REVISIONS) / time, cpu: (1000 * REVISIONS) / cpu });
    if ((await target.proof.digest()) !== (await source.proof.digest()))
      throw new Error('the import is another history');
  }
  for (const kind of ['time', 'cpu'])
    tell(
      `import of a history, revisions a second of ${kind}, median`,
      median(rates.map((rate) => rate[kind])).toFixed(0),
    );
}

const folder = await mkdtemp(join(tmpdir(), 'quadrille-history-'));
try {
  for (const [kind, location] of [
    ['in memory', ':memory:'],
    ['LevelDB', join(folder, 'store')],
  ]) {
    console.log(kind);
    const db = await open(location, { durability: 'process' });
    await watchers(db);
    await imports(db);
    await db.close();
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
