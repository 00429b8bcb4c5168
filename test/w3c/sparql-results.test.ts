/** The W3C suite of SPARQL 1.1 result formats: CSV, TSV and JSON. */
import { nameOf } from './sparql-known.js';
import { testSuite } from './sparql-manifest.js';
import { runResultFormat } from './sparql-run.js';

testSuite(
  'W3C SPARQL 1.1 results',
  ['sparql11/manifest-sparql11-results.ttl'],
  ['QueryEvaluationTest', 'CSVResultFormatTest'],
  runResultFormat,
  nameOf,
);
