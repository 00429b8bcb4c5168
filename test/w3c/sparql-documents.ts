/** The documents of the W3C SPARQL suites: RDF in all formats that they use, and result sets, also those written as RDF. */
import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { loadResultParser, parseQuads, parseResults } from '@quadrille/formats';
import type { ParsedResults } from '@quadrille/formats';
import type * as RDF from '@rdfjs/types';
import { RdfXmlParser } from 'rdfxml-streaming-parser';
import { RDF_NS } from './manifest.js';
import { webIri } from './sparql-manifest.js';

await loadResultParser('srx');

const RS = 'http://www.w3.org/2001/sw/DataAccess/tests/result-set#';

/** The expected answer of a query. */
export type Answer = (ParsedResults & { readonly ordered?: boolean }) | { readonly type: 'quads'; quads: RDF.Quad[] };

/** The quads of an RDF document. Blank nodes of different files are different. */
export async function readQuads(file: string): Promise<RDF.Quad[]> {
  const baseIRI = webIri(file);
  const text = readFileSync(file, 'utf8');
  if (extname(file) === '.rdf') return readRdfXml(text, baseIRI);
  const quads: RDF.Quad[] = [];
  for await (const quad of parseQuads(text, { format: extname(file).slice(1), baseIRI })) quads.push(quad);
  return quads;
}

async function readRdfXml(text: string, baseIRI: string): Promise<RDF.Quad[]> {
  const parser = new RdfXmlParser({ baseIRI });
  const quads: RDF.Quad[] = [];
  parser.end(text);
  for await (const quad of parser as AsyncIterable<RDF.Quad>) quads.push(quad);
  return quads;
}

/** The expected answer that a file holds: a result set in its own format or as RDF, or else a graph. */
export async function readAnswer(file: string): Promise<Answer> {
  const extension = extname(file).slice(1);
  if (['srx', 'srj', 'csv', 'tsv'].includes(extension)) return parseResults(readFileSync(file), extension);
  const quads = await readQuads(file);
  const set = quads.find(
    ({ predicate, object }) => predicate.value === `${RDF_NS}type` && object.value === `${RS}ResultSet`,
  );
  return set === undefined ? { type: 'quads', quads } : new ResultSetReader(quads).answer(set.subject);
}

/** Reads a result set in the vocabulary of the working group. */
class ResultSetReader {
  readonly #quads: readonly RDF.Quad[];

  constructor(quads: readonly RDF.Quad[]) {
    this.#quads = quads;
  }

  answer(set: RDF.Term): Answer {
    const [boolean] = this.#objects(set, 'boolean');
    if (boolean !== undefined) return { type: 'boolean', value: boolean.value === 'true' };
    const variables = this.#objects(set, 'resultVariable').map(({ value }) => value);
    const solutions = this.#objects(set, 'solution').map((node) => ({
      index: this.#index(node),
      row: this.#row(node),
    }));
    const ordered = solutions.length > 0 && solutions.every(({ index }) => index !== undefined);
    const rows = solutions.toSorted((a, b) => (a.index ?? 0) - (b.index ?? 0)).map(({ row }) => row);
    return { type: 'bindings', variables, rows, ordered };
  }

  #index(solution: RDF.Term): number | undefined {
    const [index] = this.#objects(solution, 'index');
    return index === undefined ? undefined : Number(index.value);
  }

  #row(solution: RDF.Term): Record<string, RDF.Term> {
    return Object.fromEntries(
      this.#objects(solution, 'binding').map((binding) => {
        const [variable] = this.#objects(binding, 'variable');
        const [value] = this.#objects(binding, 'value');
        if (variable === undefined || value === undefined) throw new Error('a binding lacks its variable or value');
        return [variable.value, value];
      }),
    );
  }

  #objects(subject: RDF.Term, local: string): RDF.Term[] {
    return this.#quads
      .filter((quad) => quad.predicate.value === RS + local && quad.subject.equals(subject))
      .map(({ object }) => object);
  }
}
