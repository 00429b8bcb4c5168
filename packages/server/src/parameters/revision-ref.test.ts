import { describe, expect, test } from 'vitest';
import { refuseRevision, revisionRef } from './revision-ref.js';

const ID = '01936b2e-5a00-7000-8000-000000000001';
const ref = (query: string, headers: Record<string, string> = {}): string | undefined =>
  revisionRef(new URLSearchParams(query), new Headers(headers));
const encoded = (text: string): string => `revision-id=${encodeURIComponent(text)}`;

describe('revisionRef', () => {
  test.each([
    [ID, ID],
    [`"${ID}"`, ID],
    [`<urn:quadrille:revision:${ID}>`, `urn:quadrille:revision:${ID}`],
    [`urn:dydra:revision:${ID}`, `urn:dydra:revision:${ID}`],
    [`urn:uuid:${ID}`, `urn:uuid:${ID}`],
    ['HEAD~2', 'HEAD~2'],
    ['#3', '#3'],
    ['"2026-05-01T10:00:00Z"^^<http://www.w3.org/2001/XMLSchema#dateTime>', '2026-05-01T10:00:00Z'],
    ['2026-05-01T10:00:00+02:00', '2026-05-01T10:00:00+02:00'],
  ])('%s', (text, expected) => {
    expect(ref(encoded(text))).toBe(expected);
  });

  test('a plus sign that arrives as a blank', () => {
    expect(ref('revision-id=2026-05-01T10:00:00+02:00')).toBe('2026-05-01T10:00:00+02:00');
  });

  test('aliases, the header, and an empty value', () => {
    expect(ref('revision=HEAD')).toBe('HEAD');
    expect(ref('revision-uuid=TAIL')).toBe('TAIL');
    expect(ref('', { Revision: '5' })).toBe('5');
    expect(ref('revision-id=')).toBeUndefined();
    expect(ref('')).toBeUndefined();
  });

  test('an interval is refused, and a revision on a write', () => {
    expect(() => ref(encoded('1--3'))).toThrow('interval');
    expect(() => refuseRevision(new URLSearchParams('revision-id=HEAD'), new Headers())).toThrow('current revision');
    expect(() => refuseRevision(new URLSearchParams('revision-id='), new Headers())).not.toThrow();
  });
});
