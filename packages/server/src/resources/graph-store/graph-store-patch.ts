/** PATCH of a graph or of the dataset: an update, a document that replaces what it is about, or several steps in one. */
import { badRequest, readTerm } from '../../http/index.js';
import { typeOf } from '../../message/header-list.js';
import type { Context } from '../../context.js';
import { iri, type ReadView, type Revision, type Transaction } from 'quadrille';
import { bodyText, heldBytes, mediaTypeOf, textLimit, tooLong } from '../../message/body.js';
import { commitOptions } from '../../parameters/commit-options.js';
import { entityTag } from '../../message/conditional.js';
import type { Graph } from '../../host/index.js';
import { formatOfPart, isMultipart, partsOf, readableBody } from './graph-documents.js';
import { deleteDocument, patchDocument, postDocument, putDocument } from './graph-store-write.js';
import type { GraphTarget } from './graph-target.js';
import type { Part } from '../../message/multipart.js';
import { canonicalType } from '../../documents/media-types.js';
import { narrowTo } from '../../parameters/closed-parameters.js';
import { refuseRevision } from '../../parameters/revision-ref.js';
import { openRepository, repositoryUrl, type Service } from '../../service.js';
import { withStaged } from '../../host/index.js';
import { documentOptions } from '../../parameters/document-options.js';
import { refuseOtherText } from '../../parameters/sparql-parameters.js';
import { runUpdate } from '../sparql/sparql.js';
import { updateInTurn } from '../turns.js';
import { Reply } from '../../message/reply.js';
import { GRAPH_PATCH } from '../../parameters/lists.js';

const UPDATE = 'application/sparql-update';
const STEPS = { POST: postDocument, PUT: putDocument, DELETE: deleteDocument, PATCH: patchDocument };

export async function patchGraph(
  service: Service,
  context: Context,
  { graph }: GraphTarget,
  isThere: (view: ReadView) => Promise<boolean>,
): Promise<Reply> {
  const request = context.request;
  refuseRevision(context.parameters, request.headers);
  if (mediaTypeOf(request) === UPDATE) return patchByUpdate(service, context, graph);
  narrowTo(context, GRAPH_PATCH);
  const reading = documentOptions(service, context.parameters, repositoryUrl(service, context));
  const repository = await openRepository(service, context);
  const options = await commitOptions(service, context, repository, isThere);
  if (isMultipart(request)) {
    const parts = partsOf(service, context);
    return written(
      await repository.transaction(
        (transaction) => steps(service, context, transaction, parts, graph, reading),
        options,
      ),
    );
  }
  const { namedGraphs } = readableBody(mediaTypeOf(request));
  const document = {
    source: heldBytes(service, context),
    // Strict: a fourth term in N-Triples would decide which graph is replaced.
    format: canonicalType(mediaTypeOf(request) ?? ''),
    ...reading,
    sourceName: 'request body',
  };
  return withStaged([document], request.signal, async (staged) =>
    written(
      await repository.transaction(
        (transaction) => patchDocument(transaction, graph, { staged, namesGraphs: namedGraphs }),
        options,
      ),
    ),
  );
}

async function patchByUpdate(service: Service, context: Context, graph: Graph | undefined): Promise<Reply> {
  if (graph !== undefined) throw badRequest('an update names its graphs itself; leave graph and default out');
  const parameters = context.parameters;
  refuseOtherText(parameters);
  return runUpdate(service, context, await bodyText(context.request, await textLimit(service, context)), parameters);
}

/** Each part is an operation: its method is in `X-HTTP-Method-Override` (default POST), its graph in `Content-Location`. */
async function steps(
  service: Service,
  context: Context,
  transaction: Transaction,
  parts: AsyncIterable<Part>,
  target: Graph | undefined,
  reading: ReturnType<typeof documentOptions>,
): Promise<void> {
  const { signal } = context.request;
  for await (const part of parts) {
    const graph = graphOfPart(part) ?? target;
    if (typeOf(part.headers.get('Content-Type')) === UPDATE) {
      const text = await partText(part, service.hosted.limits.updateBytes);
      await updateInTurn(service, context, text, ({ call }) => transaction.update(text, { ...call, signal }));
      continue;
    }
    const step = stepOf(part);
    const isEmptyDelete = step === deleteDocument && !part.headers.has('Content-Type');
    const format = isEmptyDelete ? undefined : formatOfPart(part);
    const documents =
      format === undefined
        ? []
        : [{ source: part.body, format: format.type, ...reading, sourceName: part.fileName ?? 'a part of the body' }];
    await withStaged(documents, signal, (staged) =>
      step(transaction, graph, { staged, namesGraphs: format?.namedGraphs ?? false }),
    );
  }
}

function stepOf({ headers }: Part): (typeof STEPS)[keyof typeof STEPS] {
  const method = headers.get('X-HTTP-Method-Override')?.trim().toUpperCase() ?? 'POST';
  if (method in STEPS) return STEPS[method as keyof typeof STEPS];
  throw badRequest(`a part can be ${Object.keys(STEPS).join(', ')}, not ${method.slice(0, 50)}`);
}

function graphOfPart({ headers }: Part): Graph | undefined {
  const text = headers.get('Content-Location')?.trim() ?? '';
  if (text === '') return undefined;
  const term = readTerm(text, 'Content-Location', badRequest);
  if (term.termType !== 'NamedNode') throw badRequest('Content-Location of a part is not an absolute IRI');
  return iri(term.value);
}

async function partText(part: Part, limit: number): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let text = '';
  for await (const chunk of part.body) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > limit) throw tooLong(limit);
  }
  return text + decoder.decode();
}

const written = (revision: Revision): Reply => new Reply(null, { status: 204, headers: { ETag: entityTag(revision) } });
