/** Shorthands for the tests of this package. */
import type * as RDF from '@rdfjs/types';
import { termToText } from '@quadrille/model';
import { createSparqlEngine } from '../create-engine.js';
import type { SparqlRequest } from '../engine/prepare.js';
import type { SparqlAnswer, SparqlEngine } from '../engine/sparql-engine.js';
import type { QueryableDataset } from '../dataset/dataset.js';
import type { EvaluationOptions } from '../engine/options.js';
import { ArrayDataset } from './array-dataset.js';

export const engine = createSparqlEngine();
export const PREFIXES = { ex: 'http://example.org/', xsd: 'http://www.w3.org/2001/XMLSchema#' };

/** A dataset with what `INSERT DATA { … }` would put in. */
export async function datasetOf(
  data: string,
  options?: { batchQuads?: number; failAfter?: number },
): Promise<ArrayDataset> {
  const staged = new ArrayDataset();
  await engine.update(`INSERT DATA { ${data} }`, staged, { prefixes: PREFIXES });
  return new ArrayDataset(staged.quads, options);
}

/** An answer as text: rows as `name=term name=term`, quads as N-Quads without the dots, both sorted unless `ordered`. */
export async function answer(
  request: SparqlRequest,
  dataset: QueryableDataset,
  options: EvaluationOptions = {},
  ordered = false,
  by: SparqlEngine = engine,
): Promise<string[] | boolean> {
  const result = await by.query(request, dataset, { prefixes: PREFIXES, ...options });
  if (result.type === 'boolean') return result.value;
  const lines: string[] = [];
  if (result.type === 'bindings')
    for await (const rows of result.batches) lines.push(...rows.map((row) => rowText(row, result)));
  else for await (const quads of result.batches) lines.push(...quads.map(quadText));
  return ordered ? lines : lines.sort();
}

const rowText = (row: Record<string, RDF.Term>, { variables }: SparqlAnswer & { type: 'bindings' }): string =>
  variables.flatMap((name) => (row[name] === undefined ? [] : [`${name}=${short(row[name])}`])).join(' ');

export const quadText = (quad: RDF.BaseQuad): string =>
  [quad.subject, quad.predicate, quad.object, quad.graph].map(short).join(' ').trim();

const short = (term: RDF.Term): string =>
  termToText(term)
    .replace(/<http:\/\/example\.org\/([^>]*)>/g, 'ex:$1')
    .replace(/"(\d+)"\^\^<http:\/\/www\.w3\.org\/2001\/XMLSchema#integer>/g, '$1')
    .replace(/<http:\/\/www\.w3\.org\/2001\/XMLSchema#([^>]*)>/g, 'xsd:$1');
