import { expect, test } from 'vitest';
import { checkCommitInfo, MAX_AUTHOR_BYTES, MAX_MESSAGE_BYTES } from './commit-info.js';

test('texts of the greatest length are taken', () => {
  checkCommitInfo({
    message: 'x'.repeat(MAX_MESSAGE_BYTES),
    author: 'ü'.repeat(MAX_AUTHOR_BYTES / 2),
    id: 'some text',
  });
  checkCommitInfo({});
});

test.each<[string, object]>([
  ['message', { message: 'x'.repeat(MAX_MESSAGE_BYTES + 1) }],
  ['message', { message: 'ü'.repeat(MAX_MESSAGE_BYTES / 2 + 1) }],
  ['message', { message: '\ud800' }],
  ['message', { message: 5 }],
  ['author', { author: 'x'.repeat(MAX_AUTHOR_BYTES + 1) }],
  ['author', { author: { name: 'jo' } }],
  ['author', { author: null }],
  ['id', { id: 7 }],
])('a wrong %s is refused: %#', (option, info) => {
  expect(() => checkCommitInfo(info)).toThrow(
    expect.objectContaining({ code: 'INVALID_OPTION', details: { option }, message: expect.stringContaining(option) }),
  );
});
