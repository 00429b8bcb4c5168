/** The SPARQL 1.1 Graph Store Protocol. Graphs can be read at any revision. */
import { badRequest, HttpError } from '../../http/index.js';
import { StateError } from '@quadrille/model';
import type * as RDF from '@rdfjs/types';
import type { Context } from '../../context.js';
import type { ImportSource } from '../../host/index.js';
import { type CommitOptions, defaultGraph, iri, quad, type ReadView, type Repository, type Revision } from 'quadrille';
import { graphDocument } from '../../documents/answer-document.js';
import { mediaTypeOf } from '../../message/body.js';
import { commitOptions } from '../../parameters/commit-options.js';
import { entityTag, notModified } from '../../message/conditional.js';
import type { Graph } from '../../host/index.js';
import { graphDocuments, isMultipart, readableBody } from './graph-documents.js';
import { postDocument, putDocument } from './graph-store-write.js';
import { directTarget, type GraphTarget, indirectTarget, locationOf } from './graph-target.js';
import { runImport } from '../statements/import-reply.js';
import {
  canonicalType,
  contentType,
  GRAPH_STORE_OFFERS,
  rdfFormat,
  STATEMENT_OFFERS,
  DOCUMENT_TYPES,
} from '../../documents/media-types.js';
import { negotiate } from '../../message/negotiate.js';
import { tagSuffix, wantsExpanded } from '../../documents/representation.js';
import { branchQuery } from '../../parameters/branch.js';
import { refuseRevision } from '../../parameters/revision-ref.js';
import { type Handlers, openRepository, openView, repositoryUrl, type Service } from '../../service.js';
import { ignoresMissing } from '../../parameters/ignore-missing.js';
import { withStaged } from '../../host/index.js';
import { textBody } from '../../message/text-body.js';
import { documentOptions } from '../../parameters/document-options.js';
import { errorOptions, refuseSkipping } from '../../parameters/skipped-errors.js';
import { bodySource, urlSource } from '../statements/document-upload.js';
import { patchGraph } from './graph-store-patch.js';
import { Reply } from '../../message/reply.js';
import type { HttpRequest } from '../../message/request.js';
import { type Resource, form, raw, named, always, REPOSITORY_PATH as R } from '../resource.js';
import { GRAPH_WRITE, GRAPH_PATCH, GRAPH_UPDATE } from '../../parameters/lists.js';

const GRAPH: Resource['methods'] = {
  GET: { access: 'read', ...form('revision-id'), summary: 'Read a graph', gives: STATEMENT_OFFERS },
  PUT: {
    access: 'write',
    ...raw(...GRAPH_WRITE),
    summary: 'Replace a graph',
    also: [201, 202],
    takes: DOCUMENT_TYPES,
  },
  POST: {
    access: 'write',
    ...raw(...GRAPH_WRITE),
    summary: 'Add to a graph',
    also: [201, 202],
    takes: DOCUMENT_TYPES,
  },
  PATCH: { access: 'write', ...raw(...GRAPH_PATCH), summary: 'Change graphs', takes: DOCUMENT_TYPES },
  DELETE: { access: 'write', ...form('message'), summary: 'Remove a graph' },
};

/** Of a graph that a parameter names. Its PATCH also takes an update. */
const NAMED_GRAPH: Resource['methods'] = {
  GET: { ...GRAPH.GET!, ...named(GRAPH.GET!) },
  PUT: { ...GRAPH.PUT!, ...named(GRAPH.PUT!) },
  POST: { ...GRAPH.POST!, ...named(GRAPH.POST!) },
  PATCH: { ...GRAPH.PATCH!, ...named(raw(...GRAPH_UPDATE)) },
  DELETE: { ...GRAPH.DELETE!, ...named(GRAPH.DELETE!) },
};

const indirect = (path: string): Resource => ({
  path: `${R}${path}`,
  once: always,
  handlers: (service) => handlers(service, indirectTarget),
  methods: NAMED_GRAPH,
});
const direct = (path: string): Resource => ({
  path: `${R}${path}`,
  once: always,
  handlers: (service) => handlers(service, directTarget),
  methods: GRAPH,
});

export const graphStoreResource: Resource = { ...indirect('/service'), features: ['graph-store'] };
export const rdfGraphStoreResource = indirect('/rdf-graphs/service');
export const rdfGraphResource = direct('/rdf-graphs/:graph{.+}');
/** `/A/R/graphs/…`: the graph is the address. */
export const graphResource = direct('/graphs/:graph{.+}');
export const anyPathGraphResource: Resource = {
  ...direct('/:graph{.+}'),
  isServed: ({ directGraphs }) => directGraphs,
};

type Target = (service: Service, context: Context) => GraphTarget;

function handlers(service: Service, target: Target): Handlers {
  return {
    GET: (context) => readGraph(service, context, target(service, context)),
    PUT: (context) => writeGraph(service, context, target(service, context), true),
    POST: (context) => writeGraph(service, context, target(service, context), false),
    DELETE: (context) => removeGraph(service, context, target(service, context)),
    PATCH(context) {
      const at = target(service, context);
      return patchGraph(service, context, at, (view) => isThere(view, at.graph));
    },
  };
}

async function readGraph(service: Service, context: Context, { graph }: GraphTarget): Promise<Reply> {
  const mediaType = graphType(context);
  const { view, revision, repository } = await openView(service, context, context.parameters);
  if (!(await isThere(view, graph)) && !ignoresMissing(context)) throw noGraph(graph);
  const expanded = wantsExpanded(mediaType, context.header('Accept'));
  const prefixes = expanded ? {} : await repository.namespaces.effective();
  const suffix = tagSuffix(mediaType, prefixes);
  const unchanged = notModified(context, revision, suffix);
  if (unchanged !== undefined) return unchanged;
  const { signal } = context.request;
  const quads =
    graph === undefined || keepsName(mediaType) ? view.quads({ graph }, { signal }) : triplesOf(view, graph, signal);
  // A dump has the prefixes of the repository.
  const chunks =
    graph === undefined && !expanded
      ? view.dump(canonicalType(mediaType), { signal, ...(!namesGraphs(mediaType) && { graphs: 'drop' }) })
      : graphDocument(mediaType, quads, prefixes);
  return new Reply(await textBody(chunks), {
    headers: { 'Content-Type': contentType(mediaType), ETag: entityTag(revision, suffix) },
  });
}

/** Whether a document of this media type names its graphs: in one that does not, those of a dataset are merged. */
const namesGraphs = (mediaType: string): boolean => rdfFormat(mediaType)?.namedGraphs ?? true;

/** The formats of quads keep the name of a graph. JSON-LD, which many clients read as triples, has its triples alone. */
const keepsName = (mediaType: string): boolean =>
  namesGraphs(mediaType) && canonicalType(mediaType) !== 'application/ld+json';

/** The media type of the answer. Existing clients expect 400 for the unknown type `application/ntriples`. */
function graphType(context: Context): string {
  const accept = context.header('Accept') ?? null;
  try {
    return negotiate(accept, GRAPH_STORE_OFFERS);
  } catch (error) {
    if (accept !== null && /application\/ntriples/i.test(accept)) {
      throw badRequest('there is no media type application/ntriples; it is application/n-triples');
    }
    throw error;
  }
}

/** The triples of a graph, without its name. */
async function* triplesOf(view: ReadView, graph: Graph, signal: AbortSignal): AsyncGenerator<RDF.Quad> {
  for await (const { subject, predicate, object } of view.quads({ graph }, { signal })) {
    yield quad(subject, predicate, object, defaultGraph());
  }
}

/** Whether a graph exists. The default graph and the dataset always do. */
async function isThere(view: ReadView, graph: Graph | undefined): Promise<boolean> {
  if (graph === undefined || graph.termType === 'DefaultGraph') return true;
  try {
    return view.hasSync({ graph });
  } catch (error) {
    if (!(error instanceof StateError && error.code === 'WOULD_WAIT')) throw error;
    return (await view.quads({ graph }).first()) !== undefined;
  }
}

const noGraph = (graph: Graph | undefined): HttpError =>
  new HttpError('NOT_FOUND', `there is no graph ${(graph?.value ?? '').slice(0, 500)}`);

async function writeGraph(service: Service, context: Context, target: GraphTarget, replace: boolean): Promise<Reply> {
  const request = context.request;
  const parameters = context.parameters;
  refuseRevision(parameters, request.headers);
  const body = isMultipart(request) ? undefined : uploadOf(service, request);
  const errors = errorOptions(parameters);
  if (body === undefined) refuseSkipping(errors);
  const { graph, location } = newGraph(service, context, target, replace, body?.namedGraphs);
  const repository = await openRepository(service, context);
  const commit = await commitOptions(service, context, repository, (view) => isThere(view, target.graph));
  const existed = await isThere(repository.at(commit.ifRevision ?? 'HEAD'), graph);
  const reading = documentOptions(service, parameters, graphBase(graph) ?? repositoryUrl(service, context));
  const graphs = graph === undefined ? undefined : [graph];
  const result =
    body === undefined
      ? await writeParts(service, context, repository, graph, { replace, reading, commit })
      : await runImport(service, context, {
          source: body.source,
          replace,
          graphs,
          // The base of a document of another host is its own address.
          baseIRI: 'url' in body.source && !parameters.has('baseURI') ? undefined : reading.baseIRI,
          jsonLd: reading.jsonLd,
          onError: errors.onError,
          maxErrors: errors.maxErrors,
          commit,
        });
  if (result instanceof Reply) return result;
  const created = !existed && (await isThere(repository.at(result), graph));
  return written(result, created ? location() : undefined);
}

/** The name of a graph is the base of its document if it is an http or https IRI. */
const graphBase = (graph: Graph | undefined): string | undefined =>
  graph?.termType === 'NamedNode' && /^https?:/i.test(graph.value) ? graph.value : undefined;

/** The document of the body, or of the address in the header `Location`, which some clients send without a body. */
function uploadOf(service: Service, request: HttpRequest): { source: ImportSource; namedGraphs: boolean | undefined } {
  const address = request.headers.get('Location');
  if (address !== null && !hasBody(request)) {
    return { source: urlSource(address), namedGraphs: undefined };
  }
  const { namedGraphs } = readableBody(mediaTypeOf(request));
  return { source: bodySource(request, service.hosted.limits.importBytes), namedGraphs };
}

const hasBody = ({ headers }: HttpRequest): boolean =>
  Number(headers.get('Content-Length') ?? 0) > 0 || headers.has('Transfer-Encoding');

interface PartsOptions {
  readonly replace: boolean;
  readonly reading: Parameters<typeof graphDocuments>[2];
  readonly commit: CommitOptions;
}

async function writeParts(
  service: Service,
  context: Context,
  repository: Repository,
  graph: Graph | undefined,
  { replace, reading, commit }: PartsOptions,
): Promise<Revision> {
  const request = context.request;
  const write = replace ? putDocument : postDocument;
  return withStaged(graphDocuments(service, context, reading), request.signal, (staged) =>
    repository.transaction((transaction) => write(transaction, graph, { staged, namesGraphs: true }), commit),
  );
}

/** A POST of triples without a graph gets a new graph. */
function newGraph(
  service: Service,
  context: Context,
  target: GraphTarget,
  replace: boolean,
  namedGraphs: boolean | undefined,
): GraphTarget {
  if (target.graph !== undefined || replace || namedGraphs !== false) return target;
  const graph = iri(`urn:uuid:${crypto.randomUUID()}`);
  return {
    graph,
    location: () => locationOf(`${repositoryUrl(service, context)}/service`, graph, branchQuery(context, '&')),
  };
}

async function removeGraph(service: Service, context: Context, { graph }: GraphTarget): Promise<Reply> {
  refuseRevision(context.parameters, context.request.headers);
  const repository = await openRepository(service, context);
  const options = await commitOptions(service, context, repository, (view) => isThere(view, graph));
  const existed = await isThere(repository.at(options.ifRevision ?? 'HEAD'), graph);
  if (!existed && !ignoresMissing(context)) throw noGraph(graph);
  return written(await repository.remove(graph === undefined ? {} : { graph }, options));
}

function written(revision: Revision, location?: string): Reply {
  const ETag = entityTag(revision);
  return location === undefined
    ? new Reply(null, { status: 204, headers: { ETag } })
    : new Reply(null, { status: 201, headers: { ETag, Location: location } });
}
