/** `/A/R/terms`: terms that stand in a position, with the number of their statements, at any revision. For completion and overviews. */
import { refuseParameter } from '../../http/index.js';
import type { Context } from '../../context.js';
import { entityTag, notModified } from '../../message/conditional.js';
import { jsonReply } from '../../message/json-reply.js';
import type { Reply } from '../../message/reply.js';
import { hash } from '../../documents/representation.js';
import { limitOf } from '../../parameters/revision-range.js';
import { type Handlers, openView, type Service } from '../../service.js';
import { inTurn } from '../turns.js';
import { Bounded } from './bounded.js';
import { type Beginning, countsQuery, hasNamedGraphs, type Position, POSITIONS, termCounts } from './term-counts.js';
import { type Resource, form, REPOSITORY_PATH as R } from '../resource.js';
import { JSON_TYPE } from '../media-types.js';

export const termsResource: Resource = {
  path: `${R}/terms`,
  features: ['terms'],
  handlers: termsRoute,
  methods: {
    GET: {
      access: 'read',
      ...form('position', 'prefix', 'limit', 'revision-id', 'timeout'),
      summary: 'The terms of a position, with the number of their statements, the most frequent first',
      shape: { list: 'TermCount' },
      needs: ['position'],
      gives: [JSON_TYPE],
    },
  },
};

const DEFAULT_LIMIT = 50;
const MOST_TERMS = 1000;
const LONGEST_PREFIX = 2048;

function termsRoute(service: Service): Handlers {
  return { GET: (context) => terms(service, context) };
}

async function terms(service: Service, context: Context): Promise<Reply> {
  const { parameters, request } = context;
  const [position, limit, asked] = [positionOf(parameters), countOf(parameters), prefixOf(parameters)];
  const { repository, view, revision } = await openView(service, context, parameters);
  const beginning = asked === '' ? undefined : beginningOf(asked, await repository.namespaces.effective());
  // Namespaces have no revisions, and decide what a prefixed name means.
  const suffix = beginning?.kind === 'iri' && beginning.text !== asked ? hash(beginning.text) : undefined;
  const unchanged = notModified(context, revision, suffix);
  if (unchanged !== undefined) return unchanged;
  const query = countsQuery(position, await hasNamedGraphs(view), limit, beginning);
  return inTurn(service, context, { kind: 'query', text: query, parameters }, async ({ call }) => {
    const list = await new Bounded().take(termCounts(view, query, { ...call, signal: request.signal }));
    return jsonReply(list, { ETag: entityTag(revision, suffix) });
  });
}

function positionOf(parameters: URLSearchParams): Position {
  const text = parameters.get('position')?.trim() ?? '';
  const position = POSITIONS.find((known) => known === text);
  if (position !== undefined) return position;
  throw refuseParameter('position')(`position is one of ${POSITIONS.join(', ')}, not ${text.slice(0, 50)}`);
}

function countOf(parameters: URLSearchParams): number {
  const limit = limitOf(parameters) ?? DEFAULT_LIMIT;
  if (limit <= MOST_TERMS) return limit;
  throw refuseParameter('limit')(`limit is at most ${String(MOST_TERMS)} here`);
}

function prefixOf(parameters: URLSearchParams): string {
  const text = parameters.get('prefix') ?? '';
  if (text.length <= LONGEST_PREFIX) return text;
  throw refuseParameter('prefix')(`prefix has at most ${String(LONGEST_PREFIX)} characters`);
}

/** `foaf:na` is the beginning of an IRI where the prefix is declared; so is what holds a delimiter of IRIs. All else begins a name. */
function beginningOf(text: string, prefixes: Readonly<Record<string, string>>): Beginning {
  const colon = text.indexOf(':');
  const prefix = text.slice(0, Math.max(0, colon));
  if (colon !== -1 && Object.hasOwn(prefixes, prefix))
    return { kind: 'iri', text: `${prefixes[prefix]!}${text.slice(colon + 1)}` };
  return { kind: /[/#:]/.test(text) ? 'iri' : 'name', text };
}
