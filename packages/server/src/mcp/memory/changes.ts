/** What the nine tools of `@modelcontextprotocol/server-memory` share: their schemas, and how one of them changes the memory. */
import type { Repository } from 'quadrille';
import type { Schema } from '../input.js';
import { cut, DEFAULT_BYTES, Page } from '../page.js';
import { refuseSecrets } from '../secrets.js';
import type { Call, Tool } from '../tool.js';
import type { ToolResult } from '../tool-result.js';
import type { Staged } from './write.js';

const NAME_CHARACTERS = 2048;
const MOST_ITEMS = 10_000;

export const text = (description: string): Schema => ({ type: 'string', description });
export const name = (description: string): Schema => ({
  type: 'string',
  description,
  minLength: 1,
  maxLength: NAME_CHARACTERS,
});
export const list = (items: Schema, description?: string): Schema => ({
  type: 'array',
  items,
  maxItems: MOST_ITEMS,
  ...(description !== undefined && { description }),
});
export const object = (properties: Readonly<Record<string, Schema>>, required = Object.keys(properties)): Schema => ({
  type: 'object',
  properties,
  required,
});

export const ENTITY = object({
  name: name('The name of the entity'),
  entityType: text('The type of the entity'),
  observations: list(text('An observation'), 'An array of observation contents associated with the entity'),
});
export const RELATION = object({
  from: name('The name of the entity where the relation starts'),
  to: name('The name of the entity where the relation ends'),
  relationType: name('The type of the relation'),
});
export const GRAPH_OUTPUT = {
  type: 'object',
  properties: {
    entities: { type: 'array', items: ENTITY },
    relations: { type: 'array', items: RELATION },
    hasMore: { type: 'boolean' },
    cursor: { type: 'string' },
  },
  required: ['entities', 'relations'],
};
export const DONE_OUTPUT = {
  type: 'object',
  properties: { success: { type: 'boolean' }, message: { type: 'string' } },
  required: ['success', 'message'],
};
export const listOutput = (member: string, items: object): object => ({
  type: 'object',
  properties: { [member]: { type: 'array', items } },
  required: [member],
});

/** The memory of a call, on a branch that the caller may change, if the tool does. */
export async function memoryOf({ door, access }: Call): Promise<Repository> {
  const repository = await door.memory(access);
  if (access === 'write') await door.checkCommit(repository);
  return repository;
}

/** A tool that changes the memory. `run` gives its result from within the change. */
export function changing(
  tool: Omit<Tool, 'toolset' | 'run'>,
  run: (staged: Staged, input: never) => Promise<ToolResult>,
): Tool {
  return {
    ...tool,
    toolset: 'memory',
    isOneChange: true,
    run: async (input, call) => {
      if (!call.context.allowSecrets && tool.effect === 'adds') refuseSecrets(input);
      const repository = await memoryOf(call);
      const made = (staged: Staged): Promise<ToolResult> => run(staged, input as never);
      return call.context.writer.change(repository, call, tool.name, made, call.records);
    },
  };
}

/** The things that a tool has added, as many as fit: the caller knows them. */
export function listed(member: string, items: readonly unknown[]): ToolResult {
  const page = new Page<unknown>(DEFAULT_BYTES, {});
  for (const item of items) if (!page.add(item)) break;
  const structured = { [member]: page.items, ...(page.isFull && { hasMore: true }) };
  return { structured, text: JSON.stringify(page.isFull ? structured : page.items) };
}

export function done(message: string): ToolResult {
  const text = cut(message, DEFAULT_BYTES / 2);
  return { structured: { success: true, message: text }, text };
}
