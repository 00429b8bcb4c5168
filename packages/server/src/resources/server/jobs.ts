/** `/jobs` and `/A/R/status`: imports and other operations (specification, 4.8 and 4.11). */
import { refuseParameter } from '../../http/index.js';
import { isJobStatus, jobRecord } from '../../host/index.js';
import type { Context } from '../../context.js';
import { jsonListReply, jsonReply } from '../../message/json-reply.js';
import { type Handlers, repositoryName, type Service } from '../../service.js';
import { limitOf } from '../../parameters/revision-range.js';
import { Reply } from '../../message/reply.js';
import { continueUpload, uploadFields } from '../statements/resumable-upload.js';
import { type Resource, form, raw, REPOSITORY_PATH as R } from '../resource.js';
import { JSON_TYPE } from '../media-types.js';

export const jobsResource: Resource = {
  path: '/jobs',
  features: ['jobs', 'own-jobs', 'job-progress'],
  handlers: jobsRoute,
  methods: {
    GET: {
      access: 'known',
      ...form('status', 'repository', 'client-request-id', 'limit'),
      summary: 'List the jobs',
      shape: { list: 'Job' },
      gives: [JSON_TYPE],
    },
  },
};

export const jobResource: Resource = {
  path: '/jobs/:id',
  features: ['resumable-uploads'],
  handlers: jobRoute,
  methods: {
    GET: { access: 'known', ...form(), summary: 'One job', shape: 'Job', gives: [JSON_TYPE] },
    PATCH: {
      access: 'known',
      ...raw(),
      summary: 'Send a further part of the document of an import that was begun with Upload-Complete: ?0',
      takes: ['application/partial-upload', 'application/octet-stream'],
      bodyless: true,
      also: [202],
      fails: [409, 410, 412, 507],
    },
    DELETE: { access: 'known', ...form(), summary: 'Abort a job' },
  },
};

export const problemsResource: Resource = {
  path: '/jobs/:id/problems',
  handlers: problemsRoute,
  methods: {
    GET: {
      access: 'known',
      ...form(),
      summary: 'The lines that an import has skipped',
      shape: { list: 'Problem' },
      gives: [JSON_TYPE],
    },
  },
};

export const statusResource: Resource = {
  path: `${R}/status`,
  handlers: statusRoute,
  methods: {
    GET: { access: 'read', ...form(), summary: 'The job that was last', shape: 'Job', gives: [JSON_TYPE] },
  },
};

const FRESH = { 'Cache-Control': 'no-store' };

/**
 * The pending and running jobs of the client's account, newest first; with `status` the jobs of that status, or `all`. `repository`,
 * `client-request-id` and `limit` narrow them.
 */
function jobsRoute({ hosted }: Service): Handlers {
  return {
    async GET({ parameters, caller }) {
      const status = parameters.get('status')?.trim() ?? '';
      if (status !== '' && status !== 'all' && !isJobStatus(status) && status !== 'unknown') {
        throw refuseParameter('status')(`no job has the status ${status.slice(0, 50)}`);
      }
      const repository = parameters.get('repository')?.trim() ?? '';
      const clientRequestId = parameters.get('client-request-id')?.trim();
      const jobs = hosted.jobs.list(caller, {
        ...(isJobStatus(status) || status === 'all' ? { status } : {}),
        ...(repository === '' ? {} : { repository }),
        ...(clientRequestId === undefined ? {} : { clientRequestId }),
      });
      const wanted = status === 'unknown' ? [] : jobs.slice(0, limitOf(parameters));
      return jsonListReply(wanted.map(jobRecord), FRESH);
    },
  };
}

function jobRoute(service: Service): Handlers {
  const { hosted, uploads } = service;
  return {
    /** The headers say how far the upload of its document is. */
    async GET(context) {
      const job = hosted.jobs.get(context.caller, idOf(context));
      const upload = uploads.get(job.uuid);
      return jsonReply(jobRecord(job), { ...FRESH, ...(upload && uploadFields(upload)) });
    },
    PATCH: (context) => continueUpload(service, context),
    async DELETE(context) {
      await hosted.jobs.abort(context.caller, idOf(context));
      return new Reply(null, { status: 204 });
    },
  };
}

/** The lines that an import has skipped: the first ones, as far as they fit into the record of the job. */
function problemsRoute({ hosted }: Service): Handlers {
  return {
    GET: (context) => jsonListReply(hosted.jobs.get(context.caller, idOf(context)).problems ?? [], FRESH),
  };
}

/** The newest running job of a repository, else its newest job. */
function statusRoute({ hosted }: Service): Handlers {
  return {
    async GET(context) {
      const job = await hosted.repositories.status(context.caller, repositoryName(context));
      return jsonReply(jobRecord(job), FRESH);
    },
  };
}

const idOf = (context: Context): string => context.param('id') ?? '';
