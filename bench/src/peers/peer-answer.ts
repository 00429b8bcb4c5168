/** Reads the file into which a peer has written an answer: a JSON list of terms for each row, in a line. */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { blankNode, iri, literal } from '@quadrille/model';
import type * as RDF from '@rdfjs/types';
import { type AnswerDigest, comparableText } from '../sparql/answer.js';

/** A variable or position, the kind of the term, its text, and the datatype of a literal. */
type WrittenTerm = readonly [
  name: string,
  kind: 'iri' | 'blank' | 'literal' | 'triple',
  text: string,
  datatype?: string,
];

/** Adds all rows of a file to a digest. */
export async function addAnswer(file: string, digest: AnswerDigest): Promise<void> {
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
    const row = JSON.parse(line) as readonly WrittenTerm[];
    digest.add(row.map((term) => [term[0], comparableText(termOf(term))]));
  }
}

function termOf([, kind, text, datatype]: WrittenTerm): RDF.Term {
  if (kind === 'iri') return iri(text);
  if (kind === 'blank') return blankNode();
  if (kind === 'literal') return literal(text, datatype === undefined ? undefined : iri(datatype));
  throw new Error(`a term of this kind is not compared: ${text}`);
}
