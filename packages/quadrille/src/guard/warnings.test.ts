/** Statements of shapes that have no meaning: they are told, and refused where shapes are strict. */
import { describe, expect, test } from 'vitest';
import type { Repository } from '../index.js';
import { memory } from '../testing/fixtures.js';

const SHAPES = 'urn:shapes';
const PREFIXES = `PREFIX sh: <http://www.w3.org/ns/shacl#> PREFIX ex: <http://example.org/> `;
const insertShapes = (repo: Repository, shapes: string) =>
  repo.update(`${PREFIXES} INSERT DATA { GRAPH <${SHAPES}> { ${shapes} } }`);

async function withShapes(shapes: string): Promise<Repository> {
  const repo = await (await memory()).repository('acme/people', { create: true });
  if (shapes !== '') await insertShapes(repo, shapes);
  return repo;
}

const shape = (more: string): string => `ex:s sh:targetClass ex:C ; ${more}`;
const property = (more: string): string => `ex:s a sh:PropertyShape ; sh:targetClass ex:C ; sh:path ex:p ; ${more}`;
const component = `ex:Multiple a sh:ConstraintComponent ; sh:parameter [ sh:path ex:multipleOf ] .`;

describe('a warning', () => {
  test.each([
    [shape('sh:class_ ex:D'), 'sh:class_ <http://example.org/D>', /is no parameter of SHACL; did you mean sh:class\?/],
    [shape('sh:shape ex:D'), 'sh:shape <http://example.org/D>', /did you mean sh:node\?/],
    [shape('sh:minCout 1'), /^sh:minCout /, /did you mean sh:minCount\?/],
    [shape('sh:unlikeAnything 1'), /^sh:unlikeAnything /, /^sh:unlikeAnything is no parameter of SHACL$/],
    [shape('sh:minCount 1'), /^sh:minCount /, /for property shapes alone/],
    [shape('sh:property ex:t'), 'sh:property <http://example.org/t>', /a property shape needs sh:path/],
    ['ex:s a sh:PropertyShape ; sh:minCount 1', 'a sh:PropertyShape', /a property shape needs sh:path/],
    [`${property('sh:minCount 1')} . ex:s a sh:NodeShape`, 'a sh:NodeShape', /cannot have sh:path/],
    [property('sh:flags "i"'), 'sh:flags "i"', /no effect without sh:pattern/],
    [property('sh:qualifiedMinCount 1'), /^sh:qualifiedMinCount/, /no effect without sh:qualifiedValueShape/],
    [property('sh:reificationRequired true'), /^sh:reificationRequired/, /no effect without sh:reifierShape/],
    [shape('sh:reifierShape [ ]'), /^sh:reifierShape/, /for property shapes alone/],
    [shape('sh:qualifiedValueShape [ ] ; sh:qualifiedMinCount 1'), /^sh:qualifiedValueShape/, /property shapes alone/],
    [shape('sh:rule [ ]'), /^sh:rule _:/, /rules are not carried out/],
    [shape('sh:js [ ]'), /^sh:js _:/, /JavaScript of shapes is not run/],
    [shape('sh:target [ a sh:JSTarget ]'), /^sh:target _:/, /no target in SPARQL/],
    ['ex:s sh:targetclass ex:C ; sh:property [ sh:path ex:p ]', /^sh:property _:/, /is no shape/],
    [`${component} ${shape('ex:multipleOf 6')}`, '<http://example.org/multipleOf>', /has no validator in SPARQL/],
    ['ex:s a sh:NodeShape ; sh:nodeKind sh:IRI', 'the graph', /none of its shapes has a target/],
    ['', 'the graph', /it does not exist or is empty, so nothing is checked/],
  ] as const)('of %s', async (shapes, statement, reason) => {
    const repo = await withShapes(shapes);
    const set = await repo.settings.set({ shapes: SHAPES });
    const warning = {
      shape: expect.any(String) as string,
      statement: typeof statement === 'string' ? statement : (expect.stringMatching(statement) as string),
      reason: expect.stringMatching(reason) as string,
    };
    expect(set.shapesWarnings).toContainEqual(warning);
    expect(await repo.settings.get()).toEqual(set);
    // Also when a commit has compared a change with the shapes.
    await repo.update(`${PREFIXES} INSERT DATA { ex:a ex:b ex:c }`);
    expect(await repo.settings.get()).toEqual(set);
    const refused = { code: 'SHAPES_INVALID', details: { statement: warning.statement } };
    await expect(repo.settings.set({ shapesStrict: true })).rejects.toMatchObject(refused);
    expect((await repo.settings.get()).shapesStrict).toBe(false);
    await expect(repo.validate({ strict: true })).rejects.toMatchObject(refused);
  });

  test('is no answer to a name that is no IRI', async () => {
    const repo = await withShapes('');
    await expect(repo.validate({ shapes: 'my shapes' })).rejects.toMatchObject({
      code: 'INVALID_OPTION',
      message: expect.stringMatching(/shapes.*absolute IRI/) as string,
    });
  });

  test('tells how many more there are of its kind', async () => {
    const rules = Array.from({ length: 2000 }, (_, i) => `sh:rule ex:r${String(i)}`);
    const repo = await withShapes(shape(`${rules.join(' ; ')} ; sh:minCout 1`));
    const { shapesWarnings } = await repo.settings.set({ shapes: SHAPES });
    expect(shapesWarnings).toHaveLength(12);
    expect(shapesWarnings).toContainEqual({
      shape: '<http://example.org/s>',
      statement: 'and 1990 more statements',
      reason: 'sh:rule: rules are not carried out',
    });
    expect(shapesWarnings.map(({ statement }) => statement.slice(0, 11))).toContain('sh:minCout ');
  });

  test('is not made of what has a meaning', async () => {
    const meant = `sh:name "n" ; sh:description "d" ; sh:order 1 ; sh:group ex:g ; sh:deactivated false ; sh:message "m"`;
    const repo = await withShapes(property(`sh:minCount 1 ; sh:pattern "a" ; sh:flags "i" ; ${meant} ; ex:note "x"`));
    const settings = await repo.settings.set({ shapes: SHAPES, shapesStrict: true });
    expect(settings).toMatchObject({ shapesStrict: true, shapesWarnings: [] });
    await expect(insertShapes(repo, 'ex:s sh:mincount 2')).rejects.toMatchObject({ code: 'SHAPES_INVALID' });
    expect(await repo.settings.set({ shapesStrict: null })).toMatchObject({ shapesStrict: false });
    await insertShapes(repo, 'ex:s sh:mincount 2');
    expect((await repo.settings.get()).shapesWarnings).toHaveLength(1);
  });

  test('that comes with a commit stands in the settings, and goes with the statement', async () => {
    const repo = await withShapes(property('sh:minCount 1'));
    expect((await repo.settings.set({ shapes: SHAPES })).shapesWarnings).toEqual([]);
    await insertShapes(repo, 'ex:s sh:minLenght 2');
    expect((await repo.settings.get()).shapesWarnings).toMatchObject([{ shape: '<http://example.org/s>' }]);
    await repo.update(`${PREFIXES} DELETE DATA { GRAPH <${SHAPES}> { ex:s sh:minLenght 2 } }`);
    expect((await repo.settings.get()).shapesWarnings).toEqual([]);
    await repo.update(`DROP GRAPH <${SHAPES}>`);
    expect((await repo.settings.get()).shapesWarnings).toMatchObject([
      { reason: 'it does not exist or is empty, so nothing is checked' },
    ]);
  });
});
