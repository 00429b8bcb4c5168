/** What the tests use of sparql-http-client, which comes without types. */
declare module 'sparql-http-client' {
  import type { DatasetCore, NamedNode, Quad, Term } from '@rdfjs/types';
  import type { Readable } from 'node:stream';

  interface Options {
    readonly endpointUrl?: string;
    readonly updateUrl?: string;
    readonly storeUrl?: string;
    readonly user?: string;
    readonly password?: string;
    readonly headers?: Record<string, string>;
  }
  interface QueryOptions {
    readonly operation?: 'get' | 'postUrlencoded' | 'postDirect';
    readonly headers?: Record<string, string>;
    readonly parameters?: Record<string, string>;
  }
  type Row = Readonly<Record<string, Term>>;

  class ParsingClient {
    constructor(options: Options);
    readonly query: {
      ask(query: string, options?: QueryOptions): Promise<boolean>;
      select(query: string, options?: QueryOptions): Promise<Row[]>;
      construct(query: string, options?: QueryOptions): Promise<DatasetCore>;
      update(query: string, options?: QueryOptions): Promise<void>;
    };
  }
  class StreamClient {
    constructor(options: Options);
    readonly query: {
      select(query: string, options?: QueryOptions): Readable;
      construct(query: string, options?: QueryOptions): Readable;
    };
    readonly store: {
      get(graph?: NamedNode): AsyncIterable<Quad>;
      post(stream: Readable, options?: { graph?: NamedNode }): Promise<void>;
      put(stream: Readable, options?: { graph?: NamedNode }): Promise<void>;
    };
  }
  class SimpleClient {
    constructor(options: Options);
    readonly query: {
      select(query: string, options?: QueryOptions & { readonly defaultGraph?: string }): Promise<Response>;
      ask(query: string, options?: QueryOptions): Promise<Response>;
    };
  }
}
