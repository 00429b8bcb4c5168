/** `/A/R/search`: statements whose objects have words, the best ones first, at any revision. */
import { iri } from '@quadrille/model';
import { termToJson } from '@quadrille/formats';
import type * as RDF from '@rdfjs/types';
import type { SearchAnswer, SearchOptions } from 'quadrille';
import { entityTag } from '../../message/conditional.js';
import { refuseParameter } from '../../http/index.js';
import { Reply } from '../../message/reply.js';
import { countOf, limitOf } from '../../parameters/revision-range.js';
import { type Handlers, openView, type Service } from '../../service.js';
import { JSON_TYPE } from '../media-types.js';
import { form, REPOSITORY_PATH as R, type Resource } from '../resource.js';
import { inTurn } from '../turns.js';

export const searchResource: Resource = {
  path: `${R}/search`,
  features: ['search'],
  handlers: searchRoute,
  methods: {
    GET: {
      access: 'read',
      ...form('q', 'property', 'graph', 'lang', 'limit', 'offset', 'facet', 'revision-id', 'timeout'),
      summary: 'Statements whose objects have words, the best ones first',
      shape: 'SearchAnswer',
      needs: ['q'],
      fails: [409],
      gives: [JSON_TYPE],
    },
  },
};

function searchRoute(service: Service): Handlers {
  return {
    async GET(context) {
      const { parameters } = context;
      const text = parameters.get('q') ?? '';
      const options = optionsOf(parameters);
      const { view, revision } = await openView(service, context, parameters);
      return inTurn(service, context, { kind: 'query', text, parameters }, async ({ task }) => {
        const answer = await view.search(text, { ...options, signal: task.control.signal });
        return new Reply(jsonOf(answer), {
          headers: { 'Content-Type': 'application/json; charset=utf-8', ETag: entityTag(revision) },
        });
      });
    },
  };
}

function optionsOf(parameters: URLSearchParams): SearchOptions {
  const property = parameters.get('property');
  const graph = parameters.get('graph');
  return {
    ...(property !== null && { property: iriOf(property, 'property') }),
    ...(graph !== null && { graph: iriOf(graph, 'graph') }),
    language: parameters.get('lang') ?? undefined,
    limit: limitOf(parameters),
    offset: countOf(parameters, 'offset'),
    facets: parameters.getAll('facet').map((facet) => iriOf(facet, 'facet')),
  };
}

function iriOf(text: string, name: 'property' | 'graph' | 'facet'): RDF.NamedNode {
  if (/^[a-z][a-z\d+.-]*:[^\s<>"{}|\\^`]*$/i.test(text)) return iri(text);
  throw refuseParameter(name)(`${name} is an absolute IRI, not ${text.slice(0, 50)}`);
}

function jsonOf({ revision, total, hits, facets }: SearchAnswer): string {
  const rows = hits.map(({ score, ...terms }) => {
    const members = Object.entries(terms).map(([name, term]: [string, RDF.Term]) => `"${name}": ${termOrNull(term)}`);
    return `{${members.join(', ')}, "score": ${String(score)}}`;
  });
  const counts = Object.entries(facets).map(([property, values]) => {
    const items = values.map(({ value, count }) => `{"value": ${termToJson(value)}, "count": ${String(count)}}`);
    return `${JSON.stringify(property)}: [${items.join(', ')}]`;
  });
  const members = [`"revision": ${JSON.stringify(revision)}`, `"total": ${String(total)}`];
  members.push(`"hits": [${rows.join(',\n')}]`, `"facets": {${counts.join(', ')}}`);
  return `{${members.join(', ')}}\n`;
}

/** The default graph has no name. */
const termOrNull = (term: RDF.Term): string => (term.termType === 'DefaultGraph' ? 'null' : termToJson(term));
