// SHACL at commit: what violates the shapes is not committed, and the report says why.
//   node examples/shacl/commit.mjs
import { iri, open, ShapesError } from 'quadrille';

const SHAPES = `
  @prefix sh: <http://www.w3.org/ns/shacl#> .
  @prefix foaf: <http://xmlns.com/foaf/0.1/> .
  @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
  <urn:shapes#Person> a sh:NodeShape ; sh:targetClass foaf:Person ;
    sh:property [ sh:path foaf:name ; sh:minCount 1 ; sh:datatype xsd:string ; sh:message "a person has a name" ] ;
    sh:property [ sh:path foaf:age ; sh:maxCount 1 ; sh:message "a person has one age" ] ;
    sh:property [ sh:path foaf:age ; sh:minInclusive 0 ; sh:message "an age is 0 or more" ] .
`;

/** The lines of a report, which is a dataset of RDF/JS. */
function linesOf(report) {
  const sh = (name) => iri(`http://www.w3.org/ns/shacl#${name}`);
  const lines = [...report.match(null, sh('focusNode'))].map(({ subject, object }) => {
    const [message] = report.match(subject, sh('resultMessage'));
    return `${object.value}: ${message.object.value}`;
  });
  return lines.sort();
}

const db = await open(':memory:');
const repo = await db.repository('acme/people', { create: true });
await repo.load({ text: SHAPES }, { format: 'turtle', graph: iri('urn:shapes') });
// From now on every change is checked, whoever makes it.
await repo.settings.set({ shapes: 'urn:shapes' });

for (const update of [
  'INSERT DATA { <urn:ann> a foaf:Person ; foaf:name "Ann" ; foaf:age 30 }',
  'INSERT DATA { <urn:bob> a foaf:Person ; foaf:age -1 }',
  'INSERT DATA { <urn:ann> foaf:age 31 }',
  'DELETE { ?person foaf:age ?age } INSERT { ?person foaf:age 31 } WHERE { ?person foaf:age ?age }',
]) {
  try {
    const { added, removed } = await repo.update(update);
    console.log(`committed: +${added} -${removed}`);
  } catch (error) {
    if (!(error instanceof ShapesError)) throw error;
    console.log('refused:', linesOf(error.report).join('; '));
  }
}
await db.close();
