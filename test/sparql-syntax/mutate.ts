/** Texts of tokens, with blanks and comments between them, and with mistakes. */
import type { Chance } from '../sparql-random/chance.js';

const BLANKS = [' ', ' ', ' ', '  ', '\n', '\t', '\r\n', ' # comment "\n'];
/** What stands in the place of others, or comes between them. */
const STRANGERS = [
  'SELECT WHERE a AS IN NOT EXISTS UNION GRAPH DISTINCT VALUES UNDEF FILTER COUNT STR . , ; ~ * + - ! && || = < | / ^ ^^ ?',
  '( ) { } [ ] << >> <<( )>> {| |} () [] ?x _:a <x:y> ex:z "s" @en 1',
].flatMap((words) => words.split(' '));
const CHARACTERS = [...' \n\t.,;:?$<>(){}[]"\'\\#@^*+-/|!&=~_%aAeEx10é\u{1F600}\u00A0'];

/** A text of the tokens. Sometimes there is nothing between them. */
export function spell(tokens: readonly string[], chance: Chance): string {
  const glue = chance.in(0.25) ? 0.15 : 0;
  return tokens.map((token, index) => (index === 0 || chance.in(glue) ? token : chance.among(BLANKS) + token)).join('');
}

/** The tokens with a few of them left out, twice, exchanged, replaced or added. */
export function mutateTokens(tokens: readonly string[], chance: Chance): string[] {
  const result = [...tokens];
  for (let left = 1 + chance.below(2); left > 0; left--) {
    const at = chance.below(result.length + 1);
    chance.weighted([
      [3, () => result.splice(at, 1)],
      [1, () => result.splice(at, 0, ...result.slice(at, at + 1 + chance.below(3)))],
      [2, () => result.splice(at, 1, chance.among(STRANGERS))],
      [2, () => result.splice(at, 0, chance.among(STRANGERS))],
      [1, () => result.splice(at, 0, ...result.splice(chance.below(result.length + 1), 1))],
      [0.5, () => result.splice(at)],
    ])();
  }
  return result;
}

/** The text with a few characters left out, added or replaced, or with letters in the other case. */
export function mutateText(text: string, chance: Chance): string {
  let result = text;
  for (let left = 1 + chance.below(2); left > 0; left--) {
    const at = chance.below(result.length + 1);
    const before = result.slice(0, at);
    result = chance.weighted([
      [3, () => before + result.slice(at + 1)],
      [2, () => before + chance.among(CHARACTERS) + result.slice(at)],
      [2, () => before + chance.among(CHARACTERS) + result.slice(at + 1)],
      [1, () => before + otherCase(result.slice(at, at + 6)) + result.slice(at + 6)],
    ])();
  }
  return result;
}

const otherCase = (text: string): string => (text === text.toLowerCase() ? text.toUpperCase() : text.toLowerCase());
