/** `/A/R/namespaces` and `/A/namespaces`: the prefixes of a repository, and those that all repositories of an account have. They are not versioned. */
import { HttpError } from '../../http/index.js';
import { ifConditionsHold, stateTag, unlessKnown } from '../../message/conditional.js';
import type { Context } from '../../context.js';
import { literal, type Namespaces } from 'quadrille';
import { acceptable } from '../../message/acceptable.js';
import { bodyText, MAX_METADATA_BYTES } from '../../message/body.js';
import { jsonMapReply } from '../../message/json-reply.js';
import { refuseBranch } from '../../parameters/branch.js';
import { ROW_OFFERS } from '../../documents/media-types.js';
import { type Handlers, openRoot, type Service } from '../../service.js';
import { rowsReply } from '../../documents/rows-reply.js';
import { Reply } from '../../message/reply.js';
import { type Resource, form, raw, common, REPOSITORY_PATH as R } from '../resource.js';
import { ANSWER } from '../../parameters/lists.js';
import { LISTS } from '../media-types.js';

export const accountNamespacesResource: Resource = {
  path: '/:account/namespaces',
  isTagged: true,
  features: ['account-namespaces'],
  handlers: (service) => accountNamespacesRoute(service),
  methods: {
    GET: {
      access: 'owner',
      ...form(...ANSWER),
      summary: 'List the prefixes that all repositories of an account have',
      shape: { map: 'Namespace' },
      gives: LISTS,
    },
    DELETE: { access: 'owner', ...form(), summary: 'Remove all of them' },
  },
};

export const accountNamespaceResource: Resource = {
  path: '/:account/namespaces/:prefix',
  isTagged: true,
  handlers: (service) => accountNamespaceRoute(service),
  methods: {
    GET: {
      access: 'owner',
      ...form(...ANSWER),
      summary: 'The namespace of a prefix of an account',
      gives: ['text/plain'],
    },
    PUT: {
      access: 'owner',
      ...raw(),
      summary: 'Declare a prefix for all repositories of an account',
      takes: ['text/plain'],
    },
    DELETE: { access: 'owner', ...form(), summary: 'Remove a prefix of an account' },
  },
};

export const namespacesResource: Resource = {
  path: `${R}/namespaces`,
  isTagged: true,
  handlers: (service) => namespacesRoute(service),
  methods: {
    GET: {
      access: 'read',
      ...form(...ANSWER),
      summary: 'List the prefixes',
      shape: { map: 'Namespace' },
      gives: LISTS,
    },
    DELETE: { access: 'write', ...common(form()), summary: 'Remove all prefixes' },
  },
};

export const namespaceResource: Resource = {
  path: `${R}/namespaces/:prefix`,
  isTagged: true,
  handlers: (service) => namespaceRoute(service),
  methods: {
    GET: { access: 'read', ...form(...ANSWER), summary: 'The namespace of a prefix', gives: ['text/plain'] },
    PUT: { access: 'write', ...common(raw()), summary: 'Declare a prefix', takes: ['text/plain'] },
    DELETE: { access: 'write', ...common(form()), summary: 'Remove a prefix' },
  },
};

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

const namespacesRoute = (service: Service): Handlers => listRoute(service, ofRepository(service));
const namespaceRoute = (service: Service): Handlers => prefixRoute(service, ofRepository(service));
const accountNamespacesRoute = (service: Service): Handlers => listRoute(service, ofAccount(service));
const accountNamespaceRoute = (service: Service): Handlers => prefixRoute(service, ofAccount(service));

const KIND = 'namespaces';

function listRoute(service: Service, find: Find): Handlers {
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
      refuseBranch(context, 'leave Branch out, or delete prefixes one by one');
      const namespaces = await find(context);
      const state = (): Promise<string> => Promise.resolve('');
      await ifConditionsHold(service, context, KIND, state, async () => {
        for (const prefix of Object.keys(await namespaces.list())) await namespaces.delete(prefix);
      });
      return done();
    },
  };
}

function prefixRoute(service: Service, find: Find): Handlers {
  return {
    async GET(context) {
      const mediaType = acceptable(context, context.parameters, ONE_OFFERS);
      const prefix = prefixOf(context);
      const namespace = await (await find(context)).get(prefix);
      if (namespace === undefined) throw new HttpError('NOT_FOUND', `there is no prefix ${prefix.slice(0, 100)}`);
      const ETag = `"${stateTag(namespace)}"`;
      const unchanged = unlessKnown(context, ETag);
      if (unchanged !== undefined) return unchanged;
      if (mediaType !== 'text/plain')
        return rowsReply(mediaType, ['namespace'], [{ namespace: literal(namespace) }], { ETag });
      return new Reply(namespace, { headers: { 'Content-Type': 'text/plain; charset=utf-8', Vary: 'Accept', ETag } });
    },
    async PUT(context) {
      const namespaces = await find(context);
      const prefix = prefixOf(context);
      const iri = (await bodyText(context.request, MAX_METADATA_BYTES)).trim();
      await ifConditionsHold(service, context, KIND, tagOf(namespaces, prefix), () => namespaces.set(prefix, iri));
      return done();
    },
    async DELETE(context) {
      const namespaces = await find(context);
      const prefix = prefixOf(context);
      await ifConditionsHold(service, context, KIND, tagOf(namespaces, prefix), () => namespaces.delete(prefix));
      return done();
    },
  };
}

const tagOf = (namespaces: Namespaces, prefix: string) => async (): Promise<string | undefined> => {
  const iri = await namespaces.get(prefix);
  return iri === undefined ? undefined : stateTag(iri);
};
const prefixOf = (context: Context): string => context.param('prefix') ?? '';
const done = (): Reply => new Reply(null, { status: 204 });
