/** The exports of Traqula, a parser of SPARQL 1.2, that are used here. */
export { toAlgebra12Builder } from '@traqula/algebra-sparql-1-2';
export { AlgebraFactory, createAlgebraContext } from '@traqula/algebra-transformations-1-2';
export { IndirBuilder, ParserBuilder, type Wrap } from '@traqula/core';
export { sparql12ParserBuilder } from '@traqula/parser-sparql-1-2';
export {
  gram as gram11,
  lex as lex11,
  type Expression,
  type PatternBind,
  type QuerySelect,
  type SparqlGrammarRule,
  type SparqlRule,
  type TermIriPrefixed,
  type TermVariable,
} from '@traqula/rules-sparql-1-1';
export { completeParseContext, lex, type SparqlQuery } from '@traqula/rules-sparql-1-2';
