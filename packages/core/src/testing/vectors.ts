/** Vectors for tests. */
import { iri, literal } from '@quadrille/model';
import type * as RDF from '@rdfjs/types';
import { VECTOR_DATATYPE } from '../vectors/vector-text.js';

/** Numbers as a literal. */
export const vectorLiteral = (numbers: readonly number[] | Float32Array): RDF.Literal =>
  literal(Buffer.from(new Float32Array(numbers).buffer).toString('base64'), iri(VECTOR_DATATYPE));

/** The numbers of a literal. */
export const numbersOf = ({ value }: { readonly value: string }): Float32Array =>
  new Float32Array(new Uint8Array(Buffer.from(value, 'base64')).buffer);

/** The cosine of two vectors, by its definition. */
export function cosineOf(x: Float32Array, y: Float32Array): number {
  const product = (a: Float32Array, b: Float32Array): number => {
    let sum = 0;
    for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
    return sum;
  };
  return product(x, y) / Math.sqrt(product(x, x)) / Math.sqrt(product(y, y));
}
