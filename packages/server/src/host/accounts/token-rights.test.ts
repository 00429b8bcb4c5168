import { describe, expect, it, test } from 'vitest';
import { accessOf } from '../repositories/rights.js';
import type { Caller, Right } from './caller.js';
import { checkedExpiry, checkedRights, lacks, mayDo, rightsOfAccount, withIncluded } from './token-rights.js';

const ALL: readonly Right[] = ['read', 'write', 'own', 'replicate', 'operate'];
const caller = (given: Partial<Caller>): Caller => ({ account: 'acme', readOnly: false, admin: false, ...given });
const allowed = (of: Caller): Right[] => ALL.filter((right) => mayDo(of, right));

describe('rights of a token', () => {
  test.each<[sent: Right[], all: Right[]]>([
    [['read'], ['read']],
    [['write'], ['read', 'write']],
    [['own'], ['read', 'write', 'own']],
    [
      ['own', 'read'],
      ['read', 'write', 'own'],
    ],
    [['replicate'], ['replicate']],
    [
      ['operate', 'replicate', 'read'],
      ['read', 'replicate', 'operate'],
    ],
  ])('%j include %j', (sent, all) => {
    expect(withIncluded(sent)).toEqual(all);
    expect(checkedRights(sent)).toEqual(all);
  });

  it('are a list of known ones, and not an empty list', () => {
    for (const sent of [[], ['reads'], ['read', 'all'], ['read', undefined], [0]])
      expect(() => checkedRights(sent)).toThrow(
        expect.objectContaining({
          code: 'INVALID_RECORD',
          message: 'rights must be a list of read, write, own, replicate, operate, or all',
        }),
      );
  });

  it('of an account are all, but those of the server for administrators alone', () => {
    expect(rightsOfAccount(true)).toEqual(ALL);
    expect(rightsOfAccount(false)).toEqual(['read', 'write', 'own', 'replicate']);
  });

  it('are those of the list; without a list all, or to read', () => {
    expect(allowed(caller({}))).toEqual(['read', 'write', 'own', 'replicate']);
    expect(allowed(caller({ admin: true }))).toEqual(ALL);
    expect(allowed(caller({ readOnly: true }))).toEqual(['read']);
    expect(allowed(caller({ readOnly: true, admin: true }))).toEqual(['read']);
    expect(allowed(caller({ rights: ['replicate'] }))).toEqual(['replicate']);
    // An account that is no administrator any more loses what its tokens had.
    expect(allowed(caller({ rights: ['read', 'operate'] }))).toEqual(['read']);
    expect(allowed(caller({ rights: ['read', 'operate'], admin: true }))).toEqual(['read', 'operate']);
  });

  it('that are missing are named, unless it may only read', () => {
    expect(lacks(caller({ rights: ['read'] }), 'write')).toBe('this token may only read');
    expect(lacks(caller({ rights: ['replicate'] }), 'write')).toBe('this token does not have the right write');
    expect(lacks(caller({ rights: ['read', 'write'] }), 'own')).toBe('this token does not have the right own');
  });

  it('never give more of a repository than the account has, nor than the list says', () => {
    const hosting = { privacy: 'private', collaborators: { reader: 'read', writer: 'write' } } as const;
    const access = (account: string, rights?: Right[], privacy: 'private' | 'public' | 'authenticated' = 'private') =>
      accessOf(caller({ account, ...(rights === undefined ? {} : { rights }) }), 'acme', { ...hosting, privacy });
    expect(['acme', 'writer', 'reader', 'other'].map((name) => access(name))).toEqual([
      'write',
      'write',
      'read',
      'none',
    ]);
    for (const name of ['acme', 'writer', 'reader']) expect(access(name, ['read'])).toBe('read');
    for (const name of ['acme', 'writer', 'reader', 'other']) {
      expect(access(name, ['replicate'])).toBe('none');
      expect(access(name, ['replicate'], 'authenticated')).toBe('none');
      expect(access(name, ['replicate'], 'public')).toBe('read');
    }
    expect(access('other', ['read'], 'authenticated')).toBe('read');
    // A name of the language is no collaborator.
    expect(access('toString')).toBe('none');
  });
});

describe('the time at which a token ends', () => {
  test.each([
    ['2027-01-31', '2027-01-31T00:00:00.000Z'],
    ['2027-01-31T10:00Z', '2027-01-31T10:00:00.000Z'],
    ['2027-01-31T10:00:30+02:00', '2027-01-31T08:00:30.000Z'],
    ['2027-01-31T10:00:30.5-01:30', '2027-01-31T11:30:30.500Z'],
    ['2027-01-31T10:00:30.123456789Z', '2027-01-31T10:00:30.123Z'],
  ])('%s', (sent, time) => expect(checkedExpiry(sent).toISOString()).toBe(time));

  test.each([
    '',
    'tomorrow',
    '2027',
    '2027-1-31',
    '2027-13-01',
    '2027-01-31T10:00',
    '2027-01-31T10Z',
    ' 2027-01-31',
    '2027-01-31 ',
    '2027-01-31T10:00:30.Z',
    '2027-01-31T10:00:30.1234567890Z',
    '+002027-01-31',
    '1e9',
  ])('%j is refused', (sent) => {
    expect(() => checkedExpiry(sent)).toThrow(
      expect.objectContaining({
        code: 'INVALID_RECORD',
        message: 'expires must be a date such as 2027-01-31, or a time of ISO 8601 with its zone',
      }),
    );
  });
});
