/** Columns along a chain of joins, compared with those that are needed. */
import { expect, test } from 'vitest';
import { unionOf } from '../algebra/name-sets.js';
import { keptColumns } from './kept-columns.js';

test('a chain keeps what is needed above, in order', () => {
  const joins = 200;
  const wanted = new Set(Array.from({ length: joins }, (_, i) => i).flatMap((i) => (i % 3 === 0 ? [] : [`x${i}`])));
  // The innermost join is the last one.
  const needed: ReadonlySet<string>[] = [wanted];
  const own = (i: number): Set<string> => new Set([`x${i}`, `key${i % 7}`]);
  for (let i = 0; i < joins; i++) needed.push(unionOf([needed[i]!, own(i)]));
  let columns: readonly string[] = ['key0', 'unneeded', 'x199'];
  const all = new Set(columns);
  for (let i = joins - 1; i >= 0; i--) {
    const added = [...own(i)];
    columns = keptColumns({ input: columns, below: needed[i + 1]!, perhaps: [own(i)], added, needed: needed[i]! });
    for (const name of added) all.add(name);
    expect(columns).toEqual([...all].filter((name) => needed[i]!.has(name) && columns.includes(name)));
    expect(new Set(columns)).toEqual(new Set([...all].filter((name) => needed[i]!.has(name))));
  }
  expect(new Set(columns)).toEqual(wanted);
});
