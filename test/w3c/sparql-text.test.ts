/** SPARQL text written from algebra, which SERVICE sends: every query of the W3C suites is the same one after it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { termToText } from '@quadrille/model';
import { parseSparql } from '@quadrille/sparql';
import type * as RDF from '@rdfjs/types';
import { describe, expect, test } from 'vitest';
import type { Operation } from '../../packages/sparql/src/algebra/algebra.js';
import { patternText } from '../../packages/sparql/src/syntax/write/algebra-text.js';
import { hasSuite, W3C_ROOT } from './manifest.js';

const SUITES = ['sparql10', 'sparql11', 'sparql12'].map((name) => resolve(W3C_ROOT, 'sparql', name));

function parsed(text: string): Operation | undefined {
  try {
    const request = parseSparql(text, { baseIRI: 'http://example.org/base/' });
    return request.kind === 'update' ? undefined : (request.algebra as Operation);
  } catch {
    return undefined;
  }
}

/** What could stand in a group: of CONSTRUCT, ASK and DESCRIBE their patterns. */
function patternOf(operation: Operation): Operation {
  if (['ask', 'construct', 'describe'].includes(operation.type)) return (operation as { input: Operation }).input;
  // SELECT * over nothing but blank nodes has no columns, which only * can say.
  if (operation.type === 'project' && operation.variables.length === 0) return operation.input;
  if (operation.type === 'slice') {
    const inner = patternOf(operation.input);
    return inner === operation.input ? operation : inner;
  }
  return operation;
}

/** The algebra as plain text; variables that the parser made up are numbered in the order of their coming. */
function canonical(operation: Operation, text: string): string {
  const written = new Set([...text.matchAll(/[?$]([\p{L}\p{N}_]+)/gu)].map((match) => match[1]!));
  const names = new Map<string, string>();
  const nameOf = (name: string): string => {
    if (written.has(name)) return name;
    if (!names.has(name)) names.set(name, `#${names.size}`);
    return names.get(name)!;
  };
  const termText = (term: RDF.Term): string => {
    if (term.termType === 'Variable') return `?${nameOf(term.value)}`;
    if (term.termType !== 'Quad') return `${term.termType} ${termToText(term)}`;
    return `<< ${[term.subject, term.predicate, term.object].map(termText).join(' ')} >>`;
  };
  const plain = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(plain);
    if (typeof node !== 'object' || node === null) return node;
    if ('type' in node && node.type === 'pattern') {
      const { subject, predicate, object } = node as unknown as RDF.Quad;
      return [subject, predicate, object].map(termText);
    }
    if ('termType' in node) return termText(node as RDF.Term);
    if ('type' in node && node.type === 'join') {
      // VALUES behind an empty group is joined with it.
      const inputs = (node as unknown as { input: Operation[] }).input.filter(
        (input) => input.type !== 'bgp' || input.patterns.length > 0,
      );
      if (inputs.length === 1) return plain(inputs[0]);
    }
    const members = Object.entries(node).filter(([, value]) => value !== undefined && value !== false);
    return Object.fromEntries(members.map(([key, value]) => [key, plain(value)]).toSorted(byKey));
  };
  return JSON.stringify(plain(operation), undefined, 1);
}
const byKey = ([a]: unknown[], [b]: unknown[]): number => (String(a) < String(b) ? -1 : 1);

const present = hasSuite('SPARQL text of the W3C suites', resolve(W3C_ROOT, 'sparql')) ? SUITES : [];

describe.each(present)('%s', (folder) => {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.rq'));
  test('written queries are parsed to the same algebra', () => {
    let checked = 0;
    for (const file of files) {
      const text = readFileSync(join(folder, file), 'utf8');
      const whole = parsed(text);
      if (whole === undefined) continue;
      const operation = patternOf(whole);
      const written = `SELECT * WHERE { ${patternText(operation)} }`;
      const again = parsed(written);
      expect(again, `${file}\n${text}\n${written}`).toBeDefined();
      const inner = (again as Operation & { input: Operation }).input;
      expect(canonical(inner, text), `${file}\n${text}\n${written}`).toBe(canonical(operation, text));
      checked++;
    }
    expect(checked).toBeGreaterThan(50);
  });
});
