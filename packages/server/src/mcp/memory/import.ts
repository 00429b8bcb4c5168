/** Imports the file of `@modelcontextprotocol/server-memory`: an entity or a relation as JSON in each line. */
import type { Repository } from 'quadrille';
import { checkInput } from '../input.js';
import type { Call } from '../tool.js';
import type { Entity, Relation } from './terms.js';
import type { Changing } from './write.js';

/** What was imported. */
export interface ImportedMemory {
  readonly entities: number;
  readonly relations: number;
  /** Numbers of the lines that have no entity and no relation. */
  readonly skipped: readonly number[];
}

const TEXT = { type: 'string' } as const;
const ENTITY = {
  properties: {
    type: TEXT,
    name: { ...TEXT, minLength: 1 },
    entityType: TEXT,
    observations: { type: 'array', items: TEXT },
  },
  required: ['name', 'entityType', 'observations'],
} as const;
const RELATION = {
  properties: { type: TEXT, from: TEXT, to: TEXT, relationType: { ...TEXT, minLength: 1 } },
  required: ['from', 'to', 'relationType'],
} as const;

/** What is there stays: entities, observations and relations that are there already are passed over. It is one revision. */
export async function importMemory(
  repository: Repository,
  call: Changing & Pick<Call, 'context'>,
  file: string,
): Promise<ImportedMemory> {
  const entities: Entity[] = [];
  const relations: Relation[] = [];
  const skipped: number[] = [];
  for (const [i, line] of file.split('\n').entries()) {
    if (line.trim() === '') continue;
    const item = parsed(line);
    if (item === undefined) skipped.push(i + 1);
    else if ('name' in item) entities.push(item);
    else relations.push(item);
  }
  return call.context.writer.change(repository, call, 'import', async (staged) => {
    let [entityCount, relationCount] = [0, 0];
    for (const { name, observations, ...rest } of entities) {
      if (await staged.createEntity({ ...rest, name, observations: [...new Set(observations)] })) entityCount++;
      else for (const text of observations) await staged.addObservation(name, text, {});
    }
    for (const relation of relations) if (await staged.addRelation(relation)) relationCount++;
    return { entities: entityCount, relations: relationCount, skipped };
  });
}

function parsed(line: string): Entity | Relation | undefined {
  try {
    const item: unknown = JSON.parse(line);
    const { type } = item as { type?: unknown };
    if (type === 'entity') return checkInput('line', ENTITY, item) as unknown as Entity;
    return type === 'relation' ? (checkInput('line', RELATION, item) as unknown as Relation) : undefined;
  } catch {
    return undefined;
  }
}
