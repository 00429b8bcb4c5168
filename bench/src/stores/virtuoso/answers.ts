/** Reads answers of an HTTP endpoint: SPARQL results as JSON, graphs as N-Triples. */
import { parseQuads } from '@quadrille/formats';
import { blankNode, iri, literal } from '@quadrille/model';
import type * as RDF from '@rdfjs/types';

interface JsonTerm {
  readonly type: 'uri' | 'bnode' | 'literal' | 'typed-literal';
  readonly value: string;
  readonly datatype?: string;
  readonly 'xml:lang'?: string;
}
interface JsonResults {
  readonly boolean?: boolean;
  readonly results?: { readonly bindings: readonly Readonly<Record<string, JsonTerm>>[] };
}

export interface Answers {
  readonly boolean?: boolean;
  readonly rows?: readonly (readonly (readonly [name: string, term: RDF.Term])[])[];
  readonly quads?: readonly RDF.Quad[];
}

/** Parameters of the protocol. A parameter may occur several times. */
export type Parameters = readonly (readonly [name: string, value: string])[];

const ROWS = 'application/sparql-results+json';
const TRIPLES = 'application/n-triples';

/**
 * @param graph whether the answer is a graph, which the endpoint would write as rows without an Accept header for
 * triples
 */
export async function asked(endpoint: string, parameters: Parameters, graph = false): Promise<Answers> {
  const body = new URLSearchParams(parameters.map(([name, value]) => [name, value]));
  const response = await fetch(endpoint, { method: 'POST', headers: { accept: graph ? TRIPLES : ROWS }, body });
  const text = await response.text();
  if (!response.ok) throw new Error(text.trim().split('\n')[0] ?? `status ${response.status}`);
  if (graph) return { quads: await quadsOf(text) };
  const { boolean, results } = JSON.parse(text) as JsonResults;
  if (boolean !== undefined) return { boolean };
  const rows = results?.bindings ?? [];
  // Older versions answer ASK in this way.
  const answered = rows[0]?.['__ASK_RETVAL'];
  if (answered !== undefined) return { boolean: answered.value === '1' };
  return { rows: rows.map((row) => Object.entries(row).map(([name, term]) => [name, termOf(term)] as const)) };
}

export function termOf({ type, value, datatype, 'xml:lang': language }: JsonTerm): RDF.Term {
  if (type === 'uri') return iri(value);
  if (type === 'bnode') return blankNode(value.replace(/^(?:_:|nodeID:\/\/)/, ''));
  return literal(value, language ?? (datatype === undefined ? undefined : iri(datatype)));
}

async function quadsOf(text: string): Promise<RDF.Quad[]> {
  const quads: RDF.Quad[] = [];
  for await (const quad of parseQuads(text, { format: 'nt' })) quads.push(quad);
  return quads;
}
