/**
 * The grammar's SELECT clause with two liberties that other servers allow: a function call or aggregate may stand there
 * without `(… AS ?name)`, and its column is called by its name and a number (`COUNT1`, `COUNT2`); and a variable may stand
 * there twice, of which the second is left out.
 */
import {
  gram11,
  lex11 as lex,
  type Expression,
  type PatternBind,
  type QuerySelect,
  type SparqlGrammarRule,
  type TermVariable,
  type Wrap,
} from './traqula.js';

type SelectClause = Pick<QuerySelect, 'variables' | 'distinct' | 'reduced'>;
type Column = TermVariable | PatternBind;
type SelectClauseRule = SparqlGrammarRule<'selectClause', Wrap<SelectClause>>;
type RuleTools = Parameters<SelectClauseRule['impl']>[0];
type RuleContext = Parameters<ReturnType<SelectClauseRule['impl']>>[0];

export const selectClause: SelectClauseRule = {
  name: 'selectClause',
  impl: (tools) => (context) => {
    const { ACTION, CONSUME, OPTION, OR1, OR2 } = tools;
    const select = CONSUME(lex.select);
    const outermost = ACTION(() => !context.parseMode.has('canParseAggregate'));
    ACTION(() => context.parseMode.add('canParseAggregate'));
    const duplicates = OPTION(() =>
      OR1<{ distinct?: true; reduced?: true }>([
        { ALT: () => (CONSUME(lex.distinct), { distinct: true }) },
        { ALT: () => (CONSUME(lex.reduced), { reduced: true }) },
      ]),
    );
    const variables = OR2<SelectClause['variables']>([
      {
        ALT: () => {
          const star = CONSUME(lex.symbols.star);
          return ACTION(() => [context.astFactory.wildcard(context.astFactory.sourceLocation(star))]);
        },
      },
      { ALT: () => columns(tools, context) },
    ]);
    ACTION(() => outermost && context.parseMode.delete('canParseAggregate'));
    return ACTION(() =>
      context.astFactory.wrap({ variables, ...duplicates }, context.astFactory.sourceLocation(select, ...variables)),
    );
  },
};

function columns(
  { ACTION, AT_LEAST_ONE, CONSUME, OR3, SUBRULE1, SUBRULE2 }: RuleTools,
  context: RuleContext,
): Column[] {
  const found: Column[] = [];
  AT_LEAST_ONE(() =>
    OR3([
      {
        ALT: () => {
          const variable = SUBRULE1(gram11.var_);
          ACTION(() => addVariable(found, variable));
        },
      },
      {
        ALT: () => {
          const open = CONSUME(lex.symbols.LParen);
          const expression = SUBRULE1(gram11.expression);
          CONSUME(lex.as);
          const variable = SUBRULE2(gram11.var_);
          const close = CONSUME(lex.symbols.RParen);
          ACTION(() => addExpression(context, found, expression, variable, [open, close]));
        },
      },
      {
        ALT: () => {
          const expression = SUBRULE1(gram11.builtInCall);
          ACTION(() => {
            const location = context.astFactory.sourceLocation(expression);
            const variable = context.astFactory.termVariable(nextName(context, expression), location);
            withGivenName.add(addExpression(context, found, expression, variable, [expression]));
          });
        },
      },
    ]),
  );
  return found;
}

const nameOf = (column: Column): string => ('variable' in column ? column.variable.value : column.value);

function addVariable(found: Column[], variable: TermVariable): void {
  const same = found.find((column) => nameOf(column) === variable.value);
  if (same === undefined) found.push(variable);
  else if ('variable' in same) throw usedTwice(variable);
}

function addExpression(
  context: RuleContext,
  found: Column[],
  expression: Expression,
  variable: TermVariable,
  from: Parameters<RuleContext['astFactory']['sourceLocation']>,
): Column {
  if (found.some((column) => nameOf(column) === variable.value)) throw usedTwice(variable);
  const column = context.astFactory.patternBind(expression, variable, context.astFactory.sourceLocation(...from));
  found.push(column);
  return column;
}

const usedTwice = ({ value }: TermVariable): Error =>
  new Error(`SELECT has a second column ?${value}, and one of them is named by AS`);

const withGivenName = new WeakSet<object>();
/** Whether the name of a column is not from the text. */
export const hasGivenName = (column: object): boolean => withGivenName.has(column);

// Numbers go on through the whole request, so that the columns of a subquery differ from those around it.
const givenNames = new WeakMap<RuleContext, Map<string, number>>();

function nextName(context: RuleContext, expression: Expression): string {
  const counts = givenNames.get(context) ?? new Map<string, number>();
  givenNames.set(context, counts);
  const name = calledName(expression).toUpperCase();
  const number = (counts.get(name) ?? 0) + 1;
  counts.set(name, number);
  return `${name}${number}`;
}

function calledName(expression: Expression): string {
  if ('aggregation' in expression) return expression.aggregation;
  return 'operator' in expression ? expression.operator : 'EXPRESSION';
}
