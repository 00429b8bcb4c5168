/** The page of SHACL says of each parameter whether it is carried out. Here each is tried. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { open, type ShapesReport } from 'quadrille';
import { afterAll, expect, test } from 'vitest';
import { known } from '../../packages/shacl/src/shapes/meaning.js';
import { ROOT } from './markdown.js';

const page = readFileSync(join(ROOT, 'docs/reference/shacl.md'), 'utf8');
/** The parameters of the first cell of each row of a table with a status. */
const rows = [...page.matchAll(/^\| ([^|]*) \| (yes|no) +\| ([^|]*)\|$/gm)].map(([, feature, status, how]) => ({
  names: [...feature!.matchAll(/`sh:(\w+)/g)].map(([, name]) => name!),
  status: status!,
  how: how!,
}));
const namesOf = (wanted: string): string[] =>
  rows.filter(({ status }) => status === wanted).flatMap(({ names }) => names);

/** A shape of `ex:a` that its data violate, for each component. In `OF_PROPERTY` it is the shape of the values of `ex:p`. */
const OF_NODE: Readonly<Record<string, string>> = {
  class: 'sh:class ex:C',
  datatype: 'sh:datatype xsd:string',
  nodeKind: 'sh:nodeKind sh:Literal',
  minExclusive: 'sh:minExclusive 7',
  minInclusive: 'sh:minInclusive 7',
  maxExclusive: 'sh:maxExclusive 7',
  maxInclusive: 'sh:maxInclusive 7',
  minLength: 'sh:minLength 100',
  maxLength: 'sh:maxLength 1',
  pattern: 'sh:pattern "^A$" ; sh:flags "i"',
  languageIn: 'sh:languageIn ( "en" )',
  equals: 'sh:equals ex:p',
  disjoint: 'sh:disjoint ex:self',
  not: 'sh:not [ sh:nodeKind sh:IRI ]',
  and: 'sh:and ( [ sh:class ex:C ] )',
  or: 'sh:or ( [ sh:class ex:C ] )',
  xone: 'sh:xone ( [ sh:nodeKind sh:IRI ] [ sh:nodeKind sh:IRI ] )',
  node: 'sh:node [ sh:class ex:C ]',
  closed: 'sh:closed true ; sh:ignoredProperties ( ex:q )',
  hasValue: 'sh:hasValue ex:b',
  in: 'sh:in ( ex:b )',
};
const OF_PROPERTY: Readonly<Record<string, string>> = {
  minCount: 'sh:minCount 3',
  maxCount: 'sh:maxCount 1',
  uniqueLang: 'sh:uniqueLang true',
  lessThan: 'sh:lessThan ex:q',
  lessThanOrEquals: 'sh:lessThanOrEquals ex:q',
  qualifiedValueShape: 'sh:qualifiedMinCount 3 ; sh:qualifiedValueShape [ sh:nodeKind sh:Literal ]',
  reifierShape: 'sh:reifierShape [ sh:class ex:C ]',
};
/** The component, where it has not the name of its parameter. */
const COMPONENTS: Readonly<Record<string, string>> = { qualifiedValueShape: 'QualifiedMinCount' };
const DATA = `ex:a ex:p "x"@en {| ex:note 1 |} , "y"@en ; ex:q "x"@en ; ex:self ex:a .`;

const db = await open(':memory:');
afterAll(() => db.close());
let count = 0;

async function validated(shape: string, data = DATA): Promise<ShapesReport> {
  const repository = await db.repository(`acme/r${String(count++)}`, { create: true });
  const prefixes =
    'PREFIX sh: <http://www.w3.org/ns/shacl#> PREFIX ex: <http://e/> PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>';
  await repository.load({ text: `${prefixes} ${data}` }, { format: 'turtle' });
  const text = `${prefixes} GRAPH <urn:shapes> { ${shape} }`;
  await repository.load({ text }, { format: 'trig' });
  return repository.validate({ shapes: 'urn:shapes' });
}

test('the tables have every parameter that has a meaning, and none that has not', () => {
  expect(rows.length).toBeGreaterThan(60);
  const others = ['select', 'ask', 'qualifiedMinCount', 'qualifiedMaxCount', 'qualifiedValueShapesDisjoint'];
  for (const name of others) expect(page).toContain(`\`sh:${name}\``);
  // These two name a graph, and the setting does.
  const unread = ['shapesGraph', 'suggestedShapesGraph'];
  expect(new Set([...namesOf('yes'), ...others, ...unread])).toEqual(new Set(known.carriedOut));
  expect(namesOf('no')).toEqual(expect.arrayContaining(known.elsewhere));
});

const SHAPED = { ...OF_NODE, ...OF_PROPERTY };

test('each constraint component has an example here', () => {
  const clauses = [...page.matchAll(/^\| 4\.\d\.\d `sh:(\w+)/gm)].map(([, name]) => name!);
  expect(new Set(Object.keys(SHAPED))).toEqual(
    new Set([...clauses.filter((name) => name !== 'property'), 'reifierShape']),
  );
});

test.each(Object.entries(SHAPED))('sh:%s is carried out', async (name, statements) => {
  const shape = Object.hasOwn(OF_NODE, name)
    ? `ex:S sh:targetNode ex:a ; ${statements} .`
    : `ex:S sh:targetNode ex:a ; sh:property [ sh:path ex:p ; ${statements} ] .`;
  const { results, warnings } = await validated(shape);
  const component = COMPONENTS[name] ?? name[0]!.toUpperCase() + name.slice(1);
  expect(results.map((result) => result.component)).toContain(
    `http://www.w3.org/ns/shacl#${component}ConstraintComponent`,
  );
  expect(warnings).toEqual([]);
  expect((await validated(shape, 'ex:b ex:r ex:c .')).results.length).toBeLessThanOrEqual(1);
});

test.each(namesOf('no').filter((name) => !name.endsWith('hapesGraph')))(
  'sh:%s is not, and a warning says so',
  async (name) => {
    const { results, warnings } = await validated(`ex:S sh:targetNode ex:a ; sh:${name} ex:x .`);
    expect(results).toEqual([]);
    expect(warnings).toMatchObject([{ statement: `sh:${name} <http://e/x>` }]);
  },
);

test.each(['datatype ( xsd:string )', 'class ( ex:C )', 'nodeKind ( sh:IRI )', 'closed sh:ByTypes', 'pattern "(?=a)"'])(
  'sh:%s is refused',
  async (statement) => {
    await expect(validated(`ex:S sh:targetNode ex:a ; sh:${statement} .`)).rejects.toMatchObject({
      code: 'SHAPES_INVALID',
    });
  },
);
