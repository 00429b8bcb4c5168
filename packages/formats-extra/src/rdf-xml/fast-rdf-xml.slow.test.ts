/** What is read as plain RDF/XML is what the parser over saxes reads: quads, and errors with their places. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fastFirst, QuadCollector } from '@quadrille/formats';
import type { ParserLimits, ParserOptions, RdfParser } from '@quadrille/formats';
import { termToText } from '@quadrille/model';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SEED } from '../../../../test/model/environment.js';
import { describeSuite, readManifest, W3C_FOLDER } from '../../../../test/w3c/manifest.js';
import { createFastRdfXmlParser, createRdfXmlParser, createSaxesRdfXmlParser } from './rdf-xml-parser.js';

const utf8 = new TextEncoder();
/** Of the kinds of bytes each place of a document has one in so many. `QUADRILLE_ALL_KINDS=1`: all of them. */
const SHARE = process.env['QUADRILLE_ALL_KINDS'] === undefined ? 18 : 1;
const text = new TextDecoder();

/** Reads what is plain, and has the rest read by another parser that is told only what can be cloned. */
const handingOver = (options: ParserOptions): RdfParser =>
  fastFirst(createFastRdfXmlParser(options), (readSoFar) =>
    createRdfXmlParser({ ...options, readSoFar: structuredClone(readSoFar) }),
  );

/** The quads of a document in its order, and how it ends. */
function outcome(
  bytes: Uint8Array,
  create: (options: ParserOptions) => RdfParser,
  chunk: number | readonly number[],
  limits?: ParserLimits,
): unknown {
  const sink = new QuadCollector();
  const chunks = typeof chunk === 'number' ? [chunk] : chunk;
  let fault: unknown;
  try {
    const parser = create({ sink, source: 'doc', baseIRI: 'http://base/a/b', limits });
    for (let at = 0, i = 0; at < bytes.length; at += chunks[i++ % chunks.length]!) {
      parser.push(bytes.subarray(at, at + chunks[i % chunks.length]!));
    }
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

function expectSame(document: string | Uint8Array, chunks = [1_000_000, 1, 7, 100], limits?: ParserLimits): void {
  const bytes = typeof document === 'string' ? utf8.encode(document) : document;
  const wanted = outcome(bytes, createSaxesRdfXmlParser, bytes.length || 1, limits);
  for (const chunk of chunks) {
    const shown = `${text.decode(bytes)}\nin chunks of ${chunk}`;
    expect(outcome(bytes, handingOver, chunk, limits), shown).toEqual(wanted);
  }
}

/** How much of a document is read without saxes. */
function fastBytes(document: string): number {
  const fast = createFastRdfXmlParser({ sink: new QuadCollector(), baseIRI: 'http://base/a/b' });
  fast.push(utf8.encode(document));
  fast.end();
  return fast.readSoFar.offset;
}

const ROOT = `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
  xmlns:e="http://e/" xmlns='http://d/'>`;
const HEAD = `<?xml version="1.0" encoding="UTF-8"?>\n${ROOT}\n`;
/** Entities, xml:base and xml:lang, as ontologies have them. */
const DOCTYPE = `<?xml version="1.0"?>

<!DOCTYPE rdf:RDF [
  <!ENTITY e "http://e/" >
  <!ENTITY long-name 'http://e/long#'><!-- "quoted" - comment -->
  <!ENTITY e "http://second/">
]>

<!-- before the root -->
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xml:base="&e;base/doc#x"
  xmlns:e="&e;" xmlns='http://d/' xml:lang="en">
`;
const PLAIN = [
  '<rdf:Description rdf:about="http://e/s">\n  <e:p rdf:resource="http://e/o"/>\n  <e:p>text</e:p>\n</rdf:Description>\n',
  '<e:T rdf:about=\'http://e/s?a&amp;b\'><e:p></e:p><e:p/><e:q rdf:nodeID="b"/></e:T >',
  '<T rdf:nodeID="b-1"><p>a &lt; b &amp; "c" \\ d\n\té😀 &gt; \' > </p><e:q xml:lang="EN-gb">colour</e:q></T>',
  '<T rdf:about="http://e/é"><p rdf:datatype="http://e/t">1</p><p rdf:datatype="http://www.w3.org/2001/XMLSchema#string" >x</p></T>',
  '<!-- comment - é\uFF01 --><T rdf:about="urn:x"/><T rdf:about="urn:y" ><!-- in\nit --><rdf:_1 rdf:resource="urn:z" ></rdf:_1></T>',
  '<T/><rdf:Description><p rdf:datatype="rel#t"/></rdf:Description>',
  '<T rdf:about="rel"><p rdf:resource=""/><p rdf:resource="#f"/><p rdf:resource="../c?d"/><p rdf:resource="//h/é"/></T>',
  '<T rdf:about="http://e/s"><p><U rdf:about="http://e/o"><p> <U/> </p><p>1</p></U></p>\n<p> <!-- in -->\n<rdf:Description><p>x</p></rdf:Description>\n</p></T>',
  '<T><p rdf:parseType="Collection"><U/>\n<U rdf:about="http://e/o"><p rdf:parseType="Collection"></p></U><U/></p><p rdf:parseType=\'Collection\'/></T>',
  '<T><p rdf:parseType="Resource"><p>x</p><rdf:li>1</rdf:li></p><p rdf:parseType="Resource"/><rdf:li>1</rdf:li><rdf:li xml:lang="de">2</rdf:li></T>',
  '<T rdf:about="http://e/s" e:p="a &lt; \'b\'\n\té" e:q=\'"\\&quot;\' rdf:type="http://e/t&#63;"/>',
  '<T rdf:about="http://e/s"><p e:p="x" e:q=""/><p rdf:resource="o" e:p="x"></p><p rdf:nodeID="b" rdf:value="&#x41;"> </p></T>',
  '<T xml:lang="en" e:p="x"><p>x</p><p xml:lang="">x</p><p xml:lang="fr"><U e:p="x"><p>x</p></U></p><p rdf:datatype="http://e/t">x</p></T>',
  '<T xml:base="http://x/y/" rdf:about="z"><p rdf:resource="a" xml:base="b/"/><p xml:base="/c/"><U rdf:about="d"/></p></T>',
  '<T rdf:about="http://e/s"><p><![CDATA[x < y & "z" ]] > \\\n]]></p><p>a<!-- b -->c<?d e?>f<![CDATA[]]]]></p></T>',
  '<T rdf:about="http://e/s&#233;"><p>&#233;&#x41;&#9;&#10;&#13;&#x1F600;&#127;</p><p>&apos;&quot;]&gt;</p></T>',
  '<T rdf:about="http://e/s"><p>a\r\nb\rc\n</p>\r\n</T>\r<T\r\n rdf:about="http://e/s"\r/>',
  '<?target body ? > ?><T rdf:about="http://e/s"><?t?><p>x</p></T>',
];
const REST = [
  '<T rdf:ID="i"/><T rdf:ID="i"/>',
  '<T rdf:about="http://e/s"><p rdf:ID="i">x</p><p rdf:parseType="Literal">a<b/>c</p></T>',
  '<T rdf:about="http://e/s"><p xmlns:x="http://x/"><x:T/></p><p><U/></p></T>',
  '<T rdf:about="http://e/s"><x:p xmlns:x="http://x/">1</x:p><p rdf:nodeID="anon1"/><p><U/></p></T>',
  '<é:T xmlns:é="http://é/" rdf:about="http://e/s"/><T rdf:about="http://e/s"><p rdf:nodeID="é"/></T>',
  '<T rdf:about="http://e/s" xml:space="preserve" xmlns=""><e:p> </e:p></T>',
  '<T about="http://e/s"><p resource="x"/></T>',
  '<T rdf:about = "http://e/s"/>',
  '<T rdf:about="http://e/s"><p>]&#x5d;&#62; &#000000065;</p><?xsl x?></T>',
  '<T><p rdf:nodeID="b"/><p><U/></p></T><T rdf:ID="j"/><T><p><U/></p></T>',
  `<T>${'<p><T>'.repeat(80)}${'</T></p>'.repeat(80)}</T>`,
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
  `<T rdf:about="${'x'.repeat(9000)}"/>`,
  '<T rdf:about="http://e/s" rdf:nodeID="b"/>',
  '<T rdf:about="http://e/s" e:p="<"/>',
  '<T rdf:about="http://e/s" e:p="1" e:p="2"/>',
  '<T rdf:about="http://e/s" e:p="&#0;"/>',
  '<T rdf:about="http://e/s" e:p="\u0001"/>',
  '<T rdf:about="http://e/s" rdf:li="1"/>',
  '<T rdf:about="http://e/&#32;"/>',
  '<T rdf:about="http://e/&lt;"/>',
  '<T xml:base="http://e/ /" rdf:about="x"/>',
  '<T xml:lang="no tag"><p>x</p></T>',
  '<T><p>&#xFFFE;</p></T>',
  '<T><p>&#xD800;</p></T>',
  '<T><p>&#x110000;</p></T>',
  '<T><p>&#;</p></T>',
  '<T><p>&#xg;</p></T>',
  '<T><p>&amp</p></T>',
  '<T><p>x<U/></p></T>',
  '<T><p><U/>x</p></T>',
  '<T><p><U/><U/></p></T>',
  '<T><p>&#32;<U/></p></T>',
  '<T><p rdf:datatype="http://e/t"><U/></p></T>',
  '<T><p rdf:datatype="http://e/t" e:p="x"/></T>',
  '<T><p rdf:datatype="http://e/ t">x</p></T>',
  '<T><p rdf:resource="x"><U/></p></T>',
  '<T><p rdf:resource="x" rdf:nodeID="b"/></T>',
  '<T><p rdf:about="x"/></T>',
  '<T><p rdf:parseType="Collection">x</p></T>',
  '<T><p rdf:parseType="Collection" rdf:resource="x"/></T>',
  '<T><p rdf:parseType="Resource" e:p="x"/></T>',
  '<T><p rdf:parseType="Resource"><U/>x</p></T>',
  '<T>x<p/></T>',
  '<T><![CDATA[x]]></T>',
  '<T><p><![CDATA[x]]</p></T>',
  '<T><p>a]]></p></T>',
  '<T><p>a<!-- b -- c --></p></T>',
  '<T><p>a<?xml b?></p></T>',
  '<T><p>a<?:b?></p></T>',
  '<T rdf:about="http://e/s"><p rdf:nodeID="1"/></T>',
  `<T>${'<p><T>'.repeat(200)}${'</T></p>'.repeat(200)}</T>`,
];

describe('plain RDF/XML', () => {
  it.each(PLAIN)('%s', (element) => {
    expectSame(`${HEAD}${element}\n</rdf:RDF>`);
    expectSame(`${ROOT}${element}${element}</rdf:RDF>\n`);
    expectSame(`${DOCTYPE}${element}\n</rdf:RDF>`);
    for (const head of [HEAD, DOCTYPE]) {
      expect(fastBytes(`${head}${element}\n</rdf:RDF>`)).toBe(utf8.encode(head + element.trimEnd()).length);
    }
  });

  it.each([
    '<T rdf:about="&e;s" e:p="&e;"><p rdf:resource="&long-name;o?&e;"/><p rdf:datatype="&long-name;t">x</p></T>',
    '<T rdf:about="s"><p>&e; &long-name;&amp;</p><p rdf:resource="x&e;"/><p xml:base="&e;" rdf:resource="o"/></T>',
  ])('with entities: %s', (element) => {
    expectSame(`${DOCTYPE}${element}\n</rdf:RDF>`);
    expectSame(`${DOCTYPE}${element}${REST[0]!}${element}\n</rdf:RDF>`);
    expect(fastBytes(`${DOCTYPE}${element}\n</rdf:RDF>`)).toBe(utf8.encode(DOCTYPE + element).length);
  });

  it('needs no other parser for a document that is plain to its end', () => {
    const fast = createFastRdfXmlParser({ sink: new QuadCollector(), baseIRI: 'http://base/a/b' });
    expect(fast.push(utf8.encode(`${DOCTYPE}${PLAIN.join('\n')}</rdf:RDF >\n`))).toBeUndefined();
    expect(fast.end()).toBeUndefined();
  });

  it.each(REST)('and what is not plain behind it: %s', (element) => {
    expectSame(`${HEAD}${PLAIN[0]}  ${element}\n${PLAIN[1]}</rdf:RDF>`);
    expectSame(`${HEAD}${PLAIN.join('')}${element}${PLAIN[2]}\n</rdf:RDF>`);
    expectSame(`${DOCTYPE}${PLAIN[7]}${element}${PLAIN[8]}\n</rdf:RDF>`);
    const plain = `${HEAD}${PLAIN[0]}`;
    expect(fastBytes(`${plain}${element}</rdf:RDF>`)).toBeLessThan(utf8.encode(plain + element).length);
  });

  it.each(WRONG)('and what is wrong behind it: %s', (element) => {
    expectSame(`${HEAD}${PLAIN.join('\n')}  ${element}\n</rdf:RDF>`);
    expectSame(`${ROOT}${PLAIN[2]}${element}`);
    expectSame(`${DOCTYPE}${PLAIN[7]}${element}`, [1_000_000, 50]);
  });

  it.each([
    '',
    ' <?xml version="1.0"?><a/>',
    '<?xml version="1.1"?><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"/>',
    `<?xml version="1.0" encoding="latin1"?>${ROOT}</rdf:RDF>`,
    `<?xml version="1.0" encoding='utf8' standalone="no" ?>${ROOT}${PLAIN[0]}</rdf:RDF>`,
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
    `${DOCTYPE}${PLAIN[0]}`,
    `${DOCTYPE}${PLAIN[0]}wrong`,
    DOCTYPE.replace('http://e/', 'http://%e/'),
    DOCTYPE.replace('http://e/', '&second;'),
    DOCTYPE.replace('http://e/', 'not an IRI'),
    DOCTYPE.replace('http://e/', 'http://é/'),
    DOCTYPE.replace('http://e/', 'x'.repeat(1025)),
    DOCTYPE.replace('<!ENTITY e', '<!ENTITY % e'),
    DOCTYPE.replace('<!ENTITY e', '<!ENTITY amp'),
    DOCTYPE.replace('<!ENTITY e', '<!ELEMENT e'),
    DOCTYPE.replace(' [', ' SYSTEM "http://e/" ['),
    DOCTYPE.replace('DOCTYPE rdf:RDF', 'DOCTYPE SYSTEM:x'),
    DOCTYPE.replace(' [', ' [<!-- "a -- b" -->'),
    DOCTYPE.replace('&e;base', 'relative'),
    DOCTYPE.replace('&e;base', '&none;base'),
    DOCTYPE.replace('xmlns=', 'rdf:version="1.2" xmlns='),
    DOCTYPE.replace('xmlns=', 'rdf:about="x" xmlns='),
    DOCTYPE.replace('="en"', '="no tag"'),
    DOCTYPE.replace('="en"', '=""'),
    DOCTYPE.replace('<?xml', '<?XML'),
    `${HEAD.replaceAll('\n', '\r\n')}${PLAIN.slice(0, 2).join('\r\n').replaceAll('\n', '\r\n')}\r\n  wrong</rdf:RDF>`,
  ])('starts and ends: %s', (document) => {
    expectSame(document);
    expectSame(`${document}${PLAIN[7]}</rdf:RDF>`);
  });

  it(`anything in the place of one byte (QUADRILLE_SEED=${SEED})`, () => {
    const kinds = utf8.encode('<>/"\'&: \r\né]!-a?#;x=[1\u0000');
    const documents = [`${HEAD}${PLAIN.join('')}</rdf:RDF>`, `${DOCTYPE}<T rdf:about="&e;s"/></rdf:RDF>`];
    for (const bytes of documents.map((document) => utf8.encode(document))) {
      for (let at = 0; at < bytes.length; at++) {
        // Each place has some of them, and others with another seed.
        for (let i = (at + SEED) % SHARE; i < kinds.length; i += SHARE)
          expectSame(bytes.with(at, kinds[i]!), [1_000_000]);
      }
    }
  }, 60_000);

  it('what is not UTF-8 behind line ends of all kinds', () => {
    const wrong = utf8.encode(`${HEAD}${PLAIN[0]}\r\r\n\n<T>\r</T>\r\n<T><p>\rX</p></T></rdf:RDF>`);
    expectSame(wrong.with(wrong.indexOf(0x58, wrong.length - 25), 0xff));
  });

  it('in chunks of any lengths', () => {
    const document = utf8.encode(`${DOCTYPE}${[...PLAIN, ...PLAIN].join('\n')}${REST.join('\n')}</rdf:RDF>`);
    const wanted = outcome(document, createSaxesRdfXmlParser, document.length);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 500 }), { minLength: 1, maxLength: 40 }), (chunks) => {
        expect(outcome(document, handingOver, chunks)).toEqual(wanted);
      }),
      { numRuns: 50 },
    );
  });

  it('entities do not make a long text of a short one', () => {
    const value = 'x'.repeat(1000);
    const bomb = (count: number): string =>
      `<!DOCTYPE rdf:RDF [<!ENTITY b "${value}">]>${ROOT}${PLAIN[0]}<T><p>${'&b;'.repeat(count)}</p></T></rdf:RDF>`;
    expectSame(bomb(300), [1_000_000]);
    expectSame(bomb(1000), [1_000_000]);
    expectSame(bomb(1100), [1_000_000]);
    expect(outcome(utf8.encode(bomb(1100)), createRdfXmlParser, 1e6)).toMatchObject({
      code: 'RDF_SYNTAX',
      message: expect.stringContaining('the expanded entities are too long') as string,
    });
    const nested = Array.from({ length: 20 }, (_, i) => `<!ENTITY a${i + 1} "&a${i};&a${i};">`).join('');
    const laughs = `<!DOCTYPE rdf:RDF [<!ENTITY a0 "x">${nested}]>${ROOT}<T><p>&a20;</p></T></rdf:RDF>`;
    expectSame(laughs, [1_000_000]);
    expect(outcome(utf8.encode(laughs), createRdfXmlParser, 1e6)).toMatchObject({ code: 'RDF_SYNTAX' });
  });

  it('keeps the limits of the other parser', () => {
    const element = '<T rdf:about="http://e/s"><p><U rdf:nodeID="abcdefghij"><p>0123456789</p></U></p></T>';
    for (const limits of [{ maxDepth: 1 }, { maxDepth: 3 }, { maxDepth: 4 }, { maxDepth: 5 }]) {
      expectSame(`${HEAD}${element}</rdf:RDF>`, [1_000_000], limits);
    }
    for (let maxTermBytes = 5; maxTermBytes < 60; maxTermBytes++) {
      expectSame(`${HEAD}${element}</rdf:RDF>`, [1_000_000], { maxTermBytes });
    }
    // Each part in turn is one byte too long, or just short enough.
    for (const length of [100, 101]) {
      const long = (other: number): string => 'x'.repeat(length - other);
      for (const part of [
        `<T rdf:about="http://e/${long(11)}"/>`,
        `<T rdf:about="http://e/${long(15)}&amp;&#120;&e;"/>`,
        `<T rdf:nodeID="${long(0)}"/>`,
        `<T><p>${long(2)}</p></T>`,
        `<T><p>${long(4)}\n</p></T>`,
        `<T><p><![CDATA[${long(2)}]]></p></T>`,
        `<T><p xml:lang="fr">${long(5)}</p></T>`,
        `<T><p rdf:datatype="http://e/">${long(15)}</p></T>`,
        `<T e:p="${long(2)}"/>`,
        `<T><p e:${long(11)}=""/></T>`,
        `<${long(11)}/>`,
        `<T><${long(11)}/></T>`,
      ]) {
        expectSame(`${HEAD}${part}</rdf:RDF>`, [1_000_000], { maxTermBytes: 100 });
        if (!part.includes('&e;')) expectSame(`${DOCTYPE}${part}</rdf:RDF>`, [1_000_000], { maxTermBytes: 100 });
      }
    }
  });

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

describeSuite('the documents of the W3C', W3C_FOLDER, () => {
  it.each(['rdf11', 'rdf12'])('%s', (version) => {
    for (const { action } of readManifest(resolve(W3C_FOLDER, version, 'rdf-xml/manifest.ttl'))) {
      expectSame(readFileSync(action), [1_000_000, 20]);
    }
  });
});
