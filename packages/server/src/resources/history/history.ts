/** `/A/R/history`: insertions and deletions of the statements that match a pattern, as rows. */
import type { ResultRow } from '@quadrille/formats';
import { type HistoryEvent, type HistoryOptions, iri, literal } from 'quadrille';
import { type GraphSelection, graphsToRead } from '../../parameters/selected-graphs.js';
import { SELECT_OFFERS } from '../../documents/media-types.js';
import { negotiate } from '../../message/negotiate.js';
import { limitOf, revisionRange } from '../../parameters/revision-range.js';
import { rowsReply } from '../../documents/rows-reply.js';
import { dateTime, integer, revisionIri } from '../../documents/revision-records.js';
import { type Handlers, openRepository, type Service } from '../../service.js';
import { isSelected } from '../../documents/statements-document.js';
import { patternOf } from '../../parameters/terms.js';
import { type Resource, form, REPOSITORY_PATH as R } from '../resource.js';
import { ANSWER, CHANGED, RANGE } from '../../parameters/lists.js';

export const historyResource: Resource = {
  path: `${R}/history`,
  features: ['history'],
  handlers: historyRoute,
  methods: {
    GET: {
      access: 'read',
      ...form(...CHANGED, ...RANGE, ...ANSWER),
      summary: 'When statements came and went',
      shape: { list: 'Row' },
      gives: SELECT_OFFERS,
    },
  },
};

const VARIABLES = ['subject', 'predicate', 'object', 'graph', 'revision', 'ordinal', 'time', 'operation'];

/** Grouped by statement; the events of a statement are in the order of revisions. */
function historyRoute(service: Service): Handlers {
  return {
    async GET(context) {
      const parameters = context.parameters;
      const mediaType = negotiate(context.header('Accept') ?? null, SELECT_OFFERS);
      const [pattern, graphs, limit] = [patternOf(parameters), graphsToRead(parameters), limitOf(parameters)];
      const repository = await openRepository(service, context);
      const bounds = new URLSearchParams(parameters);
      bounds.delete('limit');
      const { first, last } = await revisionRange(repository, bounds, context.request.headers);
      const options: HistoryOptions = { from: first, to: last, signal: context.request.signal };
      const [graph, ...others] = typeof graphs === 'object' ? graphs : [];
      const events =
        first > last ? nothing() : repository.history(others.length > 0 ? pattern : { ...pattern, graph }, options);
      return rowsReply(mediaType, VARIABLES, rowsOf(selected(events, graphs, limit)));
    },
  };
}

async function* nothing(): AsyncGenerator<HistoryEvent> {}

async function* selected(
  events: AsyncIterable<HistoryEvent>,
  graphs: GraphSelection,
  limit = Number.POSITIVE_INFINITY,
): AsyncGenerator<HistoryEvent> {
  let left = limit;
  if (left <= 0) return;
  for await (const event of events) {
    if (!isSelected(event.quad.graph, graphs)) continue;
    yield event;
    if (--left <= 0) return;
  }
}

async function* rowsOf(events: AsyncIterable<HistoryEvent>): AsyncGenerator<ResultRow> {
  for await (const event of events) yield rowOf(event);
}

function rowOf({ op, quad, revision }: HistoryEvent): ResultRow {
  const { subject, predicate, object, graph } = quad;
  return {
    subject,
    predicate,
    object,
    ...(graph.termType === 'DefaultGraph' ? {} : { graph }),
    revision: iri(revisionIri(revision.id)),
    ordinal: integer(revision.number),
    time: dateTime(revision.time),
    operation: literal(op === 'add' ? 'insert' : 'delete'),
  };
}
