/** What leaves a repository for another one: histories that are imported again, and clones that move to another store. */
import { Store } from '@quadrille/core';
import {
  assertUnchanged,
  freezeRepository,
  leaveRecord,
  showCopy,
  takeIn,
  type HiddenCopy,
} from '@quadrille/core/backup';
import { MemoryDriver, StorageEngine } from '@quadrille/storage';
import { exportHistory } from '../../packages/quadrille/src/history/export-history.js';
import { importHistory } from '../../packages/quadrille/src/history/import-history.js';
import { StoredNamespaces, StoredTags } from '../../packages/quadrille/src/names/namespaces.js';
import { check } from '../model/check.js';
import type { Life } from './held-calls.js';
import { checkProblems, checkRevisions } from './invariants.js';
import { type Book, hex } from './ledger.js';
import type { Server, World } from './world.js';

/** A clone that stays until it is moved. */
export interface Kept {
  readonly name: string;
  /** Its last revision. */
  readonly id: string;
  /** The process that has it open. It cannot move it. */
  readonly openedBy: Life;
  /** The process that moves it. */
  movedBy: Life | undefined;
  /** UUID of its move. */
  move: string | undefined;
}

const copyName = (world: World): string => `c/${++world.copies}`;

/** A clone of a repository, compared. Most are deleted at once. */
export async function cloneOf(world: World, server: Server, name: string, book: Book): Promise<void> {
  const copy = copyName(world);
  const due = book.lastNumber('main');
  const made = await server.store.fork(name, copy);
  const { number, id } = made.head;
  check(number >= due, () => `the copy of ${name} ends with ${number}, ${due} was acknowledged before`);
  await checkRevisions(made, book, `the copy of ${name}`, server);
  if (world.chance(0.3)) {
    const { problems } = await made.maintenance.verify();
    checkProblems(world, problems, `the copy of ${name}`);
  }
  if (world.chance(0.3))
    world.kept.push({ name: copy, id: hex(id), openedBy: server.life, movedBy: undefined, move: undefined });
  else await server.store.deleteRepository(copy);
}

/** The history of a repository as a file, imported into a new repository, compared and deleted. */
export async function importedHistory(world: World, server: Server, name: string, book: Book): Promise<void> {
  const source = await world.repository(server, name);
  await source.ready();
  const { number } = source.head;
  let text = '';
  for await (const piece of exportHistory(source, number, {})) text += piece;
  const target = copyName(world);
  const copy = await server.store.repository(target, true);
  const names = { namespaces: new StoredNamespaces(copy.namespaces), tags: new StoredTags(copy) };
  await importHistory(copy, names, { text }, {});
  check(
    copy.head.number === number,
    () => `${name} was exported up to ${number}, and imported up to ${copy.head.number}`,
  );
  await checkRevisions(copy, book, `the imported history of ${name}`, server);
  await server.store.deleteRepository(target);
}

/** A clone that this process may move. */
export const movable = (world: World, server: Server): Kept | undefined =>
  world.kept.find(({ openedBy, movedBy }) => openedBy !== server.life && (movedBy === undefined || movedBy.dead));

/** Moves a clone to another store, or goes on with its move. Then that store has its last revision. */
export async function move(world: World, server: Server, kept: Kept): Promise<void> {
  kept.movedBy = server.life;
  try {
    await moveOnce(world, server, kept);
  } finally {
    kept.movedBy = undefined;
  }
  if (server.life.dead) return;
  world.kept.splice(world.kept.indexOf(kept), 1);
  const { head } = await (await elsewhere(world)).repository(kept.name);
  check(hex(head.id) === kept.id, () => `${kept.name} has moved, and ends with another revision`);
}

async function moveOnce(world: World, { store }: Server, kept: Kept): Promise<void> {
  const { name } = kept;
  const record = await store.record(name);
  const target = await elsewhere(world);
  // The last step had its effect, and nobody was told.
  if (record === undefined && (await store.moved.get(name)) !== undefined) return;
  kept.move ??= world.time.uuid();
  const frozen = await freezeRepository(store, name, { id: kept.move, store: target.id!, to: 'elsewhere' });
  if ((await target.record(name)) === undefined) {
    const copy: HiddenCopy = await takeIn(store, target, { name, id: frozen.id }, {});
    await assertUnchanged(store, target, { name, id: frozen.id }, copy);
    await showCopy(store, target, { name, frozen }, copy, []);
  }
  const { id, to } = frozen.moving;
  const [created, moved] = [frozen.created, new Date(Date.now()).toISOString()];
  await leaveRecord(store, name, { id, store: frozen.moving.store, to, created, moved }, []);
}

/** The other store, which never fails. */
async function elsewhere(world: World): Promise<Store> {
  world.elsewhere ??= (async () => {
    const engine = await StorageEngine.open(new MemoryDriver());
    const store = await Store.open(engine, { env: world.env, cacheBytes: 1 });
    await store.parts.format.raise();
    return store;
  })();
  return world.elsewhere;
}
