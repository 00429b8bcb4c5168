/** The graph that a request of the Graph Store Protocol names. */
import { readGraph, refuseParameter } from '../../http/index.js';
import type { Graph } from '../../host/index.js';
import type { Context } from '../../context.js';
import { defaultGraph, iri } from 'quadrille';
import { flagOf } from '../../parameters/flag.js';
import { branchQuery } from '../../parameters/branch.js';
import { baseUrl, repositoryUrl, type Service } from '../../service.js';

const refuse = refuseParameter('graph');

export interface GraphTarget {
  /** `undefined` for the whole dataset. */
  readonly graph: Graph | undefined;
  /** The address of the graph. */
  readonly location: () => string;
}

/** The graph of `?default` or `?graph=<iri>`, else the dataset. */
export function indirectTarget(service: Service, context: Context): GraphTarget {
  const parameters = context.parameters;
  const endpoint = `${repositoryUrl(service, context)}/service`;
  const branch = branchQuery(context, '&');
  const text = parameters.get('graph');
  const graph = text === null ? undefined : graphOf(text.trim(), endpoint);
  if (!flagOf(parameters, 'default', true)) return { graph, location: () => locationOf(endpoint, graph, branch) };
  if (graph !== undefined && graph.termType !== 'DefaultGraph') throw refuse('default and graph are both given');
  return { graph: defaultGraph(), location: () => locationOf(endpoint, defaultGraph(), branch) };
}

/** The graph whose name is the address of the request. */
export function directTarget(service: Service, context: Context): GraphTarget {
  const name = baseUrl(service, context) + new URL(context.request.url).pathname;
  return { graph: iri(name), location: () => name + branchQuery(context, '?') };
}

/** The address of a graph in the indirect form. `branch` is the parameter that names its branch, `&branch=…`, or nothing. */
export const locationOf = (endpoint: string, graph: Graph | undefined, branch: string): string => {
  if (graph === undefined) return endpoint + branch.replace('&', '?');
  return graph.termType === 'DefaultGraph'
    ? `${endpoint}?default${branch}`
    : `${endpoint}?graph=${encodeURIComponent(graph.value)}${branch}`;
};

function graphOf(text: string, endpoint: string): Graph | undefined {
  if (text === '')
    throw refuse('graph is empty: give the IRI of the graph, default, or leave it out to mean all graphs');
  // A plus sign that was not percent-encoded arrives as a space. IRIs have no spaces.
  const named = text.replaceAll(' ', '+');
  const location = `${endpoint}?graph=`;
  // Some clients send the `Location` of a graph as its name.
  const name = named.startsWith(location) ? decodeName(named.slice(location.length).replace(/&.*$/s, '')) : named;
  const graph = readGraph(name, 'graph', refuse);
  if (graph === 'named') throw refuse('graph names many graphs; name one, or none for the whole dataset');
  return graph === 'all' ? undefined : graph;
}

function decodeName(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw refuse('the name of the graph is not percent-encoded as it has to be');
  }
}
