/** `sh:reifierShape` and `sh:reificationRequired` of SHACL 1.2: what is said of a statement obeys shapes. */
import { describe, expect, test } from 'vitest';
import type { Repository } from '../index.js';
import { memory } from '../testing/fixtures.js';

const SH = 'http://www.w3.org/ns/shacl#';
const PREFIXES = `PREFIX rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> PREFIX sh: <${SH}> PREFIX ex: <http://example.org/> `;
const SHAPES = `ex:S sh:targetSubjectsOf ex:age ; sh:property ex:Age .
  ex:Age sh:path ex:age ; sh:reifierShape ex:Source .
  ex:Source sh:property [ sh:path ex:source ; sh:minCount 1 ; sh:nodeKind sh:IRI ] .`;
const REQUIRED = `${SHAPES} ex:Age sh:reificationRequired true .`;

const insert = (repo: Repository, data: string) => repo.update(`${PREFIXES} INSERT DATA { ${data} }`);
const remove = (repo: Repository, data: string) => repo.update(`${PREFIXES} DELETE DATA { ${data} }`);

async function withShapes(shapes: string, data = ''): Promise<Repository> {
  const repo = await (await memory()).repository('acme/people', { create: true });
  await insert(repo, `${data} GRAPH <urn:shapes> { ${shapes} }`);
  return repo;
}

async function guarded(shapes: string, data = ''): Promise<Repository> {
  const repo = await withShapes(shapes, data);
  await repo.settings.set({ shapes: 'urn:shapes' });
  return repo;
}

const short = (text: string | undefined): string | undefined => text?.replace(/^http:\/\/(?:example\.org\/|.*#)/, '');

async function resultsOf(shapes: string, data: string): Promise<unknown[]> {
  const repo = await withShapes(shapes, data);
  const { results } = await repo.validate({ shapes: 'urn:shapes' });
  return results.map(({ focusNode, path, value, component, shape }) => [
    short(focusNode.value),
    path,
    short(value?.value),
    short(component),
    short(shape.value),
  ]);
}

const result = (node: string, value: string): unknown[] => [
  node,
  '<http://example.org/age>',
  value,
  'ReifierShapeConstraintComponent',
  'Age',
];

describe('a validation', () => {
  test('finds the statements with a reifier that does not conform, once each', async () => {
    const data = `ex:ann ex:age 7 {| ex:source ex:book |} . ex:bob ex:age 8 {| ex:source "book" |} . ex:cat ex:age 9 .
      ex:dan ex:age 10 ~ ex:one {| ex:source ex:book |} ~ ex:two {| ex:note "?" |} ~ ex:three {| ex:note "?" |} , 11 {| ex:source ex:book |} .`;
    const expected = [result('bob', '8'), result('dan', '10')];
    const found = await resultsOf(SHAPES, data);
    expect(found.toSorted()).toEqual(expected);
    expect((await resultsOf(REQUIRED, data)).toSorted()).toEqual([...expected, result('cat', '9')].toSorted());
  });

  test('looks at reifiers of the very statement, in any graph', async () => {
    const data = `ex:ann ex:age 7 . ex:ann ex:size 7 {| ex:note 1 |} . ex:bob ex:age 7 {| ex:source ex:book |} .
      ex:r rdf:reifies <<( ex:ann ex:age 8 )>> .`;
    expect(await resultsOf(SHAPES, data)).toEqual([]);
    expect(await resultsOf(REQUIRED, data)).toEqual([result('ann', '7')]);
    expect(await resultsOf(SHAPES, `${data} GRAPH ex:g { ex:q rdf:reifies <<( ex:ann ex:age 7 )>> }`)).toEqual([
      result('ann', '7'),
    ]);
  });

  test('says which reifier is wrong, and takes several shapes', async () => {
    const shapes = `${SHAPES} ex:Age sh:reifierShape [ sh:nodeKind sh:IRI ] .`;
    const repo = await withShapes(
      shapes,
      'ex:ann ex:age 7 ~ ex:r {| ex:note 1 |} . ex:bob ex:age 7 {| ex:source ex:b |}',
    );
    const { results } = await repo.validate({ shapes: 'urn:shapes' });
    expect(results.map(({ message }) => message)).toEqual([
      'the reifier <http://example.org/r> of its triple does not conform to <http://example.org/Source>',
      expect.stringMatching(/^the reifier _:\S+ of its triple does not conform to _:/),
    ]);
  });

  test('of a shape that refers to itself through reifiers ends', async () => {
    const shapes = `ex:S sh:targetSubjectsOf ex:says ; sh:property [ sh:path ex:says ; sh:reifierShape ex:S ] ; sh:property [ sh:path ex:bad ; sh:maxCount 0 ] .`;
    const data = `ex:ann ex:says "a" ~ ex:ann . ex:bob ex:says "b" ~ ex:cat . ex:cat ex:bad 1 .`;
    const repo = await withShapes(shapes, data);
    const { results } = await repo.validate({ shapes: 'urn:shapes' });
    expect(results.map(({ focusNode }) => short(focusNode.value))).toEqual(['bob']);
  });
});

describe('a commit', () => {
  const OLD = 'ex:ann ex:age 7 ~ ex:r {| ex:source ex:book |} .';
  test.each([
    ['what is said of a reifier', (repo: Repository) => remove(repo, 'ex:r ex:source ex:book')],
    ['more that is said of it', (repo: Repository) => insert(repo, 'ex:r ex:source "book"')],
    ['another reifier', (repo: Repository) => insert(repo, 'ex:q rdf:reifies <<( ex:ann ex:age 7 )>>')],
    ['a statement with a reifier', (repo: Repository) => insert(repo, 'ex:bob ex:age 8 {| ex:note 1 |}')],
  ])('is refused for %s', async (_, change) => {
    for (const shapes of [SHAPES, REQUIRED]) {
      const repo = await guarded(shapes, OLD);
      await expect(change(repo)).rejects.toMatchObject({ code: 'SHAPES_VIOLATED' });
      expect((await repo.validate()).conforms).toBe(true);
    }
  });

  test('is refused where a reifier is required and goes, or never was', async () => {
    const gone = 'ex:r rdf:reifies <<( ex:ann ex:age 7 )>>';
    await remove(await guarded(SHAPES, OLD), gone);
    const repo = await guarded(REQUIRED, OLD);
    await expect(remove(repo, gone)).rejects.toMatchObject({ code: 'SHAPES_VIOLATED' });
    await expect(insert(repo, 'ex:bob ex:age 8')).rejects.toMatchObject({ code: 'SHAPES_VIOLATED' });
    await insert(repo, 'ex:bob ex:age 8 {| ex:source ex:book |}');
    await remove(repo, `${gone} . ex:ann ex:age 7`);
  });

  test('looks at the nodes alone whose statements it touches', async () => {
    const people = Array.from({ length: 50 }, (_, i) => `ex:p${i} ex:age ${i} ~ ex:r${i} {| ex:source ex:book |} .`);
    const repo = await guarded(REQUIRED, people.join('\n'));
    await insert(repo, 'ex:r7 ex:source ex:film ; ex:note "?"');
    const { constraints } = await repo.validate({ explain: true });
    const [reifiers] = constraints!.filter(({ component }) => component.includes('Reifier'));
    expect(reifiers).toMatchObject({ path: '<http://example.org/age>', all: [], commits: 1, nodes: 1 });
  });

  test('at an old revision, on a branch, and with data that were wrong before', async () => {
    const repo = await withShapes(SHAPES, 'ex:ann ex:age 7 {| ex:note 1 |}');
    await expect(repo.settings.set({ shapes: 'urn:shapes' })).rejects.toMatchObject({ code: 'SHAPES_VIOLATED' });
    await repo.settings.set({ shapes: 'urn:shapes', shapesSince: 'now' });
    await insert(repo, 'ex:bob ex:age 8 {| ex:source ex:book |}');
    await expect(insert(repo, 'ex:bob ex:age 9 {| ex:note 1 |}')).rejects.toMatchObject({ code: 'SHAPES_VIOLATED' });
    await repo.branches.create('dev');
    const dev = await repo.branches.open('dev');
    await expect(insert(dev, 'ex:bob ex:age 9 {| ex:note 1 |}')).rejects.toMatchObject({ code: 'SHAPES_VIOLATED' });
    await insert(dev, 'ex:ann ex:note 1');
    expect(await repo.validate({ at: 1, shapes: 'urn:shapes' })).toMatchObject({ conforms: true });
    expect(await repo.validate({ at: 2 })).toMatchObject({ conforms: false, results: [{}] });
  });
});

describe('shapes', () => {
  test.each([
    [
      'ex:S sh:targetClass ex:C ; sh:property [ sh:path ( ex:a ex:b ) ; sh:reifierShape [ ] ]',
      /needs sh:path with an IRI/,
    ],
    [SHAPES + ' ex:Age sh:reificationRequired "yes"', /sh:reificationRequired must be true or false, not "yes"/],
    [SHAPES + ' ex:Age sh:reifierShape 1', /is no shape/],
  ])('that cannot be used are refused: %s', async (shapes, reason) => {
    const repo = await withShapes(shapes);
    await expect(repo.settings.set({ shapes: 'urn:shapes' })).rejects.toMatchObject({
      code: 'SHAPES_INVALID',
      message: expect.stringMatching(reason) as string,
    });
  });
});
