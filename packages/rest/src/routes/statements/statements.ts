/** `/A/R/statements`: reads, adds, replaces and removes statements. */
import { badRequest, HttpError } from '@quadrille/http';
import type { Context } from '../../context.js';
import { acceptable } from '../../http/acceptable.js';
import { bodyText, MAX_QUERY_BYTES, mediaTypeOf } from '../../http/body.js';
import { commitOptions } from '../../parameters/commit-options.js';
import { entityTag, notModified } from '../../http/conditional.js';
import { graphsToRead, graphsToWrite } from '../../parameters/selected-graphs.js';
import { written } from './import-reply.js';
import { beginUpload, isPartial } from './resumable-upload.js';
import { statementSource, type WriteMethod, writeSource } from './statement-source.js';
import { contentType, STATEMENT_OFFERS, writableType } from '../../documents/media-types.js';
import { tagSuffix, wantsExpanded } from '../../documents/representation.js';
import { enterBranch } from '../../parameters/branch.js';
import { refuseRevision, revisionInterval } from '../../parameters/revision-ref.js';
import { type Handlers, openRepository, openView, type Service } from '../../service.js';
import { statementsDocument } from '../../documents/statements-document.js';
import { textBody } from '../../http/text-body.js';
import { patternOf } from '../../parameters/terms.js';
import { diffReply } from '../history/diff.js';
import { Reply } from '../../http/reply.js';

const FORM = 'application/x-www-form-urlencoded';
/** The parameters of DELETE. Others are refused, because a misspelled filter would remove more than intended. */
const DELETE_PARAMETERS = new Set(
  (
    'subj subject pred predicate obj object context branch ' +
    'message auth_token user_id infer Accept format timeout _method revision-id revision revision-uuid'
  ).split(' '),
);

/** Exports such as `/A/R.ttl`. `Accept` is ignored. */
export function exportRoute(service: Service): Handlers {
  return {
    GET(context) {
      const extension = context.param('extension') ?? '';
      const mediaType = writableType(extension);
      if (mediaType === undefined) throw new HttpError('NOT_FOUND', `no format is called ${extension.slice(0, 20)}`);
      return readStatements(service, context, mediaType);
    },
  };
}

export function statementsRoute(service: Service): Handlers {
  return {
    GET: (context) => readStatements(service, context),
    POST: (context) => writeStatements(service, context, 'POST'),
    PUT: (context) => writeStatements(service, context, 'PUT'),
    DELETE: (context) => removeStatements(service, context),
  };
}

/** The answer of `/A/R/statements`, of `/A/R` for statements, and of `/A/R.ttl`, which gives the media type as `chosen`. */
export async function readStatements(service: Service, context: Context, chosen?: string): Promise<Reply> {
  const parameters = context.parameters;
  const interval = revisionInterval(parameters, context.request.headers);
  if (interval !== undefined) return diffReply(service, context, interval);
  const pattern = patternOf(parameters);
  const graphs = graphsToRead(parameters);
  const mediaType = chosen ?? acceptable(context, parameters, STATEMENT_OFFERS);
  const { view, revision, repository } = await openView(service, context, parameters);
  const expanded = wantsExpanded(mediaType, context.header('Accept'));
  const prefixes = expanded ? {} : await repository.prefixes();
  const suffix = tagSuffix(mediaType, prefixes);
  const unchanged = notModified(context, revision, suffix);
  if (unchanged !== undefined) return unchanged;
  const { signal } = context.request;
  // A dump has the prefixes of the repository.
  const reads = expanded ? { quads: view.quads.bind(view) } : view;
  const chunks = statementsDocument(mediaType, { view: reads, pattern, graphs, prefixes, signal });
  return new Reply(await textBody(chunks), {
    headers: { 'Content-Type': contentType(mediaType), ETag: entityTag(revision, suffix) },
  });
}

async function writeStatements(service: Service, context: Context, method: WriteMethod): Promise<Reply> {
  refuseRevision(context.parameters, context.request.headers);
  if (isPartial(context.request)) return beginUpload(service, context, method);
  return writeSource(service, context, await statementSource(service, context, method), method);
}

async function removeStatements(service: Service, context: Context): Promise<Reply> {
  const parameters = await deleteParameters(context);
  refuseRevision(parameters, context.request.headers);
  const unknown = [...parameters.keys()].find((name) => !DELETE_PARAMETERS.has(name));
  if (unknown !== undefined) throw badRequest(`DELETE knows no parameter ${unknown}; nothing was removed`);
  const pattern = patternOf(parameters);
  const graphs = graphsToWrite(parameters);
  await enterBranch(service, context, parameters);
  const repository = await openRepository(service, context);
  const options = await commitOptions(service, context, repository);
  const { statements } = service.hosted;
  return written(
    await statements.remove(context.caller, repository.name, pattern, graphs, {
      ...options,
      branch: repository.branchName,
    }),
  );
}

/** The parameters of the address and of a form body. Other bodies are refused, because the client may mean them as a filter. */
async function deleteParameters(context: Context): Promise<URLSearchParams> {
  const parameters = new URLSearchParams(context.parameters);
  const text = await bodyText(context.request, MAX_QUERY_BYTES);
  if (text === '') return parameters;
  if (mediaTypeOf(context.request) !== FORM) {
    throw new HttpError('UNSUPPORTED_MEDIA_TYPE', 'DELETE takes its pattern as parameters, not as a body');
  }
  for (const [name, value] of new URLSearchParams(text)) parameters.append(name, value);
  return parameters;
}
