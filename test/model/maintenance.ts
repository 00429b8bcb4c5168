/** What must not change any content: compacting, rebuilding, verifying. */
import { check } from './check.js';
import { below, perform } from './operations.mjs';
import { checkRevision } from './revisions.js';
import type { World } from './world.js';

export async function maintain(world: World, kind: 'compact' | 'rebuild'): Promise<void> {
  world.say(kind, '');
  await perform(world.repository, { kind });
  await checkRevision(world, world.head);
  await checkRevision(world, 1 + below(world.random, world.head));
}

export async function verify(world: World): Promise<void> {
  const report = await world.repository.maintenance.verify();
  check(
    report.ok,
    () =>
      `verify: ${report.problems.map((problem) => `${problem.code} ${problem.where}: ${problem.message}`).join('\n')}`,
  );
  check(
    report.checked['revisions'] === world.head,
    () => `verify looked at ${report.checked['revisions']} revisions of ${world.head}`,
  );
}
