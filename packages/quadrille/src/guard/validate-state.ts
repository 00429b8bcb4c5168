/** Validates one revision against shapes, and changes nothing. */
import type { Snapshot } from '@quadrille/core';
import { InvalidArgumentError, iri } from '@quadrille/model';
import {
  parseShapes,
  pathText,
  reportQuads,
  run,
  ShapesValidator,
  type Triple,
  type ValidationResult,
} from '@quadrille/shacl';
import { processMemory } from '@quadrille/sparql';
import type { IdDataset, QueryableDataset } from '@quadrille/sparql';
import type * as RDF from '@rdfjs/types';
import type { ShapesReport, ShapesResult, ValidateOptions } from '../api/index.js';
import { SnapshotDataset } from '../sparql/datasets.js';
import { withExtraGraphs } from '../sparql/extra-graphs.js';
import { withoutGraph } from '../sparql/without-graph.js';
import type { Guarded } from './shapes-queries.js';
import { knownShapes } from './known-shapes.js';
import { readShapes } from './read-shapes.js';
import { ShapesQueries } from './shapes-queries.js';
import { StoredData } from './stored-data.js';

/** The name by which queries of shapes from outside know their graph. */
const OUTSIDE = 'urn:shapes-graph';

/** The change of a revision. */
export interface ValidatedChange {
  /** The quads that it has added and removed. */
  readonly quads: AsyncIterable<readonly { readonly quad: RDF.Quad }[]>;
  /** The state before, if the results that it has are left out. */
  readonly before: Snapshot | undefined;
}

/**
 * @param setting the graph of the shapes of the repository, which is no part of the data
 * @throws ShapesError `SHAPES_INVALID`, `SHAPES_TIMEOUT`; InvalidArgumentError `INVALID_OPTION`; EvaluationError `ABORTED`, `QUERY_MEMORY`
 */
export async function validateState(
  snapshot: Snapshot,
  setting: string | undefined,
  options: ValidateOptions,
  { engine, repository }: Guarded,
  change?: ValidatedChange,
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
  const title = `validation with ${name === undefined ? 'shapes' : `the shapes of <${name}>`}`;
  const states: { close(): void }[] = [];
  const dataOf = (state: Snapshot): StoredData => {
    const dataset = new SnapshotDataset(state);
    // Shapes from outside lie over the data, which makes each look at these slower.
    const open = async (reads: boolean): Promise<IdDataset> =>
      withoutGraph(reads && quads !== undefined ? await withShapes(dataset, quads) : dataset.ids, graph);
    const queries = new ShapesQueries({ engine, repository, title, timeoutMs, signal }, open, true);
    const made = new StoredData(state, graph, queries, signal);
    states.push(made, queries);
    return made;
  };
  const data = dataOf(snapshot);
  const before = change?.before && dataOf(change.before);
  const limits = { ...(limit !== undefined && { most: limit }), memoryBytes: processMemory.queryBytes };
  try {
    await run(validator.bind(data));
    const results = await run(
      change !== undefined
        ? validator.change(data, await triplesOf(data, change, graph), before, limits)
        : focus === undefined
          ? validator.all(data, limits)
          : validator.nodes(data, await nodesOf(data, focus), limits),
    );
    return {
      conforms: results.list.length === 0 && !results.isCut,
      results: results.list.map(shownResult),
      report: { [Symbol.iterator]: () => reportQuads(results.list) },
      truncated: results.isCut,
      warnings: validator.shapes.warnings,
      ...(options.explain === true && { constraints: guardOf(snapshot, name, validator).explain() }),
    };
  } finally {
    for (const state of states) state.close();
  }
}

/** What the guard validates with, if it has these shapes. It knows what commits have cost. */
function guardOf({ timeline }: Snapshot, name: string | undefined, own: ShapesValidator): ShapesValidator {
  const known = knownShapes.get(timeline);
  return known !== undefined && known.shapes === name ? known.validator : own;
}

const withShapes = async (dataset: QueryableDataset, quads: readonly RDF.Quad[]): Promise<IdDataset> =>
  (await withExtraGraphs(dataset, { [OUTSIDE]: quads })).ids;

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

/** The changed triples, but those of the shapes. */
async function triplesOf(data: StoredData, { quads }: ValidatedChange, shapes: number): Promise<readonly Triple[]> {
  const triples: Triple[] = [];
  for await (const entries of quads) {
    for (const { quad } of entries) {
      const [s, p, o, g] = [quad.subject, quad.predicate, quad.object, quad.graph];
      if (shapes !== 0 && (await run(data.find(g))) === shapes) continue;
      triples.push({ s: await run(data.find(s)), p: await run(data.find(p)), o: await run(data.find(o)) });
    }
  }
  return triples;
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
