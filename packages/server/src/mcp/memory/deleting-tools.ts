/** Tools that delete from the memory, with the names, inputs and results of `@modelcontextprotocol/server-memory`. */
import type { Tool } from '../tool.js';
import type { ToolResult } from '../tool-result.js';
import { changing, done, DONE_OUTPUT, list, name, object, RELATION, text } from './changes.js';
import type { Relation } from './terms.js';
import type { Staged } from './write.js';

export const deletingTools = (): Tool[] => [deleteEntities(), deleteObservations(), deleteRelations()];

const deleteEntities = (): Tool =>
  changing(
    {
      name: 'delete_entities',
      title: 'Delete Entities',
      description:
        'Delete multiple entities and their associated relations from the knowledge graph. Past revisions keep them, and undo brings them back',
      input: {
        properties: { entityNames: list(name('A name'), 'An array of entity names to delete') },
        required: ['entityNames'],
      },
      output: DONE_OUTPUT,
      effect: 'destroys',
    },
    async (staged, { entityNames }: { entityNames: readonly string[] }) => {
      const missing = new Set<string>();
      const deleted = new Set<string>();
      for (const each of new Set(entityNames)) ((await staged.deleteEntity(each)) ? deleted : missing).add(each);
      if (missing.size === 0) return done('Entities deleted successfully');
      const count = entityNames.filter((each) => deleted.has(each)).length;
      const notFound = entityNames.filter((each) => missing.has(each)).join(', ');
      return done(`Deleted ${String(count)} of ${String(entityNames.length)} entities. Not found: ${notFound}`);
    },
  );

const deleteObservations = (): Tool =>
  changing(
    {
      name: 'delete_observations',
      title: 'Delete Observations',
      description: 'Delete specific observations from entities in the knowledge graph',
      input: {
        properties: {
          deletions: list(
            object({
              entityName: name('The name of the entity containing the observations'),
              observations: list(text('An observation'), 'An array of observations to delete'),
            }),
          ),
        },
        required: ['deletions'],
      },
      output: DONE_OUTPUT,
      effect: 'destroys',
    },
    deleteAll,
  );

const deleteRelations = (): Tool =>
  changing(
    {
      name: 'delete_relations',
      title: 'Delete Relations',
      description: 'Delete multiple relations from the knowledge graph',
      input: {
        properties: { relations: list(RELATION, 'An array of relations to delete') },
        required: ['relations'],
      },
      output: DONE_OUTPUT,
      effect: 'destroys',
    },
    async (staged, { relations }: { relations: readonly Relation[] }) => {
      let count = 0;
      for (const relation of relations) if (await staged.deleteRelation(relation)) count++;
      if (count === relations.length) return done('Relations deleted successfully');
      return done(`Deleted ${String(count)} of ${String(relations.length)} relations. The rest matched nothing.`);
    },
  );

interface Deletion {
  readonly entityName: string;
  readonly observations: readonly string[];
}

async function deleteAll(staged: Staged, { deletions }: { deletions: readonly Deletion[] }): Promise<ToolResult> {
  let deleted = 0;
  let asked = 0;
  const missing: string[] = [];
  for (const { entityName, observations } of deletions) {
    asked += observations.length;
    if (!(await staged.has(entityName))) missing.push(entityName);
    else for (const each of observations) if (await staged.deleteObservation(entityName, each)) deleted++;
  }
  if (deleted === asked) return done('Observations deleted successfully');
  const rest = missing.length === 0 ? '' : ` Entities not found: ${missing.join(', ')}`;
  return done(`Deleted ${String(deleted)} of ${String(asked)} observations.${rest}`);
}
