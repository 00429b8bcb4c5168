/** `shapesSince: 'now'`: what was wrong before a change does not refuse it. */
import { expect, test } from 'vitest';
import { memory } from '../testing/fixtures.js';

const PREFIXES = `PREFIX sh: <http://www.w3.org/ns/shacl#> PREFIX ex: <http://example.org/> `;
const SHAPES = `GRAPH <urn:shapes> { ex:P sh:targetClass ex:P ; sh:property ex:Name .
  ex:Name sh:path ex:name ; sh:minCount 1 ; sh:maxCount 1 ; sh:sparql [ sh:select "SELECT $this ?value { $this $PATH ?value FILTER (STRLEN(?value) < 2) }" ] }`;

test('results of before are passed over, and new ones refuse', async () => {
  const repo = await (await memory()).repository('acme/people', { create: true });
  const update = (text: string) => repo.update(PREFIXES + text);
  const violated = { code: 'SHAPES_VIOLATED' };
  await update(`INSERT DATA { ${SHAPES} ex:ann a ex:P . ex:bob a ex:P ; ex:name "b" }`);
  await expect(repo.settings.set({ shapes: 'urn:shapes' })).rejects.toMatchObject(violated);
  const set = await repo.settings.set({ shapes: 'urn:shapes', shapesSince: 'now' });
  expect(set).toMatchObject({ shapesSince: 'now', shapesWarnings: [] });
  expect((await repo.validate()).results).toHaveLength(2);
  await update('INSERT DATA { ex:ann ex:likes ex:bob . ex:bob a ex:Q }');
  // A node that was no focus node had no results.
  await update('INSERT DATA { ex:eve ex:name "e" }');
  await expect(update('INSERT DATA { ex:eve a ex:P }')).rejects.toMatchObject(violated);
  await expect(update('INSERT DATA { ex:bob ex:name "c" }')).rejects.toMatchObject(violated);
  await expect(update('INSERT DATA { ex:new a ex:P }')).rejects.toMatchObject(violated);
  await update('INSERT DATA { ex:ann ex:name "Ann" }');
  await expect(update('DELETE DATA { ex:ann ex:name "Ann" }')).rejects.toMatchObject(violated);
  // Another shape is compared with the state before, too.
  await expect(update('INSERT DATA { GRAPH <urn:shapes> { ex:Name sh:minLength 3 } }')).resolves.toBeDefined();
  await expect(update('INSERT DATA { ex:joe a ex:P ; ex:name "Jo" }')).rejects.toMatchObject(violated);
  await expect(repo.settings.set({ shapesSince: 'always' })).rejects.toMatchObject(violated);
  await update('DELETE DATA { ex:bob ex:name "b" } ; INSERT DATA { ex:bob ex:name "Bob" }');
  expect(await repo.settings.set({ shapesSince: 'always' })).toMatchObject({ shapesSince: 'always' });
});
