/** Validates one revision against shapes, and changes nothing. */
import type { Snapshot } from '@quadrille/core';
import { InvalidArgumentError, iri } from '@quadrille/model';
import { parseShapes, pathText, reportQuads, run, ShapesValidator, type ValidationResult } from '@quadrille/shacl';
import { processMemory } from '@quadrille/sparql';
import type { IdDataset, QueryableDataset } from '@quadrille/sparql';
import type * as RDF from '@rdfjs/types';
import type { ShapesReport, ShapesResult, ValidateOptions } from '../api/index.js';
import { SnapshotDataset } from '../sparql/datasets.js';
import { withExtraGraphs } from '../sparql/extra-graphs.js';
import { withoutGraph } from '../sparql/without-graph.js';
import type { Guarded } from './shapes-queries.js';
import { readShapes } from './read-shapes.js';
import { ShapesQueries } from './shapes-queries.js';
import { StoredData } from './stored-data.js';

/** The name by which queries of shapes from outside know their graph. */
const OUTSIDE = 'urn:shapes-graph';

/**
 * @param setting the graph of the shapes of the repository, which is no part of the data
 * @throws ShapesError `SHAPES_INVALID`, `SHAPES_TIMEOUT`; InvalidArgumentError `INVALID_OPTION`; EvaluationError `ABORTED`, `QUERY_MEMORY`
 */
export async function validateState(
  snapshot: Snapshot,
  setting: string | undefined,
  options: ValidateOptions,
  { engine, repository }: Guarded,
): Promise<ShapesReport> {
  const { shapes = setting, strict, focus, limit, signal, timeoutMs } = options;
  if (shapes === undefined)
    throw new InvalidArgumentError(
      'INVALID_OPTION',
      'validate: the repository has no shapes: give `shapes`, or set them',
    );
  const { encoder } = snapshot.timeline;
  const name = typeof shapes === 'string' ? shapes : setting;
  const graph = name === undefined ? 0 : await encoder.encode(iri(name));
  const quads = typeof shapes === 'string' ? undefined : await collected(shapes);
  const validator =
    quads === undefined
      ? await readShapes(snapshot, graph, { graph: iri(name!), strict })
      : new ShapesValidator(await parseShapes(quads, { graph: iri(OUTSIDE), strict }));
  const dataset = new SnapshotDataset(snapshot);
  const open = async (): Promise<IdDataset> => withoutGraph(await withShapes(dataset, quads), graph);
  const title = `validation with ${name === undefined ? 'shapes' : `the shapes of <${name}>`}`;
  const queries = new ShapesQueries({ engine, repository, title, timeoutMs, signal }, open, true);
  const data = new StoredData(snapshot, graph, queries, signal);
  const limits = { ...(limit !== undefined && { most: limit }), memoryBytes: processMemory.queryBytes };
  try {
    await run(validator.bind(data));
    const results = await run(
      focus === undefined ? validator.all(data, limits) : validator.nodes(data, await nodesOf(data, focus), limits),
    );
    return {
      conforms: results.list.length === 0 && !results.isCut,
      results: results.list.map(shownResult),
      report: { [Symbol.iterator]: () => reportQuads(results.list) },
      truncated: results.isCut,
      warnings: validator.shapes.warnings,
    };
  } finally {
    data.close();
    queries.close();
  }
}

const withShapes = async (dataset: QueryableDataset, quads: readonly RDF.Quad[] | undefined): Promise<IdDataset> =>
  quads === undefined ? dataset.ids : (await withExtraGraphs(dataset, { [OUTSIDE]: quads })).ids;

async function collected(shapes: Iterable<RDF.Quad> | AsyncIterable<RDF.Quad>): Promise<readonly RDF.Quad[]> {
  const quads: RDF.Quad[] = [];
  for await (const quad of shapes) quads.push(quad);
  return quads;
}

async function nodesOf(data: StoredData, focus: NonNullable<ValidateOptions['focus']>): Promise<readonly number[]> {
  const nodes: number[] = [];
  for (const term of 'termType' in focus ? [focus] : focus) nodes.push(await run(data.find(term)));
  return [...new Set(nodes)];
}

const shownResult = (result: ValidationResult): ShapesResult => ({
  focusNode: result.focusNode,
  path: result.path && pathText(result.path),
  value: result.value,
  component: result.component,
  shape: result.shape,
  severity: result.severity.value,
  message: result.messages[0]?.value ?? result.text,
});
