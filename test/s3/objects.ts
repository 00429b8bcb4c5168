/** What an object store does, in memory: conditional writes, parts of objects, lists. It decides one request at a time. */
import { createHash } from 'node:crypto';
import type { Transport } from '@quadrille/s3';

export interface StoredObject {
  readonly bytes: Uint8Array;
  readonly etag: string;
  readonly modified: number;
}

export interface Request {
  readonly method: string;
  readonly key: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Uint8Array;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

const text = new TextEncoder();
const NOTHING = new Uint8Array(0);

export const failure = (status: number, code: string, message = 'It is a test.'): Answer => ({
  status,
  headers: { 'content-type': 'application/xml' },
  body: text.encode(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>${message}</Message></Error>`),
});

/** The objects of one bucket. */
export class Objects {
  readonly objects = new Map<string, StoredObject>();
  /** Requests by what they are: `PUT`, `GET`, `LIST`, `DELETE`. */
  readonly counts = new Map<string, number>();
  /** What the service does not keep to. */
  readonly ignores = new Set<'if-none-match' | 'if-match'>();

  answer(request: Request): Answer {
    const { method, key, query } = request;
    const kind = method === 'GET' && query['list-type'] !== undefined ? 'LIST' : method;
    this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1);
    if (kind === 'LIST') return this.#list(query);
    if (method === 'PUT') return this.#put(request);
    if (method === 'DELETE') {
      this.objects.delete(key);
      return { status: 204, headers: {}, body: NOTHING };
    }
    return this.#get(request);
  }

  #get({ key, headers }: Request): Answer {
    const object = this.objects.get(key);
    if (object === undefined) return failure(404, 'NoSuchKey');
    const { bytes, etag } = object;
    if (headers['if-none-match'] === etag) return { status: 304, headers: { etag }, body: NOTHING };
    const range = /^bytes=(\d+)-(\d+)$/.exec(headers['range'] ?? '');
    if (range === null) return { status: 200, headers: { etag }, body: bytes };
    if (Number(range[1]) >= bytes.length) return failure(416, 'InvalidRange');
    return { status: 206, headers: { etag }, body: bytes.subarray(Number(range[1]), Number(range[2]) + 1) };
  }

  #put({ key, headers, body }: Request): Answer {
    const object = this.objects.get(key);
    if (headers['if-none-match'] === '*' && object !== undefined && !this.ignores.has('if-none-match')) {
      return failure(412, 'PreconditionFailed');
    }
    const match = headers['if-match'];
    if (match !== undefined && !this.ignores.has('if-match')) {
      if (object === undefined) return failure(404, 'NoSuchKey');
      if (object.etag !== match) return failure(412, 'PreconditionFailed');
    }
    const etag = `"${createHash('md5').update(body).digest('hex')}"`;
    this.objects.set(key, { bytes: Uint8Array.from(body), etag, modified: Date.now() });
    return { status: 200, headers: { etag }, body: NOTHING };
  }

  #list(query: Readonly<Record<string, string>>): Answer {
    const { prefix = '', delimiter } = query;
    const limit = Number(query['max-keys'] ?? 1000);
    const after = query['continuation-token'] ?? query['start-after'] ?? '';
    const keys = [...this.objects.keys()].filter((key) => key.startsWith(prefix) && key > after).sort();
    const folders = new Set<string>();
    const plain = keys.filter((key) => {
      const end = delimiter === undefined ? -1 : key.indexOf(delimiter, prefix.length);
      if (end >= 0) folders.add(key.slice(0, end + 1));
      return end < 0;
    });
    const some = plain.slice(0, limit);
    const more = plain.length > limit;
    const contents = some.map((key) => {
      const { bytes, etag, modified } = this.objects.get(key)!;
      const date = new Date(modified).toISOString();
      const tag = etag.replaceAll('"', '&quot;');
      return `<Contents><Key>${key}</Key><LastModified>${date}</LastModified><ETag>${tag}</ETag><Size>${bytes.length}</Size></Contents>`;
    });
    const common = [...folders].map((folder) => `<CommonPrefixes><Prefix>${folder}</Prefix></CommonPrefixes>`);
    const next = more ? `<NextContinuationToken>${some.at(-1)!}</NextContinuationToken>` : '';
    const xml = `<?xml version="1.0"?><ListBucketResult><IsTruncated>${more}</IsTruncated>${next}${contents.join('')}${common.join('')}</ListBucketResult>`;
    return { status: 200, headers: { 'content-type': 'application/xml' }, body: text.encode(xml) };
  }
}

/** A transport that asks the objects without HTTP. */
export const transportOf =
  (objects: Objects): Transport =>
  async ({ method, key, query = {}, headers = {}, body = NOTHING }) => {
    const answer = objects.answer({ method, key, query, headers, body });
    return { status: answer.status, header: (name) => answer.headers[name], body: answer.body };
  };
