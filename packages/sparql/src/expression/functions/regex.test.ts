/** REGEX and REPLACE: the syntax of XPath, its errors, and patterns that are meant to take for ever. */
import { RE2JS } from 're2js';
import { describe, expect, it, vi } from 'vitest';
import { literal } from '@quadrille/model';
import { evaluateText } from '../testing.js';
import { createRegex } from '../regex/regex.js';

const matches: readonly (readonly [pattern: string, flags: string, text: string, expected: boolean | 'error'])[] = [
  ['bc', '', 'abcd', true],
  ['BC', '', 'abcd', false],
  ['BC', 'i', 'abcd', true],
  ['^b', '', 'abcd', false],
  ['d$', '', 'abcd', true],
  ['^b', 'm', 'a\nb', true],
  ['^a$', 'm', 'b\na\nc', true],
  ['^a$', '', 'b\na\nc', false],
  ['^a$', 'm', 'b\ra', false],
  ['a.b', '', 'a\nb', false],
  ['a.b', 's', 'a\nb', true],
  ['a.b', '', 'a\u{1F600}b', true],
  ['a b', 'x', 'ab', true],
  ['a[ ]b', 'x', 'a b', true],
  ['a.b', 'q', 'a.b', true],
  ['a.b', 'q', 'axb', false],
  ['A.B', 'qi', 'a.b', true],
  ['a b', 'qx', 'a b', true],
  ['(', 'q', '(', true],
  ['^\\d+$', '', '12', true],
  ['^\\d$', '', '\u0661', true],
  ['^\\w$', '', 'é', true],
  ['^\\w$', '', '-', false],
  ['^\\w$', '', '_', true],
  ['^\\W$', '', '_', false],
  ['^\\W$', '', '-', true],
  ['^[\\W]$', '', '_', false],
  ['^[\\W\\d]+$', '', '- 1', true],
  ['^\\s\\S$', '', '\tx', true],
  ['^[\\S]$', '', ' ', false],
  ['^[^\\d\\s]$', '', 'a', true],
  ['^\\i\\c*$', '', 'a-1', true],
  ['^\\i\\c*$', '', '1a', false],
  ['^\\C$', '', ' ', true],
  ['^\\p{Lu}\\P{Lu}$', '', 'Éa', true],
  ['^[\\p{L}-]+$', '', 'a-b', true],
  ['^[a-c\\-\\]]+$', '', 'a]-', true],
  ['^(a|b){2,3}$', '', 'abab', false],
  ['^(a|b){2,}?$', '', 'abab', true],
  ['^a{2}$', '', 'aa', true],
  ['^(?:ab)+$', '', 'abab', true],
  ['^a-b/c$', '', 'a-b/c', true],
  ['^a\\-b\\/c$', '', 'a-b/c', true],
  ['\\^\\$\\.\\|\\?\\*\\+\\(\\)\\[\\]\\{\\}\\\\', '', '^$.|?*+()[]{}\\', true],
  ['\\bfoo\\b', '', 'a foo b', true],
  ['^\u{1F600}{2}$', '', '\u{1F600}\u{1F600}', true],
  ['a|', '', 'x', true],
  ['', '', 'x', true],
  ['a', 'z', 'a', 'error'],
  ['(a', '', 'a', 'error'],
  ['a)', '', 'a', 'error'],
  ['[a', '', 'a', 'error'],
  ['[]', '', 'a', 'error'],
  ['[b-a]', '', 'a', 'error'],
  ['a**', '', 'a', 'error'],
  ['^*', '', 'a', 'error'],
  ['*a', '', 'a', 'error'],
  ['a{2,1}', '', 'a', 'error'],
  ['a{,2}', '', 'a', 'error'],
  ['a}', '', 'a}', 'error'],
  ['\\', '', 'a', 'error'],
  ['^(a|b)\\1$', '', 'aa', true],
  ['^(a|b)\\1$', '', 'ab', false],
  ['^(.)(.)\\2\\1$', '', 'abba', true],
  ['^(?:(a)|b)\\10$', '', 'aa0', true],
  ['^(\\w+) \\1$', 'i', 'Ab aB', true],
  ['^((a)b)\\1\\2$', '', 'ababa', true],
  ['(a\\1)', '', 'aa', 'error'],
  ['a\\1', '', 'aa', 'error'],
  ['^[a-z-[aeiou]]+$', '', 'bcd', true],
  ['^[a-z-[aeiou]]+$', '', 'bad', false],
  ['^[^a-z-[0-9]]$', '', 'A', true],
  ['^[^a-z-[0-9]]$', '', '5', false],
  ['^[\\w-[\\d_-[5]]]+$', '', 'a5', true],
  ['^[\\w-[\\d_-[5]]]+$', '', '4', false],
  ['^[a-c-[a-c]]', '', 'a', false],
  ['^[a-z-[b]c]$', '', 'a', 'error'],
  ['^[\\I\\d]$', '', '-', true],
  ['^\\p{IsGreek}+$', '', 'αβγ', true],
  ['^\\P{IsGreek}$', '', 'a', true],
  ['^[\\p{IsCyrillic}\\P{IsBasicLatin}]$', '', 'a', false],
  ['^[\\p{IsBasicLatin}-[\\p{L}]]$', '', '&', true],
  ['^\\p{IsEmoticons}$', '', '\u{1F600}', true],
  ['^[\\x21\\x23-\\x27]+\\u0041\\x{1F600}$', '', '!#$A\u{1F600}', true],
  ['^[\\x21\\x23-\\x27]+$', '', '(', false],
  ['\\x2b+', '', '2b', false],
  ['\\x{110000}', '', 'a', 'error'],
  ['\\ud800', '', 'a', 'error'],
];

/** Patterns of other dialects, and what a message says of them. */
const foreign: readonly (readonly [string, string])[] = [
  ['(?=a)', "the group '(?='"],
  ['(?!a)b', "the group '(?!'"],
  ['(?<=a)b', "the group '(?<='"],
  ['(?<n>a)', "the group '(?<n>'"],
  ['(?P<n>a)', "the group '(?P<n>'"],
  ['(?i)a', "the group '(?i)'"],
  ['(?>a)', "the group '(?>'"],
  ['\\x4', '\\x'],
  ['\\u004', '\\u'],
  ['\\y', '\\y'],
  ['\\Aa\\z', '\\A'],
  ['a\\K', '\\K'],
  ['[\\h]', '\\h'],
  ['[[:alpha:]]', "a class such as '[:alpha:]'"],
  ['\\p{Greek}', '\\p{Greek}'],
  ['\\p{IsKlingon}', '\\p{IsKlingon}'],
  ['a++', 'a possessive quantifier'],
  ['a{5000}', 'more than 2000 parts'],
  ['(((a{20}){20}){20})', 'more than 2000 parts'],
  [`${'('.repeat(101)}a${')'.repeat(101)}`, 'more than 100 groups'],
  ['a'.repeat(10_001), 'more than 10000 characters'],
];

const show = (value: boolean | 'error'): string => (value === 'error' ? value : `"${value}"^^xsd:boolean`);

describe('REGEX', () => {
  it.each(matches)('pattern %j with flags %j on %j: %s', (pattern, flags, text, expected) => {
    const [p, f, t] = [pattern, flags, text].map((part) => JSON.stringify(part));
    expect(evaluateText(`regex(${t}, ${p}, ${f})`)).toBe(show(expected));
    // The same with nothing known beforehand, and on a text that is too long for backtracking.
    const terms = { text: literal(text), pattern: literal(pattern), flags: literal(flags) };
    expect(evaluateText('regex(?text, ?pattern, ?flags)', terms)).toBe(show(expected));
  });

  it.each(foreign)('%j is refused where it is a constant, and an error where it is computed', (pattern, what) => {
    for (const call of [`regex("a", ${JSON.stringify(pattern)})`, `replace("a", ${JSON.stringify(pattern)}, "b")`]) {
      expect(() => evaluateText(call)).toThrow(expect.objectContaining({ code: 'UNSUPPORTED' }));
      expect(() => evaluateText(call)).toThrow(what);
    }
    expect(evaluateText('regex("a", ?pattern)', { pattern: literal(pattern) })).toBe('error');
  });

  it('a back-reference takes no time without bound', () => {
    const regex = createRegex('(a+)b\\1c', '')!;
    expect(regex.test('aabaac')).toBe(true);
    // Not even the groups alone match.
    expect(regex.test('ab'.repeat(10_000))).toBe(false);
    const hard = `${'a'.repeat(10_000)}b${'a'.repeat(10_000)}`;
    expect(() => regex.test(`${hard}c`)).toThrow(expect.objectContaining({ code: 'QUERY_TIMEOUT' }));
    expect(() => regex.replace(`${hard}c`, () => '')).toThrow(expect.objectContaining({ code: 'QUERY_TIMEOUT' }));
    expect(regex.replace(hard, () => '')).toBe(hard);
    expect(createRegex('(..)-\\1', '')!.replace('ab-ab, ab-cd', ([, pair]) => `${pair}!`)).toBe('ab!, ab-cd');
  });

  it('classes that are computed are the same in the other engine', () => {
    const long = `${'-'.repeat(70_000)}b`;
    for (const pattern of ['(x*)*[a-z-[aeiou]]$', '(x*)*[^\\P{IsBasicLatin}-]$', '(x*)*[\\W\\w-[-]]$'])
      expect([
        pattern,
        createRegex(pattern, '')!.test(long),
        createRegex(pattern, '')!.test(long.slice(0, -1)),
      ]).toEqual([pattern, true, false]);
  });

  it('gives the same answers on long texts, which another engine matches', () => {
    const long = 'ab cd '.repeat(2000);
    for (const pattern of [
      'a.*d',
      '(ab|cd)+ $',
      '^(\\w+\\s+)+$',
      'x*y',
      '[^ ]+\\b',
      '\\p{L}+\\W+',
      '(?:b c)+',
      '^.*$',
    ]) {
      const expected = new RegExp(pattern.replaceAll('\\w', '[a-z]').replaceAll('\\W', ' '), 'u');
      expect([pattern, createRegex(pattern, '')?.test(long)]).toEqual([pattern, expected.test(long.slice(0, 60))]);
      expect([pattern, createRegex(pattern, '')?.test(long.slice(0, 60))]).toEqual([
        pattern,
        expected.test(long.slice(0, 60)),
      ]);
    }
    expect(createRegex('^ab.*x$', 'sm')?.test(`${long}\nab\nx`)).toBe(true);
    expect(createRegex('(^CD|^AB)+$', 'im')?.test(`${long}\nab\nx`)).toBe(true);
  });

  it.each([
    ['regex("abc"@en, "b")', 'true'],
    ['regex("abc", "b"@en)', 'error'],
    ['regex(5, "5")', 'error'],
    ['regex(:a, "a")', 'error'],
    ['regex("a", ?unbound)', 'error'],
  ])('%s is %s', (text, expected) => {
    expect(evaluateText(text)).toBe(expected === 'error' ? expected : `"${expected}"^^xsd:boolean`);
  });

  it('refuses long patterns that are computed', () => {
    const terms = { text: literal('x'), pattern: literal('a'.repeat(1001)) };
    expect(evaluateText('regex(?text, ?pattern)', terms)).toBe('error');
  });
});

describe('REPLACE', () => {
  it.each([
    ['replace("abcd", "b", "Z")', '"aZcd"'],
    ['replace("abab"@en, "B", "Z", "i")', '"aZaZ"@en'],
    ['replace("abracadabra", "bra", "*")', '"a*cada*"'],
    ['replace("abracadabra", "a.*a", "*")', '"*"'],
    ['replace("abracadabra", "a.*?a", "*")', '"*c*bra"'],
    ['replace("abracadabra", "a(.)", "a$1$1")', '"abbraccaddabbra"'],
    ['replace("AAAA", "A+?", "b")', '"bbbb"'],
    ['replace("darted", "^(.*?)d(.*)$", "$1c$2")', '"carted"'],
    ['replace("abcd", "(ab)|(a)", "[1=$1][2=$2]")', '"[1=ab][2=]cd"'],
    ['replace("abc", "(b)", "$0$12$3")', '"abb2c"'],
    ['replace("a.b.c", "\\\\.", "\\\\$")', '"a$b$c"'],
    ['replace("a", "a", "\\\\\\\\")', '"\\\\"'],
    ['replace("aAbBaC", "a", "~/", "i")', '"~/~/bB~/C"'],
    ['replace("a\\U0001F600b", "[^a-z]", "-")', '"a-b"'],
    ['replace("a.b", ".", "$1", "q")', '"a$1b"'],
    ['replace("abc", "x*", "-")', 'error'],
    ['replace("abc", "", "-")', 'error'],
    ['replace("abc", "b", "$")', 'error'],
    ['replace("abc", "b", "\\\\n")', 'error'],
    ['replace("abc", "b", 5)', 'error'],
    ['replace("abc", "b", "x"@en)', 'error'],
    ['replace(5, "b", "x")', 'error'],
    ['replace("abc", "(", "x")', 'error'],
    ['replace("abc", "b", "x", ?unbound)', 'error'],
  ])('%s is %s', (text, expected) => expect(evaluateText(text)).toBe(expected));

  it('does the same on long texts', () => {
    const long = 'ab  cd '.repeat(1000);
    expect(createRegex('\\s+', '')?.replace(long, () => '_')).toBe('ab_cd_'.repeat(1000));
    const swapped = createRegex('([a-z])([a-z])(x)?', '')?.replace(long, ([, a, b, x = '!']) => `${b}${a}${x}`);
    expect(swapped).toBe('ba!  dc! '.repeat(1000));
  });
});

describe('patterns made to take for ever', () => {
  const text = `${'a'.repeat(50_000)}!`;
  const patterns = [
    '^(a+)+$',
    '(a|a)*b',
    'a+b',
    '(a|aa)+$',
    '^a*a*a*a*b$',
    '(a{0,30}){0,30}b',
    '(x+x+)+y',
    '.*.*=.*',
    '(a?){50}a{50}b',
  ];

  it.each(patterns)('%s', (pattern) => {
    const regex = createRegex(pattern, '');
    for (const length of [50_001, 2000, 200, 40]) {
      // Most of them would take for ever where all ways to match were tried.
      expect(regex?.test(text.slice(-length))).toBe(false);
    }
  });

  it('end with an error where they take too long', () => {
    // Each of the matches looks at the rest of the text.
    const regex = createRegex('(a*b|a)', '')!;
    let now = 0;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 1000));
    expect(() => regex.replace('a'.repeat(100_000), () => 'x')).toThrow(
      expect.objectContaining({ code: 'QUERY_TIMEOUT' }) as Error,
    );
    clock.mockRestore();
    // The expression is as good as before.
    expect(regex.replace('aab', () => 'x')).toBe('x');
  });

  it('are ended while one match is looked for', () => {
    const clock = vi.spyOn(performance, 'now').mockReturnValue(0);
    const regex = createRegex('[a-h]{200}z', '')!;
    const long = 'abcdefgh'.repeat(100_000);
    expect(regex.test(`${long}z`)).toBe(true);
    let calls = 0;
    clock.mockImplementation(() => (++calls > 3 ? 1e9 : 0));
    expect(() => regex.test(`${long}-z`)).toThrow('800002 characters');
    clock.mockReturnValue(0);
    expect(regex.test(`${long}z`)).toBe(true);
    clock.mockRestore();
  });
});

describe('a pattern that may try each place many times', () => {
  it.each(['[a-h]{300}z', '(a|b)?c{1,200}d', 'abc', '[a-h]{5}$'])(
    '%s has the same matches in a long text',
    (pattern) => {
      const compile = vi.spyOn(RE2JS, 'compile');
      const regex = createRegex(pattern, '')!;
      const short = 'abcdefgh'.repeat(100);
      const long = 'abcdefgh'.repeat(200_000);
      const expected = new RegExp(pattern, 'u').test(short);
      expect([regex.test(short), regex.test(long)]).toEqual([expected, expected]);
      // RegExp takes time in proportion to the repetition, RE2 does not.
      expect(compile.mock.calls.length > 0).toBe(pattern !== 'abc');
      compile.mockRestore();
    },
  );
});
