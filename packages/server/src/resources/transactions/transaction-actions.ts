/** The actions of the RDF4J protocol within an open transaction. */
import { parseQuads } from '@quadrille/formats';
import { paced } from '@quadrille/model';
import { HttpError } from '../../http/index.js';
import type * as RDF from '@rdfjs/types';
import type { Context } from '../../context.js';
import type { QuadPattern } from 'quadrille';
import { hostOf, type HeldTransaction } from 'quadrille/host';
import { acceptable } from '../../message/acceptable.js';
import { answerDocument } from '../../documents/answer-document.js';
import { bodyText, FORM, heldBytes, MAX_QUERY_BYTES, mediaTypeOf, textLimit } from '../../message/body.js';
import { graphsToRead, graphsToWrite } from '../../parameters/selected-graphs.js';
import { formats } from '../../documents/formats.js';
import { readableBody } from '../graph-store/graph-documents.js';
import { sizeOf } from '../statements/graph-size.js';
import { contentType, offersOf, STATEMENT_OFFERS } from '../../documents/media-types.js';
import { openRepository, repositoryUrl, type Service } from '../../service.js';
import { queryRequest, queryText, refuseOtherText, theOne, updateOptions } from '../../parameters/sparql-parameters.js';
import { stagedQuads, withStaged } from '../../host/index.js';
import { statementsDocument } from '../../documents/statements-document.js';
import { textBody } from '../../message/text-body.js';
import { inTurn } from '../turns.js';
import { documentOptions } from '../../parameters/document-options.js';
import { baseOf, patternOf } from '../../parameters/terms.js';
import { Reply } from '../../message/reply.js';

type Use = <T>(step: (transaction: HeldTransaction) => Promise<T>) => Promise<T>;
/** Counts bytes that the transaction will hold. Throws if they are too many. */
type Hold = (bytes: number) => void;
type Read = (step: (transaction: HeldTransaction) => AsyncIterable<string>) => AsyncIterable<string>;

/** A wildcard in statements to remove. */
const WILDCARD = new Set(['http://www.openrdf.org/schema/sesame#wildcard', 'http://rdf4j.org/schema/rdf4j#wildcard']);

/** The document is parsed completely before the transaction changes. */
export async function addStatements(service: Service, context: Context, hold: Hold, use: Use): Promise<void> {
  const parameters = context.parameters;
  const request = context.request;
  const document = {
    source: heldBytes(service, context, hold),
    format: readableBody(mediaTypeOf(request)).type,
    ...documentOptions(service, parameters, repositoryUrl(service, context)),
    sourceName: 'request body',
  };
  const graphs = graphsToWrite(parameters);
  await withStaged([document], request.signal, (staged) =>
    use(async (transaction) => {
      for (const graph of graphs ?? [undefined]) await transaction.add(stagedQuads(staged, graph));
    }),
  );
}

/** Statements without a graph are removed from all graphs, or from the graphs of `context`. */
export async function removeStatements(service: Service, context: Context, hold: Hold, use: Use): Promise<void> {
  const parameters = context.parameters;
  const request = context.request;
  const graphs = graphsToWrite(parameters);
  const patterns: QuadPattern[] = [];
  const quads = parseQuads(heldBytes(service, context, hold), {
    format: formats.find(readableBody(mediaTypeOf(request)).type),
    ...documentOptions(service, parameters, repositoryUrl(service, context)),
    source: 'request body',
  });
  for await (const quad of quads) {
    const pattern = { subject: bound(quad.subject), predicate: bound(quad.predicate), object: bound(quad.object) };
    const own = quad.graph.termType === 'DefaultGraph' ? undefined : bound(quad.graph);
    for (const graph of graphs ?? [own]) patterns.push({ ...pattern, graph });
  }
  await use(async (transaction) => {
    for await (const pattern of paced(patterns)) await transaction.remove(pattern);
  });
}

const bound = (term: RDF.Term): RDF.Term | undefined => (WILDCARD.has(term.value) ? undefined : term);

/** The body of the reply is empty. */
export async function runUpdate(service: Service, context: Context, hold: Hold, use: Use): Promise<Reply> {
  const { text, parameters } = await sparqlText(service, context, 'update');
  hold(text.length);
  const options = {
    ...updateOptions(parameters, context.request.signal),
    baseIRI: baseOfText(service, context, parameters),
  };
  const sent = { kind: 'update', text, parameters } as const;
  return inTurn(service, context, sent, async ({ call }) => {
    await use((transaction) => transaction.update(text, { ...options, ...call }));
    return new Reply(null);
  });
}

export async function answerQuery(service: Service, context: Context, read: Read): Promise<Reply> {
  const { text: query, parameters } = await sparqlText(service, context, 'query');
  const text = queryText(query, parameters);
  const repository = await openRepository(service, context);
  const baseIRI = baseOfText(service, context, parameters);
  // The answer holds the transaction until it is read, and others wait for that with places of their own.
  const sent = { kind: 'query', text, parameters, keepsPlace: true } as const;
  return inTurn(service, context, sent, async (turn) => {
    const { request, kind } = await hostOf(repository).prepare(text, { baseIRI, task: turn.task });
    const mediaType = acceptable(context, parameters, offersOf(kind));
    const { slice, options } = queryRequest(parameters, context.request.signal);
    const asked = { ...options, ...turn.call };
    const prefixes = await repository.namespaces.effective();
    const chunks = read((transaction) => answerDocument(transaction, request, mediaType, asked, prefixes, slice));
    return new Reply(await textBody(chunks, turn), { headers: { 'Content-Type': contentType(mediaType) } });
  });
}

export async function readStatements(service: Service, context: Context, read: Read): Promise<Reply> {
  const parameters = context.parameters;
  const pattern = patternOf(parameters);
  const graphs = graphsToRead(parameters);
  const mediaType = acceptable(context, parameters, STATEMENT_OFFERS);
  const prefixes = await (await openRepository(service, context)).namespaces.effective();
  const { signal } = context.request;
  const chunks = read((view) => statementsDocument(mediaType, { view, pattern, graphs, prefixes, signal }));
  return new Reply(await textBody(chunks), { headers: { 'Content-Type': contentType(mediaType) } });
}

export async function transactionSize(transaction: HeldTransaction, parameters: URLSearchParams): Promise<number> {
  return sizeOf(transaction, graphsToRead(parameters));
}

/** The text of a request in any form of the SPARQL Protocol, with its parameters. */
async function sparqlText(
  service: Service,
  context: Context,
  name: 'query' | 'update',
): Promise<{ text: string; parameters: URLSearchParams }> {
  const { request, parameters } = context;
  const mediaType = mediaTypeOf(request);
  if (mediaType === FORM) return { text: theOne(parameters, name), parameters };
  const body = await bodyText(request, name === 'update' ? await textLimit(service, context) : MAX_QUERY_BYTES);
  if (mediaType === `application/sparql-${name}`) {
    refuseOtherText(parameters);
    return { text: body, parameters };
  }
  if (body !== '') throw new HttpError('UNSUPPORTED_MEDIA_TYPE', `send a form, or application/sparql-${name}`);
  return { text: theOne(parameters, name), parameters };
}

const baseOfText = (service: Service, context: Context, parameters: URLSearchParams): string =>
  baseOf(parameters, `${repositoryUrl(service, context)}/sparql`);
