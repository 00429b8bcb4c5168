/** Quads of terms as quads of ids. */
import type * as RDF from '@rdfjs/types';
import { QuadColumns } from '../index/quad-columns.js';
import { MISS } from '../keyspace/block-cache.js';
import type { Generation } from '../open/generation.js';

/** Without `intern`, quads with a term that the repository does not have are left out. */
export async function quadIds(
  { dictionary, encoder }: Generation,
  quads: readonly RDF.Quad[],
  intern: boolean,
): Promise<QuadColumns> {
  const columns = new QuadColumns();
  const id = intern ? (term: RDF.Term) => encoder.tryIntern(term) : (term: RDF.Term) => encoder.tryEncode(term);
  const encodeAll = async (): Promise<void> => {
    for (let i = 0; i < quads.length;) {
      const quad = quads[i]!;
      const s = id(quad.subject);
      const p = s === MISS ? MISS : id(quad.predicate);
      const o = p === MISS ? MISS : id(quad.object);
      const g = o === MISS ? MISS : id(quad.graph);
      if (g === MISS) {
        await dictionary.fetchMissing();
        continue;
      }
      if (s !== 0 && p !== 0 && o !== 0 && g !== 0) columns.push(s, p, o, g);
      i++;
    }
  };
  await (intern ? dictionary.lock.run(encodeAll) : encodeAll());
  return columns;
}
