/** The W3C suites of SPARQL syntax, queries and updates: 1.0, 1.1 and 1.2. */
import { testSuite } from './sparql-manifest.js';
import { runSyntax } from './sparql-run.js';

const QUERY = ['PositiveSyntaxTest', 'NegativeSyntaxTest', 'PositiveSyntaxTest11', 'NegativeSyntaxTest11'];
const UPDATE = [
  'PositiveUpdateSyntaxTest',
  'NegativeUpdateSyntaxTest',
  'PositiveUpdateSyntaxTest11',
  'NegativeUpdateSyntaxTest11',
];

testSuite('W3C SPARQL 1.0 syntax', ['sparql10/manifest.ttl'], QUERY, runSyntax);
testSuite('W3C SPARQL 1.1 query syntax', ['sparql11/manifest-sparql11-query.ttl'], QUERY, runSyntax);
testSuite('W3C SPARQL 1.1 federated query syntax', ['sparql11/syntax-fed/manifest.ttl'], QUERY, runSyntax);
testSuite('W3C SPARQL 1.1 update syntax', ['sparql11/manifest-sparql11-update.ttl'], [...QUERY, ...UPDATE], runSyntax);
testSuite('W3C SPARQL 1.2 syntax', ['sparql12/manifest.ttl'], [...QUERY, ...UPDATE], runSyntax);
