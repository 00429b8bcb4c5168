/** Converts quads of terms to quads of ids. */
import type * as RDF from '@rdfjs/types';
import { checkQuad } from '@quadrille/model';
import { QuadColumns } from '../index/quad-columns.js';
import { MISS } from '../keyspace/block-cache.js';
import type { Pacer } from '../runtime/env.js';
import type { Dictionary } from './dictionary.js';
import type { TermEncoder } from './term-encoder.js';

/** The parts of a repository that convert terms. */
interface Terms {
  readonly dictionary: Dictionary;
  readonly encoder: TermEncoder;
}

/** From this number of quads on, terms are looked up together in hash order. */
const MANY_QUADS = 256;
/** Quads processed between two looks at the clock, or UTF-16 units of one object. */
const QUADS_AT_ONCE = 32;
const LONG_OBJECT = 16 * 1024;

/** @throws InvalidArgumentError `INVALID_TERM` if a term cannot stand in its position of the quad */
export function checkQuads(quads: readonly RDF.Quad[], pacer: Pacer, from = 0): Promise<void> | undefined {
  for (let i = from; i < quads.length;) {
    const quad = quads[i]!;
    checkQuad(quad);
    if (isStop(quad, ++i) && pacer.due()) return pacer.pause().then(() => checkQuads(quads, pacer, i));
  }
  return undefined;
}

/**
 * Converts quads to columns of ids. With `intern`, new terms get ids. Without it, quads with a term that the
 * repository does not have are left out.
 */
export function quadIds(terms: Terms, quads: readonly RDF.Quad[], intern: boolean, pacer: Pacer): Promise<QuadColumns> {
  if (quads.length >= MANY_QUADS) return many(terms.dictionary, quads, intern, pacer);
  return intern
    ? terms.dictionary.lock.run(() => fewQuadIds(terms, quads, intern, pacer))
    : fewQuadIds(terms, quads, intern, pacer);
}

async function many(
  dictionary: Dictionary,
  quads: readonly RDF.Quad[],
  intern: boolean,
  pacer: Pacer,
): Promise<QuadColumns> {
  const { manyQuadIds } = await import('../on-request.js');
  return manyQuadIds(dictionary, quads, intern, pacer);
}

async function fewQuadIds(
  { dictionary, encoder }: Terms,
  quads: readonly RDF.Quad[],
  intern: boolean,
  pacer: Pacer,
): Promise<QuadColumns> {
  const columns = new QuadColumns(quads.length);
  const id = intern ? (term: RDF.Term) => encoder.tryIntern(term) : (term: RDF.Term) => encoder.tryEncode(term);
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
    if (isStop(quad, ++i)) {
      if (intern && dictionary.tailOverfull) await (await import('../on-request.js')).flushTerms(dictionary, pacer);
      if (pacer.due()) await pacer.pause();
    }
  }
  return columns;
}

/** Whether to look at the clock behind this quad. */
export const isStop = ({ object }: RDF.Quad, count: number): boolean =>
  count % QUADS_AT_ONCE === 0 || (object.termType === 'Literal' && object.value.length >= LONG_OBJECT);
