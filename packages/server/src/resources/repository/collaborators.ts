/** `/A/R/collaborators`: the accounts that may read or write a repository besides its owner. */
import { badRequest } from '../../http/index.js';
import { NotFoundError } from '@quadrille/model';
import type { Context } from '../../context.js';
import { bodyJson, MAX_METADATA_BYTES } from '../../message/body.js';
import { ifConditionsHold, stateTag, unlessKnown } from '../../message/conditional.js';
import { jsonMapReply, jsonReply } from '../../message/json-reply.js';
import { type Handlers, repositoryName, type Service } from '../../service.js';
import { Reply } from '../../message/reply.js';
import type { HttpRequest } from '../../message/request.js';
import { type Resource, form, raw, common, REPOSITORY_PATH as R } from '../resource.js';
import { JSON_TYPE } from '../media-types.js';

export const collaboratorsResource: Resource = {
  path: `${R}/collaborators`,
  handlers: collaboratorsRoute,
  methods: {
    GET: {
      access: 'owner',
      ...form(),
      summary: 'List the collaborators and their rights',
      shape: { map: 'Rights' },
      gives: [JSON_TYPE],
    },
  },
};

export const collaboratorResource: Resource = {
  path: `${R}/collaborators/:collaborator`,
  isTagged: true,
  handlers: collaboratorRoute,
  methods: {
    GET: { access: 'owner', ...form(), summary: 'The rights of a collaborator', shape: 'Rights', gives: [JSON_TYPE] },
    PUT: {
      access: 'owner',
      ...common(raw()),
      summary: 'Set the rights of a collaborator',
      sends: 'Rights',
      takes: [JSON_TYPE],
    },
    DELETE: { access: 'owner', ...common(form()), summary: 'Remove a collaborator' },
  },
};

function collaboratorsRoute({ hosted }: Service): Handlers {
  return {
    async GET(context) {
      const shared = await hosted.repositories.collaborators(context.caller, repositoryName(context));
      const rights = Object.entries(shared).map(([account, access]) => [account, rightsOf(access)] as const);
      return jsonMapReply(rights);
    },
  };
}

function collaboratorRoute(service: Service): Handlers {
  const { repositories } = service.hosted;
  const rights = async (context: Context): Promise<object | undefined> => {
    const shared = await repositories.collaborators(context.caller, repositoryName(context));
    const access = Object.hasOwn(shared, nameOf(context)) ? shared[nameOf(context)] : undefined;
    return access && rightsOf(access);
  };
  const set = async (context: Context, access: 'none' | 'read' | 'write'): Promise<Reply> => {
    const state = async (): Promise<string | undefined> => {
      const present = await rights(context);
      return present && stateTag(present);
    };
    await ifConditionsHold(service, context, 'collaborators', state, () =>
      repositories.setCollaborator(context.caller, repositoryName(context), nameOf(context), access),
    );
    return new Reply(null, { status: 204 });
  };
  return {
    async GET(context) {
      const present = await rights(context);
      if (present === undefined)
        throw new NotFoundError('ACCOUNT_NOT_FOUND', `${nameOf(context).slice(0, 100)} is no collaborator`);
      const ETag = `"${stateTag(present)}"`;
      return unlessKnown(context, ETag) ?? jsonReply(present, { ETag });
    },
    PUT: async (context) => set(context, await sentRights(context.request)),
    DELETE: (context) => set(context, 'none'),
  };
}

const nameOf = (context: Context): string => context.param('collaborator') ?? '';
const rightsOf = (access: 'read' | 'write'): object => ({ read: true, write: access === 'write' });

/** `{"read": true, "write": false}`. The right to write includes the right to read. */
async function sentRights(request: HttpRequest): Promise<'none' | 'read' | 'write'> {
  const value = await bodyJson(request, MAX_METADATA_BYTES);
  if (typeof value !== 'object' || value === null) throw badRequest('rights are {"read": true, "write": false}');
  const { read = false, write = false } = value as { read?: unknown; write?: unknown };
  if (typeof read !== 'boolean' || typeof write !== 'boolean') throw badRequest('read and write are true or false');
  if (write) return 'write';
  return read ? 'read' : 'none';
}
