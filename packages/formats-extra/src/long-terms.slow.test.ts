/** An IRI or a label that is too long is refused as soon as it is, in every syntax: the rest of the document is not asked for. */
import { describe, expect, it } from 'vitest';
import { openParser, parseQuads, QuadCollector } from '@quadrille/formats';
import type { ParserLimits } from '@quadrille/formats';
import { LONG_IRI, MAX_IRI_BYTES } from '@quadrille/model';
import { encode, parse, parseChunks, registry, toLines } from './testing.js';

const CHUNK_BYTES = 1000;
const MAX_LABEL_BYTES = 50_000;
const RDF = '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="http://e/">\n';
const TRIX = '<TriX xmlns="http://www.w3.org/2004/03/trix/trix-1/">\n<graph><triple>';

/** Pushes the start, then the same text over and over. Returns how it ends, and how much of the text was asked for. */
async function endless(format: string, start: string, unit: string, limits: ParserLimits = {}): Promise<object> {
  const parser = await openParser(registry.find(format), {
    sink: new QuadCollector(),
    source: 'doc',
    baseIRI: 'http://base/',
    limits,
  });
  const chunk = encode(unit.repeat(CHUNK_BYTES / encode(unit).length));
  let consumed = 0;
  try {
    await parser.push(encode(start));
    for (; consumed < 1_000_000; consumed += chunk.length) await parser.push(chunk);
    await parser.end();
  } catch (error) {
    const { code, reason, line, column } = error as Record<string, unknown>;
    return { code, reason, line, column, consumed };
  }
  return { consumed };
}

/** The IRI starts at the sign ^, which is none of the document. */
const IRIS: [string, string, string?][] = [
  ['nt', '^<http://e/'],
  ['nt', '# comment\n<a:s> ^<http://e/'],
  ['nt', '<a:s> <a:p> ^<http://e/é', 'é'],
  ['nt', '<a:s> <a:p> "<http://e/\\"" .\r<a:s> <a:p> "\\""^^^<http://e/'],
  ['nt', '<a:s> <a:p> <<( <a:s> ^<http://e/', '\\u0041\\U00000041xxxx'],
  ['nq', '<a:s> <a:p> _:b.c ^<http://e/'],
  ['ttl', '<a:s> ^<http://e/'],
  ['ttl', '<a:s>\n  <a:p> ^<http://e/', '\\u0041\\U00000041xxxx'],
  ['ttl', '<a:s> <a:p> ^<relative'],
  ['ttl', '<a:s> <a:p> "x"^^^<http://e/'],
  ['ttl', `<a:s> <a:p> "${'x'.repeat(100_000)}"^^^<http://e/`],
  ['ttl', '@prefix e: <http://e/> .\n^e:', 'x'],
  ['ttl', '@prefix e: <http://e/> .\ne:s e:p ^e:a', '\\-%41é\\-'],
  ['ttl', `@prefix e: <http://e/> .\ne:s e:p "${'x'.repeat(100_000)}"^^^e:x`],
  ['ttl', '@prefix e: ^<http://e/'],
  ['ttl', '@base ^<http://e/'],
  ['trig', '^<http://e/'],
  ['trig', '@prefix e: <http://e/> .\nGRAPH ^e:g'],
  ['n3', '<a:s>\n <a:p> ^<http://e/'],
  ['n3', '<a:s> <a:p> "x"^^^<http://e/', '\\u0041xx\\U00000041'],
  ['n3', '@prefix e: <http://e/> .\n e:s e:p ^e:', 'x'],
  ['rdf', `${RDF}<e:T rdf:about=^"http://e/`],
  ['rdf', `${RDF}<e:T\n rdf:about=^'http://e/`],
  ['rdf', `${RDF}<e:T e:q="x" about=^"http://e/`],
  ['rdf', `${RDF}<e:T rdf:ID=^"i`],
  ['rdf', `${RDF}<e:T rdf:about="a:s">\n<!-- > --><e:p a="b" rdf:resource=^"http://e/`],
  ['rdf', `${RDF}<e:T><e:p rdf:datatype=^"http://e/`],
  ['rdf', `${RDF}<e:T><e:p>x</e:p><^e:p`],
  ['rdf', `${RDF}<^e:T`],
  ['rdf', `${RDF}<e:T xml:base=^"http://e/`],
  ['rdf', `${RDF}<e:T xmlns:x=^"http://e/`],
  ['rdf', '<rdf:RDF xmlns:rdf=^"http://e/'],
  ['rdf', `${RDF}<e:T><e:p rdf:parseType="Literal">x</e:p><e:q rdf:resource=^"http://e/`, '&amp;xxxxx'],
  ['trix', `${TRIX}<uri>^http://e/`],
  ['trix', `${TRIX}<uri>a:s</uri><uri>a:p</uri><typedLiteral datatype=^"http://e/`],
  ['jsonld', '[{"@id": ^"http://e/'],
  ['jsonld', '{"@type": ["a:T",\n ^"http://e/'],
  ['jsonld', '{"a:p": [1, {"@value": "x", "@type": ^"http://e/', '\\u0041xx\\/'],
  ['jsonld', '{"a:p": "x",\n\n^"http://e/p'],
  ['jsonld', '{"@context": {"p": {"@id": ^"http://e/'],
  ['rj', '{^"http://e/'],
  ['rj', '{"_:b": {"a:p": [], ^"http://e/'],
  ['rj', '{"a:s": {"a:p": [{"type": "uri", "value": ^"http://e/'],
  ['rj', '{"a:s": {"a:p": [{"type": "literal", "value": "x", "datatype": ^"http://e/'],
];
const LABELS: [string, string][] = [
  ['nt', '^_:b'],
  ['nq', '<a:s> <a:p> <a:o> ^_:b'],
  ['ttl', '<a:s> <a:p>\n ^_:b'],
  ['trig', '^_:b'],
  ['n3', '<a:s> <a:p> ^_:b'],
  ['rdf', `${RDF}<e:T rdf:nodeID=^"b`],
  ['trix', `${TRIX}<id>^b`],
  ['jsonld', '{"@id": ^"_:b'],
  ['rj', '{^"_:b'],
  ['rj', '{"a:s": {"a:p": [{"type": "bnode", "value": ^"b'],
];

const place = (marked: string): { line: number; column: number } => {
  const lines = marked.slice(0, marked.search(/\^(?!\^)/)).split(/\r\n|[\r\n]/);
  return { line: lines.length, column: lines.at(-1)!.length + 1 };
};
const unmarked = (marked: string): string => marked.replace(/\^(?!\^)/, '');

describe('is refused where it passes its limit', () => {
  it.each(IRIS)('an IRI: %s %s%s', async (format, marked, unit = 'x') => {
    const units = (MAX_IRI_BYTES * encode(unit).length) / minimumBytes(unit);
    const error = await endless(format, unmarked(marked), unit);
    expect(error).toMatchObject({ code: 'RDF_SYNTAX', reason: LONG_IRI, ...place(marked) });
    // Turtle looks again when there is half as much more of a name, RDF/XML at its root element when there are 16 KiB.
    const most = marked.startsWith('<rdf:RDF xmlns:rdf=^') ? 16 * 1024 : units * 1.5;
    expect((error as { consumed: number }).consumed).toBeLessThanOrEqual(most + CHUNK_BYTES);
  });

  it.each(LABELS)('a label: %s %s', async (format, marked) => {
    const error = await endless(format, unmarked(marked), 'x', { maxTermBytes: MAX_LABEL_BYTES });
    const reason = `the term is longer than ${MAX_LABEL_BYTES} bytes`;
    expect(error).toMatchObject({ code: 'RDF_SYNTAX', reason, ...place(marked) });
    expect((error as { consumed: number }).consumed).toBeLessThanOrEqual(MAX_LABEL_BYTES + CHUNK_BYTES);
  });

  it.each([
    ['rdf', `${RDF}<e:T><e:p>`, '<![CDATA[xxx]]>'],
    ['rdf', `${RDF}<e:T><e:p rdf:parseType="Literal">`, '<a>xxxxx</a>'],
    ['trix', `${TRIX}<uri>a:s</uri><uri>a:p</uri><plainLiteral>`, '<![CDATA[xxx]]>'],
  ])('a literal that comes in parts: %s %s', async (format, start, unit) => {
    const error = await endless(format, start, unit, { maxTermBytes: MAX_LABEL_BYTES });
    expect(error).toMatchObject({ code: 'RDF_SYNTAX', reason: `the term is longer than ${MAX_LABEL_BYTES} bytes` });
    expect((error as { consumed: number }).consumed).toBeLessThanOrEqual(MAX_LABEL_BYTES * 5 + CHUNK_BYTES);
  });

  it('in one chunk too, and a fault before it comes first', async () => {
    const long = `<http://e/${'x'.repeat(3_000_000)}`;
    const outcomeOf = (text: string): Promise<unknown> =>
      parse('nt', text).then(
        () => 'read',
        (error: unknown) => String(error),
      );
    expect(await outcomeOf(`<a:s> <a:p> ${long}> .\n`)).toContain('doc:1:13: the IRI is longer');
    expect(await outcomeOf(`<a:s> <a:p> <a:o> .\n<s> <a:p> ${long}> .\n`)).toContain(
      'doc:2:1: the IRI is not absolute',
    );
    expect(await outcomeOf(`<a:s> <a:p>\n${long}> .\n`)).toContain('doc:1:12: expected an IRI');
  });
});

/** Bytes that a text has at least when its escapes are read. */
function minimumBytes(unit: string): number {
  return encode(unit.replaceAll(/\\U.{8}|\\u.{4}|\\.|%../g, 'x').replaceAll(/&[^;]*;/g, '')).length;
}

describe('what is long and allowed is read, wherever it is cut', () => {
  const iri = `http://e/${'x'.repeat(MAX_IRI_BYTES - 9)}`;
  const escaped = `http://e/${'\\u0041'.repeat(MAX_IRI_BYTES - 9)}`;
  const text = `<${iri} rdf:about='${'<http://e/ _:b'.repeat(2000)}' `;
  const xml = text.replaceAll('<', '&lt;').replaceAll("'", '&apos;');
  const json = JSON.stringify(text);
  const value = `"@value": {"@id": ${json}, ${json}: {"@type": [${json}]}}`;

  it.each([
    ['nt', `<${iri}> <${iri}> "${text}"^^<${iri}> .\n<${escaped}> <a:p> <<( <a:s> <a:p> "${text}"@en )>> . # ${text}`],
    ['nq', `<a:s> <a:p> "${text}\\"" <${iri}> .\n_:${'b'.repeat(20_000)} <a:p> "${text}" _:${'b.'.repeat(20_000)}b .`],
    [
      'ttl',
      `<${iri}> <a:p> """${text}""" , "${text}"^^<${iri}> . # ${text}\n<${escaped}> <a:p> ${'( '.repeat(900)}${') '.repeat(900)}.`,
    ],
    [
      'ttl',
      `@prefix e: <http://e/> .\ne:${'\\-'.repeat(MAX_IRI_BYTES - 9)} e:${'x'.repeat(MAX_IRI_BYTES - 9)} _:${'b'.repeat(20_000)} .`,
    ],
    ['n3', `<${iri}> <a:p> """${text}""" , "${text}"^^<${iri}> . # ${text}\n<${escaped}> <a:p> ( "${text}" ) .`],
    [
      'rdf',
      `${RDF}<!-- ${text.replaceAll('--', '')} --><e:T e:q="${xml}" rdf:about="${iri}"><e:p>${xml}</e:p><e:p>\n<![CDATA[${text}]]></e:p></e:T></rdf:RDF>`,
    ],
    [
      'rdf',
      `${RDF}<e:T rdf:about="a:${'&#65;'.repeat(2000)}" e:about="${xml}"><e:p rdf:parseType="Literal"><a rdf:about="${xml}" about="${xml}"/><${'x'.repeat(20_000)}/></e:p></e:T></rdf:RDF>`,
    ],
    [
      'trix',
      `${TRIX}<uri>${' '.repeat(20_000)}${iri}${' '.repeat(20_000)}</uri><id>${'b'.repeat(20_000)}</id><plainLiteral>${xml}</plainLiteral></triple></graph></TriX>`
        .replace('<id>', '<uri>a:p</uri><!--')
        .replace('</id>', '-->'),
    ],
    [
      'jsonld',
      `{"@id": "${iri}", "a:p": [${json}, {"@type": "@json", ${value}}, {"@value": ${json}, "@type": "${iri}"}]}`,
    ],
    [
      'rj',
      `{"${iri}": {"${iri}": [{"value": ${json}, "type": "literal"}, {"type": "literal", "value": ${json}, "datatype": "${iri}"}]}}`,
    ],
  ])('%s %#', async (format, document) => {
    const whole = toLines(await parse(format, document));
    expect(whole.length).toBeGreaterThan(0);
    for (const size of [1000, 8191, 65_536]) {
      const bytes = encode(document);
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
        bytes.subarray(i * size, (i + 1) * size),
      );
      expect(toLines(await parseChunks(format, chunks))).toEqual(whole);
    }
  });
});

describe('twenty literals of 1 MB leave the event loop turns', () => {
  const LONG = 'a "long" text\n'.repeat(75_000);
  const LITERALS = Array.from({ length: 20 }, (_, i) => `${LONG}${i}`);
  const RDF_XML = `${RDF}${LITERALS.map((one) => `<e:T><e:p>${one}</e:p></e:T>`).join('')}</rdf:RDF>`;
  const JSON_LD = JSON.stringify({ '@id': 'a:s', 'a:p': LITERALS });
  const DOCUMENTS: [string, string][] = [
    ['rdf', RDF_XML],
    ['rdf', RDF_XML.replace('<e:T>', '<e:T rdf:ID="i">')],
    ['jsonld', JSON_LD],
  ];

  /** Number of turns of the event loop during the work. */
  async function turnsDuring(work: () => Promise<void>): Promise<number> {
    let turns = 0;
    let isOver = false;
    const turn = (): void => {
      turns++;
      if (!isOver) setImmediate(turn);
    };
    setImmediate(turn);
    await work();
    isOver = true;
    return turns;
  }

  it.each(DOCUMENTS)('as quads: %s', async (name, document) => {
    let quads = 0;
    const turns = await turnsDuring(async () => {
      const options = { format: registry.find(name), baseIRI: 'http://base/' };
      for await (const quad of parseQuads(document, options)) if (quad.object.termType === 'Literal') quads++;
    });
    expect(quads).toBe(20);
    expect(turns).toBeGreaterThan(5);
  });

  it('as one object of JSON-LD, which is read at the end of the document', async () => {
    const sink = new QuadCollector();
    const parser = await openParser(registry.find('jsonld'), { sink });
    await parser.push(encode(JSON_LD));
    // The turns of the receiver come at the same time.
    let batches = 0;
    const paused = await openParser(registry.find('jsonld'), { sink, onBatch: () => void batches++ });
    await paused.push(encode(JSON_LD));
    expect(await turnsDuring(() => parser.end())).toBeGreaterThan(3);
    expect(await turnsDuring(() => paused.end())).toBeGreaterThan(3);
    expect(batches).toBeGreaterThan(3);
    expect(sink.size).toBe(40);
  });
});
