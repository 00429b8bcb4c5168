import type * as RDF from '@rdfjs/types';
import { dataFactory, quad } from '@quadrille/model';
import { describe, expect, test } from 'vitest';
import type { Expression } from '../../algebra/algebra.js';
import { ArrayIdDataset } from '../../testing/array-id-dataset.js';
import { executionOn } from '../../testing/operators.js';
import type { Value } from '../../expression/values/value.js';
import { BatchExpression } from './batch-expression.js';
import type { Batch } from './batch.js';
import type { Execution } from './operator.js';

const { literal, namedNode, variable } = dataFactory;
const LENGTH = 100_000;
const upper: Expression = {
  type: 'expression',
  subType: 'operator',
  operator: 'ucase',
  args: [{ type: 'expression', subType: 'term', term: variable!('v') }],
};
const text = (n: number, length: number): string => `${n}`.padStart(length, 'x');

/** Characters that were read or given ids since the clock was last looked at, at most. */
class Characters {
  most = 0;
  all = 0;
  #now = 0;

  constructor({ dataset, control }: Execution) {
    const [read, intern] = [dataset.term.bind(dataset), dataset.intern.bind(dataset)];
    Object.assign(dataset, {
      term: (id: number) => this.#count(read(id)),
      intern: (term: RDF.Term) => intern(this.#count(term)!),
    });
    Object.assign(control, { checkpoint: () => void (this.#now = 0) });
  }

  #count(term: RDF.Term | undefined): RDF.Term | undefined {
    this.all += term?.value.length ?? 0;
    this.#now += term?.value.length ?? 0;
    this.most = Math.max(this.most, this.#now);
    return term;
  }
}

function scene(
  count: number,
  length: number,
  misses = false,
): { batch: Batch; execution: Execution; characters: Characters } {
  const quads = Array.from({ length: count }, (_, n) =>
    quad(namedNode(`http://e/${n}`), namedNode('http://e/p'), literal(text(n, length))),
  );
  const dataset = new ArrayIdDataset(quads, { misses });
  const column = Uint32Array.from(quads, ({ object }) => dataset.terms.store(object));
  const execution = executionOn(dataset);
  return { batch: { columns: [column], length: count }, execution, characters: new Characters(execution) };
}

describe.each([false, true])('values of long texts (to be fetched: %s)', (misses) => {
  test('are computed with looks at the clock between them', async () => {
    const { batch, execution, characters } = scene(30, LENGTH, misses);
    const ids = await new BatchExpression(upper, ['v'], execution).ids(batch);
    expect(characters.most).toBeLessThanOrEqual(2 * LENGTH);
    const values = Array.from(ids, (id) => execution.dataset.term(id)!.value);
    expect(values).toEqual(Array.from({ length: 30 }, (_, n) => text(n, LENGTH).toUpperCase()));
  });

  test('of some thousand characters too', async () => {
    const { batch, execution, characters } = scene(300, 3000, misses);
    const values: (Value | undefined)[] = [];
    const pieces: number[] = [];
    await new BatchExpression(upper, ['v'], execution).eachPiece(batch, (piece, start) => {
      expect(start).toBe(values.length);
      pieces.push(piece.length);
      for (const value of piece) values.push(value);
    });
    // About a megabyte of texts each.
    expect(Math.max(...pieces)).toBeLessThan(200);
    expect(characters.most).toBeLessThan(80_000);
    expect(values.map((value) => value?.kind === 'string' && value.value)).toEqual(
      Array.from({ length: 300 }, (_, n) => text(n, 3000).toUpperCase()),
    );
  });

  test('are kept up to a length for all', async () => {
    const { batch, execution, characters } = scene(150, LENGTH, misses);
    const expression = new BatchExpression(upper, ['v'], execution);
    await expression.eachPiece(batch, () => undefined);
    characters.all = 0;
    await expression.eachPiece(batch, () => undefined);
    expect(characters.all).toBeGreaterThan(6_000_000);
  });
});
