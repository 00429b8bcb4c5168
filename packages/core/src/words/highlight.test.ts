/** Marks stand at the words that a question finds, and nowhere else. */
import { expect, test } from 'vitest';
import { highlightByText } from './highlight.js';

test.each([
  ['moon', 'The Moon, a moon', 'The <Moon>, a <moon>'],
  ['dwarf planet', 'A dwarf planet is a planet', 'A <dwarf planet> is a <planet>'],
  ['"dwarf planet"', 'A dwarf planet is a planet', 'A <dwarf planet> is a planet'],
  ['"planet dwarf"~3', 'A dwarf, planet', 'A <dwarf>, <planet>'],
  ['"planet moon"~1', 'A planet that has a moon', 'A planet that has a moon'],
  ['plan* AND NOT moon', 'planets and planes of a moon', '<planets> and <planes> of a moon'],
  ['pl?net', 'planet plnet', '<planet> plnet'],
  ['plannet~1', 'planet moon', '<planet> moon'],
  ['+(a OR b) -c', 'a b c', '<a b> c'],
  ['STRASSE', 'Straße', '<Straße>'],
  ['cafe', 'un café', 'un <café>'],
  ['cafe', 'cafe, café', '<cafe>, café'],
  ['日本', '日本語', '<日><本>語'],
  ['👩‍🚀', 'an 👩‍🚀 and 👩', 'an <👩‍🚀> and 👩'],
  ['moon', 'nothing', 'nothing'],
  ['-moon', 'moon', 'moon'],
  ['', 'moon', 'moon'],
  ['moon', '', ''],
])('%s in %s', (question, text, expected) => {
  expect(highlightByText(text, question, '<', '>')).toBe(expected);
});

test('a question that is none is refused', () => {
  expect(() => highlightByText('a', '(', '<', '>')).toThrow(expect.objectContaining({ code: 'TEXT_SYNTAX' }));
});
