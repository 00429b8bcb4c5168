import { expect, test } from 'vitest';
import { compareAnswers } from './compare.js';

test('rows count as often as they occur, in any order', () => {
  const before = '?a\t?b\n1\t2\n1\t2\n3\t4\n';
  const after = '?a\t?b\r\n3\t4\r\n1\t2\r\n5\t\r\n5\t';
  expect(compareAnswers(before, after)).toEqual({
    columns: ['a', 'b'],
    added: [
      ['5', ''],
      ['5', ''],
    ],
    removed: [['1', '2']],
  });
  expect(compareAnswers('?a\n', '?a\n\n')).toEqual({ columns: ['a'], added: [['']], removed: [] });
  expect(compareAnswers(before, before)).toMatchObject({ added: [], removed: [] });
});
