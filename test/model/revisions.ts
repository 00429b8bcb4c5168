/** A new revision is followed in the model; all of a revision is compared with it. */
import type { Snapshot } from '@quadrille/core';
import { check } from './check.js';
import { difference, differenceText, readState } from './operations.mjs';
import type { State } from './operations.mjs';
import type { World } from './world.js';

/** The repository made the revision after the newest known one: it must be `next`. */
export async function followRevision(world: World, number: number, label: string, next: State): Promise<void> {
  check(number === world.head + 1, () => `revision ${number} came after ${world.head}`);
  const before = world.state;
  world.states.push(next);
  const record = await world.repository.resolve(number);
  world.remember(record);
  await checkRevision(world, number);
  check(record.message === label, () => `revision ${number} says ${record.message}, not ${label}`);
  const [added, removed] = [difference(next, before).length, difference(before, next).length];
  check(
    record.addedCount === added && record.removedCount === removed && record.size === next.size,
    () =>
      `revision ${number}: +${record.addedCount} −${record.removedCount} =${record.size}, should be +${added} −${removed} =${next.size}`,
  );
  const [previous, own] = [world.known[number - 2]!, world.known[number - 1]!];
  check(own.time >= previous.time && own.id > previous.id, () => `revision ${number} is older than the one before`);
}

/** Compares all of a revision. */
export async function checkRevision(world: World, number: number): Promise<void> {
  const snapshot = await world.repository.snapshotAt(number);
  try {
    await compareSnapshot(world, snapshot, 'revision');
  } finally {
    snapshot.close();
  }
}

export async function compareSnapshot(world: World, snapshot: Snapshot, what: string): Promise<void> {
  const expected = world.states[snapshot.number]!;
  const wrong = differenceText(await readState(snapshot), expected);
  check(wrong === undefined, () => `${what} ${snapshot.number} of ${world.head}: ${wrong}`);
  const size = await snapshot.count({ s: 0, p: 0, o: 0, g: 0 });
  check(size === expected.size, () => `${what} ${snapshot.number} says it has ${size} quads, not ${expected.size}`);
}
