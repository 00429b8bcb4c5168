/** Browsers: stores in IndexedDB, no files, and streams of our own. */
import type { EventEmitter } from 'node:events';
import { InvalidArgumentError } from '@quadrille/model';
import type * as RDF from '@rdfjs/types';
import { Emitter, ItemStream } from './browser-stream.js';
import type { Platform } from './platform.js';

export const platform: Platform = {
  pathOf(location) {
    throw invalid(`open: a browser keeps stores under names, not at ${String(location)}`);
  },
  isSharedStore: () => false,
  nameOf: (location) => location,
  checkStorage(_, { backend, readOnly }) {
    if (backend !== undefined) throw invalid('open: a browser keeps stores in IndexedDB, there is no other backend');
    if (readOnly !== undefined && typeof readOnly !== 'boolean') throw invalid('open: readOnly is true or false');
  },
  async openStorage(name, { readOnly = false, create = !readOnly, lockTimeoutMs = 0 }) {
    const { openIndexedDb } = await import('@quadrille/storage-browser');
    return openIndexedDb(name, { create, readOnly, lockTimeoutMs });
  },
  async joinStore() {
    throw invalid('joinStore: a browser has no stores that servers share');
  },
  async collectGarbage() {
    throw invalid('collectGarbage: a browser has no stores that servers share');
  },
  async beginRecovery(location) {
    throw invalid(`recover: the store ${location} is in IndexedDB; only stores in directories can be recovered`);
  },
  async backups() {
    throw invalid('backups are not available in a browser');
  },
  publishedParts: {
    async keptParts(place) {
      const { openKeptParts } = await import('./browser-kept-parts.js');
      return openKeptParts(place);
    },
  },
  async publisher() {
    throw invalid('publish: a browser has no folder to publish to');
  },
  async openFile(location) {
    throw invalid(
      `a browser has no file ${String(location).slice(0, 60)}; give { text }, the body of a fetch, a file's stream() or bytes`,
    );
  },
  parseInThread: async () => undefined,
  gunzipStream: async () => undefined,
  async createFetch(rules) {
    const { createBrowserFetch } = await import('./browser-fetch.js');
    return createBrowserFetch(rules);
  },
  streamOf: (open, ends) => new ItemStream(open, ends) as unknown as RDF.ResultStream<never>,
  createEmitter: () => new Emitter() as unknown as EventEmitter,
  memoryLimits: () => undefined,
};

function invalid(message: string): InvalidArgumentError {
  return new InvalidArgumentError('INVALID_OPTION', message);
}
