/** `/A/R/refs`: tags. */
import { NotFoundError } from '@quadrille/model';
import type { Tags } from 'quadrille';
import type { Context } from '../../context.js';
import { jsonMapReply, jsonReply } from '../../message/json-reply.js';
import { contentType } from '../../documents/media-types.js';
import { entityTag, ifConditionsHold, notModified } from '../../message/conditional.js';
import { negotiate } from '../../message/negotiate.js';
import { revisionRecord } from '../../documents/revision-records.js';
import { namedRevision } from '../../parameters/named-revision.js';
import { type Handlers, openRepository, type Service } from '../../service.js';
import { Reply } from '../../message/reply.js';
import { type Resource, form, raw, common, REPOSITORY_PATH as R } from '../resource.js';
import { JSON_TYPE } from '../media-types.js';

export const refsResource: Resource = {
  path: `${R}/refs`,
  handlers: refsRoute,
  methods: {
    GET: { access: 'read', ...form(), summary: 'List the tags', shape: { map: 'Revision' }, gives: [JSON_TYPE] },
  },
};

export const refResource: Resource = {
  path: `${R}/refs/:name{.+}`,
  isTagged: true,
  handlers: refRoute,
  methods: {
    GET: {
      access: 'read',
      ...form(),
      summary: 'The revision of a tag',
      shape: 'Revision',
      gives: [JSON_TYPE, 'text/plain'],
    },
    PUT: {
      access: 'write',
      ...raw('to', 'revision-id'),
      summary: 'Set a tag',
      bodyless: true,
      also: [204],
      takes: ['text/plain'],
      status: 201,
    },
    DELETE: { access: 'write', ...common(form()), summary: 'Remove a tag' },
  },
};

function refsRoute(service: Service): Handlers {
  return {
    async GET(context) {
      const repository = await openRepository(service, context);
      const tags = (await repository.tags.list().toArray()).map(({ name, revision }) => [name, revision] as const);
      return jsonMapReply(tags.map(([name, revision]) => [name, revisionRecord(revision)] as const));
    },
  };
}

function refRoute(service: Service): Handlers {
  return {
    async GET(context) {
      const mediaType = negotiate(context.header('Accept') ?? null, ['application/json', 'text/plain']);
      const repository = await openRepository(service, context);
      const revision = await repository.tags.get(nameOf(context));
      if (revision === undefined) throw noTag(context);
      const unchanged = notModified(context, revision);
      if (unchanged !== undefined) return unchanged;
      const ETag = entityTag(revision);
      if (mediaType === 'application/json') return jsonReply(revisionRecord(revision), { ETag });
      return new Reply(`${revision.id}\n`, { headers: { 'Content-Type': contentType(mediaType), ETag } });
    },
    async PUT(context) {
      const ref = (await namedRevision(context, 'to')) ?? 'HEAD';
      const { tags } = await openRepository(service, context);
      const name = nameOf(context);
      const isNew = await ifConditionsHold(service, context, 'refs', tagOf(tags, name), async () => {
        const before = await tags.get(name);
        await tags.set(name, ref);
        return before === undefined;
      });
      return new Reply(null, { status: isNew ? 201 : 204 });
    },
    async DELETE(context) {
      const { tags } = await openRepository(service, context);
      const name = nameOf(context);
      const wasThere = await ifConditionsHold(service, context, 'refs', tagOf(tags, name), () => tags.delete(name));
      if (!wasThere) throw noTag(context);
      return new Reply(null, { status: 204 });
    },
  };
}

const tagOf = (tags: Tags, name: string) => async (): Promise<string | undefined> => (await tags.get(name))?.id;
const nameOf = (context: Context): string => context.param('name') ?? '';
const noTag = (context: Context): NotFoundError =>
  new NotFoundError('TAG_NOT_FOUND', `there is no tag ${nameOf(context).slice(0, 100)}`);
