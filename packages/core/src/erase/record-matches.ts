/** The rows of a revision that are erased: counts them, and leaves them out of a record. */
import type { Keyspace } from '../keyspace/keyspace.js';
import { deltaRows } from '../revision/delta.js';
import type { BegunQuads, EndedQuads, RevisionRecord } from '../revision/record.js';
import type { Pacer } from '../runtime/env.js';
import type { Matches } from './selection.js';
import { quadName } from './selection.js';

/** Numbers of erased rows of a revision. */
export interface RecordMatches {
  readonly begun: number;
  readonly ended: number;
  /** Quads on both sides, which count as neither added nor removed. */
  readonly both: number;
}

const NONE: RecordMatches = { begun: 0, ended: 0, both: 0 };

/** Reads all rows of a revision. */
export async function matchesIn(
  keyspace: Keyspace,
  record: RevisionRecord,
  matches: Matches,
  pacer: Pacer,
): Promise<RecordMatches> {
  if (record.payload === undefined && !someIn(record.added, matches) && !someIn(record.removed, matches)) return NONE;
  const ended = new Set<string>();
  const count = { begun: 0, ended: 0, both: 0 };
  for (const side of ['removed', 'added'] as const) {
    for await (const { columns, start, end } of deltaRows(keyspace, record, side)) {
      const [s, p, o, g] = columns;
      for (let i = start; i < end; i++) {
        if (!matches(s[i]!, p[i]!, o[i]!, g[i]!)) continue;
        const name = quadName(s[i]!, p[i]!, o[i]!, g[i]!);
        if (side === 'added') {
          count.begun++;
          if (ended.has(name)) count.both++;
        } else {
          count.ended++;
          ended.add(name);
        }
      }
      if (pacer.due()) await pacer.pause();
    }
  }
  return count;
}

function someIn({ length, s, p, o, g }: BegunQuads, matches: Matches): boolean {
  for (let i = 0; i < length; i++) if (matches(s[i]!, p[i]!, o[i]!, g[i]!)) return true;
  return false;
}

/** The quads of a record without those that are erased. */
export function without<T extends BegunQuads | EndedQuads>(quads: T, matches: Matches): T {
  if (!someIn(quads, matches)) return quads;
  const { length, s, p, o, g } = quads;
  const rows: number[] = [];
  for (let i = 0; i < length; i++) if (!matches(s[i]!, p[i]!, o[i]!, g[i]!)) rows.push(i);
  const take = (column: Uint32Array): Uint32Array => Uint32Array.from(rows, (row) => column[row]!);
  const columns = Object.entries(quads).filter(
    (entry): entry is [string, Uint32Array] => entry[1] instanceof Uint32Array,
  );
  return { length: rows.length, ...Object.fromEntries(columns.map(([name, column]) => [name, take(column)])) } as T;
}
