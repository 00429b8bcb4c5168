/** `/A/R/views`: named queries. Views are not versioned, but their answers can be read at any revision. */
import { enterFields } from '../../parameters/closed-parameters.js';
import { HttpError } from '../../http/index.js';
import { ifConditionsHold, unlessKnown, viewTag } from '../../message/conditional.js';
import { noView } from '../../host/index.js';
import type { Context } from '../../context.js';
import { bodyText, FORM, formOf, MAX_METADATA_BYTES, mediaTypeOf } from '../../message/body.js';
import { jsonListReply } from '../../message/json-reply.js';
import { namedTypes } from '../../message/negotiate.js';
import { refuseRevision } from '../../parameters/revision-ref.js';
import { type Handlers, repositoryName, repositoryUrl, type Service } from '../../service.js';
import { ignoresMissing } from '../../parameters/ignore-missing.js';
import { refuseOtherText, theOne } from '../../parameters/sparql-parameters.js';
import { runQuery } from './sparql.js';
import { Reply } from '../../message/reply.js';
import { type Resource, form, raw, common, REPOSITORY_PATH as R } from '../resource.js';
import { ANSWERED } from '../../parameters/lists.js';
import { JSON_TYPE, QUERY_ANSWERS } from '../media-types.js';

export const viewsResource: Resource = {
  path: `${R}/views`,
  features: ['views'],
  handlers: viewsRoute,
  methods: {
    GET: { access: 'read', ...form(), summary: 'List the views', shape: { list: 'View' }, gives: [JSON_TYPE] },
  },
};

export const viewResource: Resource = {
  path: `${R}/views/:view`,
  isTagged: true,
  handlers: viewRoute,
  methods: {
    GET: {
      access: 'read',
      ...form(...ANSWERED),
      summary: 'Answer the query of a view, or show it as application/sparql-query',
      gives: [...QUERY_ANSWERS, 'application/sparql-query'],
    },
    PUT: {
      access: 'write',
      ...common(raw('query')),
      summary: 'Keep a query as a view',
      status: 201,
      also: [204],
      takes: ['application/sparql-query', 'text/plain', FORM],
    },
    POST: { access: 'read', ...common(raw()), summary: 'Not implemented', fails: [501], bodyless: true, status: 501 },
    DELETE: { access: 'write', ...common(form()), summary: 'Remove a view' },
  },
};

const QUERY_TYPE = 'application/sparql-query';

function viewsRoute(service: Service): Handlers {
  return {
    async GET(context) {
      const views = await service.hosted.views.list(context.caller, repositoryName(context));
      const base = `${repositoryUrl(service, context)}/views`;
      return jsonListReply(views.map(({ name, query }) => ({ name, uri: `${base}/${name}`, query })));
    },
  };
}

function viewRoute(service: Service): Handlers {
  const { hosted } = service;
  const tagOf = (context: Context) => async (): Promise<string | undefined> => {
    const view = await hosted.views.get(context.caller, repositoryName(context), nameOf(context));
    return view && viewTag(view.query);
  };
  return {
    async GET(context) {
      const view = await hosted.views.get(context.caller, repositoryName(context), nameOf(context));
      if (view === undefined) return missing(context);
      const { query } = view;
      if (namedTypes(context.header('Accept') ?? null)[0] === QUERY_TYPE)
        return unlessKnown(context, `"${viewTag(query)}"`) ?? textOf(query);
      return runQuery(service, context, query, context.parameters, viewTag(query));
    },
    async PUT(context) {
      refuseRevision(context.parameters, context.request.headers);
      const query = await sentQuery(context);
      const { caller, request } = context;
      const isNew = await ifConditionsHold(service, context, 'views', tagOf(context), () =>
        hosted.views.set(caller, repositoryName(context), nameOf(context), query, request.signal),
      );
      if (!isNew) return new Reply(null, { status: 204 });
      const location = `${repositoryUrl(service, context)}/views/${nameOf(context)}`;
      return new Reply(null, { status: 201, headers: { Location: location } });
    },
    POST: () => Promise.reject(new HttpError('NOT_IMPLEMENTED', 'a view is made by PUT and asked by GET')),
    async DELETE(context) {
      refuseRevision(context.parameters, context.request.headers);
      const wasThere = await ifConditionsHold(service, context, 'views', tagOf(context), () =>
        hosted.views.remove(context.caller, repositoryName(context), nameOf(context)),
      );
      return wasThere ? done() : missing(context);
    },
  };
}

const nameOf = (context: Context): string => context.param('view') ?? '';
const done = (): Reply => new Reply(null, { status: 204 });

function missing(context: Context): Reply {
  if (ignoresMissing(context)) return done();
  throw noView(nameOf(context));
}

const textOf = (query: string): Reply =>
  new Reply(query, {
    headers: { 'Content-Type': `${QUERY_TYPE}; charset=utf-8`, Vary: 'Accept', ETag: `"${viewTag(query)}"` },
  });

/** The query of a body: its text, or the field `query` of a form. */
async function sentQuery(context: Context): Promise<string> {
  const { request } = context;
  const type = mediaTypeOf(request);
  const text = await bodyText(request, MAX_METADATA_BYTES);
  if (type === FORM && /(?:^|&)query=/.test(text)) {
    enterFields(context, formOf(text));
    return theOne(context.parameters, 'query');
  }
  refuseOtherText(context.parameters);
  if (type === undefined || type === QUERY_TYPE || type === 'text/plain') return text;
  throw new HttpError('UNSUPPORTED_MEDIA_TYPE', `a view is sent as ${QUERY_TYPE}, text/plain or a form with query`);
}
