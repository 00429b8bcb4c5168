/**
 * Validates quads in memory against shapes.
 * @packageDocumentation
 */
import type * as RDF from '@rdfjs/types';
import { defaultGraph, paced, quad } from '@quadrille/model';
import type { ShapesReport, ValidateOptions } from '../api/index.js';
import { open } from '../open.js';

export type { ShapesReport, ShapesResult, ShapesWarning, ValidateOptions } from '../api/index.js';

/** Options of {@link validateDataset}. */
export type ValidateDatasetOptions = Pick<ValidateOptions, 'focus' | 'limit' | 'strict' | 'signal' | 'timeoutMs'>;

type Quads = Iterable<RDF.Quad> | AsyncIterable<RDF.Quad>;

/**
 * Validates quads against shapes. Graphs are ignored on both sides.
 * @throws ShapesError `SHAPES_INVALID`, `SHAPES_TIMEOUT`
 * @throws InvalidArgumentError `INVALID_OPTION`, `INVALID_TERM`
 * @throws EvaluationError `ABORTED`, `QUERY_MEMORY`
 * @example
 * ```ts
 * import { iri, literal, quad } from 'quadrille';
 * import { validateDataset } from 'quadrille/shacl';
 *
 * const sh = (name: string) => iri(`http://www.w3.org/ns/shacl#${name}`);
 * const shapes = [
 *   quad(iri('urn:shape'), sh('targetSubjectsOf'), iri('urn:name')),
 *   quad(iri('urn:shape'), sh('nodeKind'), sh('BlankNode')),
 * ];
 * const { conforms, results } = await validateDataset([quad(iri('urn:ann'), iri('urn:name'), literal('Ann'))], shapes);
 * console.log(conforms, results[0]!.focusNode.value, results[0]!.message); // false urn:ann has not the kind sh:BlankNode
 * ```
 * @since 0.1.0
 */
export async function validateDataset(
  data: Quads,
  shapes: Quads,
  options: ValidateDatasetOptions = {},
): Promise<ShapesReport> {
  const db = await open(':memory:');
  try {
    const repository = await db.repository('data', { create: true });
    await repository.add(inOneGraph(data), { signal: options.signal });
    return await repository.validate({ ...options, shapes });
  } finally {
    await db.close();
  }
}

async function* inOneGraph(quads: Quads): AsyncGenerator<RDF.Quad> {
  for await (const { subject, predicate, object } of Symbol.iterator in quads ? paced(quads) : quads)
    yield quad(subject, predicate, object, defaultGraph());
}
