/** What is read as plain RDF/XML is what the parser over saxes reads: quads, and errors with their places. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fastFirst, QuadCollector } from '@quadrille/formats';
import type { ParserOptions, RdfParser } from '@quadrille/formats';
import { termToText } from '@quadrille/model';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hasSuites, readManifest, W3C_FOLDER } from '../../../../test/w3c/manifest.js';
import { createFastRdfXmlParser, createRdfXmlParser, createSaxesRdfXmlParser } from './rdf-xml-parser.js';

const utf8 = new TextEncoder();
const text = new TextDecoder();

/** Reads what is plain, and has the rest read by another parser that is told only what can be cloned. */
const handingOver = (options: ParserOptions): RdfParser =>
  fastFirst(createFastRdfXmlParser(options), (readSoFar) =>
    createRdfXmlParser({ ...options, readSoFar: structuredClone(readSoFar) }),
  );

/** The quads of a document in its order, and how it ends. */
function outcome(bytes: Uint8Array, create: (options: ParserOptions) => RdfParser, chunk: number): unknown {
  const sink = new QuadCollector();
  let fault: unknown;
  try {
    const parser = create({ sink, source: 'doc', baseIRI: 'http://base/a/b' });
    for (let at = 0; at < bytes.length; at += chunk) parser.push(bytes.subarray(at, at + chunk));
    parser.end();
  } catch (error) {
    const { code, message, line, column, offset } = error as Record<string, unknown>;
    fault = { code, message, line, column, offset };
  }
  const quads = sink.take().map((one) => [one.subject, one.predicate, one.object].map(termToText).join(' '));
  // Of an element that is wrong the other parser may have stated something.
  return fault ?? relabelled(quads);
}

// Nodes without a name are numbered as they come.
function relabelled(quads: readonly string[]): string[] {
  const labels = new Map<string, number>();
  const number = (label: string): number => labels.get(label) ?? (labels.set(label, labels.size), labels.size - 1);
  return quads.map((one) => one.replaceAll(/_:anon\d+/g, (label) => `_:anonymous${number(label)}`));
}

function expectSame(document: string | Uint8Array, chunks = [1_000_000, 1, 7, 100]): void {
  const bytes = typeof document === 'string' ? utf8.encode(document) : document;
  const wanted = outcome(bytes, createSaxesRdfXmlParser, bytes.length || 1);
  for (const chunk of chunks) {
    const shown = `${text.decode(bytes)}\nin chunks of ${chunk}`;
    expect(outcome(bytes, handingOver, chunk), shown).toEqual(wanted);
  }
}

/** How much of a document is read without saxes. */
function fastBytes(document: string): number {
  const fast = createFastRdfXmlParser({ sink: new QuadCollector() });
  fast.push(utf8.encode(document));
  fast.end();
  return fast.readSoFar.offset;
}

const ROOT = `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
  xmlns:e="http://e/" xmlns='http://d/'>`;
const HEAD = `<?xml version="1.0" encoding="UTF-8"?>\n${ROOT}\n`;
const PLAIN = [
  '<rdf:Description rdf:about="http://e/s">\n  <e:p rdf:resource="http://e/o"/>\n  <e:p>text</e:p>\n</rdf:Description>\n',
  '<e:T rdf:about=\'http://e/s?a&amp;b\'><e:p></e:p><e:p/><e:q rdf:nodeID="b"/></e:T >',
  '<T rdf:nodeID="b-1"><p>a &lt; b &amp; "c" \\ d\n\té😀 &gt; \' > </p><e:q xml:lang="EN-gb">colour</e:q></T>',
  '<T rdf:about="http://e/é"><p rdf:datatype="http://e/t">1</p><p rdf:datatype="http://www.w3.org/2001/XMLSchema#string" >x</p></T>',
  '<!-- comment - é --><T rdf:about="urn:x"/><T rdf:about="urn:y" ><!-- in\nit --><rdf:_1 rdf:resource="urn:z" ></rdf:_1></T>',
];
const REST = [
  '<T rdf:about="rel"/>',
  '<T/>',
  '<T rdf:ID="i"/><T rdf:ID="i"/>',
  '<T rdf:about="http://e/s"><p><U rdf:about="http://e/o"/></p><p> <U/> </p></T>',
  '<T rdf:about="http://e/s"><p rdf:parseType="Literal">a<b/>c</p><rdf:li>1</rdf:li><rdf:li>2</rdf:li></T>',
  '<T rdf:about="http://e/s" e:p="attribute"><p xml:lang="">x</p></T>',
  '<T rdf:about="http://e/s" xml:lang="en"><p>x</p></T><T xml:base="http://x/" rdf:about="y"/>',
  '<T rdf:about="http://e/s"><p><![CDATA[x < y]]></p><p>&#233;&#x41;</p><p>a\r\nb\rc</p></T>',
  '<T rdf:about="http://e/s"><x:p xmlns:x="http://x/">1</x:p><p rdf:nodeID="anon1"/></T>',
  '<é:T xmlns:é="http://é/" rdf:about="http://e/s"/><T rdf:about="http://e/s"><p rdf:nodeID="é"/></T>',
  '<?target body?><T rdf:about="http://e/s"/>',
];
const WRONG = [
  'text',
  '<T rdf:about="http://e/s"><p>x</q></T>',
  '<T rdf:about="http://e/s"><p>x</p></U>',
  '<T rdf:about="http://e/s"><p>x]]></p></T>',
  '<T rdf:about="http://e/s"><p>\u0001</p></T>',
  '<T rdf:about="http://e/s"><p>\uFFFE</p></T>',
  '<T rdf:about="http://e/s"><p>&nothing;</p></T>',
  '<T rdf:about="http://e/s"><p rdf:resource="http://e/a b"/></T>',
  '<T rdf:about="http://e/s"><p rdf:resource="http://e/<"/></T>',
  '<T rdf:about="http://e/s"><p rdf:resource="http://e/o">x</p></T>',
  '<T rdf:about="http://e/s"><p rdf:datatype="http://www.w3.org/1999/02/22-rdf-syntax-ns#langString">x</p></T>',
  '<T rdf:about="http://e/s"><p xml:lang="no tag">x</p></T>',
  '<T rdf:about="http://e/s"><rdf:Description>x</rdf:Description></T>',
  '<T rdf:about="http://e/s"><unknown:p>x</unknown:p></T>',
  '<T rdf:about="http://e/s" rdf:about="http://e/s"/>',
  '<T rdf:about="http://e/s"rdf:nodeID="b"/>',
  '<rdf:li rdf:about="http://e/s"/>',
  '<!-- a -- b --><T rdf:about="http://e/s"/>',
  '<T rdf:about="http://e/s"><p>no end',
  `<T rdf:about="http://e/${'x'.repeat(9000)}"/>`,
];

describe('plain RDF/XML', () => {
  it.each(PLAIN)('%s', (element) => {
    expectSame(`${HEAD}${element}\n</rdf:RDF>`);
    expectSame(`${ROOT}${element}${element}</rdf:RDF>\n`);
    expect(fastBytes(`${HEAD}${element}\n</rdf:RDF>`)).toBe(utf8.encode(HEAD + element.trimEnd()).length);
  });

  it.each(REST)('and what is not plain behind it: %s', (element) => {
    expectSame(`${HEAD}${PLAIN[0]}  ${element}\n${PLAIN[1]}</rdf:RDF>`);
    expectSame(`${HEAD}${PLAIN.join('')}${element}${PLAIN[2]}\n</rdf:RDF>`);
  });

  it.each(WRONG)('and what is wrong behind it: %s', (element) => {
    expectSame(`${HEAD}${PLAIN.join('\n')}  ${element}\n</rdf:RDF>`);
    expectSame(`${ROOT}${PLAIN[2]}${element}`);
  });

  it.each([
    '',
    ' <?xml version="1.0"?><a/>',
    '<?xml version="1.1"?><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"/>',
    `<?xml version="1.0" encoding="latin1"?>${ROOT}</rdf:RDF>`,
    `<!DOCTYPE rdf:RDF [<!ENTITY x "http://x/">]>${ROOT}<T rdf:about="&x;y"/></rdf:RDF>`,
    `\uFEFF${HEAD}${PLAIN[0]}</rdf:RDF>`,
    '<rdf:RDF xmlns:rdf="http://other/"><T rdf:about="http://e/s"/></rdf:RDF>',
    '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:rdf="http://e/"></rdf:RDF>',
    '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:xml="http://e/"></rdf:RDF>',
    `${ROOT.replace('<rdf:RDF', '<rdf:RDF xml:lang="en"')}${PLAIN[0]}</rdf:RDF>`,
    `${ROOT.replace('http://e/', 'http://e é/')}${PLAIN[0]}</rdf:RDF>`,
    `${ROOT.replace('http://e/', 'relative')}${PLAIN[0]}</rdf:RDF>`,
    `${HEAD}${PLAIN[0]}</rdf:RDF><more/>`,
    `${HEAD}${PLAIN[0]}</rdf:RDFs>`,
    HEAD,
    `${HEAD}${PLAIN[0]}`,
    `${HEAD.replaceAll('\n', '\r\n')}${PLAIN.slice(0, 2).join('\r\n').replaceAll('\n', '\r\n')}\r\n  wrong</rdf:RDF>`,
  ])('starts and ends: %s', (document) => expectSame(document));

  it('anything in the place of one byte', () => {
    const bytes = utf8.encode(`${HEAD}${PLAIN.slice(1, 4).join('')}</rdf:RDF>`);
    for (let at = 0; at < bytes.length; at++) {
      // Each place has some of them.
      const others = utf8.encode('<>/"\'&: \ré]!-a');
      for (let i = at % 3; i < others.length; i += 3) expectSame(bytes.with(at, others[i]!), [1_000_000]);
    }
  }, 30_000);

  it('elements of all kinds, joined at random', () => {
    const element = fc.constantFrom(...PLAIN, ...PLAIN, ...PLAIN, ...REST, ...WRONG);
    const join = fc.constantFrom('', '\n', '  ', '\r\n', '<!-- é😀 -->');
    fc.assert(
      fc.property(fc.array(fc.tuple(join, element), { maxLength: 6 }), (parts) => {
        expectSame(`${HEAD}${parts.flat().join('')}</rdf:RDF>`, [1_000_000, 50]);
      }),
      { numRuns: 200 },
    );
  });

  it('elements and texts that are long', () => {
    const properties = Array.from(
      { length: 9000 },
      (_, i) => `<e:p${i % 50}>é "${'x'.repeat(i % 90)}" ${i}</e:p${i % 50}>\n`,
    );
    const document = `${HEAD}<T rdf:about="http://e/s">${properties.join('')}</T>${PLAIN[1]}<T rdf:about="http://e/t"><p>${'long\n'.repeat(90_000)}</p></T>wrong`;
    expectSame(document, [300_000, 65_536]);
  });
});

describe.runIf(hasSuites())('the documents of the W3C', () => {
  it.each(['rdf11', 'rdf12'])('%s', (version) => {
    for (const { action } of readManifest(resolve(W3C_FOLDER, version, 'rdf-xml/manifest.ttl'))) {
      expectSame(readFileSync(action), [1_000_000, 20]);
    }
  });
});
