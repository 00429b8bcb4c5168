/** Requests for an operation, valid and not: from its description, and from what strangers send. */
import type { Described, Operation, Parameter, Schema } from './document.js';

/** A whole number below. */
export type Random = (below: number) => number;

export interface Made {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | undefined;
}

const HOSTILE = [
  '',
  ' ',
  '..',
  '../..',
  '.',
  '%',
  '%00',
  '\0',
  '\r\nX: y',
  '<',
  '<>',
  '"',
  `'; DROP`,
  '_:b',
  '"a"@en',
  '"1"^^<http://www.w3.org/2001/XMLSchema#integer>',
  'http://example.org/a',
  '<http://example.org/a>',
  'urn:quadrille:all',
  'null',
  'default',
  '-1',
  '0',
  '1e400',
  '99999999999999999999',
  'NaN',
  'TAIL',
  'HEAD~1',
  'HEAD~999999999',
  '1--HEAD',
  '2020-01-01',
  '0000-00-00T00:00:00Z',
  '018f0000-0000-7000-8000-000000000000',
  'SELECT * {',
  'SELECT (COUNT(*) AS ?n) { ?s ?p ?o }',
  'DESCRIBE ?s { ?s ?p ?o }',
  'INSERT DATA { <urn:x> <urn:y> 1 }',
  'SELECT * { SERVICE <http://127.0.0.1:1/> { ?s ?p ?o } }',
  'LOAD <http://127.0.0.1:1/>',
  '__proto__',
  'constructor',
  'ü€𝄞',
  '\u202e',
  '\ud800',
  'x'.repeat(3000),
] as const;

const KNOWN: Readonly<Record<string, readonly string[]>> = {
  page: ['1', '2', '0', 'x'],
  account: [...Array.from({ length: 15 }, () => 'acme'), 'jo', 'nobody'],
  repository: [...Array.from({ length: 15 }, () => 'people'), 'nothing'],
  collaborator: ['jo', 'nobody'],
  ref: ['HEAD', 'TAIL', '2', 'v1', 'HEAD~1', '2026-01-01', 'dev'],
  name: ['v1', 'v2', 'a/b', 'dev', 'main'],
  prefix: ['ex', 'foaf'],
  view: ['all', 'new'],
  graph: ['g', 'a/b', 'service'],
  extension: ['ttl', 'nt', 'jsonld', 'rdf', 'exe'],
  user: ['acme'],
  uri: ['http://localhost/acme/people'],
};

export class Requests {
  constructor(
    private readonly described: Described,
    private readonly random: Random,
    /** Ids of jobs, queries, tokens and transactions that there are. */
    private readonly ids: () => readonly string[],
  ) {}

  make(operation: Operation): Made {
    const { method, parameters, takes } = operation;
    const headers: Record<string, string> = {};
    if (this.#oneIn(3)) headers['Accept'] = this.#accept(operation);
    if (this.#oneIn(12))
      headers['If-Match'] = this.#one(['*', '"x"', 'nonsense', '"018f0000-0000-7000-8000-000000000000"']);
    if (this.#oneIn(12)) headers['Accept-Datetime'] = this.#one([new Date().toUTCString(), 'soon']);
    if (this.#oneIn(15)) headers['Prefer'] = 'respond-async';
    let path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(this.#named(name)));
    const query = parameters
      .filter(
        (parameter) => parameter.in === 'query' && (parameter.required === true ? !this.#oneIn(8) : this.#oneIn(4)),
      )
      .map((parameter) => `${parameter.name}=${encodeURIComponent(this.#valueOf(parameter))}`);
    if (this.#oneIn(15)) query.push(this.#one(['=', '&', 'x=y', '%', 'a[b]=c', 'revision=HEAD', 'timeout']));
    if (query.length > 0) path += `?${query.join('&')}`;
    const body = takes.length > 0 && !this.#oneIn(15) ? this.#body(operation, headers) : undefined;
    return { method, path: path.replaceAll('%EF%BF%BD', '%FF'), headers, body };
  }

  #accept({ gives }: Operation): string {
    if (this.#oneIn(4))
      return this.#one(['nonsense', 'image/png', '*/*;q=0', 'text/*', 'application/*;q=0.1, */*', ';', 'text/plain']);
    return gives.length === 0 ? '*/*' : this.#one(gives);
  }

  #named(name: string): string {
    const known = name === 'id' ? [...this.ids(), 'nothing'] : KNOWN[name];
    return known === undefined || this.#oneIn(25) ? hostileName(wellFormed(this.#one(HOSTILE))) : this.#one(known);
  }

  #valueOf({ schema }: Parameter): string {
    if (this.#oneIn(3)) return wellFormed(this.#one(HOSTILE));
    const value = this.#generated(schema);
    return wellFormed(typeof value === 'string' ? value : JSON.stringify(value));
  }

  #body({ takes }: Operation, headers: Record<string, string>): Uint8Array {
    const [type, { schema = {}, example }] = this.#one(takes);
    headers['Content-Type'] = type === 'multipart/form-data' ? `${type}; boundary=x` : type;
    if (this.#oneIn(20)) headers['Content-Type'] = this.#one(['nonsense', 'image/png', 'text/html; charset=utf-16']);
    if (this.#oneIn(20)) headers['Content-Encoding'] = this.#one(['gzip', 'br', 'nonsense']);
    const text = this.#bodyText(type, schema, example);
    const bytes = new TextEncoder().encode(text);
    if (this.#oneIn(5) && bytes.length > 0) bytes[this.random(bytes.length)] = this.random(256);
    return this.#oneIn(8) ? bytes.subarray(0, this.random(bytes.length + 1)) : bytes;
  }

  #bodyText(type: string, schema: Schema, example: unknown): string {
    if (this.#oneIn(8)) return this.#one(HOSTILE);
    const field = (): string =>
      this.#one(['query', 'update', 'name', 'privacy', 'context', 'message', '_method', 'url', 'x']);
    if (type === 'application/x-www-form-urlencoded')
      return new URLSearchParams([[field(), wellFormed(this.#one(HOSTILE))]]).toString();
    if (type === 'multipart/form-data')
      return `--x\r\nContent-Disposition: form-data; name="${field()}"\r\n\r\n${this.#one(HOSTILE)}\r\n--x--\r\n`;
    if (example !== undefined) return typeof example === 'string' ? example : JSON.stringify(example);
    return JSON.stringify(this.#generated(schema)) ?? '';
  }

  /** A value of a schema, mostly. */
  #generated(given: Schema): unknown {
    const schema = this.described.resolved<Schema>(given as Schema & { $ref: string });
    if (this.#oneIn(10)) return this.#one<unknown>([null, 1, 'x', [], {}, true, [[[]]]]);
    if (schema.anyOf !== undefined) return this.#generated(this.#one(schema.anyOf));
    if (schema.enum !== undefined) return this.#one(schema.enum);
    if (schema.examples !== undefined) return this.#one(schema.examples);
    switch (typeof schema.type === 'object' ? this.#one(schema.type) : schema.type) {
      case 'object': {
        const members = Object.entries(schema.properties ?? {}).filter(() => !this.#oneIn(4));
        return Object.fromEntries(members.map(([name, member]) => [name, this.#generated(member)]));
      }
      case 'array':
        return Array.from({ length: this.random(3) }, () => this.#generated(schema.items ?? {}));
      case 'integer':
      case 'number':
        return this.#one([schema.minimum ?? 0, schema.maximum ?? 1, 1, 2, 50]);
      case 'boolean':
        return this.#oneIn(2);
      case 'null':
        return null;
      default:
        return this.#one(HOSTILE);
    }
  }

  #oneIn(n: number): boolean {
    return this.random(n) === 0;
  }

  #one<T>(values: readonly T[]): T {
    return values[this.random(values.length)]!;
  }
}

/** Clients resolve dots before they send a path. */
const hostileName = (text: string): string => (/^\.{0,2}$/.test(text) ? 'x' : text);

/** `encodeURIComponent` takes no half of a pair; U+FFFD becomes a byte that is no UTF-8 later. */
const wellFormed = (text: string): string => text.replace(/\p{Cs}/gu, '\ufffd');
