/** Clone, pull and push of other copies: what both have in common, and the history as a file. */
import { badRequest } from '../../http/index.js';
import { lacks, mayDo } from '../../host/index.js';
import { AccessError, NotFoundError, type Repository } from 'quadrille';
import type { HostImportOptions } from 'quadrille/host';
import type { Context } from '../../context.js';
import { contentType } from '../../documents/media-types.js';
import { revisionIri } from '../../documents/revision-records.js';
import { bodyJson, MAX_METADATA_BYTES, MAX_RDF_BYTES, streamedBytes } from '../../message/body.js';
import { entityTag } from '../../message/conditional.js';
import { jsonReply } from '../../message/json-reply.js';
import { Reply } from '../../message/reply.js';
import { textBody } from '../../message/text-body.js';
import { oneRef } from '../../parameters/revision-ref.js';
import { type Handlers, openRepository, requireCommit, requireUnprotected, type Service } from '../../service.js';
import { type Resource, raw, REPOSITORY_PATH as R } from '../resource.js';
import { JSON_TYPE } from '../media-types.js';

export const commonResource: Resource = {
  path: `${R}/changes/common`,
  handlers: commonRoute,
  methods: {
    POST: {
      access: 'read',
      ...raw(),
      summary: 'The head, and the first of some revisions that the repository has',
      sends: 'AskedCommon',
      shape: 'Common',
      takes: [JSON_TYPE],
      gives: [JSON_TYPE],
      status: 200,
    },
  },
};

/** UUIDs that are looked up for one request. */
const MOST_ASKED = 64;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** `POST /A/R/changes/common`: the head, and the first of the sent UUIDs that is one of the revisions. */
function commonRoute(service: Service): Handlers {
  return {
    async POST(context) {
      const sent = await bodyJson(context.request, MAX_METADATA_BYTES);
      const have: unknown = (sent as { have?: unknown } | null)?.have;
      if (!Array.isArray(have) || have.length > MOST_ASKED || !have.every(isUuid))
        throw badRequest(
          `the body is {"have": […]}, at most ${String(MOST_ASKED)} UUIDs of revisions, the newest first`,
        );
      const repository = await openRepository(service, context);
      const { id, number } = await repository.revision();
      const common = await firstKnown(repository, have);
      const headers = { 'Cache-Control': 'no-store' };
      return jsonReply({ head: id, uri: revisionIri(id), ordinal: number, common: common ?? null }, headers);
    },
  };
}

const isUuid = (value: unknown): value is string => typeof value === 'string' && UUID.test(value);

async function firstKnown(repository: Repository, have: readonly string[]): Promise<string | undefined> {
  for (const uuid of have) if (await isInHistory(repository, uuid)) return uuid;
  return undefined;
}

/** A UUID alone finds revisions of all branches. */
async function isInHistory(repository: Repository, uuid: string): Promise<boolean> {
  try {
    const { number } = await repository.at(uuid).revision();
    return (await repository.at(number).revision()).id === uuid;
  } catch (error) {
    if (error instanceof NotFoundError && error.code === 'REVISION_NOT_FOUND') return false;
    throw error;
  }
}

/** `GET /A/R/changes?history=1`: a history file of the revisions after `since`, or of all; with `branches=all` of all branches. */
export async function sendHistory(service: Service, context: Context): Promise<Reply> {
  const repository = await openRepository(service, context);
  const since = oneRef(context.parameters.get('since') ?? '');
  const { signal } = context.request;
  const all = context.parameters.get('branches') === 'all' && { branches: 'all' as const };
  const body = await textBody(repository.sync.exportHistory({ signal, ...(since !== undefined && { since }), ...all }));
  return new Reply(body, {
    headers: { 'Content-Type': contentType('application/rdf-patch'), 'Cache-Control': 'no-cache' },
  });
}

/** `POST /A/R/changes?history=1`: appends the revisions of a history file. Their ids, times and authors are foreign. */
export async function takeHistory(service: Service, context: Context): Promise<Reply> {
  const { caller, request } = context;
  if (!mayDo(caller, 'replicate')) throw new AccessError('FORBIDDEN', lacks(caller, 'replicate'));
  const repository = await openRepository(service, context);
  await requireCommit(service, context, repository);
  let counts = { imported: 0, skipped: 0 };
  const options: HostImportOptions = {
    sourceName: 'request body',
    signal: request.signal,
    onBranch: (branch) => requireUnprotected(service, context, repository, branch),
    onProgress: ({ imported, skipped }) => void (counts = { imported, skipped }),
  };
  const revision = await repository.sync.importHistory(streamedBytes(request, MAX_RDF_BYTES), options);
  return jsonReply({ ...counts, head: revision.id, ordinal: revision.number }, { ETag: entityTag(revision) });
}
