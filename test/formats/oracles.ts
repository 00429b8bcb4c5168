/** N3.js and Oxigraph as oracles of our parsers: where both have the same quads, so must we. What one refuses is not compared. */
import { termToText } from '@quadrille/model';
import type * as RDF from '@rdfjs/types';
import { Parser } from 'n3';
import { parse } from 'oxigraph';

const REFUSED = 'refused';
const BASE = 'http://example.org/d';
/** By extension: what each of them calls a format. */
const NAMES: Readonly<Record<string, readonly [n3: string, oxigraph: string]>> = {
  nt: ['N-Triples', 'application/n-triples'],
  nq: ['N-Quads', 'application/n-quads'],
  ttl: ['Turtle', 'text/turtle'],
  trig: ['TriG', 'application/trig'],
};

/** Quads as sorted lines, with one name for all blank nodes: which of them is which is not compared. */
const linesOf = (quads: readonly RDF.Quad[]): string =>
  [
    ...new Set(
      quads.map(({ subject, predicate, object, graph }) =>
        [subject, predicate, object, graph]
          .map(termToText)
          .join(' ')
          .replace(/_:\S+/g, '_:')
          .replace(/@[A-Za-z-]+/g, (tag) => tag.toLowerCase()),
      ),
    ),
  ]
    .toSorted()
    .join('\n');

function attempt(read: () => readonly RDF.Quad[]): string {
  try {
    return linesOf(read());
  } catch {
    return REFUSED;
  }
}

/** What is wrong with the quads, or the code of the error, of a document; `undefined` where nothing is, or the oracles do not agree. */
export function oracleDifference(
  format: string,
  bytes: Uint8Array,
  found: readonly RDF.Quad[] | string,
): string | undefined {
  const names = NAMES[format];
  if (names === undefined) return undefined;
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  // They read what is no UTF-8.
  if (text.includes('\ufffd')) return undefined;
  const ours = typeof found === 'string' ? REFUSED : linesOf(found);
  const oxigraph = attempt(() => parse(text, { format: names[1], base_iri: BASE }) as unknown as RDF.Quad[]);
  if (oxigraph === ours || oxigraph === REFUSED) return undefined;
  const n3 = attempt(() => new Parser({ format: names[0], baseIRI: BASE }).parse(text) as RDF.Quad[]);
  if (n3 !== oxigraph) return undefined;
  return `both oracles: ${n3.slice(0, 300)}, but not we: ${ours.slice(0, 300)}`;
}
