/** A native store as a backend of queries. */
import { join } from 'node:path';
import type { QueryBackend } from '../sparql/backend.js';
import type { PeerName } from './names.js';
import { Peer, PEER_LIMITS } from './peer-process.js';
import { preparePeer } from './peers.js';

/** Loads the file in a directory, unless an earlier process has loaded it there. */
export async function openPeerBackend(name: PeerName, file: string, directory: string): Promise<QueryBackend> {
  const peer = await Peer.open(preparePeer(name), join(directory, name), file, PEER_LIMITS);
  let elapsed = 0;
  return {
    run: async (text, digest) => {
      const { rows, ms } = await peer.run(text, digest);
      elapsed = ms;
      return rows;
    },
    elapsed: () => elapsed,
    close: () => peer.close(),
  };
}
