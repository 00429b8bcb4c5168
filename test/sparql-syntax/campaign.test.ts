/**
 * The parser against Traqula on 200,000 random texts: a third by the grammar, a third with other tokens, a third with other characters.
 *
 * A run reads a hundredth of them, the first unless told. QUADRILLE_SPARQL_SEED and QUADRILLE_SYNTAX_PIECE repeat one; the piece `all`
 * is the whole campaign, which takes some minutes.
 */
import { expect, test } from 'vitest';
import { Chance, SEED } from '../sparql-random/chance.js';
import { parseSparql } from '../../packages/sparql/src/syntax/parse.js';
import { differenceOf, outcomeOf } from './compare.js';
import { RequestMaker } from './generate.js';
import { KNOWN, type Difference } from './known.js';
import { mutateText, mutateTokens, spell } from './mutate.js';
import { shrink } from './shrink.js';

const TEXTS = 200_000;
const PIECES = 100;
const PIECE = process.env['QUADRILLE_SYNTAX_PIECE'] ?? '0';
const MOST_SHOWN = 20;

const OPTIONS = {
  prefixes: {
    ex: 'http://example.org/',
    '': 'urn:empty:',
    'a.b': 'urn:dot:',
    xsd: 'http://www.w3.org/2001/XMLSchema#',
  },
  baseIRI: 'http://base.example/dir/file',
};

function textAt(index: number): string {
  const chance = new Chance(index, SEED ^ 0x73_79_6e);
  const tokens = new RequestMaker(chance).request();
  switch (index % 3) {
    case 0:
      return spell(tokens, chance);
    case 1:
      return spell(mutateTokens(tokens, chance), chance);
    default:
      return mutateText(spell(tokens, chance), chance);
  }
}

const knownFor = (difference: Difference) => KNOWN.find((known) => known.applies(difference));
const isUnknown = (text: string): boolean => {
  const difference = differenceOf(text, OPTIONS);
  return difference !== undefined && knownFor(difference) === undefined;
};

test(`random texts (QUADRILLE_SPARQL_SEED=${SEED} QUADRILLE_SYNTAX_PIECE=${PIECE})`, { timeout: 3_600_000 }, () => {
  const [first, last] =
    PIECE === 'all' ? [0, TEXTS] : [(Number(PIECE) * TEXTS) / PIECES, ((Number(PIECE) + 1) * TEXTS) / PIECES];
  const known = new Map<string, number>();
  const failures: string[] = [];
  let accepted = 0;
  for (let index = first; index < last; index++) {
    const text = textAt(index);
    if ('parsed' in outcomeOf(() => parseSparql(text, OPTIONS))) accepted++;
    const difference = differenceOf(text, OPTIONS);
    if (difference === undefined) continue;
    const name = knownFor(difference)?.name;
    if (name !== undefined) known.set(name, (known.get(name) ?? 0) + 1);
    else if (failures.length < MOST_SHOWN) failures.push(printed(index, difference));
  }
  process.stderr.write(
    `${last - first} texts, ${accepted} accepted, known differences: ${JSON.stringify([...known])}\n`,
  );
  expect(failures.join('\n\n')).toBe('');
  expect(accepted / (last - first)).toBeGreaterThan(0.2);
});

function printed(index: number, { kind, message, text }: Difference): string {
  return `text ${index}: ${kind} here: ${message}\n${JSON.stringify(shrink(text, isUnknown))}`;
}
