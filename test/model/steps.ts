/** One random step on a repository, of all kinds, each as often as it is worth; and all checks at the end. */
import { changesAtOnce } from './changes-at-once.js';
import { maintain, verify } from './maintenance.js';
import { changeName, checkNames } from './names.js';
import { below } from './operations.mjs';
import { checkCounts, checkDiff, checkSnapshots, takeSnapshot } from './reads.js';
import { checkReferences } from './references.js';
import { checkRevision } from './revisions.js';
import { brokenLoad, singleChange, wrongCondition } from './single-changes.js';
import { transactionStep } from './transactions.js';
import type { World } from './world.js';

/** One random step; it is compared at once. */
export async function step(world: World): Promise<void> {
  if (world.options.forgetful === true) await world.forget();
  const chance = world.random();
  world.operations++;
  if (chance < 0.44) return singleChange(world);
  if (chance < 0.53) return transactionStep(world);
  if (chance < 0.61) return changesAtOnce(world);
  if (chance < 0.64) return wrongCondition(world);
  if (chance < 0.66) return brokenLoad(world);
  if (chance < 0.7) return checkDiff(world);
  if (chance < 0.74) return checkReferences(world);
  if (chance < 0.8) return checkCounts(world);
  if (chance < 0.83) return maintain(world, world.random() < 0.65 ? 'compact' : 'rebuild');
  if (chance < 0.85) return verify(world);
  if (chance < 0.91) return takeSnapshot(world);
  if (chance < 0.94) return checkSnapshots(world);
  if (chance < 0.97) return changeName(world);
  return checkRevision(world, 1 + below(world.random, world.head));
}

/** All revisions, names, snapshots and invariants. */
export async function checkAll(world: World): Promise<void> {
  for (let number = 1; number <= world.head; number++) await checkRevision(world, number);
  await checkSnapshots(world);
  await checkNames(world);
  await verify(world);
}
