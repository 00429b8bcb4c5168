import { open } from 'quadrille';
import { expect, it } from 'vitest';
import { beginHistory, expectedValue, groupOf, groupQuery, LongHistory, subjectNode } from './long-history.js';

it('a long history knows what each subject held at any of its revisions', async () => {
  await using db = await open(':memory:');
  const repository = await db.repository('history', { create: true });
  await beginHistory(repository, 300);
  const history = new LongHistory(repository, 300);
  const states = [history.versions.slice()];
  for (let made = 0; made < 40; made++) {
    await history.replaceOne();
    states.push(history.versions.slice());
  }
  expect(await repository.revision()).toMatchObject({ number: 42, added: 1, removed: 1, size: 600 });
  for (const made of [0, 20, 40]) {
    const view = repository.at(2 + made);
    for (const subject of [0, 100, 299]) {
      const values = await view.quads({ subject: subjectNode(subject) }).toArray();
      expect(values.map(({ object }) => object.value)).toContain(expectedValue(subject, states[made]!));
    }
    const rows = await view.select(groupQuery(groupOf(7, 300))).toArray();
    expect(rows).toHaveLength(100);
    expect(rows.map(({ value }) => value!.value)).toContain(expectedValue(7, states[made]!));
  }
  expect(states.at(-1)!.reduce((sum, version) => sum + version, 0)).toBe(40);
});
