/**
 * Random shapes and data, and what two other validators find in them: focus nodes with components. Each of the two differs from the
 * specification, and from the other, in places of its own. So a result counts where both agree. QUADRILLE_SEED repeats a run.
 */
import { dataFactory } from '@quadrille/model';
import type * as RDF from '@rdfjs/types';
import { Store } from 'n3';
import RdfValidateShacl from 'rdf-validate-shacl';
import { Validator } from 'shacl-engine';
import { validateDataset } from 'quadrille/shacl';
import { expect, test } from 'vitest';
import { RandomShapes, SEED, textOf } from './random-shapes.js';

const dataset = (quads: Iterable<RDF.Quad>): never => new Store([...quads] as never) as never;
const ROUNDS = 40;
const SHACL = 'http://www.w3.org/ns/shacl#';

interface TheirResult {
  readonly focusNode: RDF.Term | { readonly term: RDF.Term } | null;
  readonly sourceConstraintComponent?: RDF.Term | null;
  readonly constraintComponent?: RDF.Term | null;
}

const lineOf = (result: TheirResult): string => {
  const node = result.focusNode!;
  const component = result.sourceConstraintComponent ?? result.constraintComponent;
  return `${('term' in node ? node.term : node).value} ${component!.value.replace(SHACL, '')}`;
};
// rdf-validate-shacl does not end where a class is below itself.
const hasNoCycle = ({ subject, predicate, object }: RDF.Quad): boolean =>
  !predicate.value.endsWith('subClassOf') || subject.value < object.value;
// Both compare texts with a language tag by their characters. SPARQL's `<`, which SHACL names, does not compare them.
const compares = ({ predicate }: RDF.Quad): boolean => predicate.value.startsWith(`${SHACL}lessThan`);
const hasNoLanguage = ({ object }: RDF.Quad): boolean => object.termType !== 'Literal' || object.language === '';
const unique = (lines: readonly string[]): string[] => [...new Set(lines)].toSorted();

/** The results of a validator; `undefined` where it fails, as both do for some paths. */
const linesBy = async (validate: () => Promise<{ readonly results: unknown }>): Promise<string[] | undefined> => {
  try {
    return unique(((await validate()).results as TheirResult[]).map(lineOf));
  } catch {
    return undefined;
  }
};

/** The lines of which both others say the opposite of ours. */
const outvoted = (ours: readonly string[], one: readonly string[], other: readonly string[]): string[] =>
  unique([...ours, ...one, ...other]).filter(
    (line) => one.includes(line) === other.includes(line) && one.includes(line) !== ours.includes(line),
  );

test('a line is outvoted only by both others', () => {
  expect(outvoted(['a', 'b'], ['b', 'c'], ['b', 'c', 'd'])).toEqual(['a', 'c']);
  expect(outvoted(['a', 'b'], ['a'], ['b', 'c'])).toEqual([]);
});

test(`shacl-engine and rdf-validate-shacl never agree against us (QUADRILLE_SEED=${SEED})`, async () => {
  let [found, both] = [0, 0];
  const others: string[] = [];
  for (let index = 0; index < ROUNDS; index++) {
    // Both fail in places of paths whose operators are nested, such as (a|b)*.
    const random = new RandomShapes(10_000 + index, { deepestPath: 1 });
    const shapes = random.shapes();
    const data = Array.from({ length: 25 }, () => random.triple())
      .filter(hasNoCycle)
      .filter(shapes.some(compares) ? hasNoLanguage : () => true);
    const { results } = await validateDataset(data, shapes);
    const ours = unique(
      results.map(({ focusNode, component }) => `${focusNode.value} ${component.replace(SHACL, '')}`),
    );
    found += results.length;
    const [one, other] = [
      await linesBy(() =>
        new Validator(dataset(shapes), { factory: dataFactory }).validate({ dataset: dataset(data) }),
      ),
      await linesBy(
        () => new RdfValidateShacl(dataset(shapes)).validate(dataset(data)) as Promise<{ results: unknown }>,
      ),
    ];
    if (one === undefined || other === undefined) continue;
    if ([one, other].every((lines) => lines.join('\n') === ours.join('\n'))) both++;
    const lines = outvoted(ours, one, other);
    if (lines.length > 0) others.push([`#${index}`, ...lines, textOf(shapes), '# data', textOf(data)].join('\n'));
  }
  expect(others.length, `QUADRILLE_SEED=${SEED}\n${others.slice(0, 2).join('\n\n')}`).toBe(0);
  expect(found).toBeGreaterThan(ROUNDS / 2);
  expect(both, `QUADRILLE_SEED=${SEED}`).toBeGreaterThan(ROUNDS / 2);
});
