/** What the tests share: services that close with their test, callers, and bodies that come when they are told to. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Database, open } from 'quadrille';
import { onTestFinished } from 'vitest';
import { type Caller, openService, type Service, type ServiceOptions } from '../index.js';

export const OWNER: Caller = { account: 'acme', readOnly: false, admin: false };
export const OTHER: Caller = { account: 'other', readOnly: false, admin: false };
export const READER: Caller = { account: 'reader', readOnly: false, admin: false };
export const WRITER: Caller = { account: 'writer', readOnly: false, admin: false };

/** An account that may do everything. */
export const OPERATOR_OF = (account: string): Caller => ({ account, readOnly: false, admin: true });

export async function memoryDatabase(): Promise<Database> {
  const database = await open(':memory:');
  onTestFinished(() => database.close());
  return database;
}

export async function directory(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'quadrille-service-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

/** Accounts `acme`, `other`, `reader`, `writer`, and the repository `acme/people`. */
export async function hosted(options: ServiceOptions = {}, database?: Database): Promise<Service> {
  const service = await openService(database ?? (await memoryDatabase()), options);
  onTestFinished(() => service.close());
  for (const name of ['acme', 'other', 'reader', 'writer']) await service.accounts.create(name);
  await service.repositories.create(OWNER, 'acme', { name: 'People' });
  return service;
}

export const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** `count` triples in N-Triples, each of its own subject. */
export const triples = (count: number, from = 0): string =>
  Array.from({ length: count }, (_, i) => `<urn:s${String(from + i)}> <urn:p> "o${String(from + i)}" .\n`).join('');

export async function* bodyOf(...chunks: readonly (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) yield typeof chunk === 'string' ? bytes(chunk) : chunk;
}

/** A body whose sender decides when the next piece comes. */
export class SlowBody implements AsyncIterable<Uint8Array> {
  closed = false;
  readonly #chunks: (Uint8Array | undefined)[] = [];
  #wake: (() => void) | undefined;

  send(chunk: string | Uint8Array): void {
    this.#chunks.push(typeof chunk === 'string' ? bytes(chunk) : chunk);
    this.#wake?.();
  }

  end(): void {
    this.#chunks.push(undefined);
    this.#wake?.();
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    return {
      next: async () => {
        while (this.#chunks.length === 0) await new Promise<void>((resolve) => (this.#wake = resolve));
        const chunk = this.#chunks.shift();
        return chunk === undefined ? { done: true, value: undefined } : { done: false, value: chunk };
      },
      return: async () => {
        this.closed = true;
        return { done: true, value: undefined };
      },
    };
  }
}

/** Waits until something holds. */
export async function until(condition: () => boolean | Promise<boolean>, timeoutMs = 10_000): Promise<void> {
  const end = Date.now() + timeoutMs;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error('it did not come to hold in time');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
