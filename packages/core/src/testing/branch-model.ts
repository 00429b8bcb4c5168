/**
 * Random branches, commits, trims, erasures, deletions and reopenings against sets of strings, which every revision must equal, and so what
 * changes between revisions.
 */
import { iri, iterate } from '@quadrille/model';
import type { StorageDriver } from '@quadrille/storage';
import { expect } from 'vitest';
import type { Repository } from '../repository.js';
import type { TermPattern } from '../read/snapshot.js';
import { contents, openRepository, q, show, SMALL } from './fixture.js';

const WORDS = 40;

/** The content of each revision of a line, by number. */
type Line = Map<number, ReadonlySet<string>>;

async function numbersOf(repository: Repository): Promise<number[]> {
  const numbers: number[] = [];
  for await (const { number } of repository.history.log()) numbers.push(number);
  return numbers;
}

/** The pattern of a quad with some of its terms (1 = subject, 2 = predicate, 4 = object, 8 = graph), and whether a quad matches it. */
function patternOf(word: string, mask: number): [TermPattern, (text: string) => boolean] {
  const parts = word.split(' ');
  const { subject, predicate, object, graph } = q(word);
  const pattern = {
    ...(mask & 1 && { subject }),
    ...(mask & 2 && { predicate }),
    ...(mask & 4 && { object }),
    ...(mask & 8 && { graph }),
  };
  return [
    pattern,
    (text) => {
      const others = text.split(' ');
      return [0, 1, 2, 3].every((place) => (mask & (1 << place)) === 0 || others[place] === parts[place]);
    },
  ];
}

export class BranchModel {
  trims = 0;
  erasures = 0;
  readonly branches = new Map<string, Line>([['main', new Map([[1, new Set<string>()]])]]);
  #made = 0;

  private constructor(
    private readonly random: (low: number, high: number) => number,
    private readonly reopened: () => Promise<StorageDriver> | StorageDriver,
    private driver: StorageDriver,
    private opened: Awaited<ReturnType<typeof openRepository>>,
  ) {}

  /** @param driver the storage, which is asked for again after each closing */
  static async open(
    random: (low: number, high: number) => number,
    driver: () => Promise<StorageDriver> | StorageDriver,
  ): Promise<BranchModel> {
    const first = await driver();
    return new BranchModel(random, driver, first, await openRepository(first, { tuning: SMALL }));
  }

  /** Does random operations, and compares. */
  async run(steps: number): Promise<void> {
    const { random } = this;
    for (let step = 0; step < steps; step++) {
      const kind = random(0, 20);
      if (kind < 11) await this.commit();
      else if (kind < 14) await this.branch();
      else if (kind < 15) await this.rename();
      else if (kind < 16) await this.delete();
      else if (kind < 17) await this.reopen();
      else if (kind < 18) await this.trim();
      else if (kind < 19) await this.erase();
      else await this.maintain();
      if (step % 6 === 5) await this.check();
    }
    await this.check();
  }

  name(): string {
    const names = [...this.branches.keys()];
    return names[this.random(0, names.length)]!;
  }

  async repository(name: string): Promise<Repository> {
    return (await this.opened.repository.lines()).branch(name);
  }

  async commit(): Promise<void> {
    const name = this.name();
    const line = this.branches.get(name)!;
    const head = line.get(line.size)!;
    const added = Array.from({ length: this.random(0, 40) }, () => this.#word());
    const removed = [...head].filter(() => this.random(0, 6) === 0);
    const next = new Set(head);
    for (const text of removed) next.delete(text);
    for (const text of added) next.add(text);
    const repository = await this.repository(name);
    const { number } = await repository.commit(added.map(q), removed.map(q));
    if (number > line.size) line.set(number, next);
    else expect([...next].toSorted()).toEqual([...head].toSorted());
  }

  async branch(): Promise<void> {
    const from = this.name();
    const line = this.branches.get(from)!;
    const numbers = await numbersOf(await this.repository(from));
    const at = numbers[this.random(0, numbers.length)]!;
    const name = `b${++this.#made}`;
    const branches = await this.opened.repository.branches();
    const base = await this.repository(from);
    const record = await base.resolve(at);
    await branches.create(name, { keyspace: base.handle.keyspace, record });
    this.branches.set(name, new Map([...line].filter(([number]) => number <= at)));
  }

  async rename(): Promise<void> {
    const name = this.name();
    if (name === 'main') return;
    const to = `r${++this.#made}`;
    await (await this.opened.repository.branches()).rename(name, to);
    this.branches.set(to, this.branches.get(name)!);
    this.branches.delete(name);
  }

  async delete(): Promise<void> {
    const name = this.name();
    if (name === 'main' || this.branches.size < 4) return;
    await (await this.opened.repository.branches()).delete(name, true);
    this.branches.delete(name);
  }

  async reopen(): Promise<void> {
    await this.opened.store.close();
    this.driver = await this.reopened();
    this.opened = await openRepository(this.driver, { tuning: SMALL });
  }

  async maintain(): Promise<void> {
    const { maintenance } = await this.repository(this.name());
    await (this.random(0, 2) === 0 ? maintenance.compact() : maintenance.rebuild());
  }

  // What it keeps is checked with all revisions that are left.
  async trim(): Promise<void> {
    const repository = await this.repository(this.name());
    const last = this.random(1, 6);
    const before = new Set(await numbersOf(repository));
    const request = { last, deleteHistory: false, dryRun: false, attest: async () => new Map() };
    const { trimmed } = await repository.maintenance.trim(request);
    const after = await numbersOf(repository);
    expect(after.every((number) => before.has(number))).toBe(true);
    expect(before.size - after.length).toBe(trimmed);
    if (trimmed > 0) this.trims++;
  }

  // Also of deleted branches, which the model does not know any more.
  async erase(): Promise<void> {
    const subject = `s${this.random(0, WORDS)}`;
    const repository = await this.repository(this.name());
    const target = { term: iri(`http://e/${subject}`) };
    const isLeft = (text: string): boolean => !text.startsWith(`${subject} `);
    const known = [...this.branches.values()].flatMap((line) => [...line.values()]);
    try {
      await repository.maintenance.erase({ target, message: () => 'erased', attest: async () => new Map() });
      this.erasures++;
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'NOTHING_TO_ERASE') throw error;
      expect(known.every((state) => [...state].every(isLeft))).toBe(true);
      return;
    }
    for (const [name, line] of this.branches) {
      for (const [number, state] of line) line.set(number, new Set([...state].filter(isLeft)));
      const { number } = (await this.repository(name)).head;
      expect([line.size, line.size + 1]).toContain(number);
      if (number > line.size) line.set(number, line.get(line.size)!);
    }
  }

  async check(): Promise<void> {
    for (const [name, line] of this.branches) {
      const repository = await this.repository(name);
      expect(repository.head.number, name).toBe(line.size);
      const numbers = await numbersOf(repository);
      const gone = Array.from({ length: line.size }, (_, i) => i + 1).find((number) => !numbers.includes(number));
      if (gone !== undefined)
        await expect(repository.resolve(gone)).rejects.toMatchObject({ code: 'REVISION_TRIMMED' });
      for (const number of new Set([numbers.at(-1)!, numbers[this.random(0, numbers.length)]!, line.size])) {
        const expected = [...line.get(number)!].map((text) => text).toSorted();
        expect(await contents(repository, number), `${name}#${number}`).toEqual(expected);
        const snapshot = await repository.snapshotAt(number);
        expect(await snapshot.count({ s: 0, p: 0, o: 0, g: 1 })).toBe(expected.filter((q) => !q.endsWith(' g')).length);
        snapshot.close();
      }
    }
    await this.#checkDiff();
    await this.#checkHistory();
    const { problems } = await this.opened.repository.maintenance.verify();
    expect(problems).toEqual([]);
  }

  #word(): string {
    return `s${this.random(0, WORDS)} p o${this.random(0, 3)}${this.random(0, 4) === 0 ? ' g' : ''}`;
  }

  async #place(): Promise<{ repository: Repository; number: number; state: ReadonlySet<string> }> {
    const name = this.name();
    const repository = await this.repository(name);
    const numbers = await numbersOf(repository);
    const number = numbers[this.random(0, numbers.length)]!;
    return { repository, number, state: this.branches.get(name)!.get(number)! };
  }

  // Between two revisions of any lines, by all patterns of a quad.
  async #checkDiff(): Promise<void> {
    const [from, to] = [await this.#place(), await this.#place()];
    const [first, second] = [await from.repository.resolve(from.number), await to.repository.resolve(to.number)];
    const where = `${from.repository.branchName}#${from.number} to ${to.repository.branchName}#${to.number}`;
    const added = [...to.state].filter((text) => !from.state.has(text)).map((text) => `add ${text}`);
    const removed = [...from.state].filter((text) => !to.state.has(text)).map((text) => `remove ${text}`);
    const changed = [...added, ...removed];
    const word = changed.length > 0 ? changed[this.random(0, changed.length)]!.replace(/^\w+ /, '') : this.#word();
    // Its records are of other lines, which a repository finds by their names.
    const { repository } = this.opened;
    const [one, other] = [
      await repository.locate(`${from.repository.branchName}#${from.number}`),
      await repository.locate(`${to.repository.branchName}#${to.number}`),
    ];
    expect([one.number, other.number]).toEqual([first.number, second.number]);
    for (let mask = 0; mask < 16; mask++) {
      const [pattern, matches] = patternOf(word, mask);
      const found: string[] = [];
      for await (const entries of iterate(repository.diff(one, other, pattern)))
        for (const { op, quad } of entries) found.push(`${op} ${show(quad)}`);
      const expected = changed.filter((text) => matches(text.replace(/^\w+ /, '')));
      expect(found.toSorted(), `${where}, ${word}, ${mask}`).toEqual(expected.toSorted());
    }
  }

  // The events of a pattern make each revision of the one before.
  async #checkHistory(): Promise<void> {
    const name = this.name();
    const repository = await this.repository(name);
    const word = this.#word();
    const mask = this.random(0, 16);
    const [pattern, matches] = patternOf(word, mask);
    const events: { op: string; text: string; number: number }[] = [];
    for await (const batch of iterate(repository.history.events(pattern)))
      for (const { op, quad, revision } of batch) events.push({ op, text: show(quad), number: revision.number });
    for (const number of await numbersOf(repository)) {
      const state = new Set<string>();
      for (const { op, text } of events.filter((event) => event.number <= number)) {
        expect(state.has(text), `${name}#${number}, ${word}, ${mask}`).toBe(op === 'remove');
        if (op === 'add') state.add(text);
        else state.delete(text);
      }
      const expected = [...this.branches.get(name)!.get(number)!].filter(matches);
      expect([...state].toSorted(), `${name}#${number}, ${word}, ${mask}`).toEqual(expected.toSorted());
    }
  }

  close(): Promise<void> {
    return this.opened.store.close();
  }
}
