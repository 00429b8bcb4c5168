import { describe, expect, it } from 'vitest';
import { dataFactory, iri, literal, quad } from '@quadrille/model';
import { bytewise, encode, errorOf, linesOf, parse, parseChunks, serialize, toLines } from '../testing.js';

const HEAD = '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="http://e/"';
const about = (content: string, attributes = ''): string =>
  `${HEAD}${attributes}>\n<rdf:Description rdf:about="http://e/s">${content}</rdf:Description></rdf:RDF>`;
const RDF = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#';

describe('what is read', () => {
  it('puts texts together that comments and CDATA part', async () => {
    expect(await linesOf('rdf', about('<e:p>a<!-- x -->b<![CDATA[<c>]]>d&amp;</e:p>'))).toEqual([
      '<http://e/s> <http://e/p> "ab<c>d&"',
    ]);
  });

  it('keeps XML literals well-formed, with the namespaces that they use', async () => {
    const [line] = await linesOf(
      'rdf',
      about('<e:p rdf:parseType="Literal">1 &lt; 2<e:b z="&quot;&lt;" a="&#9;"><c/></e:b><!--x--><?y z?></e:p>'),
    );
    expect(line).toBe(
      '<http://e/s> <http://e/p> "1 &lt; 2<e:b xmlns:e=\\"http://e/\\" a=\\"&#x9;\\" z=\\"&quot;&lt;\\"><c></c></e:b><!--x--><?y z?>"' +
        `^^<${RDF}XMLLiteral>`,
    );
  });

  it('resolves against xml:base and the base of the document', async () => {
    const text = about('<e:p rdf:resource="../o"/><e:p xml:base="http://x/y/z" rdf:resource="?q"/>', ' xml:base="b/c"');
    expect(await linesOf('rdf', text, { baseIRI: 'http://b/a' })).toEqual([
      '<http://e/s> <http://e/p> <http://b/o>',
      '<http://e/s> <http://e/p> <http://x/y/z?q>',
    ]);
  });

  it('knows the entities that stand for namespaces', async () => {
    const text = `<!DOCTYPE rdf:RDF [ <!-- c --> <!ENTITY e "http://e/"> <!ENTITY f 'http://f/'> ]>${about(
      '<e:p rdf:resource="&f;o"/><e:p>&e;</e:p>',
    )}`;
    expect(await linesOf('rdf', text)).toEqual([
      '<http://e/s> <http://e/p> <http://f/o>',
      '<http://e/s> <http://e/p> "http://e/"',
    ]);
  });

  it('replaces references within entities, to characters and to other entities', async () => {
    const text = `<!DOCTYPE rdf:RDF PUBLIC "-//A//B" 'http://e/x.dtd' [
      <?a b?> <!ELEMENT a ANY> <!NOTATION n SYSTEM "n"> <!ATTLIST a id ID #IMPLIED> <!ENTITY unread SYSTEM "http://e/u" NDATA n>
      <!ENTITY ns "&org;/terms#"> <!ENTITY org "http://e&#x2F;x"> <!ENTITY org "again"> <!ENTITY none "">
      <!ENTITY markup "&#38;lt;&lt;&none;&#38;#60;&#x1F600;">
    ]>${about('<e:p rdf:resource="&ns;o"/><e:p>&markup;</e:p>')}`;
    expect(await linesOf('rdf', text)).toEqual([
      '<http://e/s> <http://e/p> <http://e/x/terms#o>',
      '<http://e/s> <http://e/p> "<<<😀"',
    ]);
  });

  it('does not need the document type that is elsewhere', async () => {
    const elsewhere = `<!DOCTYPE r PUBLIC "-//DUBLIN CORE//EN" "http://e/r.dtd">${about('<e:p>x</e:p>')}`;
    expect(await linesOf('rdf', elsewhere)).toEqual(['<http://e/s> <http://e/p> "x"']);
  });

  it.each([
    ['UTF-16, big-endian', 'UTF-16', (text: string) => utf16(`\uFEFF${text}`, false)],
    ['UTF-16, little-endian', 'utf-16', (text: string) => utf16(`\uFEFF${text}`, true)],
    ['UTF-16 without a mark', 'UTF-16', (text: string) => utf16(text, true)],
    ['UTF-8 with a mark', 'UTF-8', (text: string) => encode(`\uFEFF${text}`)],
    ['a mark and another declaration', 'ISO-8859-1', (text: string) => encode(`\uFEFF${text}`)],
    ['ISO-8859-1', 'ISO-8859-1', (text: string) => Uint8Array.from(text, (char) => char.charCodeAt(0))],
    ['Windows-1252', 'windows-1252', (text: string) => Uint8Array.from(text, (char) => char.charCodeAt(0))],
  ])('reads %s, also byte by byte', async (_, encoding, bytesOf) => {
    const bytes = bytesOf(`<?xml version='1.0' encoding='${encoding}'?>${about('<e:p>café</e:p>')}`);
    const expected = ['<http://e/s> <http://e/p> "café"'];
    expect(toLines(await parseChunks('rdf', [bytes]))).toEqual(expected);
    expect(
      toLines(
        await parseChunks(
          'rdf',
          Array.from(bytes, (byte) => Uint8Array.of(byte)),
        ),
      ),
    ).toEqual(expected);
  });

  it('says which bytes are not of the encoding', async () => {
    const bytes = [...utf16(`\uFEFF${about('\n\n<e:p>x')}`, true), 0x00, 0xdc];
    expect(await errorOf('rdf', Uint8Array.from([...bytes, ...bytes]))).toMatchObject({
      reason: 'the encoding of the document is "utf-16le", but its bytes are not',
    });
  });

  it('is the same for chunks cut anywhere, also inside of a character', async () => {
    const text = about(
      '<e:p xml:lang="EN-gb">é😀</e:p><e:p rdf:nodeID="é."/><e:p><rdf:Bag><rdf:li>€</rdf:li></rdf:Bag></e:p>',
    );
    const whole = toLines(await parse('rdf', text));
    expect(whole).toContain('<http://e/s> <http://e/p> "é😀"@en-gb');
    expect(whole).toHaveLength(5);
    expect(toLines(await parseChunks('rdf', bytewise(text)))).toEqual(whole);
  });
});

function utf16(text: string, isLittle: boolean): Uint8Array {
  const view = new DataView(new ArrayBuffer(2 * text.length));
  for (let i = 0; i < text.length; i++) view.setUint16(2 * i, text.charCodeAt(i), isLittle);
  return new Uint8Array(view.buffer);
}

describe('errors', () => {
  it.each([
    ['a document cut off', about('<e:p>x</e:p>').slice(0, -20), /not XML: unclosed tag/],
    ['an empty document', '', /must contain a root element/],
    [
      'rdf:ID twice',
      `${HEAD} xml:base="http://b/"><e:A rdf:ID="a"/><e:A rdf:ID="a"/></rdf:RDF>`,
      /the rdf:ID "a" is there twice/,
    ],
    ['a relative IRI without a base', about('<e:p rdf:resource="o"/>'), /not an absolute IRI: <o>/],
    ['text in a node', about('text'), /text is not allowed here/],
    ['two objects', about('<e:p><e:A/><e:B/></e:p>'), /a second element in a property/],
    ['an attribute without a namespace', about('<e:p x="1"/>'), /the attribute x has no namespace/],
    [
      'an unknown encoding',
      `<?xml version="1.0" encoding="EBCDIC-XY"?>${about('')}`,
      /"EBCDIC-XY", which is not known/,
    ],
    ['UTF-16 that is none', `<?xml version="1.0" encoding="UTF-16"?>${about('')}`, /"UTF-16", but its bytes are not/],
    [
      'resource without a prefix on a node',
      `${HEAD}><e:A resource="http://x/"/></rdf:RDF>`,
      /rdf:resource is not allowed/,
    ],
    ['about on a property', about('<e:p rdf:about="http://x/"/>'), /rdf:about is not allowed on a property/],
    ['a language that is none', about('<e:p xml:lang="a b">x</e:p>'), /not a language tag/],
  ])('%s', async (_, text, message) => {
    const error = await errorOf('rdf', text);
    expect(error.message).toMatch(message);
    expect(error).toMatchObject({ code: 'RDF_SYNTAX', source: 'doc', line: expect.any(Number) });
  });

  it.each(['resource="http://x/"', 'datatype="http://x/"', 'parseType="Literal"', 'annotation="http://x/"'])(
    'rdf:%s on a node',
    async (attribute) => {
      const { message } = await errorOf('rdf', `${HEAD}><e:A rdf:${attribute}/></rdf:RDF>`);
      expect(message).toMatch(/rdf:\w+ is not allowed on the node element "e:A"/);
    },
  );

  it('say where', async () => {
    expect(await errorOf('rdf', about('\n<e:p rdf:resource="o"/>'))).toMatchObject({ line: 3, column: 24 });
  });

  it('names the byte that is not UTF-8', async () => {
    expect((await errorOf('rdf', Uint8Array.from([...encode('<a>'), 0xc0, 0xaf]))).reason).toBe('not UTF-8');
  });
});

describe('hostile documents', () => {
  const withType = (declarations: string): string => `<!DOCTYPE r [${declarations}]>${about('<e:p>&a;</e:p>')}`;

  it.each([
    ['an external entity', withType('<!ENTITY a SYSTEM "file:///etc/passwd">'), /is outside of the document/],
    ['a parameter entity', withType('<!ENTITY % a "x">%a;'), /not parameter entities/],
    ['a long entity', withType(`<!ENTITY a "${'x'.repeat(2000)}">`), /longer than 1024/],
    ['an entity of itself', withType('<!ENTITY a "&b;"><!ENTITY b "&a;">'), /the entity "a" refers to itself/],
    ['an entity with markup', withType('<!ENTITY a "<b/>">'), /has markup/],
    ['an entity with markup as a character', withType('<!ENTITY a "&#60;b/>">'), /has markup/],
    ['an entity of one that is not declared', withType('<!ENTITY a "&b;">'), /refers to "b", which is not declared/],
    ['an entity with a lone &', withType('<!ENTITY a "b & c">'), /has an "&" that begins no reference/],
    ['an entity with a character that is none', withType('<!ENTITY a "&#0;">'), /&#0; is no character/],
    ['attributes with default values', withType('<!ATTLIST r a CDATA "x">'), /gives attributes default values/],
    [
      'entities that multiply',
      withType(
        Array.from({ length: 99 }, (_, i) => `<!ENTITY e${i} "${`&e${i + 1};`.repeat(99)}">`).join('') +
          '<!ENTITY e99 "x"><!ENTITY a "&e0;">',
      ),
      /longer than 1024/,
    ],
    [
      'an entity that is used very often',
      `<!DOCTYPE r [<!ENTITY a "${'x'.repeat(1000)}">]>${about(`<e:p>${'&a;'.repeat(2000)}</e:p>`)}`,
      /the expanded entities are too long/,
    ],
    ['deep elements', about('<e:p><e:A>'.repeat(200)), /nested deeper than 256/],
    ['a deep XML literal', about(`<e:p rdf:parseType="Literal">${'<a>'.repeat(300)}`), /nested deeper than 256/],
  ])('%s', async (_, text, message) => {
    const start = performance.now();
    expect((await errorOf('rdf', text)).message).toMatch(message);
    expect(performance.now() - start).toBeLessThan(1000);
  });

  it('stays within limits of terms and tokens', async () => {
    const text = about(`<e:p>${'x'.repeat(1000)}</e:p>`);
    expect((await errorOf('rdf', text, { limits: { maxTermBytes: 500 } })).message).toMatch(/longer than 500/);
    const chunks = [about('<e:p>').slice(0, -20), 'x'.repeat(2000)].map(encode);
    await expect(parseChunks('rdf', chunks, { limits: { maxLineBytes: 1000 } })).rejects.toThrow(
      /token is longer than 1000/,
    );
  });

  it('does not slow down with many namespaces and many elements', async () => {
    const names = Array.from({ length: 2000 }, (_, i) => ` xmlns:n${i}="http://n/${i}"`).join('');
    const start = performance.now();
    expect(await parse('rdf', about('<e:p>x</e:p>'.repeat(5000), names))).toHaveLength(5000);
    expect(performance.now() - start).toBeLessThan(3000);
  });
});

describe('what is written', () => {
  it('shortens with prefixes and declares what has none', () => {
    const text = serialize(
      'rdf',
      [
        quad(iri('http://e/s'), iri('http://e/p'), iri('http://e/o?a&b')),
        quad(iri('http://e/s'), iri('http://other/x#1y'), literal('<&>\r', 'en')),
      ],
      { e: 'http://e/', xmlfoo: 'http://x/' },
    );
    expect(text).toBe(
      '<?xml version="1.0" encoding="UTF-8"?>\n' +
        `<rdf:RDF xmlns:e="http://e/"\n    xmlns:rdf="${RDF}">\n` +
        '  <rdf:Description rdf:about="http://e/s">\n' +
        '    <e:p rdf:resource="http://e/o?a&amp;b"/>\n' +
        '    <p:y xmlns:p="http://other/x#1" xml:lang="en">&lt;&amp;&gt;&#xD;</p:y>\n' +
        '  </rdf:Description>\n</rdf:RDF>\n',
    );
  });

  it.each([
    ['http://e/1', literal('x'), /predicates that end with a name/],
    [`${RDF}li`, literal('x'), /means something else/],
    ['http://e/p', literal('\u0000'), /control character/],
    ['http://e/p', dataFactory.literal('x\uFFFE'), /control character/],
  ])('refuses %s', (predicate, object, message) => {
    const values = [quad(iri('http://e/s'), iri(predicate), object)];
    expect(() => serialize('rdf', values)).toThrow(expect.objectContaining({ code: 'UNSUPPORTED' }));
    expect(() => serialize('rdf', values)).toThrow(message);
  });
});
