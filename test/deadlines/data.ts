/** The data that requests with thousands of parts are asked over. */

/**
 * Subjects with a name, an age and two neighbours. Each tenth has a rare property, in a named graph, and each hundredth reifies a
 * triple.
 */
export function* dataLines(subjects: number): Generator<string> {
  for (let i = 0; i < subjects; i++) {
    yield `<urn:s${i}> <urn:name> "name ${i}" .`;
    yield `<urn:s${i}> <urn:age> "${i % 90}"^^<http://www.w3.org/2001/XMLSchema#integer> .`;
    yield `<urn:s${i}> <urn:knows> <urn:s${(i + 1) % subjects}> .`;
    yield `<urn:s${i}> <urn:knows> <urn:s${(i * 7) % subjects}> .`;
    if (i % 10 === 0) yield `<urn:s${i}> <urn:rare> "${i}" <urn:g${i % 50}> .`;
    if (i % 100 === 0) yield `<urn:s${i}> <urn:says> <<( <urn:s${i}> <urn:age> "${i % 90}" )>> .`;
  }
}
