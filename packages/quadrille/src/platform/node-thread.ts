/** Parsing in a thread of Node.js. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { AsyncParserOptions, AsyncRdfParser, RdfFormat } from '@quadrille/formats';
import { threadFile, WorkerParser } from '@quadrille/formats/worker';

/** Returns the function that opens a parser in a thread, or `undefined` if threads do not have the format. */
export function parseInThread({
  name,
  module,
}: RdfFormat): ((options: AsyncParserOptions) => AsyncRdfParser) | undefined {
  // A bundle may have left the files behind, and a thread cannot run sources in TypeScript.
  const isThere = (address: string): boolean => /^file:.*\.m?js$/.test(address) && existsSync(fileURLToPath(address));
  if (module === undefined || !isThere(module) || !isThere(threadFile.href)) return undefined;
  return (options) => new WorkerParser({ ...options, format: name, module });
}
