/** Node.js: stores in directories, files, and what only it has of streams. Modules are loaded when they are needed. */
import { EventEmitter } from 'node:events';
import type { ByteTransform } from '@quadrille/formats';
import { checkBackend, openDirectory } from './backends.js';
import { streamOf } from './node-stream.js';
import type { Platform } from './platform.js';

/** gzip in large pieces: each one costs a turn of the event loop, however busy that is. */
const PIECE_BYTES = 256 * 1024;

export const platform: Platform = {
  checkStorage: checkBackend,
  openStorage: openDirectory,
  openFile: async (location) => (await import('./node-file.js')).openFile(location),
  parseInThread: async (format) => (await import('./node-thread.js')).parseInThread(format),
  gunzipStream,
  createFetch: async (allow) => (await import('@quadrille/fetch')).createGuardedFetch({ allow }),
  streamOf,
  createEmitter: () => new EventEmitter(),
};

async function gunzipStream(): Promise<() => ByteTransform> {
  const { createGunzip } = await import('node:zlib');
  const { Duplex } = await import('node:stream');
  return () => Duplex.toWeb(createGunzip({ chunkSize: PIECE_BYTES })) as ByteTransform;
}
