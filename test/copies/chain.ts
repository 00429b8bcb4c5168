/**
 * Copies of copies. A chain begins with a repository, and each of its steps changes it and copies it into another store. After each step
 * both stores are closed and opened again: the copy has what its original has, and both pass their verification.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { moveRepository, type Database } from 'quadrille';
import { StorageEngine } from '@quadrille/storage';
import { seededRandom } from '@quadrille/storage/testing';
import { platformEnv, recoverStore } from '@quadrille/core';
import { restoreInto } from '../../packages/quadrille/src/backup/restore.js';
import { tinyTuning } from '../model/environment.js';
import { below, pick, type Random } from '../model/operations.mjs';
import { change, quads } from './changes.js';
import { Places, type Place, type PlaceKind } from './places.js';
import { checkStore, difference, isAmbiguous, mainOf, missing, stateOf, type RepositoryState } from './state.js';

/** The store that a chain has reached. */
interface Link {
  readonly place: Place;
  readonly db: Database;
  readonly name: string;
}

interface Copied extends Link {
  /** What the copy must have. */
  readonly due: RepositoryState;
}

export class Chain {
  readonly plan: string[] = [];
  readonly #random: Random;
  readonly #places: Places;
  readonly #directory = mkdtempSync(join(tmpdir(), 'quadrille-copies-'));
  #count = 0;

  constructor(
    private readonly kinds: readonly PlaceKind[],
    seed: number,
  ) {
    this.#random = seededRandom(seed);
    const tuning = this.#random() < 0.7 ? tinyTuning(this.#random) : {};
    // Some stores unload each repository that nobody uses.
    this.#places = new Places(this.#directory, tuning, this.#random() < 0.3 ? 1 : undefined);
  }

  /** @throws Error with all steps before it failed */
  async run(copies: number): Promise<void> {
    try {
      let link = await this.#begin();
      for (let step = 0; step < copies; step++) link = await this.#step(link);
      await link.db.close();
    } catch (error) {
      throw new Error(`${(error as Error).message}\nafter\n  ${this.plan.join('\n  ')}`, { cause: error });
    } finally {
      await this.#places.stop();
      rmSync(this.#directory, { recursive: true, force: true });
    }
  }

  async #begin(): Promise<Link> {
    const link = await this.#newStore();
    await link.db.repository(link.name, { create: true });
    return link;
  }

  async #newStore(name = `acme/r${String(++this.#count)}`): Promise<Link> {
    const kind = pick(this.#random, this.kinds);
    this.plan.push(`a store in ${kind}`);
    const place = await this.#places.make(kind);
    return { place, db: await this.#places.open(place), name };
  }

  async #again(link: Link): Promise<Link> {
    await link.db.close();
    return { ...link, db: await this.#places.open(link.place) };
  }

  async #step(link: Link): Promise<Link> {
    const random = this.#random;
    const main = await link.db.repository(link.name);
    for (let left = 4 + below(random, 14); left > 0; left--) this.plan.push(await change(main, random));
    // Of an empty repository there is nothing to push.
    if ((await main.revision()).number === 1) await main.add(quads(random, 3));
    const state = await stateOf(main);
    const again = await this.#again(link);
    await checkStore(again.db, { [link.name]: state });
    const [name, way] = pick(random, WAYS);
    this.plan.push(name);
    const { due, ...copy } = await way.call(this, again, state);
    if (copy.db !== again.db) await again.db.close().catch(() => undefined);
    await checkStore(copy.db, await this.#dueIn(copy, due, again, state));
    const reopened = await this.#again(copy);
    await checkStore(reopened.db, await this.#dueIn(copy, due, again, state));
    if (random() < 0.3) {
      this.plan.push('rebuild');
      await (await reopened.db.repository(copy.name)).maintenance.rebuild();
      await checkStore(reopened.db, await this.#dueIn(copy, due, again, state));
    }
    // Only the copy goes on.
    if (copy.db === again.db) await reopened.db.deleteRepository(link.name);
    return reopened;
  }

  async #dueIn(
    copy: Link,
    due: RepositoryState,
    from: Link,
    state: RepositoryState,
  ): Promise<Record<string, RepositoryState>> {
    return { [copy.name]: due, ...(copy.db === from.db && { [from.name]: state }) };
  }

  // ── Ways ────────────────────────────────────────────────────────────────────────────────────────────────────────

  async clone(from: Link, state: RepositoryState): Promise<Copied> {
    const to = await this.#newStore();
    await to.db.clone(to.name, await from.db.repository(from.name));
    return { ...to, due: mainOf(state) };
  }

  async cloneAll(from: Link, due: RepositoryState): Promise<Copied> {
    const to = await this.#newStore();
    await to.db.clone(to.name, await from.db.repository(from.name), { branches: 'all' });
    return { ...to, due: await this.#asHistory(to, due) };
  }

  /** What a history file can tell of all branches. */
  async #asHistory({ db, name }: Link, due: RepositoryState): Promise<RepositoryState> {
    if (!isAmbiguous(due)) return due;
    const found = await stateOf(await db.repository(name));
    const other = missing(found, due);
    if (other !== undefined) throw new Error(`the copy has not ${other}`);
    return { ...found, tags: due.tags, prefixes: due.prefixes };
  }

  async history(from: Link, due: RepositoryState): Promise<Copied> {
    const to = await this.#newStore();
    const text = (await from.db.repository(from.name)).sync.exportHistory({ branches: 'all' });
    await (await to.db.repository(to.name, { create: true })).sync.importHistory(utf8Of(text));
    return { ...to, due: await this.#asHistory(to, due) };
  }

  /** The history of `main` in two files, of which the second begins where the first one ends. */
  async parts(from: Link, state: RepositoryState): Promise<Copied> {
    const to = await this.#newStore();
    const source = await from.db.repository(from.name);
    const target = await to.db.repository(to.name, { create: true });
    const middle = pick(this.#random, await source.log().toArray()).number;
    await target.sync.importHistory(utf8Of(source.sync.exportHistory({ to: middle })));
    await target.sync.importHistory(utf8Of(source.sync.exportHistory({ since: middle })));
    return { ...to, due: mainOf(state) };
  }

  async push(from: Link, state: RepositoryState): Promise<Copied> {
    const to = await this.#newStore();
    const target = await to.db.repository(to.name, { create: true });
    const source = await from.db.repository(from.name);
    await source.sync.push(target);
    if (this.#random() < 0.5) {
      await source.add([]);
      await source.sync.push(target);
    }
    return { ...to, due: { ...mainOf(state) } };
  }

  async backup(from: Link, due: RepositoryState): Promise<Copied> {
    const target = join(this.#directory, `backup${String(++this.#count)}`);
    await from.db.backup(target);
    if (this.#random() < 0.5) await from.db.backup(target);
    return { ...(await this.#restored(from, target)), due };
  }

  async stream(from: Link, due: RepositoryState): Promise<Copied> {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const written = from.db.backup(writable);
    const [to] = await Promise.all([this.#restored(from, readable), written]);
    return { ...to, due };
  }

  /** A backup that is set back to an older revision. */
  async setBack(from: Link, state: RepositoryState): Promise<Copied> {
    const target = join(this.#directory, `backup${String(++this.#count)}`);
    await from.db.backup(target);
    const main = await from.db.repository(from.name);
    const { id } = pick(this.#random, await main.log().toArray());
    const to = await this.#restored(from, target, id);
    return { ...to, due: await this.#cut(to, state, id) };
  }

  async fork(from: Link, due: RepositoryState): Promise<Copied> {
    const name = `acme/r${String(++this.#count)}`;
    await from.db.fork(from.name, name);
    return { ...from, name, due };
  }

  async forkAt(from: Link, state: RepositoryState): Promise<Copied> {
    const name = `acme/r${String(++this.#count)}`;
    const { id } = pick(this.#random, await (await from.db.repository(from.name)).log().toArray());
    await from.db.fork(from.name, name, { at: id });
    const to = { ...from, name };
    return { ...to, due: await this.#cut(to, state, id) };
  }

  async move(from: Link, due: RepositoryState): Promise<Copied> {
    const to = await this.#newStore(from.name);
    await Promise.all([to.db.close(), from.db.close()]);
    await moveRepository({ storage: from.place.driver() }, from.name, { storage: to.place.driver() });
    return { ...to, db: await this.#places.open(to.place), due };
  }

  /** An intact store loses nothing. */
  async recover(from: Link, due: RepositoryState): Promise<Copied> {
    const erasures = async ({ db, name }: Link): Promise<unknown> =>
      (await (await db.repository(name)).log().toArray()).map((revision) => revision.erasures);
    const before = await erasures(from);
    const to = await this.#into(from, async (target) => {
      await from.db.close();
      const source = await StorageEngine.open(from.place.driver());
      const { problems } = await recoverStore(source, target, { env: platformEnv(), damages: [] });
      await source.close();
      if (problems.length > 0) throw new Error(`recover: ${JSON.stringify(problems)}`);
    });
    const other = difference(await erasures(to), before);
    if (other !== undefined) throw new Error(`erasures differ at ${other}`);
    return { ...to, due };
  }

  #restored(from: Link, source: Parameters<typeof restoreInto>[1], to?: string): Promise<Link> {
    return this.#into(from, (engine) =>
      restoreInto(engine, source, to === undefined ? {} : { to: { [from.name]: to } }),
    );
  }

  /** A new store from what is written into an empty storage. */
  async #into({ name }: Link, write: (engine: StorageEngine) => Promise<unknown>): Promise<Link> {
    const kind = pick(this.#random, this.kinds);
    this.plan.push(`restored in ${kind}`);
    const place = await this.#places.make(kind);
    const engine = await StorageEngine.open(place.driver());
    await write(engine);
    await engine.close();
    return { place, db: await this.#places.open(place), name };
  }

  /** What is left where `main` ends with a revision: branches that begin later are gone, and all others are as they were. */
  async #cut(
    { db, name }: Link,
    { branches, tags, prefixes }: RepositoryState,
    last: string,
  ): Promise<RepositoryState> {
    const repository = await db.repository(name);
    const left = (await repository.branches.list().toArray()).map(({ name }) => name);
    const { revisions } = branches['main']!;
    const kept = revisions.slice(revisions.findIndex(({ id }) => id === last));
    const found = await stateOf(repository);
    const others = left.filter((branch) => branch !== 'main').map((branch) => [branch, branches[branch]!] as const);
    const main = { revisions: kept, events: found.branches['main']!.events };
    const ids = new Set([...kept, ...others.flatMap(([, branch]) => branch.revisions)].map(({ id }) => id));
    return {
      branches: { main, ...Object.fromEntries(others) },
      tags: Object.fromEntries(
        Object.entries(tags).filter(([tag, id]) => ids.has(id) || Object.hasOwn(found.tags, tag)),
      ),
      prefixes,
    };
  }
}

const WAYS = Object.entries({
  clone: Chain.prototype.clone,
  'clone all': Chain.prototype.cloneAll,
  history: Chain.prototype.history,
  parts: Chain.prototype.parts,
  push: Chain.prototype.push,
  backup: Chain.prototype.backup,
  stream: Chain.prototype.stream,
  'set back': Chain.prototype.setBack,
  fork: Chain.prototype.fork,
  'fork at': Chain.prototype.forkAt,
  move: Chain.prototype.move,
  recover: Chain.prototype.recover,
});

async function* utf8Of(pieces: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  const utf8 = new TextEncoder();
  for await (const piece of pieces) yield utf8.encode(piece);
}
