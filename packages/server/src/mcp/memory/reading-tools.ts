/** Tools that read the memory, with the names, inputs and results of `@modelcontextprotocol/server-memory`, within a budget of bytes. */
import type { ReadView, Repository } from 'quadrille';
import { type Cursors, DEFAULT_BYTES, Page, PAGING, type Position } from '../page.js';
import type { Call, Tool } from '../tool.js';
import type { ToolResult } from '../tool-result.js';
import { GRAPH_OUTPUT, list, memoryOf, name } from './changes.js';
import { openNodes, readGraph, type Shown, shown } from './read.js';
import { entitiesWith } from './search.js';
import type { Entity, Graph, Relation } from './terms.js';

const QUERY_CHARACTERS = 2048;

export const readingTools = (): Tool[] => [
  reading(
    {
      name: 'read_graph',
      title: 'Read Graph',
      description: 'Read the entire knowledge graph',
      input: { properties: PAGING },
    },
    async (view, { signal }) => shown(await readGraph(view, signal)),
  ),
  reading(
    {
      name: 'search_nodes',
      title: 'Search Nodes',
      description: 'Search for nodes in the knowledge graph based on a query',
      input: {
        properties: {
          query: {
            type: 'string',
            maxLength: QUERY_CHARACTERS,
            description: 'The search query to match against entity names, types, and observation content',
          },
          ...PAGING,
        },
        required: ['query'],
      },
    },
    (view, { limits }, { query }: { query: string }) => entitiesWith(view, query, limits),
  ),
  reading(
    {
      name: 'open_nodes',
      title: 'Open Nodes',
      description: 'Open specific nodes in the knowledge graph by their names',
      input: {
        properties: { names: list(name('A name'), 'An array of entity names to retrieve'), ...PAGING },
        required: ['names'],
      },
    },
    async (view, { signal }, { names }: { names: readonly string[] }) => shown(await openNodes(view, names, signal)),
  ),
];

function reading(
  tool: Omit<Tool, 'toolset' | 'run' | 'effect' | 'output'>,
  read: (view: ReadView, call: Call, input: never) => Promise<Shown>,
): Tool {
  return {
    ...tool,
    toolset: 'memory',
    effect: 'reads',
    output: GRAPH_OUTPUT,
    run: async (input, call) => {
      const { cursors } = call.context;
      return graphPage(await memoryOf(call), cursors, [tool.name, input], input as PagingInput, (view) =>
        read(view, call, input as never),
      );
    },
  };
}

export interface PagingInput {
  readonly cursor?: string;
  readonly maxBytes?: number;
}

/** A part of a graph that fits into the budget: entities first, then relations. All parts are of one revision. */
export async function graphPage(
  repository: Repository,
  cursors: Cursors,
  asked: readonly [string, object],
  { cursor, maxBytes = DEFAULT_BYTES }: PagingInput,
  read: (view: ReadView) => Promise<Shown>,
  at?: string,
): Promise<ToolResult> {
  const [tool, input] = asked;
  const question = [tool, { ...input, cursor: undefined, maxBytes: undefined }];
  const start: Position =
    cursor === undefined
      ? { revision: (await (at === undefined ? repository : repository.at(at)).revision()).id, offset: 0 }
      : cursors.decode(question, cursor);
  const graph = await read(repository.at(start.revision));
  const page = new Page<Entity | Relation>(maxBytes, { entities: [], relations: [] });
  const taken: Graph = { entities: [], relations: [] };
  let { offset } = start;
  for (; offset < graph.size && !page.isFull; offset++) {
    const entity = await graph.entity(offset);
    if (page.add(entity)) taken.entities.push(entity);
    else if (page.items.length > 0) break;
    // An entity that is too large for a page alone is cut, and says so.
    else taken.entities.push(cut(entity, page.left));
  }
  const relations = offset < graph.size ? [] : await graph.relations();
  for (const relation of relations.slice(Math.max(0, offset - graph.size))) {
    if (!page.add(relation)) break;
    taken.relations.push(relation);
    offset++;
  }
  const hasMore = offset < graph.size + relations.length;
  return {
    structured: {
      ...taken,
      ...(hasMore && { hasMore, cursor: cursors.encode(question, { revision: start.revision, offset }) }),
    },
  };
}

/** As many observations of an entity as fit, the newest first, with a last one that says how many are left out. */
function cut(entity: Entity, bytes: number): Entity {
  const kept: string[] = [];
  let left = bytes - Buffer.byteLength(JSON.stringify({ ...entity, observations: [] })) - 200;
  for (const text of entity.observations.toReversed()) {
    left -= Buffer.byteLength(JSON.stringify(text)) + 1;
    if (left < 0) break;
    kept.unshift(text);
  }
  const gone = entity.observations.length - kept.length;
  return {
    ...entity,
    observations: [
      `(${String(gone)} earlier or longer observations are left out: ask with a larger maxBytes)`,
      ...kept,
    ],
  };
}
