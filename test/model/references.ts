/** Every form of a reference to a revision, and what refers to none. */
import { QuadrilleError } from '@quadrille/model';
import { check } from './check.js';
import { below, pick } from './operations.mjs';
import type { World } from './world.js';

export async function checkReferences(world: World): Promise<void> {
  const number = 1 + below(world.random, world.head);
  const { id, time } = world.known[number - 1]!;
  const lastAt = world.known.findLastIndex((known) => known.time <= time) + 1;
  const refs: [unknown, number][] = [
    [number, number],
    [`#${number}`, number],
    [`${number}`, number],
    [id, number],
    [`urn:uuid:${id}`, number],
    [`HEAD~${world.head - number}`, number],
    ['HEAD', world.head],
    ['TAIL', 1],
    [new Date(time), lastAt],
    [new Date(time).toISOString(), lastAt],
    ...[...world.tags].map(([name, tagged]): [unknown, number] => [name, tagged]),
  ];
  const [ref, expected] = pick(world.random, refs);
  const { number: actual } = await world.repository.resolve(ref as string);
  check(actual === expected, () => `${String(ref)} is revision ${actual}, not ${expected}`);
  for (const absent of [
    world.head + 1,
    0,
    `HEAD~${world.head}`,
    '00000000-0000-7000-8000-000000000000',
    'no-such-tag',
    new Date(0),
  ]) {
    const error = await world.repository.resolve(absent as string).catch((reason: unknown) => reason);
    check(
      error instanceof QuadrilleError && error.code === 'REVISION_NOT_FOUND',
      () => `${String(absent)}: ${String(error)}`,
    );
  }
}
