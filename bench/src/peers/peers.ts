/**
 * The stores with which queries can be compared in processes of their own. The native ones are not needed otherwise, and not measured
 * unless asked.
 */
import { fileURLToPath } from 'node:url';
import { missingOf } from '../stores/missing.js';
import { OXIGRAPH } from '../stores/oxigraph-store.js';
import { VIRTUOSO } from '../stores/virtuoso/virtuoso-store.js';
import { prepareJava } from './java.js';
import type { PeerName } from './names.js';
import type { PeerCommand } from './peer-process.js';
import { preparePyoxigraph } from './pyoxigraph.js';

const PREPARE: Readonly<Record<PeerName, () => PeerCommand>> = {
  pyoxigraph: preparePyoxigraph,
  jena: () => prepareJava('jena'),
  rdf4j: () => prepareJava('rdf4j'),
  virtuoso: prepareVirtuoso,
};
// Also for tests, which run the sources.
const STORE_RUNNER = fileURLToPath(new URL('../../dist/peers/store-runner.js', import.meta.url));

function prepareVirtuoso(): PeerCommand {
  const missing = missingOf(VIRTUOSO);
  if (missing !== undefined) throw new Error(missing);
  return { command: process.execPath, args: [STORE_RUNNER, VIRTUOSO.name] };
}

/** Oxigraph's JavaScript build. Its queries cannot be interrupted, but its process can be killed. */
export const OXIGRAPH_PEER: PeerCommand = {
  command: process.execPath,
  args: [STORE_RUNNER, OXIGRAPH.name],
  inMemory: true,
};

/**
 * How to start a peer. Downloads and compiles what it needs, unless that is in the cache.
 * @throws Error if something is missing
 */
export const preparePeer = (name: PeerName): PeerCommand => PREPARE[name]();

const reasons = new Map<PeerName, string | undefined>();

/** Why a peer cannot be measured; `undefined` if it can. Prepares it at the first call. */
export function lackOf(name: PeerName): string | undefined {
  if (!reasons.has(name)) reasons.set(name, reasonOf(name));
  return reasons.get(name);
}

function reasonOf(name: PeerName): string | undefined {
  try {
    preparePeer(name);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
