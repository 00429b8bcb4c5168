import { expect, test } from 'vitest';
import { GraphDrawing } from './graph.js';

/** Draws `id: parents`, the newest first. */
function drawn(...nodes: string[]): string[] {
  const drawing = new GraphDrawing();
  return nodes.flatMap((text) => {
    const [id, parents = ''] = text.split(':');
    const { before, own, after } = drawing.draw({ id: id!, parents: parents.split(' ').filter((each) => each !== '') });
    return [...before, `${own} ${id!}`, ...after];
  });
}

test('a line', () => {
  expect(drawn('c:b', 'b:a', 'a')).toEqual(['* c', '* b', '* a']);
});

test('a branch and its merge', () => {
  expect(drawn('m:b d', 'd:a', 'b:a', 'a')).toEqual(['* m', '|\\', '| * d', '* | b', '|/', '* a']);
});

test('three branches that begin on one revision, of which the last is merged into the first', () => {
  expect(drawn('x:a', 'y:a', 'm:z x2', 'z:a', 'x2:a', 'a')).toEqual([
    '* x',
    '| * y',
    '| | * m',
    '| | |\\',
    '| | * | z',
    '| | | * x2',
    '|_|_|/',
    '|_|/',
    '|/',
    '* a',
  ]);
});
