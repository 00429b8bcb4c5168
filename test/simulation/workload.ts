/** What the callers of a simulation do, each kind of step with its weight. */
import type { Repository, Revision, Snapshot } from '@quadrille/core';
import { writeBackup } from '@quadrille/core/backup';
import { ConflictError, ShapesError, termToText, XSD } from '@quadrille/model';
import { Family, familyOf, orderKey } from '@quadrille/model/order-key';
import type { WriteOp } from '@quadrille/storage';
import { SharedStorage } from '@quadrille/storage-shared';
import { check } from '../model/check.js';
import {
  below,
  lineOf,
  perform,
  quadOf,
  readState,
  someOf,
  termOf,
  type Operation,
  type State,
} from '../model/operations.mjs';
import { cloneOf, importedHistory, movable, move } from './elsewhere.js';
import { setShapes } from './guard.js';
import { changeInTransaction, type Guest, toldOf, updateText } from './guest.js';
import { checkCopy, checkProblems, type Due, readBook } from './invariants.js';
import { type Book, type Change, hex } from './ledger.js';
import { erases } from './plan.js';
import { changedRule, dataOf, REIFIES } from './shapes-model.js';
import { NAMES, type Server, type World } from './world.js';

const utf8 = new TextEncoder();

/** A step. It tells what it does as soon as it is chosen. */
type Step = (world: World) => void | Promise<void>;

/** A quad of a few terms, so that the same ones come again and again. */
function randomLine({ random, plan }: World): string {
  const subject = random() < plan.freshSubjects ? `<a:n${below(random, 1e6)}>` : `<a:s${below(random, 8)}>`;
  let object = random() < 0.5 ? `<a:o${below(random, 6)}>` : `"text ${below(random, random() < 0.1 ? 1e6 : 8)}"`;
  if (random() < 0.1) object = vectorText(random);
  else if (random() < 0.25) object = keyedText(random);
  return lineOf(subject, `<a:p${below(random, 3)}>`, object, random() < 0.3 ? '<a:g>' : '');
}

const VECTOR = '^^<urn:quadrille:vector#float32>';
const DIMENSION = 4;

/** A vector of few directions, some of which are the same. */
function vectorText(random: World['random']): string {
  const numbers = Float32Array.from({ length: DIMENSION }, () => below(random, 5) - 2 || 0.5);
  return `"${Buffer.from(numbers.buffer).toString('base64')}"${VECTOR}`;
}

/** A literal that the index of order has. Some have equal values, and some have none. */
function keyedText(random: World['random']): string {
  const number = below(random, random() < 0.1 ? 1e6 : 12);
  if (random() < 0.5) return `"${number}.${below(random, 2)}e0"^^<${XSD}double>`;
  if (random() < 0.1) return `"${number}"^^<${XSD}dateTime>`;
  const zone = random() < 0.7 ? 'Z' : '';
  return `"${new Date(1e12 + number * 1e7).toISOString().slice(0, 19)}${zone}"^^<${XSD}dateTime>`;
}

/** Whether the id of a number contains its value. */
const isInline = (text: string): boolean => text.endsWith(`^^<${XSD}integer>`);

const numbersOf = (text: string): Float32Array =>
  new Float32Array(new Uint8Array(Buffer.from(text.split('"')[1]!, 'base64')).buffer);

function cosine(x: Float32Array, y: Float32Array): number {
  const product = (a: Float32Array, b: Float32Array): number => a.reduce((sum, number, i) => sum + number * b[i]!, 0);
  return product(x, y) / Math.sqrt(product(x, x) * product(y, y));
}

const randomLines = (world: World, most: number): string[] =>
  Array.from({ length: 1 + below(world.random, most) }, () => randomLine(world));

/** A server whose store changes are made in: now and then one that another one may have replaced. */
function writerOf(world: World): Server | undefined {
  const former = world.others.filter(({ role }) => role === 'writer');
  return former.length > 0 && world.chance(0.15) ? world.pick(former) : world.writer;
}

/** Whether a server shows earlier states: a follower does, and a writer that another one has replaced, or has taken the store back from. */
function isLate(world: World, server: Server): boolean {
  if (server !== world.writer) return true;
  const { storage } = server;
  return (
    storage instanceof SharedStorage &&
    world.others.some(
      (other) => other.role === 'writer' && (other.storage as SharedStorage).position > storage.position,
    )
  );
}

const anyServer = (world: World): Server | undefined =>
  world.others.length > 0 && world.chance(0.5) ? world.pick(world.others) : world.writer;

/** A repository that nobody has for himself alone. */
function freeName(world: World): string | undefined {
  const free = NAMES.filter((name) => !bookOf(world, name).alone);
  if (world.focus !== undefined && free.some((name) => name === world.focus!.name)) return world.focus.name;
  return free.length === 0 ? undefined : world.pick(free);
}

const bookOf = (world: World, name: string): Book => world.ledger.books.get(name)!;

const branchOf = (world: World, book: Book): string => {
  const wanted = world.focus?.branch;
  if (wanted !== undefined && book.lines.has(wanted)) return wanted;
  return world.chance(0.6) ? 'main' : world.pick([...book.lines.keys()]);
};

/** The quads of the newest revision of `main` that is known. They need not be the newest ones. */
const knownState = (world: World): State =>
  bookOf(world, world.pick(NAMES)).lines.get('main')?.states.at(-1) ?? new Set();

/** Begins work on a repository that others may work on, too. */
function work(
  world: World,
  kind: string,
  body: (server: Server, name: string, book: Book, branch: string) => Promise<void>,
): void {
  const [server, name] = [writerOf(world), freeName(world)];
  if (server === undefined || name === undefined) return;
  const book = bookOf(world, name);
  const branch = branchOf(world, book);
  book.users++;
  world.begin(
    `${kind} ${name} ${branch}`,
    server,
    () => body(server, name, book, branch),
    () => void book.users--,
  );
}

/** Begins work on a repository that nobody else works on. */
function alone(
  world: World,
  kind: string,
  body: (server: Server, name: string, book: Book, branch: string) => Promise<void>,
): void {
  const [server, name] = [world.writer, freeName(world)];
  if (server === undefined || name === undefined) return;
  const book = bookOf(world, name);
  if (book.users > 0) return;
  const branch = branchOf(world, book);
  book.alone = true;
  world.begin(
    `${kind} ${name} ${branch}`,
    server,
    () => body(server, name, book, branch),
    () => void (book.alone = false),
  );
}

/** Makes a change, and notes what came of it. */
function change(world: World, what: Change, make: (repository: Repository, label: string) => Promise<Revision>): void {
  const label = `c${world.ledger.jobs.size + 1}`;
  const job = world.ledger.job(label, what);
  work(world, `${what.kind} ${label}`, async (server, name, book, branch) => {
    try {
      const repository = await world.repository(server, name, branch);
      const revision = await make(repository, label);
      if (!server.life.dead) book.acknowledge(label, branch, revision);
    } catch (error) {
      // A conflict has no effect, and neither has what shapes refuse. Of other errors that is not promised.
      if (error instanceof ConflictError || error instanceof ShapesError) job.refused = true;
      throw error;
    }
  });
}

/** @param isFirm whether it follows the head that its caller has seen, or has no effect */
const operation = (world: World, what: Operation, isFirm = false): void =>
  change(world, what, (repository, label) => {
    const condition = isFirm ? { ifRevision: repository.head.number } : {};
    return perform(repository, what, { message: label, ...condition }, label);
  });

function commit(world: World, most: number): void {
  // Shapes come and go as a whole, so that the model knows what they say.
  const state = dataOf(knownState(world));
  const removed = world.chance(0.5) ? [...someOf(world.random, state, 3), ...randomLines(world, 3)] : [];
  operation(world, { kind: 'change', added: randomLines(world, most), removed }, world.chance(0.1));
}

const commitFew = (world: World): void => commit(world, world.chance(0.8) ? 3 : 8);

function load(world: World): void {
  const graph = world.chance(0.3) ? { graph: '<a:g>' } : {};
  operation(world, {
    kind: 'load',
    lines: randomLines(world, world.plan.mostLines),
    replace: world.chance(0.3),
    ...graph,
  });
}

function removeMatches(world: World): void {
  const pattern = world.chance(0.5) ? { p: `<a:p${below(world.random, 3)}>` } : { s: `<a:s${below(world.random, 8)}>` };
  operation(world, { kind: 'removeMatches', pattern });
}

function earlierRevision(world: World, kind: 'revert' | 'reset'): void {
  const number = 1 + below(world.random, 8);
  change(world, { kind, number }, (repository, label) =>
    kind === 'revert' ? repository.revert(number, { message: label }) : repository.reset(number, { message: label }),
  );
}

function transaction(world: World): void {
  const [added, removed] = [randomLines(world, 4), randomLines(world, 2)];
  const reads = world.chance(0.5);
  change(world, { kind: 'change', added, removed }, async (repository, label) => {
    const made = await repository.begin({ rebases: world.chance(0.5) });
    try {
      if (reads) await made.beginReading();
      await made.remove(removed.map((line) => quadOf(line).quad));
      await made.add(added.map((line) => quadOf(line).quad));
      return await repository.commitTransaction(made, { message: label });
    } finally {
      made.close();
    }
  });
}

// ── Shapes ────────────────────────────────────────────────────────────────────────────────────────────────────────

/** A rule of the shapes comes or goes. */
function changeShapes(world: World): void {
  const { shapes, kinds } = world.plan;
  if (shapes?.changes !== true) return;
  operation(world, { kind: 'change', ...changedRule(world.random, knownState(world), erases(kinds)) });
}

/** Quads of one subject and few objects, of which rules do not take all together. */
function suspect(world: World): void {
  const { random, plan } = world;
  if (plan.shapes === undefined) return;
  const subject = `<a:s${below(random, 3)}>`;
  const added = Array.from({ length: 2 + below(random, 5) }, () =>
    lineOf(subject, `<a:p${below(random, 3)}>`, `"text ${below(random, 4)}"`, random() < 0.3 ? '<a:g>' : ''),
  );
  if (random() < 0.5) {
    const statement = `<<( ${subject} <a:p0> "text ${below(random, 4)}" )>>`;
    added.push(lineOf(`<a:s${below(random, 3)}>`, REIFIES, statement, ''));
  }
  operation(world, { kind: 'change', added, removed: [] });
}

/** The guard is switched on or off, or gets another mode. */
function changeGuard(world: World): void {
  if (world.plan.shapes?.changes !== true) return;
  const mode = world.chance(0.6) ? 'refuse' : 'report';
  const since = world.chance(0.6) ? 'always' : 'now';
  const isOn = world.chance(0.85);
  work(world, `guard ${isOn ? `${mode} ${since}` : 'off'}`, async (server, name) => {
    await setShapes(await world.repository(server, name), { mode, since }, isOn);
  });
}

// ── Branches ──────────────────────────────────────────────────────────────────────────────────────────────────────

function createBranch(world: World): void {
  work(world, 'branch', async (server, name, book, branch) => {
    if (book.lines.size > 3) return;
    const base = await world.repository(server, name, branch);
    const record = await base.resolve('HEAD');
    const made = `b${++book.branches}`;
    // Also if this fails it may be there.
    book.maybeMade.add(made);
    book.line(made);
    await (
      await (await server.store.repository(name)).branches()
    ).create(made, { keyspace: base.handle.keyspace, record });
  });
}

function deleteBranch(world: World): void {
  alone(world, 'delete a branch', async (server, name, book, branch) => {
    if (branch === 'main') return;
    const branches = await (await server.store.repository(name)).branches();
    book.maybeDeleted.add(branch);
    await branches.delete(branch, true);
    book.lines.delete(branch);
  });
}

function renameBranch(world: World): void {
  alone(world, 'rename a branch', async (server, name, book, branch) => {
    if (branch === 'main') return;
    const branches = await (await server.store.repository(name)).branches();
    const made = `b${++book.branches}`;
    // Also if this fails it may have its effect.
    book.maybeRenamed.set(made, branch);
    await branches.rename(branch, made);
    book.rename(branch, made);
  });
}

function merge(world: World, fastForward: boolean): void {
  const label = `c${world.ledger.jobs.size + 1}`;
  world.ledger.job(label, { kind: 'merge' });
  work(world, `${fastForward ? 'fast-forward' : 'merge'} ${label}`, async (server, name, book, branch) => {
    const from = world.pick([...book.lines.keys()]);
    if (from === branch) return;
    const repository = await world.repository(server, name, branch);
    const revision = await repository.merge(from, { fastForward }, { message: label });
    if (!server.life.dead) book.acknowledge(label, branch, revision);
  });
}

// ── Names ─────────────────────────────────────────────────────────────────────────────────────────────────────────

function tag(world: World): void {
  work(world, 'tag', async (server, name) => {
    const repository = await world.repository(server, name);
    const place = `tag ${name} t${below(world.random, 3)}`;
    const { id } = await repository.resolve('HEAD');
    await world.registers.set(place, hex(id), () => repository.tags.set(place.split(' ')[2]!, id));
  });
}

function prefix(world: World): void {
  work(world, 'prefix', async (server, name) => {
    const repository = await world.repository(server, name);
    const [short, long] = [`p${below(world.random, 3)}`, `http://e/${below(world.random, 100)}/`];
    const isDeleted = world.chance(0.2);
    await world.registers.set(`prefix ${name} ${short}`, isDeleted ? undefined : hex(utf8.encode(long)), () =>
      isDeleted ? repository.namespaces.delete(short) : repository.namespaces.set(short, utf8.encode(long)),
    );
  });
}

function token(world: World): void {
  const server = writerOf(world);
  if (server === undefined) return;
  world.begin('token', server, async () => {
    const [key, value] = [`token/${below(world.random, 3)}`, below(world.random, 1000)];
    await world.registers.set(`record - ${key}`, String(value), () => server.store.records.write([{ key, value }]));
  });
}

// ── Reading ───────────────────────────────────────────────────────────────────────────────────────────────────────

function snapshot(world: World): void {
  const [server, name] = [anyServer(world), freeName(world)];
  if (server === undefined || name === undefined) return;
  const book = bookOf(world, name);
  const branch = server.role === 'writer' ? branchOf(world, book) : 'main';
  book.users++;
  const note = book.reader(isLate(world, server));
  const read = async (): Promise<void> => {
    const repository = await world.repository(server, name, branch);
    await repository.ready();
    const shown = repository.snapshot();
    try {
      const { record } = shown;
      const state = await readState(shown);
      const where = `${server.life.name} ${name} ${branch} revision ${record.number}`;
      await findTerms(shown, state, where);
      if (!server.life.dead) note({ id: hex(record.id), state, where });
    } finally {
      shown.close();
    }
  };
  world.beginRead(`snapshot ${name} ${branch}`, server, read, () => void book.users--);
}

/** A search for words finds the literals of a revision that have them, and no others. */
function search(world: World): void {
  const [server, name] = [anyServer(world), freeName(world)];
  if (server === undefined || name === undefined) return;
  const book = bookOf(world, name);
  const branch = server.role === 'writer' ? branchOf(world, book) : 'main';
  const word = String(below(world.random, 8));
  book.users++;
  const find = async (): Promise<void> => {
    const repository = await world.repository(server, name, branch);
    await repository.ready();
    const shown = repository.snapshot();
    try {
      const { literals } = await shown.search({ text: `+text +${word}` });
      const found = new Set<string>();
      for (let next = literals.next(); next !== undefined; next = literals.next()) {
        const term = await shown.timeline.decoder.decode(next.id);
        found.add(term.value);
      }
      const state = await readState(shown);
      const asked = `text ${word}`;
      const isThere = [...state].some((line) => quadOf(line).texts.includes(`"${asked}"`));
      const where = `${server.life.name} ${name} ${branch} revision ${shown.number}`;
      check(!isThere || found.has(asked), () => `${where}: a search does not find "${asked}"`);
      check(
        [...found].every((text) => text === asked),
        () => `${where}: a search for "${asked}" finds ${[...found].join(', ')}`,
      );
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'NO_INDEX') throw error;
    } finally {
      shown.close();
    }
  };
  world.beginRead(`search ${name} ${branch}`, server, find, () => void book.users--);
}

/** A question for vectors finds all those of a revision, in the order of their cosines. */
function nearest(world: World): void {
  const [server, name] = [anyServer(world), freeName(world)];
  if (server === undefined || name === undefined) return;
  const book = bookOf(world, name);
  const branch = server.role === 'writer' ? branchOf(world, book) : 'main';
  const asked = vectorText(world.random);
  book.users++;
  const find = async (): Promise<void> => {
    const repository = await world.repository(server, name, branch);
    await repository.ready();
    const shown = repository.snapshot();
    const where = `${server.life.name} ${name} ${branch} revision ${shown.number}: the nearest to ${asked}`;
    try {
      const question = { name: 'sense', vector: asked.split('"')[1]!, datatype: VECTOR.slice(3, -1) };
      const { vectors } = await shown.nearest(question);
      const found = new Set<string>();
      let last = 2;
      for (let near = await vectors.next(); near !== undefined; near = await vectors.next()) {
        const text = `"${(await shown.timeline.decoder.decode(near.id)).value}"${VECTOR}`;
        const score = cosine(numbersOf(asked), numbersOf(text));
        check(
          Math.abs(score - near.score) < 1e-9,
          () => `${where}: ${text} has the score ${score}, not ${near!.score}`,
        );
        check(near.score <= last, () => `${where}: ${text} comes late`);
        last = near.score;
        found.add(text);
      }
      for (const line of await readState(shown)) {
        const [, , object] = quadOf(line).texts;
        check(!object!.endsWith(VECTOR) || found.has(object!), () => `${where}: ${object} is not found`);
      }
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'NO_INDEX') throw error;
    } finally {
      shown.close();
    }
  };
  world.beginRead(`nearest ${name} ${branch}`, server, find, () => void book.users--);
}

/** A question for a range of values finds the literals of a revision that have them, by their keys. */
function order(world: World): void {
  const [server, name] = [anyServer(world), freeName(world)];
  if (server === undefined || name === undefined) return;
  const book = bookOf(world, name);
  const branch = server.role === 'writer' ? branchOf(world, book) : 'main';
  const family = world.pick([Family.numbers, Family.zonedDateTimes, Family.localDateTimes, Family.others]);
  const [zero, unit] = family === Family.numbers ? [0, 1] : [1e12, 1e7];
  const isAll = world.chance(0.5);
  const least = isAll ? -Infinity : zero + (below(world.random, 8) - 1) * unit;
  const greatest = isAll ? Infinity : zero + below(world.random, 14) * unit;
  book.users++;
  const find = async (): Promise<void> => {
    const repository = await world.repository(server, name, branch);
    await repository.ready();
    const shown = repository.snapshot();
    const where = `${server.life.name} ${name} ${branch} revision ${shown.number}: family ${family} from ${least} to ${greatest}`;
    const passes = (text: string): boolean =>
      familyOf(utf8.encode(text)) === family && orderKey >= least && orderKey <= greatest;
    try {
      const keyed = await shown.keysBetween({ family, least, greatest });
      if (keyed === undefined) return;
      const found = new Set<string>();
      for (const [i, id] of keyed.ids.entries()) {
        const text = termToText(await shown.timeline.decoder.decode(id));
        check(passes(text) && orderKey === keyed.keys[i], () => `${where}: ${text} is found by ${keyed.keys[i]}`);
        check(!found.has(text), () => `${where}: ${text} is found twice`);
        found.add(text);
      }
      for (const line of await readState(shown))
        for (const text of quadOf(line).texts)
          check(isInline(text) || !passes(text) || found.has(text), () => `${where}: ${text} is not found`);
    } finally {
      shown.close();
    }
  };
  world.beginRead(`order ${name} ${branch}`, server, find, () => void book.users--);
}

/** The indexes of words and of vectors are switched on or off, or the words become other ones. */
function changeSearch(world: World): void {
  const text = world.pick([{}, {}, {}, { fold: 'diacritics' as const }, undefined]);
  const vectors = world.pick([{ sense: { property: 'a:p0', dimension: DIMENSION } }, undefined]);
  work(world, 'search setting', async (server, name) => {
    const repository = await world.repository(server, name);
    const search = text === undefined && vectors === undefined ? undefined : { text, vectors };
    await repository.changeSettings((before) => ({ ...before, search }));
  });
}

/** Whoever asks for a quad finds its terms, although no id of them is in memory. */
async function findTerms(shown: Snapshot, state: ReadonlySet<string>, where: string): Promise<void> {
  const { dictionary } = shown.timeline;
  const texts = new Set([...state].flatMap((line) => quadOf(line).texts));
  for (const text of texts) {
    if (text === '' || text.startsWith('<<')) continue;
    const id = await dictionary.find(utf8.encode(text));
    shown.check();
    check(id !== 0, () => `${where}: the term ${text.slice(0, 80)} is not found`);
  }
}

/** What was acknowledged before a follower looks for news is there when it has looked. */
function refresh(world: World): void {
  const followers = world.others.filter(({ role }) => role === 'follower');
  if (followers.length === 0) return;
  const server = world.pick(followers);
  if (server.life.dead || world.refreshing.has(server.life)) return;
  world.refreshing.add(server.life);
  const due = new Map(NAMES.map((name) => [name, bookOf(world, name).lastNumber('main')]));
  const look = async (): Promise<void> => {
    await server.store.refresh();
    for (const [name, number] of due) {
      const repository = await server.store.repository(name);
      await repository.ready();
      check(
        repository.head.number >= number,
        () => `${server.life.name} shows ${name} at ${repository.head.number}, ${number} was acknowledged before`,
      );
    }
  };
  world.beginRead('refresh', server, look, () => void world.refreshing.delete(server.life));
}

/** A copy of one range over all keys. It is one state of the store. */
function range(world: World): void {
  const server = anyServer(world);
  if (server === undefined) return;
  world.beginRead('range', server, async () => {
    const due = dueOf(world, server);
    const ops: WriteOp[] = [];
    for await (const chunk of server.store.engine.range())
      for (const { key, value } of chunk) ops.push({ type: 'put', key: key.slice(), value: value.slice() });
    await checkCopy(world, server, due, async (engine) => void (await engine.write(ops, { durable: false })));
  });
}

/** Backups come one after the other, each over the one before. */
function backup(world: World): void {
  const server = world.writer;
  if (server === undefined || world.isBackingUp) return;
  world.isBackingUp = true;
  const make = async (): Promise<void> => {
    const due = dueOf(world, server);
    await writeBackup(server.store.engine, world.backup, { env: world.env, store: server.store.id });
    await checkCopy(world, server, due, (engine) => world.backup.restore(engine, world.env));
  };
  world.beginRead('backup', server, make, () => void (world.isBackingUp = false));
}

/** What a copy must have at least that is begun now. A former writer and a follower show earlier states. */
function dueOf(world: World, server: Server): ReadonlyMap<string, Due> {
  const late = isLate(world, server);
  const books = NAMES.map((name) => [name, bookOf(world, name)] as const);
  return new Map(
    books.map(([name, book]) => [name, { number: late ? 1 : book.lastNumber('main'), note: book.reader(late) }]),
  );
}

/** Work of the writer on a repository that others may work on, too, and that a copy is made of. */
function copied(
  world: World,
  kind: string,
  make: (world: World, server: Server, name: string, book: Book) => Promise<void>,
): void {
  const [server, name] = [world.writer, freeName(world)];
  if (server === undefined || name === undefined) return;
  const book = bookOf(world, name);
  book.users++;
  world.begin(
    `${kind} ${name}`,
    server,
    () => make(world, server, name, book),
    () => void book.users--,
  );
}

/** A clone that was kept goes to another store. */
function moveClone(world: World): void {
  const server = world.writer;
  const kept = server && movable(world, server);
  if (kept !== undefined) world.begin(`move ${kept.name}`, server!, () => move(world, server!, kept));
}

// ── History and space ─────────────────────────────────────────────────────────────────────────────────────────────

const attest = async (): Promise<Map<number, never>> => new Map<number, never>();

/** Work that learns which revisions there are, beside others that make new ones. */
function learning(
  world: World,
  kind: string,
  body: (server: Server, name: string, book: Book, branch: string, marks: readonly string[]) => Promise<void>,
): void {
  const [server, name] = [writerOf(world), freeName(world)];
  // Who shows an earlier state does not know all.
  if (server === undefined || name === undefined || isLate(world, server)) return;
  const book = bookOf(world, name);
  if (book.isRead || book.erasing.size > 0) return;
  const branch = branchOf(world, book);
  const make = async (): Promise<void> => {
    // What is learned then has the marks that there are now.
    const marks = [...book.marks];
    await readBook(world, server, name);
    await body(server, name, book, branch, marks);
  };
  book.users++;
  book.isRead = true;
  world.begin(`${kind} ${name} ${branch}`, server, make, () => {
    book.users--;
    book.isRead = false;
  });
}

function trim(world: World): void {
  learning(world, 'trim', async (server, name, book, branch) => {
    const repository = await world.repository(server, name, branch);
    book.trimmed = true;
    await repository.maintenance.trim({
      last: 1 + below(world.random, 6),
      deleteHistory: false,
      dryRun: false,
      attest,
    });
  });
}

/** A commit of a subject that nothing else adds, so that it can be erased beside other changes. */
function mark(world: World): void {
  const subject = `<a:m${++world.marks}>`;
  const line = lineOf(subject, '<a:p0>', '<a:o>', '');
  change(world, { kind: 'change', added: [line], removed: [] }, async (repository, label) => {
    const revision = await perform(
      repository,
      { kind: 'change', added: [line], removed: [] },
      { message: label },
      label,
    );
    bookOf(world, repository.name).marks.push(subject);
    return revision;
  });
}

function eraseMark(world: World): void {
  learning(world, 'erase a mark', async (server, name, book, _, marks) => {
    const subject = marks.at(-1);
    if (subject === undefined) return;
    book.marks.splice(book.marks.indexOf(subject), 1);
    book.erasing.add(subject);
    await eraseSubject(world, server, name, subject);
  });
}

function erase(world: World): void {
  const subject = `<a:s${below(world.random, 8)}>`;
  alone(world, `erase ${subject}`, async (server, name, book) => {
    book.erasing.add(subject);
    await endErasures(world, server, name);
  });
}

async function eraseSubject(world: World, server: Server, name: string, subject: string): Promise<void> {
  const repository = await world.repository(server, name);
  try {
    await repository.maintenance.erase({ target: { term: termOf(subject) }, message: () => 'erased', attest });
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'NOTHING_TO_ERASE') throw error;
  }
  if (!server.life.dead) bookOf(world, name).erased(subject);
}

/** An erasure that has failed may be in effect, or go on later. It is repeated until it is done. */
export async function endErasures(world: World, server: Server, name: string): Promise<void> {
  const book = bookOf(world, name);
  if (book.erasing.size > 0) await readBook(world, server, name);
  for (const subject of book.erasing) await eraseSubject(world, server, name, subject);
}

function maintain(world: World, kind: 'compact' | 'rebuild'): void {
  work(world, kind, async (server, name) => {
    const repository = await world.repository(server, name);
    await repository.maintenance[kind]();
  });
}

function verify(world: World): void {
  work(world, 'verify', async (server, name) => {
    const { problems } = await (await world.repository(server, name)).maintenance.verify();
    if (!server.life.dead) checkProblems(world, problems, name);
  });
}

function compactStorage(world: World): void {
  const server = writerOf(world);
  if (server !== undefined) world.begin('compact the storage', server, () => server.store.engine.compact());
}

// ── Guests ────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Begins work of a guest, which goes on over the end of the process that holds the store. */
function byGuest(
  world: World,
  kind: string,
  body: (guest: Guest, name: string, book: Book, branch: string) => Promise<void>,
): void {
  const [guest, name] = [world.guest, freeName(world)];
  if (guest === undefined || name === undefined) return;
  const book = bookOf(world, name);
  const branch = branchOf(world, book);
  book.users++;
  world.begin(
    `guest ${kind} ${name} ${branch}`,
    guest,
    () => body(guest, name, book, branch),
    () => void book.users--,
  );
}

function changeOfGuest(world: World, how: 'update' | 'transaction'): void {
  if (world.guest === undefined) return;
  const [added, removed] = [randomLines(world, 3), randomLines(world, 2)];
  const label = `c${world.ledger.jobs.size + 1}`;
  const job = world.ledger.job(label, { kind: 'change', added, removed });
  byGuest(world, `${how} ${label}`, async ({ database }, name, book, branch) => {
    try {
      const repository = await database.repository(name, { branch });
      const revision =
        how === 'update'
          ? await repository.update(updateText(added, removed), { message: label })
          : await changeInTransaction(repository, [added, removed], label);
      book.acknowledge(label, branch, revision);
    } catch (error) {
      job.refused = toldOf(world, error) === 'refused';
    }
  });
}

/** What was acknowledged before is there, whoever holds the store now. */
function readOfGuest(world: World): void {
  byGuest(world, 'read', async ({ database }, name, book, branch) => {
    const due = book.lastNumber(branch);
    const note = book.reader(false);
    try {
      const repository = await database.repository(name, { branch });
      const { id, number } = await repository.revision();
      const line = book.lines.get(branch);
      check(
        number >= due || line === undefined,
        () => `a guest sees ${name} ${branch} at ${number}, ${due} was acknowledged before`,
      );
      const text = (await repository.at(id).dump('nq').toArray()).join('');
      const state = new Set(text.split('\n').filter((each) => each !== ''));
      note({ id: id.replaceAll('-', ''), state, where: `guest ${name} ${branch} revision ${number}` });
    } catch (error) {
      toldOf(world, error);
    }
  });
}

/** The holder counts and checks for a guest. */
function checkOfGuest(world: World): void {
  byGuest(world, 'check', async ({ database }, name) => {
    try {
      const { maintenance } = await database.repository(name);
      await maintenance.stats();
      checkProblems(world, (await maintenance.verify()).problems, name);
    } catch (error) {
      toldOf(world, error);
    }
  });
}

// ── Servers ───────────────────────────────────────────────────────────────────────────────────────────────────────

async function reopen(world: World): Promise<void> {
  const { writer } = world;
  if (writer === undefined) return world.start();
  world.replaced = true;
  world.writer = undefined;
  if (world.chance(0.5)) world.kill(writer);
  else await world.end(writer);
  await world.start();
}

async function another(world: World): Promise<void> {
  if (world.plan.disk.form !== 'shared') return;
  if (world.others.length > 1) {
    const [first] = world.others.splice(0, 1);
    world.replaced = true;
    if (world.chance(0.5)) world.kill(first!);
    else await world.end(first!);
    return;
  }
  if (world.chance(0.5)) return world.join();
  const { writer } = world;
  world.replaced = true;
  world.writer = undefined;
  if (writer !== undefined) world.others.push(writer);
  await world.start();
}

/** For some time there is no room. */
function fillDisk(world: World): void {
  if (world.plan.faults === 0) return;
  world.failed = true;
  world.calls.full = !world.calls.full;
}

/** Several small changes at one moment, so that some share a write and some wait for others. */
function burst(world: World): void {
  if (world.chance(0.7)) world.focus = { name: world.pick(NAMES), branch: world.chance(0.7) ? 'main' : undefined };
  for (let left = 2 + below(world.random, 6); left > 0; left--)
    world.pick([commitFew, commitFew, commitFew, transaction, prefix, token])(world);
  world.focus = undefined;
}

/** Each kind of step, and how often it is chosen. */
const STEPS: Readonly<Record<string, readonly [weight: number, step: Step]>> = {
  commit: [12, commitFew],
  'large commit': [2, (world) => commit(world, world.plan.mostLines)],
  burst: [4, burst],
  load: [3, load],
  'remove matches': [1, removeMatches],
  revert: [1, (world) => earlierRevision(world, 'revert')],
  reset: [1, (world) => earlierRevision(world, 'reset')],
  transaction: [3, transaction],
  suspect: [4, suspect],
  shapes: [1, changeShapes],
  guard: [1, changeGuard],
  branch: [2, createBranch],
  'delete branch': [1, deleteBranch],
  'rename branch': [1, renameBranch],
  merge: [2, (world) => merge(world, false)],
  'fast-forward': [2, (world) => merge(world, true)],
  tag: [1, tag],
  prefix: [2, prefix],
  token: [2, token],
  snapshot: [4, snapshot],
  search: [3, search],
  nearest: [3, nearest],
  order: [3, order],
  'search setting': [1, changeSearch],
  refresh: [3, refresh],
  range: [2, range],
  backup: [2, backup],
  fork: [1, (world) => copied(world, 'fork', cloneOf)],
  'imported history': [1, (world) => copied(world, 'imported history', importedHistory)],
  move: [2, moveClone],
  trim: [1, trim],
  erase: [1, erase],
  mark: [1, mark],
  'erase a mark': [1, eraseMark],
  compact: [1, (world) => maintain(world, 'compact')],
  rebuild: [1, (world) => maintain(world, 'rebuild')],
  verify: [1, verify],
  'compact storage': [1, compactStorage],
  'guest update': [4, (world) => changeOfGuest(world, 'update')],
  'guest transaction': [2, (world) => changeOfGuest(world, 'transaction')],
  'guest read': [2, readOfGuest],
  'guest check': [1, checkOfGuest],
  reopen: [2, reopen],
  another: [2, another],
  'full disk': [1, fillDisk],
};

export const KINDS: ReadonlyMap<string, number> = new Map(
  Object.entries(STEPS).map(([kind, [weight]]) => [kind, weight]),
);

/** Begins a step. */
export const begin = async (world: World, kind: string): Promise<void> => STEPS[kind]![1](world);
