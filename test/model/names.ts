/** Tags and prefixes are set and deleted. */
import { check } from './check.js';
import { below } from './operations.mjs';
import type { World } from './world.js';

const utf8 = new TextDecoder();

export async function changeName(world: World): Promise<void> {
  const name = `n${below(world.random, 4)}`;
  const chance = world.random();
  if (chance < 0.4) {
    const number = 1 + below(world.random, world.head);
    await world.repository.tags.set(name, (await world.repository.resolve(number)).id);
    world.tags.set(name, number);
  } else if (chance < 0.5) {
    check((await world.repository.tags.delete(name)) === world.tags.delete(name), () => `deleting tag ${name}`);
  } else if (chance < 0.9) {
    const iri = `http://example.org/${below(world.random, 100)}#`;
    await world.repository.namespaces.set(name, new TextEncoder().encode(iri));
    world.namespaces.set(name, iri);
  } else {
    check(
      (await world.repository.namespaces.delete(name)) === world.namespaces.delete(name),
      () => `deleting prefix ${name}`,
    );
  }
  await checkNames(world);
}

export async function checkNames(world: World): Promise<void> {
  const namespaces = [...(await world.repository.namespaces.list())].map(
    ([name, iri]) => `${name}: ${utf8.decode(iri)}`,
  );
  const expected = [...world.namespaces].map(([name, iri]) => `${name}: ${iri}`).sort();
  check(namespaces.join() === expected.join(), () => `namespaces ${namespaces.join()}, not ${expected.join()}`);
  const tags = [...(await world.repository.tags.list()).keys()];
  check(tags.join() === [...world.tags.keys()].sort().join(), () => `tags ${tags.join()}`);
}
