/** Tools that add to the memory, with the names, inputs and results of `@modelcontextprotocol/server-memory`. */
import { ToolError } from '../tool-error.js';
import type { Tool } from '../tool.js';
import type { ToolResult } from '../tool-result.js';
import { changing, ENTITY, list, listed, listOutput, name, object, RELATION, text } from './changes.js';
import type { Annotation, Entity, Relation } from './terms.js';
import type { Staged } from './write.js';

export const addingTools = (): Tool[] => [createEntities(), createRelations(), addObservations()];

const createEntities = (): Tool =>
  changing(
    {
      name: 'create_entities',
      title: 'Create Entities',
      description: 'Create multiple new entities in the knowledge graph',
      input: { properties: { entities: list(ENTITY) }, required: ['entities'] },
      output: listOutput('entities', ENTITY),
      effect: 'adds',
    },
    async (staged, { entities }: { entities: readonly Entity[] }) => {
      const created: Entity[] = [];
      for (const entity of entities) {
        const observations = [...new Set(entity.observations)];
        if (await staged.createEntity({ ...entity, observations })) created.push({ ...entity, observations });
      }
      return listed('entities', created);
    },
  );

const createRelations = (): Tool =>
  changing(
    {
      name: 'create_relations',
      title: 'Create Relations',
      description:
        'Create multiple new relations between entities in the knowledge graph. Relations should be in active voice',
      input: { properties: { relations: list(RELATION) }, required: ['relations'] },
      output: listOutput('relations', RELATION),
      effect: 'adds',
    },
    async (staged, { relations }: { relations: readonly Relation[] }) => {
      for (const { from, to } of relations) {
        await staged.require(from);
        await staged.require(to);
      }
      const created: Relation[] = [];
      for (const relation of relations) if (await staged.addRelation(relation)) created.push(relation);
      return listed('relations', created);
    },
  );

const addObservations = (): Tool =>
  changing(
    {
      name: 'add_observations',
      title: 'Add Observations',
      description:
        'Add new observations to existing entities in the knowledge graph. Each may say where it is from, how sure it is, and when it holds',
      input: {
        properties: {
          observations: list(
            object(
              {
                entityName: name('The name of the entity to add the observations to'),
                contents: list(text('An observation'), 'An array of observation contents to add'),
                source: text('Where the observations are from, such as an address or a person'),
                confidence: { type: 'number', minimum: 0, maximum: 1, description: 'From 0 to 1' },
                validFrom: text('Since when they hold: 2026-11-30 or 2026-11-30T12:00:00Z'),
                validTo: text('Until when they hold'),
              },
              ['entityName', 'contents'],
            ),
          ),
        },
        required: ['observations'],
      },
      output: listOutput(
        'results',
        object({ entityName: text('The entity'), addedObservations: list(text('An observation')) }),
      ),
      effect: 'adds',
    },
    addAll,
  );

interface Observations extends Annotation {
  readonly entityName: string;
  readonly contents: readonly string[];
}

async function addAll(
  staged: Staged,
  { observations }: { observations: readonly Observations[] },
): Promise<ToolResult> {
  const results: object[] = [];
  for (const { entityName, contents, ...annotation } of observations) {
    checkTimes(annotation);
    await staged.require(entityName);
    const addedObservations: string[] = [];
    for (const content of contents)
      if (await staged.addObservation(entityName, content, annotation)) addedObservations.push(content);
    results.push({ entityName, addedObservations });
  }
  return listed('results', results);
}

function checkTimes({ validFrom, validTo }: Annotation): void {
  for (const [name, time] of Object.entries({ validFrom, validTo }))
    if (
      time !== undefined &&
      !(/^\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d))?$/.test(time) && Date.parse(time) > -Infinity)
    )
      throw new ToolError(
        `${name} must be a day or a time with its zone, such as 2026-11-30 or 2026-11-30T12:00:00Z, not ${time.slice(0, 60)}`,
      );
}
