import { expect, test } from 'vitest';
import { fieldsOfForm, fieldsOfJson } from './repository-fields.js';

test('a form may nest its fields; an empty text clears one', () => {
  const form = new URLSearchParams('repository[name]=A&summary=b&repository[summary]=c&homepage=&other=x');
  expect(fieldsOfForm(form)).toEqual({ name: 'A', summary: 'c', homepage: null });
  expect(fieldsOfForm(new URLSearchParams('name=%20'))).toEqual({ name: null });
});

test('JSON may nest its fields; null clears one', () => {
  const expected = { name: 'A', summary: 'c', description: null };
  expect(fieldsOfJson({ repository: { name: 'A', summary: 'c', description: '' } })).toEqual(expected);
  expect(fieldsOfJson({ name: 'A', summary: 'b', 'repository[summary]': 'c', description: null })).toEqual(expected);
});

test.each([null, [], 'x', { repository: [] }, { name: 1 }])('%j is no record', (value) => {
  expect(() => fieldsOfJson(value)).toThrow(expect.objectContaining({ code: 'INVALID_OPTION' }));
});
