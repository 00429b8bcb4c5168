/** `/A/R/statements`: reads, adds, replaces and removes statements. */
import { HttpError } from '../../http/index.js';
import type { Context } from '../../context.js';
import { acceptable } from '../../message/acceptable.js';
import { commitOptions } from '../../parameters/commit-options.js';
import { entityTag, notModified } from '../../message/conditional.js';
import { graphsToRead, graphsToWrite } from '../../parameters/selected-graphs.js';
import { written } from './import-reply.js';
import { beginUpload, isPartial } from './resumable-upload.js';
import { statementSource, type WriteMethod, writeSource } from './statement-source.js';
import { contentType, STATEMENT_OFFERS, writableType, DOCUMENT_TYPES } from '../../documents/media-types.js';
import { tagSuffix, wantsExpanded } from '../../documents/representation.js';
import { narrowTo } from '../../parameters/closed-parameters.js';
import { refuseRevision, revisionInterval } from '../../parameters/revision-ref.js';
import { type Handlers, openRepository, openView, type Service } from '../../service.js';
import { statementsDocument } from '../../documents/statements-document.js';
import { textBody } from '../../message/text-body.js';
import { patternOf } from '../../parameters/terms.js';
import { timeoutOf } from '../../parameters/timeout.js';
import { diffReply } from '../history/diff.js';
import { Reply } from '../../message/reply.js';
import { type Resource, form, typed, always, REPOSITORY_PATH as R } from '../resource.js';
import { DOCUMENT, DOCUMENT_OR_UPDATE, READ, REMOVE } from '../../parameters/lists.js';
import { FORM, STATEMENTS_OR_DIFF } from '../media-types.js';

export const statementsResource: Resource = {
  path: `${R}/statements`,
  once: always,
  features: ['skip-errors', 'idempotency-keys'],
  handlers: statementsRoute,
  methods: {
    GET: {
      access: 'read',
      ...form(...READ),
      summary: 'Read statements, or what has changed from one revision to another',
      gives: STATEMENTS_OR_DIFF,
    },
    POST: {
      access: 'write',
      ...typed(...DOCUMENT_OR_UPDATE),
      summary: 'Add statements',
      also: [200, 202],
      takes: [...DOCUMENT_TYPES, FORM, 'multipart/form-data', 'application/sparql-update'],
    },
    PUT: {
      access: 'write',
      ...typed(...DOCUMENT),
      summary: 'Replace statements',
      also: [200, 202],
      takes: [...DOCUMENT_TYPES, FORM, 'multipart/form-data'],
    },
    DELETE: { access: 'write', ...form(...REMOVE), summary: 'Remove statements' },
  },
};

export const exportResource: Resource = {
  path: `${R}/export/:extension`,
  handlers: exportRoute,
  methods: {
    GET: {
      access: 'read',
      ...form(...READ),
      summary: 'The statements in the format of a file extension',
      gives: STATEMENTS_OR_DIFF,
    },
  },
};

/** Exports such as `/A/R.ttl`. `Accept` is ignored. */
function exportRoute(service: Service): Handlers {
  return {
    GET(context) {
      const extension = context.param('extension') ?? '';
      const mediaType = writableType(extension);
      if (mediaType === undefined) throw new HttpError('NOT_FOUND', `no format is called ${extension.slice(0, 20)}`);
      return readStatements(service, context, mediaType);
    },
  };
}

function statementsRoute(service: Service): Handlers {
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
  const prefixes = expanded ? {} : await repository.namespaces.effective();
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
  if (isPartial(context.request)) {
    refuseRevision(context.parameters, context.request.headers);
    narrowTo(context, DOCUMENT);
    return beginUpload(service, context, method);
  }
  return writeSource(service, context, await statementSource(service, context, method), method);
}

async function removeStatements(service: Service, context: Context): Promise<Reply> {
  const { parameters } = context;
  refuseRevision(parameters, context.request.headers);
  const pattern = patternOf(parameters);
  const graphs = graphsToWrite(parameters);
  const { statements, gate } = service.hosted;
  // Clients of RDF4J send it with every request. A removal waits for no turn, so only its form counts.
  timeoutOf(parameters, gate.limits);
  const repository = await openRepository(service, context);
  const options = await commitOptions(service, context, repository);
  return written(
    await statements.remove(context.caller, repository.name, pattern, graphs, {
      ...options,
      branch: repository.branch,
    }),
  );
}
