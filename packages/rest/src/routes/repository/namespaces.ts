/** `/A/R/namespaces` and `/A/namespaces`: the prefixes of a repository, and those that all repositories of an account have. They are not versioned. */
import { HttpError } from '@quadrille/http';
import type { Context } from '../../context.js';
import { literal, type Namespaces } from 'quadrille';
import { acceptable } from '../../http/acceptable.js';
import { bodyText, MAX_METADATA_BYTES } from '../../http/body.js';
import { jsonMapReply } from '../../http/json-reply.js';
import { ROW_OFFERS } from '../../documents/media-types.js';
import { type Handlers, openRoot, type Service } from '../../service.js';
import { rowsReply } from '../../documents/rows-reply.js';
import { Reply } from '../../http/reply.js';

const LIST_OFFERS = ['application/json', ...ROW_OFFERS];
const ONE_OFFERS = ['text/plain', ...ROW_OFFERS];

/** Finds the prefixes that a request means. */
type Find = (context: Context) => Promise<Namespaces>;

const ofRepository =
  (service: Service): Find =>
  async (context) =>
    (await openRoot(service, context)).namespaces;
const ofAccount =
  ({ hosted }: Service): Find =>
  (context) =>
    hosted.administration.namespaces(context.caller, context.param('account') ?? '');

export const namespacesRoute = (service: Service): Handlers => listRoute(ofRepository(service));
export const namespaceRoute = (service: Service): Handlers => prefixRoute(ofRepository(service));
export const accountNamespacesRoute = (service: Service): Handlers => listRoute(ofAccount(service));
export const accountNamespaceRoute = (service: Service): Handlers => prefixRoute(ofAccount(service));

function listRoute(find: Find): Handlers {
  return {
    async GET(context) {
      const mediaType = acceptable(context, context.parameters, LIST_OFFERS);
      const declarations = await (await find(context)).list();
      if (mediaType === 'application/json') return jsonMapReply(Object.entries(declarations), { Vary: 'Accept' });
      const rows = Object.entries(declarations).map(([prefix, namespace]) => ({
        prefix: literal(prefix),
        namespace: literal(namespace),
      }));
      return rowsReply(mediaType, ['prefix', 'namespace'], rows);
    },
    async DELETE(context) {
      const namespaces = await find(context);
      for (const prefix of Object.keys(await namespaces.list())) await namespaces.delete(prefix);
      return done();
    },
  };
}

function prefixRoute(find: Find): Handlers {
  return {
    async GET(context) {
      const mediaType = acceptable(context, context.parameters, ONE_OFFERS);
      const prefix = prefixOf(context);
      const namespace = await (await find(context)).get(prefix);
      if (namespace === undefined) throw new HttpError('NOT_FOUND', `there is no prefix ${prefix.slice(0, 100)}`);
      if (mediaType !== 'text/plain') return rowsReply(mediaType, ['namespace'], [{ namespace: literal(namespace) }]);
      return new Reply(namespace, { headers: { 'Content-Type': 'text/plain; charset=utf-8', Vary: 'Accept' } });
    },
    async PUT(context) {
      const namespaces = await find(context);
      await namespaces.set(prefixOf(context), (await bodyText(context.request, MAX_METADATA_BYTES)).trim());
      return done();
    },
    async DELETE(context) {
      await (await find(context)).delete(prefixOf(context));
      return done();
    },
  };
}

const prefixOf = (context: Context): string => context.param('prefix') ?? '';
const done = (): Reply => new Reply(null, { status: 204 });
