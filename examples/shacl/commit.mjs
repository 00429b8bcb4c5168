// SHACL at commit: what violates the shapes is not committed, and the report says why.
//   node examples/shacl/commit.mjs
import { Store } from 'n3';
import { open } from 'quadrille';
import SHACLValidator from 'rdf-validate-shacl';

const SHAPES = `
  @prefix sh: <http://www.w3.org/ns/shacl#> .
  @prefix foaf: <http://xmlns.com/foaf/0.1/> .
  @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
  <urn:shapes#Person> a sh:NodeShape ; sh:targetClass foaf:Person ;
    sh:property [ sh:path foaf:name ; sh:minCount 1 ; sh:datatype xsd:string ; sh:message "a person has a name" ] ;
    sh:property [ sh:path foaf:age ; sh:maxCount 1 ; sh:minInclusive 0 ; sh:message "an age is 0 or more" ] .
`;

class ShapeError extends Error {
  constructor(report) {
    const lines = report.results.map(({ focusNode, message }) => `${focusNode.value}: ${message[0].value}`);
    super(lines.sort().join('; '));
    this.report = report;
  }
}

/** Runs a change in a transaction and validates its outcome. Of a change that fails, nothing is committed. */
async function commitValid(repo, validator, change, options) {
  return repo.transaction(
    async (transaction) => {
      await change(transaction);
      // A copy in memory of all data. For large data, read only what the shapes are about.
      const report = await validator.validate(new Store(await transaction.quads().toArray()));
      if (!report.conforms) throw new ShapeError(report);
    },
    // Another commit in between may make the outcome invalid, so the check is made again.
    { retries: 3, ...options },
  );
}

const db = await open(':memory:');
const shapes = await db.repository('acme/shapes', { create: true });
await shapes.load({ text: SHAPES }, { format: 'turtle' });
const validator = new SHACLValidator(await shapes.toDataset());

const repo = await db.repository('acme/people', { create: true });
for (const update of [
  'INSERT DATA { <urn:ann> a foaf:Person ; foaf:name "Ann" ; foaf:age 30 }',
  'INSERT DATA { <urn:bob> a foaf:Person ; foaf:age -1 }',
  'INSERT DATA { <urn:ann> foaf:age 31 }',
  'DELETE { ?person foaf:age ?age } INSERT { ?person foaf:age 31 } WHERE { ?person foaf:age ?age }',
]) {
  try {
    const revision = await commitValid(repo, validator, (transaction) => transaction.update(update));
    console.log(`revision ${revision.number}: +${revision.added} -${revision.removed}`);
  } catch (error) {
    if (!(error instanceof ShapeError)) throw error;
    console.log('refused:', error.message);
  }
}
console.log(await repo.size(), 'quads');
await db.close();
