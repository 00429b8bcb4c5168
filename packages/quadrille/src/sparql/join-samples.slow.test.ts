/** Orders of joins over data in which few terms have most of the quads: counts of patterns do not tell them apart. */
import { expect, test } from 'vitest';
import { open } from '../index.js';

const PEOPLE = 1500;
const person = (i: number): string => `<urn:person:${i % PEOPLE}>`;

// Everybody follows ten: eight of the same twenty people, and two others.
function* follows(): Generator<string> {
  for (let i = 0; i < PEOPLE; i++) {
    for (let k = 0; k < 8; k++) yield `${person(i)} <urn:follows> ${person((i * 7 + k * 3) % 20)} .\n`;
    for (let k = 1; k < 3; k++) yield `${person(i)} <urn:follows> ${person(i * 31 + k * 517)} .\n`;
  }
}

test('a join that meets the few popular people at both ends comes last', async () => {
  const db = await open(':memory:');
  const people = await db.repository('a/people', { create: true });
  await people.load({ text: [...follows()].join('') }, { format: 'nt' });
  const text = 'SELECT (COUNT(*) AS ?n) { ?b <urn:follows> ?c . ?a <urn:follows> ?b . ?a <urn:follows> ?c }';
  const { text: plan } = await people.explain(text, { analyze: true });
  // Pairs of those whom one follows are 150,000, and so are the ways to whom these follow; pairs of the followers of one are 7 million.
  expect(Math.max(...[...plan.matchAll(/got (\d+)/g)].map(([, rows]) => Number(rows)))).toBeLessThan(200_000);
  const lines = new Set(follows());
  const followed = new Map<string, string[]>();
  for (const [from, , to] of [...lines].map((line) => line.split(' ') as [string, string, string]))
    followed.set(from, [...(followed.get(from) ?? []), to]);
  let triangles = 0;
  for (const [a, all] of followed) {
    for (const b of all)
      for (const c of followed.get(b) ?? []) if (lines.has(`${a} <urn:follows> ${c} .\n`)) triangles++;
  }
  const [row] = await people.select(text).toArray();
  expect(row!.n!.value).toBe(String(triangles));
  await db.close();
});
