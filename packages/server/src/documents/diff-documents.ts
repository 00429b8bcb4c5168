/** The difference of two revisions as RDF Patch, SPARQL Update, TriG and JSON. */
import { HttpError } from '../http/index.js';
import { RecentMap } from '@quadrille/model';
import type * as RDF from '@rdfjs/types';
import { type DiffEntry, iri, quad, type Revision, termToNTriples } from 'quadrille';
import { quadRecord } from './quad-record.js';

export interface Diff {
  readonly from: Revision;
  readonly to: Revision;
  /** Starts a new iteration with each call. */
  entries(): AsyncIterable<DiffEntry>;
  /** Whether the entries are a page: it is not the transaction of a revision. Default false. */
  readonly isPart?: boolean;
}

/** RDF Patch: one transaction, whose id is the later revision. A part of a difference has no id. */
export async function* rdfPatch({ from, to, entries, isPart = false }: Diff): AsyncGenerator<string> {
  const { patchRowText } = await import('@quadrille/formats/patch');
  if (!isPart) {
    yield patchRowText({ type: 'header', name: 'id', value: iri(`urn:uuid:${to.id}`) });
    yield patchRowText({ type: 'header', name: 'prev', value: iri(`urn:uuid:${from.id}`) });
  }
  yield patchRowText({ type: 'begin' });
  for await (const { op, quad: changed } of entries()) {
    yield patchRowText({ type: op === 'add' ? 'add' : 'delete', quad: changed });
  }
  yield patchRowText({ type: 'commit' });
}

/**
 * An update that turns the earlier revision into the later one: removals, then additions.
 * @throws HttpError 406 where a blank node goes: SPARQL cannot name it
 */
export async function sparqlUpdate(diff: Diff): Promise<AsyncIterable<string>> {
  for await (const { op, quad: changed } of diff.entries()) {
    if (op === 'add' || !hasBlankNode(changed)) continue;
    throw new HttpError(
      'NOT_ACCEPTABLE',
      'statements with blank nodes were removed, which SPARQL Update cannot express; request application/rdf-patch',
    );
  }
  return updateText(diff);
}

async function* updateText(diff: Diff): AsyncGenerator<string> {
  yield* dataBlock('DELETE DATA', diff, 'remove');
  yield ';\n';
  yield* dataBlock('INSERT DATA', diff, 'add');
}

async function* dataBlock(head: string, { entries }: Diff, wanted: DiffEntry['op']): AsyncGenerator<string> {
  yield `${head} {\n`;
  for await (const { op, quad: changed } of entries()) {
    if (op !== wanted) continue;
    const { subject, predicate, object, graph } = changed;
    const triple = `${termToNTriples(subject)} ${termToNTriples(predicate)} ${termToNTriples(object)} .`;
    yield graph.termType === 'DefaultGraph' ? `  ${triple}\n` : `  GRAPH ${termToNTriples(graph)} { ${triple} }\n`;
  }
  yield '}';
}

const hasBlankNode = ({ subject, object, graph }: RDF.BaseQuad): boolean =>
  [subject, object, graph].some(
    (term) => term.termType === 'BlankNode' || (term.termType === 'Quad' && hasBlankNode(term)),
  );

const TYPE = iri('http://www.w3.org/1999/02/22-rdf-syntax-ns#type');
const GRAPH = iri('urn:quadrille:graph');
/** Graphs that are not described again. In a difference of more graphs some are described twice, which says the same. */
const MOST_REMEMBERED = 1000;
const KIND = { add: 'Additions', remove: 'Removals' } as const;

/**
 * The changes as named graphs: one graph for the additions and one for the removals of each graph, with names that begin with
 * `base`. The default graph describes them.
 */
export async function* diffGraphs({ entries }: Diff, base: string): AsyncGenerator<RDF.Quad> {
  const described = new RecentMap<string, true>(MOST_REMEMBERED);
  for await (const { op, quad: changed } of entries()) {
    const { subject, predicate, object, graph } = changed;
    const isDefault = graph.termType === 'DefaultGraph';
    const name = `${base}#${KIND[op].toLowerCase()}${isDefault ? '' : `-${encodeURIComponent(termToNTriples(graph))}`}`;
    const changes = iri(name);
    if (described.get(name) === undefined) {
      described.set(name, true);
      yield quad(changes, TYPE, iri(`urn:quadrille:${KIND[op]}`));
      yield quad(changes, GRAPH, isDefault ? iri('urn:quadrille:default') : graph);
    }
    yield quad(subject, predicate, object, changes);
  }
}

export async function* diffRecords({ entries }: Pick<Diff, 'entries'>): AsyncGenerator<object> {
  for await (const { op, quad: changed } of entries()) yield { op, ...quadRecord(changed) };
}
