/** What must hold, whatever was done and whatever has failed. */
import { Store, type Repository, type RevisionRecord, type VerifyProblem } from '@quadrille/core';
import { NotFoundError } from '@quadrille/model';
import { MemoryDriver, StorageEngine } from '@quadrille/storage';
import { check } from '../model/check.js';
import { differenceText, sameSet, stateAt, type State } from '../model/operations.mjs';
import { checkObeyed } from './guard.js';
import { type Book, hex, type Line, outcome } from './ledger.js';
import { NAMES, type Server, type World } from './world.js';

// ── Revisions ─────────────────────────────────────────────────────────────────────────────────────────────────────

/** Reads the revisions of all branches that are new, and learns from the changes that were asked for which quads they have. */
export async function readBook(world: World, server: Server, name: string): Promise<void> {
  const book = world.ledger.books.get(name)!;
  const repository = await world.repository(server, name);
  const found = new Set((await (await repository.branches()).list()).map((branch) => branch.name));
  for (const [to, from] of book.maybeRenamed) if (found.has(to)) book.rename(from, to);
  for (const branch of found) if (book.maybeMade.has(branch)) book.line(branch);
  for (const [branch, line] of book.lines) {
    if (found.has(branch))
      await new Reader(world, book, `${name} ${branch}`).read(await world.repository(server, name, branch), line);
    else {
      check(line.head < 1 || book.maybeDeleted.has(branch), () => `${name} has lost its branch ${branch}`);
      book.lines.delete(branch);
    }
  }
  for (const branch of found) check(book.lines.has(branch), () => `${name} has a branch ${branch}`);
}

class Reader {
  constructor(
    private readonly world: World,
    private readonly book: Book,
    private readonly where: string,
  ) {}

  async read(repository: Repository, line: Line): Promise<void> {
    await repository.ready();
    const head = repository.head.number;
    check(head >= line.head, () => `${this.where} ends with ${head}, and with ${line.head} before`);
    if (line.head > 0) {
      const last = await recordAt(repository, line.head);
      const id = last && hex(last.id);
      check(
        id === line.ids[line.head] || (last === undefined && this.book.trimmed),
        () => `${this.where}: revision ${line.head} is another one than before`,
      );
    }
    for (let number = Math.max(1, line.ids.length); number <= head; number++) {
      const record = await recordAt(repository, number);
      check(record !== undefined || this.book.trimmed, () => `${this.where}: revision ${number} of ${head} is missing`);
      if (record === undefined) {
        line.ids[number] = '';
        line.states[number] = undefined;
      } else await this.#add(repository, line, record);
    }
  }

  async #add(repository: Repository, line: Line, record: RevisionRecord): Promise<void> {
    const { book, where } = this;
    const { number } = record;
    const id = hex(record.id);
    const before = line.ids[number - 1];
    const parent = record.parentId && hex(record.parentId);
    check(
      // A revision that a trim has left follows the one before it that is left, if there is one.
      before === undefined ||
        before === '' ||
        parent === before ||
        (book.trimmed && (parent === undefined || line.ids.includes(parent))),
      () => `${where}: revision ${number} does not follow revision ${number - 1}`,
    );
    const state = book.states.get(id) ?? (await this.#stateOf(repository, line, record, id));
    book.states.set(id, state);
    if (record.violations !== undefined) book.violating.add(id);
    line.ids[number] = id;
    line.states[number] = state;
  }

  async #stateOf(repository: Repository, line: Line, record: RevisionRecord, id: string): Promise<State> {
    const { number, message = '' } = record;
    if (number === 1) return new Set();
    const job = this.world.ledger.jobs.get(message);
    if (job !== undefined) {
      const known = this.book.revisions.get(message);
      check(
        known === undefined || known === id,
        () => `${this.where}: ${message} became two revisions, the second is ${number}`,
      );
      check(!job.refused, () => `${this.where}: ${message} was refused, and is revision ${number}`);
      this.book.revisions.set(message, id);
      const expected = outcome(job.change, line.states, this.book.trimmed);
      if (expected !== undefined) return expected;
    } else check(message === 'erased', () => `${this.where}: nobody has asked for revision ${number}, ${message}`);
    // A merge, or what follows a trimmed revision: what it has once it has for ever.
    return stateAt(repository, number);
  }
}

const recordAt = (repository: Repository, number: number): Promise<RevisionRecord | undefined> =>
  untrimmed(repository.resolve(number));

/** What was read of a revision; `undefined` if that was trimmed. */
async function untrimmed<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof NotFoundError && error.code === 'REVISION_TRIMMED') return undefined;
    throw error;
  }
}

/** Compares some revisions of a branch with what they must have: the last one, and others by chance. */
async function compareStates(world: World, repository: Repository, line: Line, where: string): Promise<void> {
  const numbers = new Set([line.head, 1 + Math.floor(world.random() * line.head)]);
  for (const number of numbers) {
    const expected = line.states[number];
    if (expected === undefined) continue;
    const state = await untrimmed(stateAt(repository, number));
    if (state === undefined && world.ledger.books.get(repository.name)!.trimmed) continue;
    const wrong = differenceText(state!, expected);
    check(wrong === undefined, () => `${where}: revision ${number} of ${line.head}: ${wrong}`);
  }
}

/** What was acknowledged is there, and once. */
function checkAcknowledged(world: World, book: Book, name: string): void {
  for (const { label, branch, number, id } of book.acknowledged) {
    const line = book.lines.get(branch);
    if (line === undefined) continue;
    const there = line.ids[number];
    check(
      there === id || (there === '' && book.trimmed),
      () =>
        `${name} ${branch}: ${label} was acknowledged as revision ${number}, ${there === undefined ? 'which is missing' : 'which is another one'}`,
    );
    const became = book.revisions.get(label);
    if (became !== undefined) {
      check(became === id, () => `${name} ${branch}: ${label} was acknowledged as ${id}, and is ${became}`);
      continue;
    }
    const { change } = world.ledger.jobs.get(label)!;
    const state = line.states[number];
    if (state === undefined || book.hasErased || change.kind === 'merge') continue;
    const after = outcome(change, line.states.slice(0, number + 1), book.trimmed);
    check(
      after === undefined || sameSet(after, state),
      () => `${name} ${branch}: ${label} was acknowledged as revision ${number}, without its effect`,
    );
  }
}

/** What readers saw is what the revision has. */
function checkSeen(book: Book): void {
  for (const { id, state, where } of book.seen) {
    const expected = book.states.get(id);
    // A revision that nobody can find any more was never acknowledged, or its branch was deleted.
    const wrong = expected && differenceText(state, expected);
    check(wrong === undefined, () => `${where} was read: ${wrong}`);
  }
}

/** Each revision of a copy is one of the original, and the quads of the last one are the same. */
export async function checkRevisions(
  copy: Repository,
  book: Book,
  where: string,
  { life }: Pick<Server, 'life'>,
  note = book.reader(false),
): Promise<void> {
  await copy.ready();
  const { head } = copy;
  const state = await stateAt(copy, head.number);
  if (!life.dead) note({ id: hex(head.id), state, where: `${where} at ${head.number}` });
}

/** A verification finds nothing. What it finds beside a part that could not be read may be due to that. */
export function checkProblems(world: World, problems: readonly VerifyProblem[], where: string): void {
  if (problems.some(({ code }) => world.excuses(code))) return;
  check(problems.length === 0, () => `${where}: ${JSON.stringify(problems.slice(0, 3))}`);
}

// ── Copies ────────────────────────────────────────────────────────────────────────────────────────────────────────

/** What is due of a repository in a copy. */
export interface Due {
  /** The revision that it has at least. */
  readonly number: number;
  /** Takes what it has. */
  readonly note: ReturnType<Book['reader']>;
}

/** A copy of a store can be opened, is whole, and shows states that were published. @param due what it has at least, by repository */
export async function checkCopy(
  world: World,
  server: Server,
  due: ReadonlyMap<string, Due>,
  fill: (engine: StorageEngine) => Promise<void>,
): Promise<void> {
  if (server.life.dead) return;
  const engine = await StorageEngine.open(new MemoryDriver());
  await fill(engine);
  const store = await Store.open(engine, { env: world.env, cacheBytes: 1 });
  try {
    for (const name of NAMES) {
      const book = world.ledger.books.get(name)!;
      const repository = await store.repository(name);
      const { number } = repository.head;
      check(
        number >= due.get(name)!.number,
        () => `a copy has ${name} at ${number}, ${due.get(name)!.number} was acknowledged before it was begun`,
      );
      if (book.erasing.size === 0 && !book.alone)
        await checkRevisions(repository, book, `a copy of ${name}`, server, due.get(name)!.note);
    }
    // It takes longer than all else of a short schedule.
    if (!world.chance(0.2)) return;
    const { problems } = await store.verify();
    check(problems.length === 0, () => `a copy: ${JSON.stringify(problems.slice(0, 3))}`);
  } finally {
    await store.close();
  }
}

// ── The store as a whole ──────────────────────────────────────────────────────────────────────────────────────────

/** All that was acknowledged is there, as a server shows it that writes. */
export async function checkStore(world: World, server: Server): Promise<void> {
  for (const name of NAMES) {
    const book = world.ledger.books.get(name)!;
    await readBook(world, server, name);
    for (const [branch, line] of book.lines) {
      const repository = await world.repository(server, name, branch);
      await compareStates(world, repository, line, `${name} ${branch}`);
      await checkLog(repository, line, `${name} ${branch}`);
    }
    checkAcknowledged(world, book, name);
    checkSeen(book);
    checkObeyed(world, name, book);
  }
  await checkRegisters(world, server);
  const { problems } = await server.store.verify();
  check(problems.length === 0, () => JSON.stringify(problems.slice(0, 3)));
}

async function checkLog(repository: Repository, line: Line, where: string): Promise<void> {
  const found: string[] = [];
  for await (const { id } of repository.history.log()) found.push(id.replaceAll('-', ''));
  const ids = new Set(found);
  let last = '';
  for (const [number, id] of line.ids.entries()) {
    if (number === 0 || id === '' || (!ids.has(id) && (await recordAt(repository, number)) === undefined)) continue;
    check(ids.delete(id), () => `${where}: the log has no revision ${number}`);
    last = id;
  }
  check(ids.size === 0, () => `${where}: the log has ${ids.size} revisions that it had not before`);
  check(found[0] === last, () => `${where}: the log begins with another revision than the last one`);
}

async function checkRegisters(world: World, { store }: Server): Promise<void> {
  for (const place of world.registers.names) {
    const [kind, name, key] = place.split(' ') as [string, string, string];
    const found = await valueOf(store, kind, name, key);
    const possible = world.registers.possible(place);
    check(possible.includes(found), () => `${place} is ${found}, not one of ${possible.join()}`);
  }
}

async function valueOf(store: Store, kind: string, name: string, key: string): Promise<string | undefined> {
  if (kind === 'record') {
    const value = await store.records.get(key);
    return value === undefined ? undefined : String(value);
  }
  const repository = await store.repository(name);
  const value = await (kind === 'tag' ? repository.tags : repository.namespaces).get(key);
  return value && hex(value);
}
