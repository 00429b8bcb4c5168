/** `/A/R/schema`: the classes, properties and graphs of a revision, with the number of their statements. */
import type { Context } from '../../context.js';
import { entityTag, notModified } from '../../message/conditional.js';
import { jsonReply } from '../../message/json-reply.js';
import type { Reply } from '../../message/reply.js';
import { type Handlers, openView, type Service } from '../../service.js';
import { inTurn } from '../turns.js';
import { Bounded, type TermCount } from './bounded.js';
import { countsQuery, hasNamedGraphs, termCounts } from './term-counts.js';
import { type Resource, form, REPOSITORY_PATH as R } from '../resource.js';
import { JSON_TYPE } from '../media-types.js';

export const schemaResource: Resource = {
  path: `${R}/schema`,
  features: ['schema'],
  handlers: schemaRoute,
  methods: {
    GET: {
      access: 'read',
      ...form('revision-id', 'timeout'),
      summary: 'Classes, properties and graphs, with the number of their statements',
      shape: 'Schema',
      gives: [JSON_TYPE],
    },
  },
};

/** Most entries of each list. */
const MOST_TERMS = 10_000;
const LISTS = [
  ['classes', 'class'],
  ['properties', 'predicate'],
  ['graphs', 'graph'],
] as const;

function schemaRoute(service: Service): Handlers {
  return { GET: (context) => schema(service, context) };
}

async function schema(service: Service, context: Context): Promise<Reply> {
  const { parameters, request } = context;
  const { view, revision } = await openView(service, context, parameters);
  const unchanged = notModified(context, revision);
  if (unchanged !== undefined) return unchanged;
  const named = await hasNamedGraphs(view);
  const queries = LISTS.map(([name, position]) => [name, countsQuery(position, named, MOST_TERMS)] as const);
  const text = queries.map(([, query]) => query).join('\n');
  return inTurn(service, context, { kind: 'query', text, parameters }, async ({ call }) => {
    const lists: Record<string, TermCount[]> = {};
    const bounded = new Bounded();
    for (const [name, query] of queries) {
      const isEmpty = name === 'graphs' && !named;
      lists[name] = isEmpty ? [] : await bounded.take(termCounts(view, query, { ...call, signal: request.signal }));
    }
    return jsonReply(lists, { ETag: entityTag(revision) });
  });
}
