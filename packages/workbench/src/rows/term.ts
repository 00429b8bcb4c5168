/** The terms of an answer as text: SPARQL's TSV and N-Triples, which write most terms alike. */

export interface Term {
  readonly kind: 'iri' | 'literal' | 'blank' | 'triple' | 'unbound';
  /** The IRI, the lexical form, or the label. */
  readonly value: string;
  readonly language?: string;
  readonly direction?: 'ltr' | 'rtl';
  /** An IRI; absent for plain and language strings. */
  readonly datatype?: string;
}

const XSD = 'http://www.w3.org/2001/XMLSchema#';
const UNBOUND: Term = { kind: 'unbound', value: '' };

/** Reads one cell. Text that is no term is shown as it stands. */
export function parseTerm(text: string): Term {
  if (text === '') return UNBOUND;
  if (text.startsWith('<<')) return { kind: 'triple', value: text };
  if (text.startsWith('<')) return { kind: 'iri', value: unescaped(text.slice(1, -1)) };
  if (text.startsWith('_:')) return { kind: 'blank', value: text };
  if (text.startsWith('"')) return parseLiteral(text);
  return { kind: 'literal', value: text, ...bareDatatype(text) };
}

function bareDatatype(text: string): { readonly datatype?: string } {
  if (text === 'true' || text === 'false') return { datatype: `${XSD}boolean` };
  if (/^[+-]?\d+$/.test(text)) return { datatype: `${XSD}integer` };
  if (/^[+-]?\d*\.\d+$/.test(text)) return { datatype: `${XSD}decimal` };
  if (/^[+-]?[\d.]+e[+-]?\d+$/i.test(text)) return { datatype: `${XSD}double` };
  return {};
}

function parseLiteral(text: string): Term {
  const end = text.lastIndexOf('"');
  const value = unescaped(text.slice(1, Math.max(end, 1)));
  const rest = text.slice(end + 1);
  const language = /^@([a-z0-9-]+?)(?:--(ltr|rtl))?$/i.exec(rest);
  if (language !== null) {
    const [, tag = '', direction] = language;
    return {
      kind: 'literal',
      value,
      language: tag,
      ...(direction === undefined ? {} : { direction: direction as 'ltr' | 'rtl' }),
    };
  }
  const datatype = /^\^\^<(.*)>$/.exec(rest)?.[1];
  return { kind: 'literal', value, ...(datatype === undefined ? {} : { datatype }) };
}

const ESCAPES: Readonly<Record<string, string>> = { t: '\t', n: '\n', r: '\r', b: '\b', f: '\f' };

export function unescaped(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replace(
    /\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))/gs,
    (_, short?: string, long?: string, one?: string) => {
      const code = Number.parseInt(short ?? long ?? '', 16);
      if (Number.isNaN(code)) return ESCAPES[one ?? ''] ?? one ?? '';
      return code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd';
    },
  );
}

const NUMBERS = new Set(
  'integer decimal double float int long short byte nonNegativeInteger positiveInteger unsignedInt unsignedLong'
    .split(' ')
    .map((name) => XSD + name),
);

export const isNumeric = ({ datatype }: Term): boolean => datatype !== undefined && NUMBERS.has(datatype);

/** An IRI as `prefix:name` where a prefix is known and the rest is a simple name. */
export function shortened(iri: string, namespaces: Readonly<Record<string, string>>): string | undefined {
  let best: string | undefined;
  let length = 0;
  for (const [prefix, start] of Object.entries(namespaces)) {
    if (start.length <= length || !iri.startsWith(start)) continue;
    if (!/^[\p{L}\p{N}_-]*(?:\.[\p{L}\p{N}_-]+)*$/u.test(iri.slice(start.length))) continue;
    best = `${prefix}:${iri.slice(start.length)}`;
    length = start.length;
  }
  return best;
}

/** A short text for a term: a prefixed name, the last part of an IRI, or the value. */
export function shortName({ kind, value }: Term, namespaces: Readonly<Record<string, string>>): string {
  if (kind !== 'iri') return value;
  return shortened(value, namespaces) ?? (/[^/#]+[/#]?$/.exec(value)?.[0] || value);
}

/** A term in N-Triples syntax, as parameters of the server take it. */
export function written({ kind, value, language, direction, datatype }: Term): string {
  if (kind === 'iri') return `<${value}>`;
  if (kind !== 'literal') return value;
  const text = `"${value.replace(/[\\"\n\r]/g, (c) => ({ '\\': '\\\\', '"': '\\"', '\n': '\\n', '\r': '\\r' })[c]!)}"`;
  if (language !== undefined) return `${text}@${language}${direction === undefined ? '' : `--${direction}`}`;
  return datatype === undefined || datatype === `${XSD}string` ? text : `${text}^^<${datatype}>`;
}
