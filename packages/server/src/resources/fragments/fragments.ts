/** `/A/R/tpf`: Triple Pattern Fragments, with the controls of Hydra, at any revision. */
import type { Turn } from '../../host/index.js';
import type * as RDF from '@rdfjs/types';
import { defaultGraph, quad, type QuadPattern, type ReadView, termToNTriples } from 'quadrille';
import type { Context } from '../../context.js';
import { contentType, rdfFormat } from '../../documents/media-types.js';
import { quadsDocument } from '../../documents/statements-document.js';
import { acceptable } from '../../message/acceptable.js';
import { entityTag, notModified } from '../../message/conditional.js';
import { Reply } from '../../message/reply.js';
import { textBody } from '../../message/text-body.js';
import { fragmentPattern, pageNumber } from '../../parameters/fragment-parameters.js';
import { baseUrl, type Handlers, openView, type Service } from '../../service.js';
import { inTurn } from '../turns.js';
import { CONTROL_PREFIXES, controls } from './fragment-controls.js';
import { fragmentGraph } from './fragment-graph.js';
import { type Resource, form, REPOSITORY_PATH as R } from '../resource.js';

export const fragmentsResource: Resource = {
  path: `${R}/tpf`,
  features: ['fragments'],
  handlers: fragmentsRoute,
  methods: {
    GET: {
      access: 'read',
      ...form('subject', 'predicate', 'object', 'graph', 'context', 'page', 'revision-id', 'timeout'),
      summary: 'Triple Pattern Fragments: the triples of a pattern in pages, with controls',
      gives: ['application/trig', 'application/n-quads', 'text/turtle', 'application/n-triples', 'application/ld+json'],
    },
  },
};

const PER_PAGE = 100;
/** Those that clients know, first those in which the controls have a graph of their own. */
const OFFERS = [
  'application/trig',
  'application/n-quads',
  'text/turtle',
  'application/n-triples',
  'application/ld+json',
];

function fragmentsRoute(service: Service): Handlers {
  return { GET: (context) => fragment(service, context) };
}

/** The triples are those of the default graph, or of the graph of the parameter `graph`. A page has 100 of them. */
async function fragment(service: Service, context: Context): Promise<Reply> {
  const { parameters } = context;
  const mediaType = acceptable(context, parameters, OFFERS);
  const format = rdfFormat(mediaType)!;
  const [pattern, page] = [
    { ...fragmentPattern(parameters), graph: fragmentGraph(parameters) },
    pageNumber(parameters),
  ];
  const { view, revision } = await openView(service, context, parameters);
  const suffix = format.extensions[0];
  const unchanged = notModified(context, revision, suffix);
  if (unchanged !== undefined) return unchanged;
  const { url: asked } = context.request;
  const url = legalUrl(baseUrl(service, context) + asked.slice(asked.indexOf('/', asked.indexOf('://') + 3)));
  return inTurn(service, context, { kind: 'query', text: textOf(pattern), parameters }, async (turn) => {
    const total = await view.count(pattern, { signal: turn.task.control.signal });
    const quads = (async function* () {
      yield* controls({ url, total, page, perPage: PER_PAGE }, format.namedGraphs);
      yield* triplesOf(view, pattern, page, turn);
    })();
    return new Reply(await textBody(quadsDocument(quads, format, CONTROL_PREFIXES), turn), {
      headers: { 'Content-Type': contentType(mediaType), ETag: entityTag(revision, suffix), Vary: 'Accept' },
    });
  });
}

/** Addresses may have characters that IRIs have not; braces would also be read as expressions of the template. */
const legalUrl = (url: string): string => new URL(url).href.replace(/[{}|\\^`]/g, encodeURIComponent);

/** The triples of a page. The triples of earlier pages are read and skipped, within the time limit of a query. */
async function* triplesOf(
  view: ReadView,
  pattern: QuadPattern,
  page: number,
  { task: { control } }: Turn,
): AsyncGenerator<RDF.Quad> {
  const start = (page - 1) * PER_PAGE;
  let index = 0;
  for await (const { subject, predicate, object } of view.quads(pattern, { signal: control.signal })) {
    const pause = control.checkpoint();
    if (pause !== undefined) await pause;
    if (index >= start) yield quad(subject, predicate, object, defaultGraph());
    if (++index >= start + PER_PAGE) return;
  }
}

/** The fragment as a query, for the list of those that run. */
function textOf({ subject, predicate, object }: QuadPattern): string {
  const [s = '?s', p = '?p', o = '?o'] = [subject, predicate, object].map((term) => term && termToNTriples(term));
  return `CONSTRUCT WHERE { ${s} ${p} ${o} }`;
}
