/** Another copy in this process. */
import type { Repository } from '../api/index.js';
import { knownRevision } from './known-revision.js';
import type { RemoteHistory } from './remote-history.js';

export const localRemote = (other: Repository, signal: AbortSignal | undefined): RemoteHistory => ({
  name: other.name,
  async standing(have) {
    const { id, number } = await other.revision();
    for (const uuid of have)
      if ((await knownRevision(other, uuid)) !== undefined) return { head: id, number, common: uuid };
    return { head: id, number, common: undefined };
  },
  async read(after) {
    return bytesOf(other.sync.exportHistory({ ...(after !== undefined && { since: after }), signal }));
  },
  async readAll() {
    return bytesOf(other.sync.exportHistory({ branches: 'all', signal }));
  },
  async write(pieces) {
    let imported = 0;
    await other.sync.importHistory(bytesOf(pieces), {
      signal,
      onProgress: (progress) => void (imported = progress.imported),
    });
    return imported;
  },
});

async function* bytesOf(pieces: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  const utf8 = new TextEncoder();
  for await (const piece of pieces) yield utf8.encode(piece);
}
