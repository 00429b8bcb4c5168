/** `/A/R/blame`: the revision that each matching statement is from, as rows. */
import type { ResultRow } from '@quadrille/formats';
import { type BlameEntry, type BlameOptions, iri, literal } from 'quadrille';
import { SELECT_OFFERS } from '../../documents/media-types.js';
import { dateTime, integer, revisionIri } from '../../documents/revision-records.js';
import { rowsReply } from '../../documents/rows-reply.js';
import { isSelected } from '../../documents/statements-document.js';
import { negotiate } from '../../message/negotiate.js';
import { flagOf } from '../../parameters/flag.js';
import { type GraphSelection, graphsToRead } from '../../parameters/selected-graphs.js';
import { patternOf } from '../../parameters/terms.js';
import { type Handlers, openView, type Service } from '../../service.js';
import { type Resource, form, REPOSITORY_PATH as R } from '../resource.js';
import { ANSWER, CHANGED } from '../../parameters/lists.js';

export const blameResource: Resource = {
  path: `${R}/blame`,
  features: ['blame'],
  handlers: blameRoute,
  methods: {
    GET: {
      access: 'read',
      ...form(...CHANGED, 'removed', 'revision-id', ...ANSWER),
      summary: 'Which revision each statement is from',
      shape: { list: 'Row' },
      gives: SELECT_OFFERS,
    },
  },
};

const VARIABLES = [
  'subject',
  'predicate',
  'object',
  'context',
  'revision',
  'number',
  'datetime',
  'agent',
  'message',
  'removed',
  'merged',
];

function blameRoute(service: Service): Handlers {
  return {
    async GET(context) {
      const parameters = withGraphs(context.parameters);
      const mediaType = negotiate(context.header('Accept') ?? null, SELECT_OFFERS);
      const [pattern, graphs, removed] = [
        patternOf(parameters),
        graphsToRead(parameters),
        flagOf(parameters, 'removed'),
      ];
      const { view } = await openView(service, context, parameters);
      const options: BlameOptions = { removed, signal: context.request.signal };
      const [graph, ...others] = typeof graphs === 'object' ? graphs : [];
      const entries = view.blame(others.length > 0 ? pattern : { ...pattern, graph }, options);
      return rowsReply(mediaType, VARIABLES, rowsOf(entries, graphs));
    },
  };
}

/** `graph` is another name of `context`. */
function withGraphs(given: URLSearchParams): URLSearchParams {
  const parameters = new URLSearchParams(given);
  for (const graph of given.getAll('graph')) parameters.append('context', graph);
  return parameters;
}

async function* rowsOf(entries: AsyncIterable<BlameEntry>, graphs: GraphSelection): AsyncGenerator<ResultRow> {
  for await (const entry of entries) if (isSelected(entry.quad.graph, graphs)) yield rowOf(entry);
}

function rowOf({ quad, revision, merged, removed }: BlameEntry): ResultRow {
  const { subject, predicate, object, graph } = quad;
  const { id, number, time, author, message } = revision;
  return {
    subject,
    predicate,
    object,
    ...(graph.termType !== 'DefaultGraph' && { context: graph }),
    revision: iri(revisionIri(id)),
    number: integer(number),
    datetime: dateTime(time),
    ...(author !== undefined && { agent: literal(author) }),
    ...(message !== undefined && { message: literal(message) }),
    ...(merged !== undefined && { merged: iri(revisionIri(merged.id)) }),
    ...(removed !== undefined && { removed: iri(revisionIri(removed.id)) }),
  };
}
