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
    ['a foreign encoding', `<?xml version="1.0" encoding="ISO-8859-1"?>${about('')}`, /only UTF-8 is read/],
    ['a language that is none', about('<e:p xml:lang="a b">x</e:p>'), /not a language tag/],
  ])('%s', async (_, text, message) => {
    const error = await errorOf('rdf', text);
    expect(error.message).toMatch(message);
    expect(error).toMatchObject({ code: 'RDF_SYNTAX', source: 'doc', line: expect.any(Number) });
  });

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
    ['an external entity', withType('<!ENTITY a SYSTEM "file:///etc/passwd">'), /only declare entities/],
    ['a parameter entity', withType('<!ENTITY % a "x">%a;'), /only declare entities/],
    ['a nested entity', withType('<!ENTITY b "xx"><!ENTITY a "&b;&b;">'), /is not plain text/],
    ['a long entity', withType(`<!ENTITY a "${'x'.repeat(2000)}">`), /longer than 1024/],
    ['an element declaration', withType('<!ELEMENT a ANY>'), /only declare entities/],
    [
      'a document type elsewhere',
      `<!DOCTYPE r SYSTEM "http://e/r.dtd">${about('')}`,
      /an external document type is not allowed/,
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
