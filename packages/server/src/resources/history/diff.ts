/** `/A/R/diff`: the difference of two revisions. */
import { badRequest } from '../../http/index.js';
import type { Context } from '../../context.js';
import type { DiffEntry, Repository, Revision } from 'quadrille';
import { entityTag, notModified } from '../../message/conditional.js';
import { type GraphSelection, graphsToRead } from '../../parameters/selected-graphs.js';
import { type Diff, diffGraphs, diffRecords, rdfPatch, sparqlUpdate } from '../../documents/diff-documents.js';
import { contentType, rdfFormat } from '../../documents/media-types.js';
import { negotiate } from '../../message/negotiate.js';
import { jsonArray, jsonReply } from '../../message/json-reply.js';
import { flagOf } from '../../parameters/flag.js';
import { oneRef, type RefInterval, revisionInterval } from '../../parameters/revision-ref.js';
import { type Handlers, openRepository, repositoryUrl, type Service } from '../../service.js';
import { diffPage, hasMore, nextPage, pageOf } from './diff-page.js';
import { diffSummary } from './diff-summary.js';
import { isSelected, quadsDocument } from '../../documents/statements-document.js';
import { textBody } from '../../message/text-body.js';
import { patternOf } from '../../parameters/terms.js';
import { Reply } from '../../message/reply.js';
import { type Resource, form, REPOSITORY_PATH as R } from '../resource.js';
import { CHANGED } from '../../parameters/lists.js';
import { DIFFS } from '../media-types.js';

export const diffResource: Resource = {
  path: `${R}/diff`,
  features: ['diff-summary', 'diff-pages'],
  handlers: diffRoute,
  methods: {
    GET: {
      access: 'read',
      ...form('from', 'to', 'revision-id', 'summary', 'limit', 'cursor', ...CHANGED),
      summary: 'What differs between two revisions',
      shape: 'Diff',
      gives: DIFFS,
    },
  },
};

/** The media types of a difference. */
export const DIFF_OFFERS = [
  'application/rdf-patch',
  'application/sparql-update',
  'application/trig',
  'application/x-trig',
  'application/json',
];

function diffRoute(service: Service): Handlers {
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
  const isSummary = flagOf(parameters, 'summary');
  const mediaType = isSummary ? 'application/json' : diffType(context);
  const graphs = graphsToRead(parameters);
  const [graph, ...others] = typeof graphs === 'object' ? graphs : [];
  const pattern = { ...patternOf(parameters), graph: others.length > 0 ? undefined : graph };
  const repository = await openRepository(service, context);
  const to = await repository.at(interval.to ?? 'HEAD').revision();
  const from = await (interval.from === undefined ? before(repository, to) : repository.at(interval.from).revision());
  const suffix = `from-${from.id}${isSummary ? '-summary' : ''}`;
  const unchanged = notModified(context, to, suffix);
  if (unchanged !== undefined) return unchanged;
  const whole = (): AsyncIterable<DiffEntry> =>
    selected(repository.diff(from, to, pattern, { signal: context.request.signal }), graphs);
  const headers = { ETag: entityTag(to, suffix) };
  if (isSummary) return jsonReply(await diffSummary(whole()), headers);
  const page = diffPage(parameters);
  const entries = (): AsyncIterable<DiffEntry> => pageOf(whole(), page);
  const reply = await diffDocument(service, context, mediaType, { from, to, entries, isPart: page !== undefined });
  for (const [name, value] of Object.entries(headers)) reply.headers.set(name, value);
  if (page !== undefined && (await hasMore(whole(), page)))
    reply.headers.append('Link', `<${nextPage(parameters, page, { from: from.id, to: to.id })}>; rel="next"`);
  return reply;
}

/** A difference in the media type that a client has chosen. */
export async function diffDocument(service: Service, context: Context, mediaType: string, diff: Diff): Promise<Reply> {
  const chunks = await documentOf(mediaType, diff, service, context, await openRepository(service, context));
  return new Reply(await textBody(chunks), { headers: { 'Content-Type': contentType(mediaType) } });
}

/** The media type of a difference. @throws HttpError 406 */
export const diffType = (context: Context): string => negotiate(context.header('Accept') ?? null, DIFF_OFFERS);

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
  return quadsDocument(diffGraphs(diff, base), format, await repository.namespaces.effective());
}

async function* selected(entries: AsyncIterable<DiffEntry>, graphs: GraphSelection): AsyncGenerator<DiffEntry> {
  for await (const entry of entries) if (isSelected(entry.quad.graph, graphs)) yield entry;
}
