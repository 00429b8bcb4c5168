/** `/A/R/validate`: whether a revision obeys shapes, as a report. It waits for its turn like a query, and has its deadline. */
import { parseQuads } from '@quadrille/formats';
import { withTermTexts } from '@quadrille/model';
import type * as RDF from '@rdfjs/types';
import type { ShapesReport, ValidateOptions } from 'quadrille';
import { formats } from '../../documents/formats.js';
import { contentType, rdfFormat, STATEMENT_OFFERS, DOCUMENT_TYPES } from '../../documents/media-types.js';
import { refuseParameter } from '../../http/index.js';
import { heldBytes, mediaTypeOf } from '../../message/body.js';
import { jsonReply } from '../../message/json-reply.js';
import { negotiate } from '../../message/negotiate.js';
import { Reply } from '../../message/reply.js';
import { documentOptions } from '../../parameters/document-options.js';
import { flagOf } from '../../parameters/flag.js';
import { parameterTerm } from '../../parameters/terms.js';
import { type Context } from '../../context.js';
import { type Handlers, openView, repositoryUrl, type Service } from '../../service.js';
import { JSON_TYPE } from '../media-types.js';
import { readableBody } from '../graph-store/graph-documents.js';
import { form, REPOSITORY_PATH as R, type Resource, typed } from '../resource.js';
import { inTurn } from '../turns.js';

const GIVES = [JSON_TYPE, ...STATEMENT_OFFERS.filter((type) => type !== 'text/plain' && type !== JSON_TYPE)];
const NAMES = ['revision-id', 'focus', 'change', 'strict', 'explain', 'limit', 'timeout', 'Accept', 'format'] as const;

export const validateResource: Resource = {
  path: `${R}/validate`,
  features: ['validate'],
  handlers: validateRoute,
  methods: {
    GET: {
      access: 'read',
      ...form('graph', ...NAMES),
      summary: 'Whether a revision obeys the shapes of the settings, or of a graph',
      shape: 'ShapesReport',
      gives: GIVES,
    },
    POST: {
      access: 'read',
      ...typed('baseURI', ...NAMES),
      summary: 'Whether a revision obeys the shapes of the body',
      shape: 'ShapesReport',
      takes: DOCUMENT_TYPES,
      gives: GIVES,
    },
  },
};

function validateRoute(service: Service): Handlers {
  const answer = async (context: Context, shapes: ValidateOptions['shapes']): Promise<Reply> => {
    const { parameters } = context;
    const mediaType = negotiate(context.header('Accept') ?? null, GIVES);
    const options = optionsOf(parameters);
    if (options.explain === true && mediaType !== JSON_TYPE)
      throw refuseParameter('explain')(`a report in RDF has no place for it: accept ${JSON_TYPE}`);
    const { repository, revision } = await openView(service, context, parameters);
    return inTurn(service, context, { kind: 'query', text: 'validate', parameters }, async ({ task }) => {
      const { signal } = task.control;
      return replyOf(await repository.validate({ ...options, shapes, at: revision, signal }), mediaType);
    });
  };
  return {
    GET: (context) => answer(context, context.parameters.get('graph') ?? undefined),
    async POST(context) {
      return answer(context, await shapesOf(service, context));
    },
  };
}

const NUMBER = /^[1-9]\d{0,8}$/;
/** Results where the request gives no limit: the answer is made in memory. */
const MOST_RESULTS = 10_000;

function optionsOf(parameters: URLSearchParams): ValidateOptions {
  const focus = parameters.getAll('focus').map((text) => parameterTerm(text, 'focus'));
  const limit = parameters.get('limit');
  if (limit !== null && !NUMBER.test(limit)) throw refuseParameter('limit')('limit is a number from 1 on');
  const change = flagOf(parameters, 'change');
  if (change && focus.length > 0)
    throw refuseParameter('focus')('the change of a revision has its own nodes: leave out focus');
  return {
    change,
    strict: flagOf(parameters, 'strict'),
    explain: flagOf(parameters, 'explain'),
    ...(focus.length > 0 && { focus }),
    limit: limit === null ? MOST_RESULTS : Number(limit),
  };
}

async function shapesOf(service: Service, context: Context): Promise<readonly RDF.Quad[]> {
  const quads: RDF.Quad[] = [];
  const document = parseQuads(heldBytes(service, context), {
    format: formats.find(readableBody(mediaTypeOf(context.request)).type),
    ...documentOptions(service, context.parameters, repositoryUrl(service, context)),
    source: 'request body',
  });
  for await (const quad of document) quads.push(quad);
  return quads;
}

function replyOf({ report, results, constraints, ...told }: ShapesReport, mediaType: string): Reply {
  if (mediaType === JSON_TYPE)
    return jsonReply({
      ...told,
      results: results.map(withTermTexts),
      ...(constraints !== undefined && { constraints: constraints.map(withTermTexts) }),
    });
  const prefixes = { sh: 'http://www.w3.org/ns/shacl#', xsd: 'http://www.w3.org/2001/XMLSchema#' };
  const serializer = rdfFormat(mediaType)!.createSerializer!({ prefixes });
  const text = serializer.write([...report]) + serializer.end();
  return new Reply(text, { headers: { 'Content-Type': contentType(mediaType) } });
}
