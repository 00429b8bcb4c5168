/** One change after the other: such as make a revision, and such as must fail. */
import { ConflictError, ParseError } from '@quadrille/model';
import { check } from './check.js';
import { applied, below, perform, randomOperation, randomQuads } from './operations.mjs';
import type { Operation } from './operations.mjs';
import { followRevision } from './revisions.js';
import type { World } from './world.js';

export async function singleChange(world: World): Promise<void> {
  const operation = randomOperation(world.random, world.words, world.states, world.most);
  const label = world.newLabel();
  world.say(label, operation);
  const condition = world.random() < 0.1 ? { ifRevision: world.head } : {};
  const revision = await perform(world.repository, operation, { message: label, author: 'model', ...condition }, label);
  const next = applied(world.states, operation, label);
  if (next === world.state) {
    check(
      revision.number === world.head,
      () => `nothing changed, and the answer is revision ${revision.number} after ${world.head}`,
    );
  } else {
    await followRevision(world, revision.number, label, next);
  }
  check(
    world.repository.head.number === world.head,
    () => `the head is ${world.repository.head.number}, not ${world.head}`,
  );
}

export async function brokenLoad(world: World): Promise<void> {
  const label = world.newLabel();
  const operation: Operation = {
    kind: 'load',
    lines: randomQuads(world.random, world.words, 20),
    replace: true,
    broken: true,
  };
  world.say(label, operation);
  const error = await perform(world.repository, operation, {}, label).catch((reason: unknown) => reason);
  check(error instanceof ParseError, () => `a broken load ended with ${String(error)}`);
  check(world.repository.head.number === world.head, () => 'a broken load made a revision');
}

export async function wrongCondition(world: World): Promise<void> {
  if (world.head < 2) return;
  const operation = randomOperation(world.random, world.words, world.states, world.most);
  const label = world.newLabel();
  world.say(label, { wrongCondition: operation });
  const ifRevision = below(world.random, world.head - 1) + 1;
  const error = await perform(world.repository, operation, { ifRevision }, label).catch((reason: unknown) => reason);
  check(
    error instanceof ConflictError && error.code === 'REVISION_CONFLICT',
    () => `ifRevision ${ifRevision} at ${world.head}: ${String(error)}`,
  );
}
