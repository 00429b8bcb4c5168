/** What the memory knows of its past: who said what, when, in which session; and how to take it back. */
import type * as RDF from '@rdfjs/types';
import type { HistoryEvent, ReadView, Repository, Revision } from 'quadrille';
import type { Schema } from '../input.js';
import { DEFAULT_BYTES, Page, PAGING } from '../page.js';
import { originOf, refOf } from '../origin.js';
import { ToolError } from '../tool-error.js';
import type { Tool } from '../tool.js';
import { memoryOf } from './changes.js';
import { graphPage, type PagingInput } from './reading-tools.js';
import { openNodes, readGraph, type Shown, shown } from './read.js';
import { entitiesWith, recall } from './search.js';
import {
  CONFIDENCE,
  entityIri,
  entityName,
  type Graph,
  isEntity,
  isRelation,
  NAME,
  OBSERVATION,
  observationQuad,
  ORDER,
  reifierPattern,
  REIFIES,
  relationType,
  SOURCE,
  TYPE,
  VALID_FROM,
  VALID_TO,
} from './terms.js';
import { note } from './write.js';

const NAME_INPUT: Schema = { type: 'string', minLength: 1, description: 'The name of an entity' };
const AT: Schema = {
  type: 'string',
  description: 'A time such as 2026-11-30 or 2026-11-30T12:00:00Z, a number or id of a revision, HEAD~1, or a tag',
};

export const pastTools = (): Tool[] => [recall(), asOf(), history(), why(), undo()];

function asOf(): Tool {
  return {
    name: 'as_of',
    toolset: 'memory',
    title: 'As Of',
    description: 'Read the memory as it was at a time or a revision: all of it, some entities, or what contains a text',
    input: {
      properties: {
        at: AT,
        names: { type: 'array', items: NAME_INPUT, description: 'Only these entities' },
        query: { type: 'string', maxLength: 2048, description: 'Only entities that contain this text' },
        ...PAGING,
      },
      required: ['at'],
    },
    effect: 'reads',
    run: async (input: { at: string; names?: string[]; query?: string } & PagingInput, call) => {
      const { at, names, query, ...paging } = input;
      const repository = await memoryOf(call);
      const { signal, limits } = call;
      const read = async (view: ReadView): Promise<Shown> => {
        if (names === undefined && query !== undefined) return entitiesWith(view, query, limits);
        const graph = await (names === undefined ? readGraph(view, signal) : openNodes(view, names, signal));
        return shown(query === undefined ? graph : matching(graph, query));
      };
      return graphPage(repository, call.context.cursors, ['as_of', input], paging, read, refOf(at));
    },
  };
}

/** The part of a graph that contains a text. */
function matching({ entities, relations }: Graph, query: string): Graph {
  const wanted = query.toLowerCase();
  const has = (value: string): boolean => value.toLowerCase().includes(wanted);
  const found = entities.filter((each) => has(each.name) || has(each.entityType) || each.observations.some(has));
  const names = new Set(found.map((each) => each.name));
  return { entities: found, relations: relations.filter(({ from, to }) => names.has(from) || names.has(to)) };
}

function history(): Tool {
  return {
    name: 'history',
    toolset: 'memory',
    title: 'History',
    description: 'What was added to an entity and taken from it, the newest first: when, by whom and in which session',
    input: { properties: { name: NAME_INPUT, maxBytes: PAGING.maxBytes }, required: ['name'] },
    effect: 'reads',
    run: async (input: { name: string; maxBytes?: number }, call) => {
      const { name, maxBytes = DEFAULT_BYTES } = input;
      const repository = await memoryOf(call);
      const entity = entityIri(name);
      const { signal } = call;
      const events = [
        ...(await repository.history({ subject: entity }, { signal }).toArray()),
        ...(await repository.history({ object: entity }, { signal }).toArray()),
      ];
      const page = new Page<object>(maxBytes, { changes: [] });
      for (const change of byRevision(events)) if (!page.add(change)) break;
      return { structured: { changes: page.items, hasMore: page.isFull } };
    },
  };
}

/** One object for each revision, the newest first. */
function byRevision(events: readonly HistoryEvent[]): object[] {
  const changes = new Map<number, { revision: Revision; added: string[]; removed: string[] }>();
  for (const { revision, op, quad } of events) {
    const said = sentence(quad);
    if (said === undefined) continue;
    const change = changes.get(revision.number) ?? { revision, added: [], removed: [] };
    changes.set(revision.number, change);
    const side = op === 'add' ? change.added : change.removed;
    if (!side.includes(said)) side.push(said);
  }
  return [...changes.values()]
    .toSorted((x, y) => y.revision.number - x.revision.number)
    .map(({ revision, added, removed }) => ({ ...originOf(revision), added, removed }));
}

function sentence({ subject, predicate, object }: RDF.Quad): string | undefined {
  if (predicate.equals(OBSERVATION)) return object.value;
  if (predicate.equals(TYPE)) return `is a ${object.value}`;
  if (predicate.equals(NAME) || predicate.equals(ORDER) || predicate.equals(REIFIES)) return undefined;
  if (!isRelation(predicate) || !isEntity(subject) || !isEntity(object)) return undefined;
  return `${entityName(subject)} ${relationType(predicate)} ${entityName(object)}`;
}

function why(): Tool {
  return {
    name: 'why',
    toolset: 'memory',
    title: 'Why',
    description: 'Who stored an observation, when and in which session; and where it is from, as that one has said',
    input: {
      properties: { name: NAME_INPUT, observation: { type: 'string', description: 'The whole observation' } },
      required: ['name', 'observation'],
    },
    effect: 'reads',
    run: async (input: { name: string; observation: string }, call) => {
      const { name, observation } = input;
      const repository = await memoryOf(call);
      const triple = observationQuad(name, observation);
      const entry = await repository.blame(triple, { removed: true, signal: call.signal }).first();
      if (entry === undefined)
        throw new ToolError(`${name} has and had no such observation; open_nodes shows the texts that it has`);
      const said = entry.removed === undefined ? await annotationOf(repository, triple) : {};
      const removed = entry.removed && originOf(entry.removed);
      return { structured: { stored: originOf(entry.revision), ...said, ...(removed && { removed }) } };
    },
  };
}

const ANNOTATIONS = [
  ['source', SOURCE],
  ['confidence', CONFIDENCE],
  ['validFrom', VALID_FROM],
  ['validTo', VALID_TO],
] as const;

async function annotationOf(repository: Repository, triple: RDF.Quad): Promise<object> {
  const reifying = await repository.quads(reifierPattern(triple)).first();
  if (reifying === undefined) return {};
  const said: Record<string, unknown> = {};
  for (const [member, predicate] of ANNOTATIONS) {
    const quad = await repository.quads({ subject: reifying.subject, predicate }).first();
    if (quad !== undefined) said[member] = member === 'confidence' ? Number(quad.object.value) : quad.object.value;
  }
  return said;
}

function undo(): Tool {
  return {
    name: 'undo',
    toolset: 'memory',
    title: 'Undo',
    description:
      'Take back the last change of this session, or the revision that history names. It becomes a new revision',
    input: { properties: { revision: { type: 'string', description: 'The id or number of a revision' } } },
    effect: 'adds',
    run: async ({ revision: named }: { revision?: string }, call) => {
      const { context } = call;
      const repository = await memoryOf(call);
      const last = context.made.findLast((made) => made.repository === repository.name);
      const wanted = named ?? last?.id;
      if (wanted === undefined)
        throw new ToolError('this session has changed nothing; name a revision, as history shows them');
      const before = await repository.revision();
      const revision = await repository.revert(wanted, call.commit('undo', `takes back ${wanted}`));
      if (last?.id === wanted) context.made.splice(context.made.lastIndexOf(last), 1);
      if (revision.id === before.id) return { structured: { undone: false, message: 'nothing of it is left' } };
      if (named !== undefined) note(context, repository.name, revision);
      return { structured: { undone: true, ...originOf(revision), added: revision.added, removed: revision.removed } };
    },
  };
}
