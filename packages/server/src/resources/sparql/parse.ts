/** `/A/R/parse`: what a query or an update says, and all its errors, for editors. Nothing is run. */
import { HttpError } from '../../http/index.js';
import { type Inspection, type InspectOptions, inspectSparql, ParseError } from 'quadrille';
import { hostOf, type OfTask, type Task } from 'quadrille/host';
import type { Context } from '../../context.js';
import { bodyText, MAX_QUERY_BYTES, mediaTypeOf } from '../../message/body.js';
import { jsonReply } from '../../message/json-reply.js';
import { baseOf } from '../../parameters/terms.js';
import { type Handlers, openRepository, repositoryUrl, type Service } from '../../service.js';
import { inTurn } from '../turns.js';
import { type Resource, raw, common, REPOSITORY_PATH as R } from '../resource.js';
import { JSON_TYPE } from '../media-types.js';

export const parseResource: Resource = {
  path: `${R}/parse`,
  features: ['parse'],
  handlers: parseRoute,
  methods: {
    POST: {
      access: 'read',
      ...common(raw('baseURI', 'timeout')),
      summary: 'What a query or an update says, and all its errors',
      shape: 'Parsed',
      takes: ['application/sparql-query', 'application/sparql-update'],
      gives: [JSON_TYPE],
    },
  },
};

export const PARSED_TYPES = ['application/sparql-query', 'application/sparql-update'];

/** 200 also for a text with errors: it tells them. It waits for its turn, and has the time limit of a query. */
function parseRoute(service: Service): Handlers {
  return {
    async POST(context) {
      const { request, parameters } = context;
      const type = mediaTypeOf(request) ?? '';
      if (!PARSED_TYPES.includes(type))
        throw new HttpError('UNSUPPORTED_MEDIA_TYPE', `send ${PARSED_TYPES.join(' or ')}`);
      const text = await bodyText(request, MAX_QUERY_BYTES);
      const kind = type === PARSED_TYPES[0] ? 'query' : 'update';
      return inTurn(service, context, { kind, text, parameters }, async ({ task }) =>
        jsonReply(documentOf(await inspected(service, context, text, task)), { 'Cache-Control': 'no-store' }),
      );
    },
  };
}

async function inspected(service: Service, context: Context, text: string, task: Task): Promise<Inspection> {
  const repository = await openRepository(service, context);
  const baseIRI = baseOf(context.parameters, `${repositoryUrl(service, context)}/sparql`);
  const options: InspectOptions & OfTask = { prefixes: await repository.namespaces.effective(), baseIRI, task };
  const inspection = await inspectSparql(text, options);
  if (inspection.errors.length === 0) return inspection;
  try {
    // The repository knows more functions and aggregates than the language has.
    const { kind, graphs, prefixes } = await hostOf(repository).prepare(text, { baseIRI, task });
    return { ...inspection, kind, graphs, prefixes, errors: [] };
  } catch (error) {
    if (error instanceof ParseError) return inspection;
    throw error;
  }
}

const documentOf = ({ kind, variables, graphs, prefixes, errors }: Inspection): object => ({
  // JSON has no `undefined`.
  kind: kind ?? null,
  variables,
  graphs,
  prefixes,
  errors: errors.map(({ line, column, message, expected, suggestion }) => ({
    line,
    column,
    message,
    expected: expected ?? null,
    suggestion: suggestion ?? null,
  })),
});
