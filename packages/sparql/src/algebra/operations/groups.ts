/** What stands around or behind a group: conditions, names, graphs, hosts. */
import {
  EQUALITY_KEY,
  type Expression,
  type Nearest,
  NEAREST,
  type Search,
  termVariables,
  TEXT_QUERY,
} from '../algebra.js';
import { NO_NAMES, unionOf } from '../name-sets.js';
import { isOtherRepository } from '../repository-address.js';
import type { Family, TextWriter } from './record.js';

export const GROUPS: Family<'filter' | 'extend' | 'graph' | 'service' | 'search' | 'nearest'> = {
  filter: {
    called: 'FILTER',
    from: 'first',
    text: (filter, writer) => `{ ${writer.group(filter)} }`,
    isElement: true,
  },
  extend: {
    called: 'BIND',
    from: 'first',
    binds: ({ variable }) => new Set([variable.value]),
    passes:
      ({ variable }) =>
      (names) =>
        !names.has(variable.value),
    // An expression may be an error, but a term is not.
    certain: ({ variable, expression }, [inner = NO_NAMES]) =>
      isCertainTerm(expression, inner) ? unionOf([inner, new Set([variable.value])]) : inner,
    text: ({ input, variable, expression }, writer) =>
      `${writer.elements(input)} BIND(${writer.expression(expression)} AS ?${variable.value})`,
  },
  graph: {
    called: 'GRAPH',
    from: 'first',
    binds: ({ name }) => new Set(termVariables(name)),
    certain: ({ name }, inputs) => unionOf([...inputs, new Set(termVariables(name))]),
    passes({ name, input }) {
      if (input.type === 'nop') return undefined;
      return (names) => name.termType !== 'Variable' || !names.has(name.value);
    },
    text: ({ name, input }, writer) => `GRAPH ${writer.term(name)} { ${writer.group(input)} }`,
    isElement: true,
  },
  search: {
    called: 'a search for words',
    from: 'none',
    binds: ({ score, graph }) => new Set([score, graph].flatMap((variable) => variable?.value ?? [])),
    certain: ({ score }, [inner = NO_NAMES]) =>
      score === undefined ? inner : unionOf([inner, new Set([score.value])]),
    // It may have a limit, and values do not take the place of its variables.
    comparesVariables: true,
    text: (search, writer) => searchText(search, writer),
    isElement: true,
  },
  nearest: {
    called: 'a question for vectors',
    from: 'none',
    binds: ({ score }, inputs) => withScore(score, inputs),
    visible: ({ score }, inputs) => withScore(score, inputs),
    certain: ({ score }, inputs) => withScore(score, inputs),
    comparesVariables: true,
    text: (nearest, writer) => nearestText(nearest, writer),
    isElement: true,
  },
  service: {
    called: 'SERVICE',
    from: 'none',
    binds: ({ name }) => new Set(termVariables(name)),
    // Another host may answer anything. What SILENT passes over in a repository is taken out before the request is planned.
    certain: (service, [inner = NO_NAMES]) => (isOtherRepository(service) ? inner : NO_NAMES),
    passes: (service) => (isOtherRepository(service) ? () => true : undefined),
    text: ({ name, silent, input }, writer) =>
      `SERVICE ${silent ? 'SILENT ' : ''}${writer.term(name)} { ${writer.group(input)} }`,
    isElement: true,
  },
};

const withScore = (score: Nearest['score'], inputs: readonly ReadonlySet<string>[]): ReadonlySet<string> =>
  unionOf([...inputs, new Set(score === undefined ? [] : [score.value])]);

/** Whether an expression has a value in every solution that binds these variables. */
export function isCertainTerm(expression: Expression, certain: ReadonlySet<string>): boolean {
  if (expression.subType === 'operator' && expression.operator === EQUALITY_KEY)
    return isCertainTerm(expression.args[0]!, certain);
  if (expression.subType !== 'term') return false;
  const { term } = expression;
  if (term.termType === 'Variable') return certain.has(term.value);
  return term.termType === 'NamedNode' || term.termType === 'Literal';
}

/** `{ (?s ?score ?literal ?graph ?property) text:query (…) }` */
function searchText({ input, literal, score, graph, arguments: terms }: Search, writer: TextWriter): string {
  const [{ subject, predicate }] = input.patterns as [Search['input']['patterns'][number]];
  const outputs = [subject, score, literal, graph, predicate].map((term) =>
    term === undefined ? '[]' : writer.term(term),
  );
  return `{ (${outputs.join(' ')}) <${TEXT_QUERY}> (${terms.map((term) => writer.term(term)).join(' ')}) }`;
}

/** `{ … (?s ?score) vec:nearest (…) }` */
function nearestText({ input: [before, { patterns }], score, arguments: terms }: Nearest, writer: TextWriter): string {
  const [{ subject }] = patterns as [Nearest['input'][1]['patterns'][number]];
  const outputs = [subject, ...(score === undefined ? [] : [score])].map((term) => writer.term(term));
  const own = `(${outputs.join(' ')}) <${NEAREST}> (${terms.map((term) => writer.term(term)).join(' ')})`;
  return `{ { ${writer.group(before)} } ${own} }`;
}
