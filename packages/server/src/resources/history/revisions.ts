/** `/A/R/revisions`: lists, shows, reverts and removes revisions. */
import { HttpError, refuseParameter } from '../../http/index.js';
import type { Context } from '../../context.js';
import type { Repository, Revision } from 'quadrille';
import { commitOptions } from '../../parameters/commit-options.js';
import { entityTag } from '../../message/conditional.js';
import { jsonArray, jsonReply } from '../../message/json-reply.js';
import { contentType, rdfFormat } from '../../documents/media-types.js';
import { negotiate } from '../../message/negotiate.js';
import { bucketsOf, revisionBuckets } from './revision-buckets.js';
import { revertPreview } from './revert-preview.js';
import { flagOf } from '../../parameters/flag.js';
import { graphPage, revisionPage } from './revision-page.js';
import { trimRevisions } from './trim.js';
import {
  graphAsJson,
  revisionRecord,
  revisionsAsCsv,
  revisionsAsJson,
  revisionsAsText,
  triplesOfRevisions,
} from '../../documents/revision-records.js';
import { oneRef, refuseRevision } from '../../parameters/revision-ref.js';
import { type Handlers, openRepository, type Service } from '../../service.js';
import { quadsDocument } from '../../documents/statements-document.js';
import { textBody } from '../../message/text-body.js';
import { TIMEMAP_PREFIXES } from '../../documents/timemap-documents.js';
import { Reply } from '../../message/reply.js';
import { type Resource, form, always, REPOSITORY_PATH as R } from '../resource.js';
import { CHANGED, RANGE } from '../../parameters/lists.js';
import { JSON_TYPE, DIFFS } from '../media-types.js';

export const revisionsResource: Resource = {
  path: `${R}/revisions`,
  features: ['revision-buckets', 'trim'],
  handlers: revisionsRoute,
  methods: {
    GET: {
      access: 'read',
      ...form(...RANGE, ...CHANGED, 'author', 'message', 'branches', 'buckets', 'cursor'),
      summary: 'List the revisions, those of an author, with a part of a message, or that changed matching statements',
      shape: { list: 'RevisionOrBucket' },
      gives: [JSON_TYPE, 'application/n-triples', 'text/csv', 'text/plain', 'text/turtle'],
    },
    DELETE: {
      access: 'owner',
      ...form('revision-id', 'last', 'per-day', 'mode', 'dry-run'),
      summary: 'Remove old revisions (owners): those before revision-id, unless another parameter keeps them',
      shape: 'TrimReport',
      gives: [JSON_TYPE],
    },
  },
};

export const revisionResource: Resource = {
  path: `${R}/revisions/:ref`,
  handlers: revisionRoute,
  methods: {
    GET: {
      access: 'read',
      ...form(),
      summary: 'One revision',
      shape: 'Revision',
      gives: [JSON_TYPE, 'application/n-triples', 'text/csv', 'text/plain', 'text/turtle'],
    },
  },
};

export const revertResource: Resource = {
  path: `${R}/revisions/:ref/revert`,
  once: always,
  features: ['revert-preview'],
  handlers: revertRoute,
  methods: {
    POST: {
      access: 'write',
      ...form('preview', 'message'),
      summary: 'Undo a revision by a new one, or tell what that would change',
      gives: DIFFS,
      status: 200,
      also: [204],
      bodyless: true,
    },
  },
};

const OFFERS = [JSON_TYPE, 'application/n-triples', 'text/csv', 'text/plain', 'text/turtle'];

function revisionsRoute(service: Service): Handlers {
  return {
    async GET(context) {
      const all = branchesOf(context.parameters);
      const buckets = bucketsOf(context.parameters);
      const mediaType = negotiate(context.header('Accept') ?? null, buckets === undefined ? OFFERS : [JSON_TYPE]);
      const repository = await openRepository(service, context);
      if (all) {
        const { revisions, next } = await graphPage(repository, context);
        return withNext(await documentReply(mediaType, revisions, graphAsJson), next);
      }
      if (buckets !== undefined) return jsonReply(await revisionBuckets(repository, context, buckets));
      // Newest first, as in a log. The list of ids as text is oldest first, so that it only grows at its end.
      const { revisions, next } = await revisionPage(repository, context, mediaType !== 'text/plain');
      return withNext(await documentReply(mediaType, revisions), next);
    },
    DELETE: (context) => trimRevisions(service, context),
  };
}

function revisionRoute(service: Service): Handlers {
  return {
    async GET(context) {
      const mediaType = negotiate(context.header('Accept') ?? null, OFFERS);
      const revision = await pathRevision(await openRepository(service, context), context);
      if (mediaType === JSON_TYPE) return jsonReply(revisionRecord(revision));
      return documentReply(mediaType, one(revision));
    },
  };
}

/** With `preview` the changes that it would make, and nothing is made. Else 204 with the tag of the new revision, or of the current one if there was nothing to undo. */
function revertRoute(service: Service): Handlers {
  return {
    async POST(context) {
      refuseRevision(context.parameters, context.request.headers);
      const repository = await openRepository(service, context);
      const undone = await pathRevision(repository, context);
      if (flagOf(context.parameters, 'preview', true)) return revertPreview(service, context, repository, undone);
      const revision = await repository.revert(undone, await commitOptions(service, context, repository));
      return new Reply(null, { status: 204, headers: { ETag: entityTag(revision) } });
    },
  };
}

/** Whether the parameter `branches` asks for the revisions of all branches. @throws HttpError 400 */
function branchesOf(parameters: URLSearchParams): boolean {
  const text = parameters.get('branches') ?? '';
  if (text === '' || text === 'this' || text === 'all') return text === 'all';
  throw refuseParameter('branches')(`branches is all or this, not ${text.slice(0, 50)}`);
}

function withNext(reply: Reply, next: string | undefined): Reply {
  if (next !== undefined) reply.headers.append('Link', `<${next}>; rel="next"`);
  return reply;
}

async function documentReply(
  mediaType: string,
  revisions: AsyncIterable<Revision>,
  asJson: (revisions: AsyncIterable<Revision>) => AsyncIterable<object> = revisionsAsJson,
): Promise<Reply> {
  return new Reply(await textBody(documentOf(mediaType, revisions, asJson)), {
    headers: { 'Content-Type': contentType(mediaType) },
  });
}

function documentOf(
  mediaType: string,
  revisions: AsyncIterable<Revision>,
  asJson: (revisions: AsyncIterable<Revision>) => AsyncIterable<object>,
): AsyncIterable<string> {
  switch (mediaType) {
    case JSON_TYPE:
      return jsonArray(asJson(revisions));
    case 'text/csv':
      return revisionsAsCsv(revisions);
    case 'text/plain':
      return revisionsAsText(revisions);
    default: {
      const format = rdfFormat(mediaType);
      if (format === undefined) throw new HttpError('NOT_ACCEPTABLE', `${mediaType} cannot be written`);
      return quadsDocument(triplesOfRevisions(revisions), format, TIMEMAP_PREFIXES);
    }
  }
}

/** The revision of the path. @throws HttpError 404; NotFoundError `REVISION_NOT_FOUND` */
export async function pathRevision(repository: Repository, context: Context): Promise<Revision> {
  const ref = oneRef(context.param('ref') ?? '');
  if (ref === undefined) throw new HttpError('NOT_FOUND', 'the path names no revision');
  return repository.at(ref).revision();
}

async function* one(revision: Revision): AsyncGenerator<Revision> {
  yield revision;
}
