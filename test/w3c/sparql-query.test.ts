/** The W3C suites of SPARQL query evaluation: 1.0, 1.1 and 1.2. */
import { afterAll } from 'vitest';
import { nameOf } from './sparql-known.js';
import { testSuite } from './sparql-manifest.js';
import { endStore, runQuery } from './sparql-run.js';

afterAll(endStore);
const TYPES = ['QueryEvaluationTest'];

testSuite('W3C SPARQL 1.0 query', ['sparql10/manifest.ttl'], TYPES, runQuery, nameOf);
testSuite('W3C SPARQL 1.1 query', ['sparql11/manifest-sparql11-query.ttl'], TYPES, runQuery, nameOf);
testSuite('W3C SPARQL 1.2 query', ['sparql12/manifest.ttl'], TYPES, runQuery, nameOf);
