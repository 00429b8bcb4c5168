/** Orders of joins over data in which few terms have most of the quads. */
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

// Of all steps of a plan that was run.
const mostRows = (plan: string): number =>
  Math.max(...[...plan.matchAll(/got (\d+)/g)].map(([, rows]) => Number(rows)));

test('a join that meets the few popular people at both ends comes last', async () => {
  const db = await open(':memory:');
  const people = await db.repository('a/people', { create: true });
  await people.load({ text: [...follows()].join('') }, { format: 'nt' });
  const text = 'SELECT (COUNT(*) AS ?n) { ?b <urn:follows> ?c . ?a <urn:follows> ?b . ?a <urn:follows> ?c }';
  const { text: plan } = await people.explain(text, { analyze: true });
  // Pairs of those whom one follows are 150,000, and so are the ways to whom these follow; pairs of the followers of one are 7 million.
  expect(mostRows(plan)).toBeLessThan(200_000);
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

test('two short ways that meet in a term with many quads are joined there', async () => {
  const db = await open(':memory:');
  const people = await db.repository('a/people', { create: true });
  const lines = Array.from({ length: 20_000 }, (_, i) => {
    const name = i < 30 ? 'X' : i > 19_980 ? 'Y' : `n${i}`;
    return `<urn:p${i}> <urn:city> <urn:city${i % 5}> .\n<urn:p${i}> <urn:name> "${name}" .\n`;
  });
  await people.load({ text: lines.join('') }, { format: 'nt' });
  const text = 'SELECT ?a ?b { ?a <urn:name> "X" ; <urn:city> ?c . ?b <urn:city> ?c ; <urn:name> "Y" }';
  const { text: plan } = await people.explain(text, { analyze: true });
  // 4,000 people live in each city.
  expect(mostRows(plan)).toBeLessThan(2000);
  const rows = await people.select(text).toArray();
  const inCity = (from: number, to: number, city: number): number =>
    Array.from({ length: to - from }, (_, i) => from + i).filter((i) => i % 5 === city).length;
  const expected = [0, 1, 2, 3, 4].reduce((sum, city) => sum + inCity(0, 30, city) * inCity(19_981, 20_000, city), 0);
  expect(rows).toHaveLength(expected);
  expect(new Set(rows.map(({ a, b }) => `${a!.value} ${b!.value}`)).size).toBe(expected);
  // Filters of one side stay with it; those of both come after.
  const filtered = await people
    .select(text.replace(/}$/, 'FILTER(STR(?b) > "urn:p19990" && STRLEN(STR(?a)) + STRLEN(STR(?b)) > 13) }'))
    .toArray();
  expect(filtered).toHaveLength(
    rows.filter(({ a, b }) => b!.value > 'urn:p19990' && a!.value.length + b!.value.length > 13).length,
  );
  await db.close();
});
