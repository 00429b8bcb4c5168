/** What a mapping may say: one CONSTRUCT whose WHERE looks at nothing but the values of its row. */
import { InvalidArgumentError } from '@quadrille/model';
import {
  type Construct,
  type Expression,
  expressionsIn,
  type Operation,
  type Pattern,
  patternVariables,
} from '../algebra/algebra.js';
import { recordOf } from '../algebra/operations/index.js';
import { atOnce, inputsOf } from '../algebra/rewrite.js';
import { expressionVariables, hasExistence } from '../algebra/variables.js';
import { labelSolutions } from '../optimize/rules/label-solutions.js';
import { prepare } from '../engine/prepare.js';
import type { ParseOptions } from '../syntax/parse.js';

/** A mapping as it was parsed. */
export interface MappingText {
  readonly template: readonly Pattern[];
  readonly where: Operation;
  readonly expressions: readonly Expression[];
  /** All its variables, in the order of their columns in solutions. */
  readonly variables: readonly string[];
  /** Those that BIND gives a value. */
  readonly assigned: ReadonlySet<string>;
  /** Variables of VALUES. Each may be one of the row. */
  readonly listed: ReadonlySet<string>;
}

/** The operations that a mapping may have. */
const ALLOWED: ReadonlySet<string> = new Set(['extend', 'filter', 'leftjoin', 'union', 'values', 'join', 'nop']);

/**
 * Parses a mapping.
 * @throws ParseError `SPARQL_SYNTAX`; InvalidArgumentError `INVALID_OPTION` for a text that is no mapping
 */
export function parseMapping(text: string, options: ParseOptions): MappingText {
  const { kind, dataset, algebra } = prepare(text, options);
  if (kind !== 'construct') throw invalid(`a mapping is a CONSTRUCT, and this is ${articleOf(kind)}`);
  if (dataset !== undefined) throw refused('FROM');
  const construct = algebra as Operation;
  if (construct.type !== 'construct') throw refused(recordOf(construct).called);
  return mappingOf(construct);
}

function mappingOf({ template, input: where }: Construct): MappingText {
  let hidden = 0;
  // A text has no such names. BNODE("a") gives one node within a solution: the solution gets one for it.
  const input = atOnce(labelSolutions(where, () => `solution ${String(hidden++)}`));
  const assigned = new Set<string>();
  const listed = new Set<string>();
  const expressions: Expression[] = [];
  const names = new Set(patternVariables(template).filter((name) => !name.startsWith('_:')));
  const open: Operation[] = [input];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    checkOperation(node);
    for (const expression of expressionsIn(node)) {
      if (hasExistence(expression)) throw refused('EXISTS');
      expressions.push(expression);
      for (const name of expressionVariables(expression)) names.add(name);
    }
    if (node.type === 'extend') assigned.add(node.variable.value);
    if (node.type === 'values') for (const { value } of node.variables) listed.add(value);
    open.push(...inputsOf(node));
  }
  const variables = [...new Set([...names, ...assigned, ...listed])];
  return { template, where: input, expressions, variables, assigned, listed };
}

function checkOperation(node: Operation): void {
  const isAllowed = node.type === 'bgp' ? node.patterns.length === 0 : ALLOWED.has(node.type);
  if (!isAllowed) throw refused(recordOf(node).called);
}

function articleOf(kind: string): string {
  return `${kind === 'ask' || kind === 'update' ? 'an' : 'a'} ${kind.toUpperCase()}`;
}

const refused = (what: string): InvalidArgumentError =>
  invalid(
    `a mapping cannot have ${what}: its WHERE looks at the row alone, by BIND, FILTER, OPTIONAL, UNION and VALUES`,
  );

export const invalid = (message: string): InvalidArgumentError => new InvalidArgumentError('INVALID_OPTION', message);
