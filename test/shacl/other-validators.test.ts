/**
 * Random shapes and data, and what two other validators find in them: the same focus nodes with the same components. QUADRILLE_SEED repeats
 * a run.
 */
import { validateDataset } from '@quadrille/shacl';
import { dataFactory } from '@quadrille/model';
import type * as RDF from '@rdfjs/types';
import { Store } from 'n3';
import RdfValidateShacl from 'rdf-validate-shacl';
import { Validator } from 'shacl-engine';
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
const unique = (lines: readonly string[]): string[] => [...new Set(lines)].toSorted();

/** The results of a validator; `undefined` where it fails, as both do for some paths. */
const linesBy = async (validate: () => Promise<{ readonly results: unknown }>): Promise<string | undefined> => {
  try {
    return unique(((await validate()).results as TheirResult[]).map(lineOf)).join('\n');
  } catch {
    return undefined;
  }
};

test(`shacl-engine or rdf-validate-shacl finds the same (QUADRILLE_SEED=${SEED})`, async () => {
  let [found, both] = [0, 0];
  const others: string[] = [];
  for (let index = 0; index < ROUNDS; index++) {
    const random = new RandomShapes(10_000 + index);
    const shapes = random.shapes();
    const data = Array.from({ length: 25 }, () => random.triple()).filter(hasNoCycle);
    const { results } = await validateDataset(data, shapes);
    const ours = unique(
      results.map(({ focusNode, component }) => `${focusNode.value} ${component.replace(SHACL, '')}`),
    ).join('\n');
    found += results.length;
    const theirs = [
      await linesBy(() =>
        new Validator(dataset(shapes), { factory: dataFactory }).validate({ dataset: dataset(data) }),
      ),
      await linesBy(
        () => new RdfValidateShacl(dataset(shapes)).validate(dataset(data)) as Promise<{ results: unknown }>,
      ),
    ];
    if (theirs.every((lines) => lines === ours)) both++;
    if (theirs.includes(ours) || theirs.includes(undefined)) continue;
    others.push([`#${index}`, ...theirs, 'ours', ours, textOf(shapes), '# data', textOf(data)].join('\n'));
  }
  expect(others.length, `QUADRILLE_SEED=${SEED}\n${others.slice(0, 2).join('\n\n')}`).toBe(0);
  expect(found).toBeGreaterThan(ROUNDS / 2);
  // Each of them differs from the specification, and from the other, in places of its own.
  expect(both, `QUADRILLE_SEED=${SEED}`).toBeGreaterThan(ROUNDS / 2);
});
