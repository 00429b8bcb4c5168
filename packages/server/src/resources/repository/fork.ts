/** `/A/R/fork`: copies a repository with its history under another name. */
import { InvalidRecordError, NotFoundError } from '@quadrille/model';
import type { Context } from '../../context.js';
import { jsonReply } from '../../message/json-reply.js';
import { refuseBranch } from '../../parameters/branch.js';
import { oneRef, refuseRevision } from '../../parameters/revision-ref.js';
import { sentObject, textOf } from '../../parameters/sent-object.js';
import { baseUrl, type Handlers, repositoryName, type Service } from '../../service.js';
import { type Resource, raw, REPOSITORY_PATH as R } from '../resource.js';
import { JSON_TYPE } from '../media-types.js';

export const forkResource: Resource = {
  path: `${R}/fork`,
  handlers: forkRoute,
  methods: {
    POST: {
      access: 'owner',
      ...raw(),
      summary: 'Copy the repository with its history under another name (owners)',
      sends: 'Fork',
      shape: 'Repository',
      takes: [JSON_TYPE],
      gives: [JSON_TYPE],
      status: 201,
    },
  },
};

function forkRoute(service: Service): Handlers {
  return {
    async POST(context) {
      const { request, caller } = context;
      refuseRevision(context.parameters, request.headers);
      refuseBranch(context, 'leave branch out, and name with at where main of the copy ends');
      const sent = await sentObject(context);
      const target = textOf(sent, 'target')?.trim() ?? '';
      if (target === '') throw new InvalidRecordError({ target: ['is missing: account/repository of the copy'] });
      const at = oneRef(textOf(sent, 'at') ?? '');
      const options = { signal: request.signal, ...(at !== undefined && { at }) };
      const source = repositoryName(context);
      const name = target.includes('/') ? target : `${source.slice(0, source.indexOf('/'))}/${target}`;
      await requireTarget(service, context, name);
      const record = await service.hosted.repositories.fork(caller, source, name, options);
      return jsonReply(record, { Location: `${baseUrl(service, context)}/${record.repository_id}` }, 201);
    },
  };
}

/** An embedding server has rights of its own for the account of the copy. Otherwise there is nothing yet, and the service checks the account. */
async function requireTarget(service: Service, context: Context, name: string): Promise<void> {
  try {
    await service.authorize(context, 'owner', name);
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
  }
}
