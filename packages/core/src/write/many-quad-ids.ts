/** Converts thousands of quads to quads of ids: their terms are looked up together, in the order of hashes. */
import type * as RDF from '@rdfjs/types';
import { QuadColumns } from '../index/quad-columns.js';
import type { Pacer } from '../runtime/env.js';
import type { Dictionary } from '../dictionary/dictionary.js';
import { isStop } from '../dictionary/encode-quads.js';
import { TermHandles } from '../dictionary/term-handles.js';

/** Bytes of texts that are looked up together. */
const TEXT_BYTES = 32 * 1024 * 1024;

/** With `intern`, new terms get ids. Without it, quads with a term that the repository does not have are left out. */
export async function manyQuadIds(
  dictionary: Dictionary,
  quads: readonly RDF.Quad[],
  intern: boolean,
  pacer: Pacer,
): Promise<QuadColumns> {
  const columns = new QuadColumns(quads.length);
  const terms = new TermHandles(dictionary, quads.length);
  let resolved = 0;
  for (let i = 0; i < quads.length;) {
    i = pushHandles(terms, quads, i, columns);
    if (terms.bytes >= TEXT_BYTES) resolved = await toIds(terms, columns, resolved, intern, pacer);
    if (pacer.due()) await pacer.pause();
  }
  await toIds(terms, columns, resolved, intern, pacer);
  return columns;
}

// Appends the handles of some quads. Returns the index of the next quad.
function pushHandles(terms: TermHandles, quads: readonly RDF.Quad[], from: number, columns: QuadColumns): number {
  for (let i = from; i < quads.length;) {
    const quad = quads[i]!;
    const s = terms.handle(quad.subject);
    const p = terms.handle(quad.predicate);
    const o = terms.handle(quad.object);
    const g = terms.handle(quad.graph);
    if (s !== 0 && p !== 0 && o !== 0 && g !== 0) columns.push(s, p, o, g);
    if (isStop(quad, ++i)) return i;
  }
  return quads.length;
}

// Replaces the handles from row `from` on by ids, and drops the rows with a term that has no id. Returns the new
// number of rows.
async function toIds(
  terms: TermHandles,
  columns: QuadColumns,
  from: number,
  intern: boolean,
  pacer: Pacer,
): Promise<number> {
  await terms.resolve(pacer, intern);
  const { s, p, o, g, length } = columns;
  let filled = from;
  await pacer.rows(length - from, (start, end) => {
    for (let row = from + start; row < from + end; row++) {
      const ids = [terms.id(s[row]!), terms.id(p[row]!), terms.id(o[row]!), terms.id(g[row]!)] as const;
      if (ids[0] === 0 || ids[1] === 0 || ids[2] === 0 || ids[3] === 0) continue;
      [s[filled], p[filled], o[filled], g[filled]] = ids;
      filled++;
    }
  });
  columns.length = filled;
  return filled;
}
