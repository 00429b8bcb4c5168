/** Resources: the memory as a whole, and what is said about a term at a revision. */
import { termToNTriples } from '@quadrille/model';
import { iri, type Repository } from 'quadrille';
import { readGraph } from './memory/read.js';
import type { Call } from './tool.js';
import { ToolError } from './tool-error.js';

export const MEMORY_ADDRESS = 'memory://knowledge-graph';
const MOST_BYTES = 256 * 1024;

export const TEMPLATE = {
  uriTemplate: 'quadrille://{account}/{repository}@{revision}/{+term}',
  name: 'term',
  title: 'A term at a revision',
  description:
    'The statements about an IRI, as N-Quads. The revision is a number, an id or HEAD; the IRI is percent-encoded',
  mimeType: 'application/n-quads',
};

export const MEMORY_RESOURCE = {
  uri: MEMORY_ADDRESS,
  name: 'knowledge-graph',
  title: 'Knowledge Graph',
  description: 'The full knowledge graph with all entities and relations',
  mimeType: 'application/json',
};

interface Content {
  readonly mimeType: string;
  readonly text: string;
}

/** @throws ToolError for an address that names nothing; NotFoundError `REVISION_NOT_FOUND` */
export async function readResource(
  address: string,
  { door, signal }: Pick<Call, 'door' | 'signal'>,
  hasMemory: boolean,
): Promise<Content> {
  if (address === MEMORY_ADDRESS && hasMemory) {
    const graph = await readGraph(await door.memory('read'), signal);
    return { mimeType: MEMORY_RESOURCE.mimeType, text: JSON.stringify(graph) };
  }
  const { repository: name, revision, term } = partsOf(address);
  const repository = await door.repository({ repository: name }, 'read');
  return { mimeType: TEMPLATE.mimeType, text: await statements(repository.at(revision), term, signal) };
}

/** The repository of an address. */
export function repositoryOf(address: string): string {
  return partsOf(address).repository;
}

function partsOf(address: string): { readonly repository: string; readonly revision: string; readonly term: string } {
  const [, repository, revision, term] = /^quadrille:\/\/([^/@]+\/[^/@]+)@([^/]+)\/(.+)$/.exec(address) ?? [];
  if (repository === undefined || revision === undefined || term === undefined)
    throw new ToolError(
      `${address.slice(0, 200)} is no address of a resource: quadrille://ACCOUNT/REPOSITORY@REVISION/IRI is`,
    );
  return { repository, revision, term: decode(term) };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new ToolError('the IRI of the address is not percent-encoded as it has to be');
  }
}

async function statements(view: Pick<Repository, 'quads'>, term: string, signal: AbortSignal): Promise<string> {
  let text = '';
  for (const pattern of [{ subject: iri(term) }, { object: iri(term) }])
    for await (const { subject, predicate, object, graph } of view.quads(pattern, { signal })) {
      const name = graph.termType === 'DefaultGraph' ? '' : ` ${termToNTriples(graph)}`;
      text += `${[subject, predicate, object].map(termToNTriples).join(' ')}${name} .\n`;
      if (text.length > MOST_BYTES) return text;
    }
  if (text === '') throw new ToolError('nothing is said about this term at this revision');
  return text;
}
