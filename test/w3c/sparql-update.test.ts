/** The W3C suites of SPARQL update evaluation: 1.1 and 1.2. */
import { afterAll } from 'vitest';
import { testSuite } from './sparql-manifest.js';
import { endStore, runUpdate } from './sparql-run.js';

afterAll(endStore);
const TYPES = ['UpdateEvaluationTest'];

testSuite('W3C SPARQL 1.1 update', ['sparql11/manifest-sparql11-update.ttl'], TYPES, runUpdate);
testSuite('W3C SPARQL 1.2 update', ['sparql12/manifest.ttl'], TYPES, runUpdate);
