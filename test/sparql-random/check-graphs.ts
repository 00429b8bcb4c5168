/** One random query, and others that differ from it in the names of their graphs: the shape and the plans of one serve all of them. */
import { Engine, type EvaluationOptions } from '@quadrille/sparql';
import { toTemplate } from '../../packages/sparql/src/algebra/template.js';
import { ArrayDataset } from '../../packages/sparql/src/testing/array-dataset.js';
import { Lexer } from '../../packages/sparql/src/syntax/lexer/lexer.js';
import { answerOf, type Answer } from './answers.js';
import { Chance } from './chance.js';
import { countRows, differ, isTooLarge, withoutSlice, type Outcome, type QueryCase } from './check-query.js';
import { hasNewBlanks, modesOf, sameAnswer } from './compare.js';
import { PREFIXES, TERMS, toQuads } from './data.js';
import type { Query } from './syntax.js';
import { writeQuery } from './write.js';

export interface GraphsCase extends QueryCase {
  /** The seed of the names. */
  readonly choice: number;
}

const engine = new Engine();
const TEXTS = 4;
const MAX_ROWS = 1500;
const MAX_WITH_BLANKS = 150;
const STORED = TERMS.graphs.map((name) => name.replace(/^ex:/, PREFIXES['ex']!));
const SPECIAL = ['urn:quadrille:all', 'urn:quadrille:named', 'urn:quadrille:default', 'urn:dydra:all'];
const NAMES = [...STORED, ...STORED, ...STORED, `${PREFIXES['ex']}none`];

/** A query that names graphs, where the given one does not. */
export function withGraphs(query: Query, chance: Chance): Query {
  if (query.from.length + query.fromNamed.length > 0 || !chance.in(0.7)) return query;
  const some = (most: number): string[] => chance.times(0, most, () => chance.among(TERMS.graphs));
  return { ...query, from: some(3), fromNamed: chance.in(0.5) ? TERMS.graphs : some(3) };
}

/** The text with the names of all its graphs chosen anew. */
export function withOtherGraphs(text: string, chance: Chance): string {
  const lexer = new Lexer(text);
  let result = '';
  let from = 0;
  let namesGraph = false;
  for (lexer.next(); lexer.token !== 'end'; lexer.next()) {
    const { token, start, end } = lexer;
    if (namesGraph && (token === 'name' || token === 'iri')) {
      result += `${text.slice(from, start)}<${chance.among(chance.in(0.05) ? SPECIAL : NAMES)}>`;
      from = end;
    }
    namesGraph = token === 'GRAPH' || token === 'FROM' || token === 'NAMED';
  }
  return result + text.slice(from);
}

function optionsOf(chance: Chance): EvaluationOptions {
  const some = (): string[] => chance.times(0, 2, () => chance.among(NAMES));
  return chance.weighted<EvaluationOptions>([
    [6, {}],
    [1, { unionDefaultGraph: true }],
    [1, { namedGraphUris: some() }],
    [1, { defaultGraphUris: some(), namedGraphUris: some() }],
  ]);
}

export async function checkGraphs({ data, query, choice }: GraphsCase): Promise<Outcome> {
  const chance = new Chance(choice, 0x67_72_61);
  const text = writeQuery(withoutSlice(query));
  const dataset = new ArrayDataset(toQuads(data), { batchQuads: 64 });
  let rows = 0;
  for (let n = 0; n < TEXTS; n++) {
    const other = withOtherGraphs(text, chance);
    const options = { ...optionsOf(chance), maxRows: MAX_ROWS };
    const answer = await answerOf(engine, other, dataset, options);
    // A template is parsed as it stands, and this engine knows no plans.
    const alone = await answerOf(new Engine(), toTemplate(other), dataset, options);
    rows += countRows(answer);
    if (isTooLarge(answer) || isTooLarge(alone) || isLarge(answer)) continue;
    if (sameAnswer(answer, alone, { modes: modesOf(query), byValue: true })) continue;
    return differ(`${other} ${JSON.stringify(options)} differs`, answer, 'alone', alone);
  }
  return { rows };
}

/** New blank nodes have to be paired. */
const isLarge = (answer: Answer): boolean => countRows(answer) > MAX_WITH_BLANKS && hasNewBlanks(answer);
