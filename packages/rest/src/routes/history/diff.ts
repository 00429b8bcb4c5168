/** `/A/R/diff`: the difference of two revisions. */
import { badRequest } from '@quadrille/http';
import type { Context } from '../../context.js';
import type { DiffEntry, QuadPattern, Repository, Revision } from 'quadrille';
import { entityTag, notModified } from '../../http/conditional.js';
import { type GraphSelection, graphsToRead } from '../../parameters/selected-graphs.js';
import { type Diff, diffGraphs, diffRecords, rdfPatch, sparqlUpdate } from '../../documents/diff-documents.js';
import { contentType, rdfFormat } from '../../documents/media-types.js';
import { negotiate } from '../../http/negotiate.js';
import { jsonArray } from '../../http/json-reply.js';
import { oneRef, type RefInterval, revisionInterval } from '../../parameters/revision-ref.js';
import { type Handlers, openRepository, repositoryUrl, type Service } from '../../service.js';
import { isSelected, quadsDocument } from '../../documents/statements-document.js';
import { textBody } from '../../http/text-body.js';
import { patternOf } from '../../parameters/terms.js';
import { Reply } from '../../http/reply.js';

const OFFERS = [
  'application/rdf-patch',
  'application/sparql-update',
  'application/trig',
  'application/x-trig',
  'application/json',
];

export function diffRoute(service: Service): Handlers {
  return {
    async GET(context) {
      const parameters = context.parameters;
      const interval = revisionInterval(parameters, context.request.headers) ?? endsOf(parameters);
      return diffReply(service, context, interval);
    },
  };
}

/** The default of `to` is the current revision, that of `from` the revision before `to`. */
function endsOf(parameters: URLSearchParams): Partial<RefInterval> {
  const [from, to] = [oneRef(parameters.get('from') ?? ''), oneRef(parameters.get('to') ?? '')];
  return { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
}

/** The answer for an interval; `/A/R/statements` gives the same for `revision-id=A--B`. */
export async function diffReply(service: Service, context: Context, interval: Partial<RefInterval>): Promise<Reply> {
  const parameters = context.parameters;
  const mediaType = negotiate(context.header('Accept') ?? null, OFFERS);
  const [pattern, graphs] = [patternOf(parameters), graphsToRead(parameters)];
  const repository = await openRepository(service, context);
  const to = await repository.at(interval.to ?? 'HEAD').revision();
  const from = await (interval.from === undefined ? before(repository, to) : repository.at(interval.from).revision());
  const suffix = `from-${from.id}`;
  const unchanged = notModified(context, to, suffix);
  if (unchanged !== undefined) return unchanged;
  const entries = (): AsyncIterable<DiffEntry> =>
    selected(repository.diff(from, to, { signal: context.request.signal }), pattern, graphs);
  const chunks = await documentOf(mediaType, { from, to, entries }, service, context, repository);
  return new Reply(await textBody(chunks), {
    headers: { 'Content-Type': contentType(mediaType), ETag: entityTag(to, suffix) },
  });
}

async function before(repository: Repository, revision: Revision): Promise<Revision> {
  if (revision.parent === undefined) throw badRequest('nothing is before the first revision: name another one with to');
  return repository.at(revision.parent).revision();
}

async function documentOf(
  mediaType: string,
  diff: Diff,
  service: Service,
  context: Context,
  repository: Repository,
): Promise<AsyncIterable<string>> {
  if (mediaType === 'application/rdf-patch') return rdfPatch(diff);
  if (mediaType === 'application/sparql-update') return sparqlUpdate(diff);
  const format = rdfFormat(mediaType);
  if (format === undefined || mediaType === 'application/json') return jsonArray(diffRecords(diff));
  const base = `${repositoryUrl(service, context)}/diff?from=${diff.from.id}&to=${diff.to.id}`;
  return quadsDocument(diffGraphs(diff, base), format, await repository.prefixes());
}

async function* selected(
  entries: AsyncIterable<DiffEntry>,
  { subject, predicate, object }: QuadPattern,
  graphs: GraphSelection,
): AsyncGenerator<DiffEntry> {
  for await (const entry of entries) {
    const { quad } = entry;
    if (subject && !subject.equals(quad.subject)) continue;
    if (predicate && !predicate.equals(quad.predicate)) continue;
    if (object && !object.equals(quad.object)) continue;
    if (isSelected(quad.graph, graphs)) yield entry;
  }
}
