/** What a repository of a server was: its revisions, and how they differ. */
import { type PatchRow, readPatch } from '@quadrille/formats/patch';
import { defaultGraph, quad } from '@quadrille/model';
import type * as RDF from '@rdfjs/types';
import { type RevisionRecord, revisionOf } from './records.js';
import type { Requests } from './requests.js';
import { bytesOf, LazyResults, openRows, ROWS_TYPE } from './results.js';
import { patternParameters, refText } from './texts.js';
import type {
  BlameEntry,
  BlameOptions,
  DiffEntry,
  HistoryEvent,
  HistoryOptions,
  LogOptions,
  QuadPattern,
  ReadOptions,
  Ref,
  Results,
  Revision,
  Row,
} from './types.js';

/** Revisions of one answer. */
const PAGE = 1000;

const textOf = (ref: Ref | undefined): string | undefined => (ref === undefined ? undefined : refText(ref));

/** The revisions that options choose, page by page. */
export function revisions(requests: Requests, options: LogOptions): Results<Revision> {
  const { limit = Infinity, before, from, to, author, message, pattern = {}, branches = 'this', signal } = options;
  const filter = {
    ...patternParameters(pattern),
    from: textOf(from),
    until: textOf(to),
    author,
    message,
    branches: branches === 'all' ? branches : undefined,
  };
  return new LazyResults(async function* () {
    let left = limit;
    let last = textOf(before);
    while (left > 0) {
      const size = Math.min(left, PAGE);
      const parameters = { ...filter, limit: String(size), before: last };
      const page = await requests.json<readonly RevisionRecord[]>({ path: '/revisions', parameters, signal });
      for (const record of page) yield revisionOf(record);
      if (page.length < size) return;
      left -= page.length;
      last = page.at(-1)!.uuid;
    }
  });
}

/** What differs between two revisions, as it arrives. */
export function differences(
  requests: Requests,
  { from, to, pattern }: { readonly from: Ref; readonly to: Ref; readonly pattern: QuadPattern },
  { signal }: ReadOptions,
): Results<DiffEntry> {
  const parameters = { from: refText(from), to: refText(to), ...patternParameters(pattern) };
  return new LazyResults(async function* () {
    const response = await requests.send({ path: '/diff', parameters, accept: 'application/rdf-patch', signal });
    for await (const rows of readPatch(bytesOf(response, signal))) yield* entriesOf(rows);
  });
}

export function* entriesOf(rows: readonly PatchRow[]): Generator<DiffEntry> {
  for (const row of rows)
    if (row.type === 'add' || row.type === 'delete')
      yield { op: row.type === 'add' ? 'add' : 'remove', quad: row.quad };
}

const REVISION = 'urn:quadrille:revision:';
/** Records of revisions that are kept while an answer is read. */
const MOST_KEPT = 10_000;

/** Answers name revisions. Their records are asked for, each once. */
function revisionsOf(requests: Requests, signal: AbortSignal | undefined): (iri: RDF.Term) => Promise<Revision> {
  const known = new Map<string, Revision>();
  return async (iri) => {
    const id = iri.value.slice(REVISION.length);
    let found = known.get(id);
    if (found === undefined) {
      found = revisionOf(await requests.json<RevisionRecord>({ path: `/revisions/${id}`, signal }));
      if (known.size < MOST_KEPT) known.set(id, found);
    }
    return found;
  };
}

const quadOf = ({ subject, predicate, object }: Row, graph: RDF.Term | undefined): RDF.Quad =>
  quad(
    subject as RDF.Quad_Subject,
    predicate as RDF.Quad_Predicate,
    object as RDF.Quad_Object,
    (graph ?? defaultGraph()) as RDF.Quad_Graph,
  );

/** The quads of a revision with those that they are from. */
export function blamed(
  requests: Requests,
  at: string | undefined,
  pattern: QuadPattern,
  { removed = false, signal }: BlameOptions,
): Results<BlameEntry> {
  const revision = revisionsOf(requests, signal);
  const parameters = { ...patternParameters(pattern), removed: removed ? '1' : undefined, 'revision-id': at };
  return new LazyResults(async function* () {
    const response = await requests.send({ path: '/blame', parameters, accept: ROWS_TYPE, signal });
    for await (const row of (await openRows(response, signal)).rows) {
      const [merged, gone] = [row['merged'], row['removed']];
      yield {
        quad: quadOf(row, row['context']),
        revision: await revision(row['revision']!),
        ...(merged && { merged: await revision(merged) }),
        ...(gone && { removed: await revision(gone) }),
      };
    }
  });
}

/** When quads came and went. */
export function events(
  requests: Requests,
  pattern: QuadPattern,
  { from, to, signal }: HistoryOptions,
): Results<HistoryEvent> {
  const revision = revisionsOf(requests, signal);
  const parameters = { ...patternParameters(pattern), from: textOf(from), until: textOf(to) };
  return new LazyResults(async function* () {
    const response = await requests.send({ path: '/history', parameters, accept: ROWS_TYPE, signal });
    for await (const row of (await openRows(response, signal)).rows)
      yield {
        op: row['operation']!.value === 'insert' ? 'add' : 'remove',
        quad: quadOf(row, row['graph']),
        revision: await revision(row['revision']!),
      };
  });
}
