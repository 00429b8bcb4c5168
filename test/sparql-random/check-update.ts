/** One random request of updates on all engines. */
import { Engine, type SparqlEngine, type WritableDataset } from '@quadrille/sparql';
import { createComunicaEngine } from '../comunica/index.js';
import { dataFactory, termToText } from '@quadrille/model';
import type * as RDF from '@rdfjs/types';
import { ArrayDataset } from '../../packages/sparql/src/testing/array-dataset.js';
import { ArrayIdDataset } from '../../packages/sparql/src/testing/array-id-dataset.js';
import { expectSameQuads } from '../w3c/sparql-compare.js';
import { comparableQuad, OPTIONS } from './answers.js';
import { COMUNICA_MS, TOO_LARGE, type Outcome } from './check-query.js';
import { toQuads, type QuadText } from './data.js';
import { knownRefusal, knownUpdateDifference } from './known.js';
import type { Update } from './syntax.js';
import { writeUpdate } from './write.js';

export interface UpdateCase {
  readonly data: readonly QuadText[];
  readonly updates: readonly Update[];
}

/** The quads after a request, or how it failed. */
export type After = { readonly quads: readonly RDF.Quad[] } | { readonly code: string; readonly message: string };

export interface Target {
  readonly dataset: WritableDataset;
  readonly quads: () => readonly RDF.Quad[] | Promise<readonly RDF.Quad[]>;
  readonly openScans: () => number;
}

const engine = new Engine();
/** More quads than these are not compared: new blank nodes in them would take too long. */
const MOST_QUADS = 150;

export const writeUpdates = (updates: readonly Update[]): string => updates.map(writeUpdate).join(' ;\n');

/** LOAD of what is not there; CREATE of a graph that is. */
const EXPECTED: ReadonlySet<string> = new Set(['INPUT_NOT_FOUND', 'ALREADY_EXISTS']);

/** `rows`: quads that are no longer there or are new. */
export async function checkUpdate({ data, updates }: UpdateCase): Promise<Outcome> {
  const before = toQuads(data);
  const text = writeUpdates(updates);
  const target = arrayTarget(before);
  const after = await afterUpdate(engine, text, target);
  const rows = 'quads' in after ? difference(before, after.quads) : 0;
  const fail = (kind: string, message: string): Outcome => ({ rows, failure: { kind, message } });
  if ('code' in after && TOO_LARGE.has(after.code)) return { rows, left: 'large result' };
  if ('code' in after && !EXPECTED.has(after.code)) return fail(after.code, after.message);
  if ('quads' in after && after.quads.length > MOST_QUADS) return { rows, left: 'large result' };
  for (const [name, other, unoptimised] of [
    ['unoptimised', arrayTarget(before), true],
    ['fetching', fetchingTarget(before), false],
  ] as const) {
    const others = await afterUpdate(engine, text, other, { unoptimised });
    if ('code' in others && TOO_LARGE.has(others.code)) return { rows, left: `too large ${name}` };
    if (!same(after, others)) return fail(`${name} differs`, print(after, name, others));
    if (other.openScans() !== 0) return fail('open scans', `${other.openScans()} scans were left open, ${name}`);
  }
  if (target.openScans() !== 0) return fail('open scans', `${target.openScans()} scans were left open`);
  if ('code' in after && after.code === 'ALREADY_EXISTS') return { rows, left: 'CREATE of a graph that is there' };
  const known = knownUpdateDifference(updates, data);
  if (known !== undefined) return { rows, left: known };
  const comunica = await afterUpdate(await createComunicaEngine(), text, arrayTarget(before), {
    timeoutMs: COMUNICA_MS,
  });
  const refusal = 'code' in comunica ? knownRefusal(comunica.message) : undefined;
  if (refusal !== undefined) return { rows, left: refusal };
  if ('code' in comunica && comunica.code === 'QUERY_TIMEOUT') return { rows, left: 'too slow for Comunica' };
  return same(after, comunica) ? { rows } : fail('Comunica differs', print(after, 'Comunica', comunica));
}

export async function afterUpdate(
  engine: SparqlEngine,
  text: string,
  { dataset, quads }: Target,
  options: { unoptimised?: boolean; timeoutMs?: number } = {},
): Promise<After> {
  try {
    await engine.update(text, dataset, { ...OPTIONS, ...options });
    return { quads: await quads() };
  } catch (error) {
    const { code = 'none', message } = error as Error & { code?: string };
    return { code, message };
  }
}

export function arrayTarget(quads: readonly RDF.Quad[]): Target {
  const dataset = new ArrayDataset(quads, { batchQuads: 64 });
  return { dataset, quads: () => dataset.quads, openScans: () => dataset.openScans };
}

/** By ids only, window by window of one row, each of which has to be fetched. */
function fetchingTarget(before: readonly RDF.Quad[]): Target {
  const ids = new ArrayIdDataset(before, { windowRows: 1, misses: true });
  const quads = (): RDF.Quad[] =>
    ids.rows.map((row) => {
      const [s, p, o, g] = row.map((id) => ids.terms.termNow(id));
      return dataFactory.quad(
        s as RDF.Quad_Subject,
        p as RDF.Quad_Predicate,
        o as RDF.Quad_Object,
        g as RDF.Quad_Graph,
      );
    });
  const dataset: WritableDataset = {
    ids,
    namedGraphs: async () => [
      ...new Map(
        quads()
          .filter(({ graph }) => graph.termType !== 'DefaultGraph')
          .map(({ graph }) => [graph.value, graph]),
      ).values(),
    ],
  };
  return { dataset, quads, openScans: () => ids.openScans };
}

export function same(a: After, b: After): boolean {
  if ('code' in a || 'code' in b) return 'code' in a && 'code' in b && a.code === b.code;
  try {
    expectSameQuads(
      a.quads.map((quad) => comparableQuad(quad, true)),
      b.quads.map((quad) => comparableQuad(quad, true)),
    );
    return true;
  } catch {
    return false;
  }
}

const line = (quad: RDF.Quad): string =>
  [quad.subject, quad.predicate, quad.object, quad.graph].map(termToText).join(' ');

export function difference(before: readonly RDF.Quad[], after: readonly RDF.Quad[]): number {
  const [old, now] = [new Set(before.map(line)), new Set(after.map(line))];
  return [...old].filter((text) => !now.has(text)).length + [...now].filter((text) => !old.has(text)).length;
}

export function print(a: After, name: string, b: After): string {
  const lines = (after: After): string[] =>
    'code' in after ? [`${after.code}: ${after.message}`] : after.quads.map(line);
  const only = (from: After, other: After): string =>
    lines(from)
      .filter((text) => !lines(other).includes(text))
      .join('\n    ');
  return `only the engine: ${only(a, b)}\nonly ${name}: ${only(b, a)}`;
}
