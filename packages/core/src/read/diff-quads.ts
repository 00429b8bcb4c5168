/** The difference of two revisions as RDF/JS quads. */
import type * as RDF from '@rdfjs/types';
import { dataFactory } from '@quadrille/model';
import { Pacer } from '../runtime/env.js';
import type { Generation } from '../open/generation.js';
import { Snapshot } from './snapshot.js';
import { diffRows } from './diff.js';
import type { DiffRow } from './diff.js';
import type { RevisionRecord } from '../revision/record.js';

export interface DiffEntry {
  readonly op: 'add' | 'remove';
  readonly quad: RDF.Quad;
}

const BATCH_ROWS = 1024;

/** What changed from one revision to another, in either direction of time, sorted by quad. */
export async function* diffQuads(
  generation: Generation,
  from: RevisionRecord,
  to: RevisionRecord,
  signal?: AbortSignal,
): AsyncGenerator<DiffEntry[]> {
  const forward = from.number <= to.number;
  const [earlier, later] = forward ? [from, to] : [to, from];
  const snapshot = new Snapshot(generation, later);
  try {
    let rows: DiffRow[] = [];
    for await (const row of diffRows(
      snapshot.state,
      earlier.number,
      later.number,
      new Pacer(generation.env, 4, signal),
    )) {
      rows.push(row);
      if (rows.length < BATCH_ROWS) continue;
      yield await toEntries(generation, rows, forward);
      snapshot.check();
      rows = [];
    }
    if (rows.length > 0) yield await toEntries(generation, rows, forward);
  } finally {
    snapshot.close();
  }
}

async function toEntries({ decoder }: Generation, rows: readonly DiffRow[], forward: boolean): Promise<DiffEntry[]> {
  const column = async (pick: (row: DiffRow) => number): Promise<RDF.Term[]> =>
    decoder.decodeAll(Uint32Array.from(rows, pick), 0, rows.length);
  const subjects = (await column((row) => row.s)) as RDF.Quad_Subject[];
  const predicates = (await column((row) => row.p)) as RDF.Quad_Predicate[];
  const objects = (await column((row) => row.o)) as RDF.Quad_Object[];
  const graphs = (await column((row) => row.g)) as RDF.Quad_Graph[];
  return rows.map(({ op }, i) => ({
    op: (op === 1) === forward ? 'add' : 'remove',
    quad: dataFactory.quad(subjects[i]!, predicates[i]!, objects[i]!, graphs[i]!),
  }));
}
