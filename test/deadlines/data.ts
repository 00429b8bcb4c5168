/** The data that requests with thousands of parts are asked over. */

/** What can be searched. */
export const SEARCH = { text: true, vectors: { sense: { property: 'urn:sense', dimension: 4 } } } as const;

/** A literal of four numbers. */
export const vectorOf = (...numbers: readonly [number, number, number, number]): string =>
  `"${Buffer.from(new Float32Array(numbers).buffer).toString('base64')}"^^<urn:quadrille:vector#float32>`;

/**
 * Subjects with a name, an age, a vector and two neighbours. Each tenth has a rare property, in a named graph, and each hundredth reifies a
 * triple.
 */
export function* dataLines(subjects: number): Generator<string> {
  for (let i = 0; i < subjects; i++) {
    yield `<urn:s${i}> <urn:name> "name ${i}" .`;
    yield `<urn:s${i}> <urn:age> "${i % 90}"^^<http://www.w3.org/2001/XMLSchema#integer> .`;
    yield `<urn:s${i}> <urn:weight> "${i}e-1"^^<http://www.w3.org/2001/XMLSchema#double> .`;
    yield `<urn:s${i}> <urn:sense> ${vectorOf(1, i % 7, i % 11, i % 13)} .`;
    yield `<urn:s${i}> <urn:knows> <urn:s${(i + 1) % subjects}> .`;
    yield `<urn:s${i}> <urn:knows> <urn:s${(i * 7) % subjects}> .`;
    if (i % 10 === 0) yield `<urn:s${i}> <urn:rare> "${i}" <urn:g${i % 50}> .`;
    if (i % 100 === 0) yield `<urn:s${i}> <urn:says> <<( <urn:s${i}> <urn:age> "${i % 90}" )>> .`;
  }
}
