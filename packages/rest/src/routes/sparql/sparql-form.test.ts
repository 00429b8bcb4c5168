import { expect, test } from 'vitest';
import { sparqlForm } from './sparql-form.js';

test.each([
  ['SELECT * { ?s ?p ?o }', 'SELECT'],
  ['  # ASK\n select*{}', 'SELECT'],
  ['PREFIX : <http://e/#> PREFIX select: <http://e/> ASK {}', 'ASK'],
  ['BASE <http://e/>\nPREFIX a:<b> # INSERT\nCONSTRUCT WHERE { ?s ?p ?o }', 'CONSTRUCT'],
  ['VERSION "1.2" DESCRIBE <x>', 'DESCRIBE'],
  ['INSERT DATA { <a:a> <a:b> "SELECT" }', 'UPDATE'],
  ['with <g:g> delete { ?s ?p ?o } where { ?s ?p ?o }', 'UPDATE'],
  ['PREFIX a: <a:> DROP ALL', 'UPDATE'],
  ['HELLO', undefined],
  ['', undefined],
  ['PREFIX broken', undefined],
])('%s is %s', (text, form) => {
  expect(sparqlForm(text)).toBe(form);
});
