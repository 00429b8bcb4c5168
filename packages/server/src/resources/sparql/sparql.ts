/** `/A/R/sparql`: queries at any revision, and updates of the current one (SPARQL 1.1 Protocol). */
import { badRequest, HttpError, refuseParameter } from '../../http/index.js';
import { InvalidArgumentError } from '@quadrille/model';
import { enterLateFields } from '../../parameters/closed-parameters.js';
import type { Context } from '../../context.js';
import type { PreparedRequest, QueryOptions } from 'quadrille';
import { hostOf, type HostUpdateOptions } from 'quadrille/host';
import type { Turn } from '../../host/index.js';
import { acceptable } from '../../message/acceptable.js';
import { answerDocument } from '../../documents/answer-document.js';
import {
  bodyText,
  FORM,
  formOf,
  MAX_QUERY_BYTES,
  mediaTypeOf,
  requireUtf8,
  textLimit,
  tooLong,
} from '../../message/body.js';
import { commitOptions, isDryRun, previewReply, refuseDryRun } from '../../parameters/commit-options.js';
import { entityTag, notModified } from '../../message/conditional.js';
import { comparedAnswer, comparedRef } from './compared-answer.js';
import { branchQuery } from '../../parameters/branch.js';
import { mementoUrls } from '../memento/memento.js';
import { noteRevision } from '../server/query-notes.js';
import { explainAnswer } from './explain-answer.js';
import { canonicalType, contentType, isGraphKind, isRowsType, offersOf } from '../../documents/media-types.js';
import { answerSuffix, wantsExpanded } from '../../documents/representation.js';
import { refuseRevision } from '../../parameters/revision-ref.js';
import {
  type Handlers,
  openRepository,
  openView,
  type OpenView,
  repositoryUrl,
  requireAccess,
  type Service,
} from '../../service.js';
import {
  hasDataset,
  queryRequest,
  queryText,
  refuseOtherText,
  theOne,
  updateOptions,
} from '../../parameters/sparql-parameters.js';
import { textBody } from '../../message/text-body.js';
import { inTurn } from '../turns.js';
import { baseOf } from '../../parameters/terms.js';
import { updated, updateAnswer } from './update-answer.js';
import { timemapGraphs } from './timemap-graphs.js';
import { serviceDescription } from './service-description.js';
import { Reply } from '../../message/reply.js';
import { queryFields } from '../../message/multipart.js';
import { type Resource, form, typed, always, REPOSITORY_PATH as R } from '../resource.js';
import { QUERY, QUERY_OR_UPDATE } from '../../parameters/lists.js';
import { QUERY_TYPES, QUERY_ANSWERS } from '../media-types.js';

export const sparqlResource: Resource = {
  path: `${R}/sparql`,
  once: always,
  features: ['sparql', 'compare'],
  handlers: sparqlRoute,
  methods: {
    GET: {
      access: 'read',
      ...form(...QUERY),
      summary: 'Answer a query, or describe the service',
      gives: QUERY_ANSWERS,
    },
    // It may contain a query. For an update the handler checks the right to write.
    POST: {
      access: 'read',
      ...typed(...QUERY_OR_UPDATE),
      summary: 'Answer a query, or make an update',
      also: [204],
      takes: QUERY_TYPES,
      gives: QUERY_ANSWERS,
    },
  },
};

const MULTIPART = 'multipart/form-data';

function sparqlRoute(service: Service): Handlers {
  return {
    GET: (context) => (isSparqlRequest(context) ? sparqlGet(service, context) : serviceDescription(service, context)),
    POST: (context) => sparqlPost(service, context),
  };
}

/** Whether the address contains a query or an update. */
export function isSparqlRequest(context: Context): boolean {
  const parameters = context.parameters;
  return parameters.has('query') || parameters.has('update');
}

export async function sparqlGet(service: Service, context: Context): Promise<Reply> {
  const parameters = context.parameters;
  if (parameters.has('update')) {
    await requireAccess(service, context, 'write');
    throw noUpdateByGet();
  }
  return asQuery(service, context, parameters, () => refuseUpdate(service, context));
}

/** Only for clients that may change the repository: others are asked for a token first. */
async function refuseUpdate(service: Service, context: Context): Promise<never> {
  await requireAccess(service, context, 'write');
  throw notAQuery();
}

const notAQuery = (): InvalidArgumentError =>
  new InvalidArgumentError(
    'NOT_A_QUERY',
    'this is an update, where a query is expected; POST it as the parameter update, or as application/sparql-update',
  );

const noUpdateByGet = (): HttpError => badRequest('an update has to be sent with POST');

export async function sparqlPost(service: Service, context: Context): Promise<Reply> {
  const { request } = context;
  requireUtf8(request);
  switch (mediaTypeOf(request)) {
    case FORM:
      return runForm(service, context);
    case MULTIPART:
      await enterLateFields(service, context, await queryFields(request, await textLimit(service, context)));
      return runForm(service, context);
    case 'application/sparql-query': {
      refuseOtherText(context.parameters);
      const parameters = new URLSearchParams(context.parameters);
      parameters.append('query', await bodyText(request, MAX_QUERY_BYTES));
      return runEither(service, context, parameters);
    }
    case 'application/sparql-update':
      refuseOtherText(context.parameters);
      return runUpdate(
        service,
        context,
        await bodyText(request, await textLimit(service, context)),
        context.parameters,
      );
    default:
      return runUnnamedForm(service, context, await bodyText(request, MAX_QUERY_BYTES));
  }
}

/** Answers the parameter `query`. `update` takes an update that a client sends as a query. */
async function asQuery(
  service: Service,
  context: Context,
  parameters: URLSearchParams,
  update: (turn: Turn, request: PreparedRequest) => Promise<Reply>,
): Promise<Reply> {
  const text = queryText(theOne(parameters, 'query'), parameters);
  if (text.length > MAX_QUERY_BYTES) throw tooLong(MAX_QUERY_BYTES);
  return inTurn(service, context, { kind: 'query', text, parameters }, async (turn) => {
    const request = await prepared(service, context, text, parameters, turn);
    if (request.kind === 'update') return update(turn, request);
    refuseDryRun(context, 'a query changes nothing; leave it out');
    return answerTo(service, context, request, parameters, turn);
  });
}

/** The request of a text, parsed. */
async function prepared(
  service: Service,
  context: Context,
  text: string,
  parameters: URLSearchParams,
  { task }: Turn,
): Promise<PreparedRequest> {
  const repository = await openRepository(service, context);
  return hostOf(repository).prepare(text, { baseIRI: baseOfText(service, context, parameters), task });
}

/** Runs a query, or where the protocol is lenient an update that a client sends as a query. */
function runEither(service: Service, context: Context, parameters: URLSearchParams): Promise<Reply> {
  return asQuery(service, context, parameters, async (turn, request) => {
    if (!service.lenientProtocol) return refuseUpdate(service, context);
    turn.becomesUpdate();
    const checked = await checkedUpdate(service, context, parameters);
    return applyUpdate(service, context, request, checked, turn);
  });
}

async function runForm(service: Service, context: Context): Promise<Reply> {
  const { parameters } = context;
  if (parameters.has('update')) {
    if (parameters.has('query')) throw refuseParameter('query')('query and update are given, where one is expected');
    return runUpdate(service, context, theOne(parameters, 'update'), parameters);
  }
  return runEither(service, context, parameters);
}

/** A form without its media type may contain a query. It may not contain an update, since web pages can send such forms unasked. */
async function runUnnamedForm(service: Service, context: Context, text: string): Promise<Reply> {
  if (/(?:^|&)query=/.test(text)) await enterLateFields(service, context, formOf(text));
  else if (text.trim() !== '') throw unknownType();
  const { parameters } = context;
  if (parameters.has('update') || !parameters.has('query')) throw unknownType();
  return asQuery(service, context, parameters, () => Promise.reject(unknownType()));
}

const unknownType = (): HttpError =>
  new HttpError('UNSUPPORTED_MEDIA_TYPE', `send ${FORM}, application/sparql-query or application/sparql-update`);

/** Answers a query. `tag` becomes part of the entity tag. */
export function runQuery(
  service: Service,
  context: Context,
  query: string,
  parameters: URLSearchParams,
  tag: string,
): Promise<Reply> {
  const text = queryText(query, parameters);
  return inTurn(service, context, { kind: 'query', text, parameters }, async (turn) =>
    answerTo(service, context, await prepared(service, context, text, parameters, turn), parameters, turn, tag),
  );
}

async function answerTo(
  service: Service,
  context: Context,
  query: PreparedRequest,
  parameters: URLSearchParams,
  turn: Turn,
  tag?: string,
): Promise<Reply> {
  const { slice, explain, options: asked } = queryRequest(parameters, context.request.signal);
  const mediaType = explain === undefined ? acceptable(context, parameters, offersOf(query.kind)) : 'text/plain';
  const opened = await openView(service, context, parameters);
  noteRevision(turn.task, opened.revision.id);
  const compared = comparedRef(parameters, query.kind);
  const other = compared === undefined ? undefined : await opened.repository.at(compared).revision();
  const extraGraphs = timemapGraphs(
    opened,
    mementoUrls(repositoryUrl(service, context), branchQuery(context, '?')),
    query,
    asked,
  );
  const options: QueryOptions = Object.assign({ ...asked }, turn.call, extraGraphs && { extraGraphs });
  const { view, revision } = opened;
  if (explain !== undefined) return explainAnswer(context, view, query.request, explain, options);
  const expanded = wantsExpanded(mediaType, context.header('Accept'));
  const prefixes = await opened.repository.namespaces.effective();
  const suffix =
    [
      tag,
      other && `from-${other.id}`,
      expanded ? 'expanded' : undefined,
      answerSuffix(mediaType, query.prefixes, prefixes),
    ]
      .filter((part) => part !== undefined)
      .join('-') || undefined;
  const isOwn = !readsOthers(query, asked);
  const unchanged = isOwn ? notModified(context, revision, suffix) : undefined;
  if (unchanged !== undefined) return unchanged;
  // The revision says nothing about what others answer.
  if (!isOwn) context.revisionRead = undefined;
  const chunks =
    other !== undefined
      ? comparedAnswer(mediaType, { query, repository: opened.repository, revision, other, options, slice })
      : slice === undefined && !expanded
        ? wholeAnswer(opened, query, mediaType, options)
        : answerDocument(view, query.request, mediaType, options, expanded ? {} : prefixes, slice);
  return new Reply(await textBody(chunks, turn), {
    headers: {
      'Content-Type': contentType(mediaType),
      ...(isOwn ? { ETag: entityTag(revision, suffix) } : { 'Cache-Control': 'no-store' }),
      Vary: 'Accept',
    },
  });
}

/** Whether the answer depends on more than the repository of the path. */
function readsOthers(query: PreparedRequest, { defaultGraphUris = [], namedGraphUris = [] }: QueryOptions): boolean {
  return query.readsOthers || [...defaultGraphUris, ...namedGraphUris].some(isRepositoryAddress);
}

const isRepositoryAddress = (iri: string): boolean => iri.startsWith('repo:');

function wholeAnswer(
  { view }: OpenView,
  { request, kind }: PreparedRequest,
  mediaType: string,
  options: QueryOptions,
): AsyncIterable<string> {
  return isGraphKind(kind) && isRowsType(mediaType)
    ? answerDocument(view, request, mediaType, options, {}, undefined)
    : hostOf(view).serialize(request, isRowsType(mediaType) ? mediaType : canonicalType(mediaType), options);
}

/** Runs an update as one commit; 204, or `true` in the results type that the client asks for. */
export async function runUpdate(
  service: Service,
  context: Context,
  update: string,
  parameters: URLSearchParams,
): Promise<Reply> {
  const { updateBytes } = service.hosted.limits;
  if (update.length > updateBytes) throw tooLong(updateBytes);
  const checked = await checkedUpdate(service, context, parameters);
  return inTurn(service, context, { kind: 'update', text: update, parameters }, async (turn) =>
    applyUpdate(service, context, await prepared(service, context, update, parameters, turn), checked, turn),
  );
}

/** The options of an update, for a client that may change the repository. */
async function checkedUpdate(
  service: Service,
  context: Context,
  parameters: URLSearchParams,
): Promise<HostUpdateOptions> {
  if (parameters.has('explain')) throw refuseParameter('explain')('an update has no plan to explain');
  refuseRevision(parameters, context.request.headers);
  await requireAccess(service, context, 'write');
  const message = parameters.get('message')?.trim() ?? '';
  return Object.assign({ ...updateOptions(parameters, context.request.signal) }, message !== '' && { message });
}

async function applyUpdate(
  service: Service,
  context: Context,
  request: PreparedRequest,
  query: HostUpdateOptions,
  turn: Turn,
): Promise<Reply> {
  if (hasDataset(query) && request.dataset !== undefined) {
    throw badRequest('using-graph-uri and using-named-graph-uri do not go together with USING or WITH in the update');
  }
  const answerType = updateAnswer(context);
  const repository = await openRepository(service, context);
  const commit = await commitOptions(service, context, repository);
  const records: HostUpdateOptions['records'] = (revision) => {
    turn.commits(revision.added + revision.removed);
    return commit.records?.(revision) ?? [];
  };
  const options: HostUpdateOptions = Object.assign({ ...query }, commit, { records }, turn.call);
  if (isDryRun(context))
    return previewReply(repository, () => repository.update(request.request, { ...options, dryRun: true }));
  return updated(await request.update(options), answerType);
}

/** The base IRI of a text: `baseURI`, else the canonical address of the endpoint. */
const baseOfText = (service: Service, context: Context, parameters: URLSearchParams): string =>
  baseOf(parameters, `${repositoryUrl(service, context)}/sparql`);
