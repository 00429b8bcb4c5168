/** `shapesMode: 'report'`: what violates the shapes is committed, and the revision tells it. */
import { expect, test } from 'vitest';
import type { Revision, ValidateOptions } from '../index.js';
import { memory, q } from '../testing/fixtures.js';

const PREFIXES = `PREFIX sh: <http://www.w3.org/ns/shacl#> PREFIX ex: <http://example.org/> `;
const SHAPES = `GRAPH <urn:shapes> { ex:P sh:targetClass ex:P ; sh:property ex:Name .
  ex:Name sh:path ex:name ; sh:minCount 1 ; sh:maxCount 1 ; sh:sparql [ sh:select "SELECT $this ?value { $this $PATH ?value FILTER (STRLEN(?value) < 2) }" ] }`;

async function reporting() {
  const repo = await (await memory()).repository('acme/people', { create: true });
  const update = async (text: string): Promise<Revision> => {
    await repo.update(PREFIXES + text);
    return repo.revision();
  };
  await update(`INSERT DATA { ${SHAPES} ex:ann a ex:P . ex:bob a ex:P ; ex:name "b" }`);
  const set = await repo.settings.set({ shapes: 'urn:shapes', shapesMode: 'report' });
  expect(set).toMatchObject({ shapesMode: 'report', shapesSince: 'always' });
  const nodes = async (options: ValidateOptions): Promise<string[]> =>
    (await repo.validate(options)).results.map(({ focusNode }) => focusNode.value.replace(/.*\//, '')).toSorted();
  return { repo, update, nodes };
}

test('the revision has the number of violations, in its result, the log and the feed', async () => {
  const { repo, update, nodes } = await reporting();
  const events = repo.watch();
  const clean = await update('INSERT DATA { ex:ann ex:name "Ann" }');
  expect(clean).not.toHaveProperty('violations');
  const two = await update('INSERT DATA { ex:cid a ex:P . ex:dan a ex:P ; ex:name "d" }');
  expect(two.violations).toBe(2);
  // Also what was there before, at the nodes that the change affects.
  expect((await update('INSERT DATA { ex:bob ex:name "Bob" }')).violations).toBe(2);
  expect((await update('DELETE DATA { ex:bob ex:name "b" } ')).violations).toBeUndefined();
  const log = await repo.log().toArray();
  expect(log.map(({ violations }) => violations).slice(0, 4)).toEqual([undefined, 2, 2, undefined]);
  const followed: (number | undefined)[] = [];
  for await (const { revision } of events) {
    followed.push(revision.violations);
    if (followed.length === 4) break;
  }
  expect(followed).toEqual([undefined, 2, 2, undefined]);
  expect(await nodes({ at: two, change: true })).toEqual(['cid', 'dan']);
  expect(await nodes({ at: two })).toEqual(['bob', 'cid', 'dan']);
  expect(await nodes({ change: true })).toEqual([]);
  await expect(repo.validate({ change: true, focus: q('a b c').subject })).rejects.toMatchObject({
    code: 'INVALID_OPTION',
  });
  await repo.maintenance.rebuild();
  expect((await repo.at(two.number).revision()).violations).toBe(2);
});

test("with shapesSince: 'now' only new results count", async () => {
  const { repo, update, nodes } = await reporting();
  await repo.settings.set({ shapesSince: 'now' });
  const other = await update('INSERT DATA { ex:bob ex:name "Bob" }');
  expect(other.violations).toBe(1);
  expect(await nodes({ at: other, change: true })).toEqual(['bob']);
  expect(await nodes({ at: other, change: true, shapes: [] })).toEqual([]);
  expect((await update('DELETE DATA { ex:bob ex:name "Bob" }')).violations).toBeUndefined();
});

test('a change of the shapes reports on all data, and refusing needs clean data', async () => {
  const { repo, update } = await reporting();
  const changed = await update('INSERT DATA { GRAPH <urn:shapes> { ex:Name sh:minLength 4 } }');
  expect(changed.violations).toBe(3);
  const invalid = update('INSERT DATA { GRAPH <urn:shapes> { ex:Name sh:maxLength "x" } }');
  await expect(invalid).rejects.toMatchObject({ code: 'SHAPES_INVALID' });
  await expect(repo.settings.set({ shapesMode: 'refuse' })).rejects.toMatchObject({ code: 'SHAPES_VIOLATED' });
  expect((await repo.settings.get()).shapesMode).toBe('report');
  await update('DELETE WHERE { ?s a ex:P ; ?p ?o }');
  await repo.settings.set({ shapesMode: null });
  await expect(update('INSERT DATA { ex:ann a ex:P }')).rejects.toMatchObject({ code: 'SHAPES_VIOLATED' });
});

test('a large change has its number, too, and a report of it is bounded', async () => {
  const { repo } = await reporting();
  const people = Array.from(
    { length: 3000 },
    (_, i) => `<http://example.org/p${String(i)}> a <http://example.org/P> .`,
  );
  await repo.load({ text: people.join('\n') }, { format: 'turtle' });
  expect((await repo.revision()).violations).toBe(1000);
});
