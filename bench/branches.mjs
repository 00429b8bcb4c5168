/**
 * Measures branches: `node bench/branches.mjs [quads] [branches]`, by default 1,000,000 and 1,000. Figures of one table are measured in turn,
 * so that other work on the machine concerns both. Needs the built packages.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { iri, open, quad } from '../packages/quadrille/dist/index.js';

const QUADS = Number(process.argv[2] ?? 1_000_000);
const BRANCHES = Number(process.argv[3] ?? 1000);
const ROUNDS = 7;

const name = (text) => iri(`http://e/${text}`);
const quads = function* (prefix, count) {
  for (let i = 0; i < count; i++)
    yield quad(name(`${prefix}${i % (count / 4)}`), name(`p${i % 4}`), name(`o${i % 997}`));
};
const load = (repository, prefix, count) =>
  repository.load(Readable.from(lines(prefix, count)), { format: 'application/n-triples' });

function* lines(prefix, count) {
  for (const { subject, predicate, object } of quads(prefix, count))
    yield `<${subject.value}> <${predicate.value}> <${object.value}> .\n`;
}

const milliseconds = async (work) => {
  const start = performance.now();
  await work();
  return performance.now() - start;
};
const median = (times) => times.toSorted((x, y) => x - y)[Math.floor(times.length / 2)];
const tell = (what, value) => console.log(`${what.padEnd(62)} ${value}`);

const folder = await mkdtemp(join(tmpdir(), 'quadrille-branches-'));
const openStore = () => open(join(folder, 'store'), { durability: 'process' });

/** The median times of works that are done in turn. Who was first in a round is last in the next one. */
async function inTurn(works, rounds = ROUNDS) {
  const times = works.map(() => []);
  const order = [...works.entries()];
  for (let round = 0; round < rounds; round++) {
    for (const [i, work] of order) times[i].push(await milliseconds(work));
    order.reverse();
  }
  return times.map(median);
}

const lookups = async (repository) => {
  for (let i = 0; i < 2000; i++) await repository.quads({ subject: name(`s${(i * 7919) % (QUADS / 4)}`) }).toArray();
};
const scan = async (repository) => {
  for await (const _ of repository.quads({ predicate: name('p1') }));
};
const commits = async (repository, tag) => {
  for (let i = 0; i < 200; i++) await repository.add(quad(name(`${tag}${i}`), name('c'), name(`${Math.random()}`)));
};

try {
  let db = await openStore();
  let main = await db.repository('a/big', { create: true });
  await load(main, 's', QUADS);
  tell('quads', await main.size());

  // Creation.
  const bytes = async () => (await main.maintenance.stats()).bytes;
  const before = await bytes();
  const creation = [];
  for (let i = 0; i < BRANCHES; i++) creation.push(await milliseconds(() => main.branches.create(`b${i}`)));
  tell('creation of a branch, median (ms)', median(creation).toFixed(3));
  tell('size of a branch (bytes, as the storage estimates)', Math.round(((await bytes()) - before) / BRANCHES));

  // main beside branches: a repository of the same quads without any.
  const bare = await db.repository('a/bare', { create: true });
  await load(bare, 's', QUADS);
  for (const [what, work, rounds] of [
    ['2,000 lookups', lookups],
    ['scan of a predicate', scan],
    // A round takes 20 ms, of which a collection of garbage is a large part.
    ['200 commits', commits, 101],
  ]) {
    const [alone, beside] = await inTurn([() => work(bare, 'x'), () => work(main, 'x')], rounds);
    tell(
      `${what}: main beside ${BRANCHES} branches / without`,
      `${(beside / alone).toFixed(3)} (${alone.toFixed(1)} ms)`,
    );
  }

  // A branch with an overlay of a tenth.
  const dev = await main.branches.open('dev', { create: true });
  await load(dev, 't', QUADS / 10);
  for (const [what, work] of [
    ['2,000 lookups', lookups],
    ['scan of a predicate', scan],
  ]) {
    const [alone, layered] = await inTurn([() => work(main), () => work(dev)]);
    tell(`${what}: branch with an overlay of 10 % / main`, `${(layered / alone).toFixed(3)} (${alone.toFixed(1)} ms)`);
  }

  // Merges of 1,000 changes.
  const merges = [];
  for (let round = 0; round < ROUNDS; round++) {
    const topic = await main.branches.open(`topic${round}`, { create: true });
    await topic.add([...quads(`m${round}x`, 1000)]);
    await main.add(quad(name(`n${round}`), name('c'), name('d')));
    merges.push(await milliseconds(() => main.branches.merge(`topic${round}`)));
  }
  tell('merge of 1,000 changes, median (ms)', median(merges).toFixed(1));

  // Opening. What has to be replayed is no cost of branches.
  for (const each of [main, bare]) await each.maintenance.compact();
  await db.close();
  const opening = (repository) => async () => {
    db = await openStore();
    await db.repository(repository);
    await db.close();
  };
  const [without, beside] = await inTurn([opening('a/bare'), opening('a/big')]);
  tell(`opening beside ${BRANCHES} branches, more than without (ms)`, (beside - without).toFixed(1));
} finally {
  await rm(folder, { recursive: true, force: true });
}
