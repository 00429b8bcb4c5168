/** New quads, some with new terms. */
import type * as RDF from '@rdfjs/types';
import { iri, quad } from '@quadrille/model';

export function* newQuads(): Generator<RDF.Quad> {
  for (let n = 0; ; n++) {
    const subject = iri(`http://example.org/item/${Math.floor(n / 8)}`);
    yield quad(subject, iri(`http://example.org/property/${n % 8}`), iri(`http://example.org/value/${n % 1000}`));
  }
}
