/** Writes a document to a file that appears only when it is complete. */
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { StorageError } from '@quadrille/model';

/** Compresses the document if the name ends in `.gz`. Resolves with the length of the file. */
export async function writeFileAtomically(file: string, chunks: AsyncIterable<string>): Promise<number> {
  const partial = `${file}.${String(process.pid)}.partial`;
  const sink = createWriteStream(partial);
  const source = Readable.from(gathered(chunks), { objectMode: false });
  try {
    if (file.endsWith('.gz')) await pipeline(source, createGzip(), sink);
    else await pipeline(source, sink);
    await rename(partial, file);
    return sink.bytesWritten;
  } catch (error) {
    await rm(partial, { force: true });
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    const full = 'code' in error && error.code === 'ENOSPC';
    throw new StorageError(full ? 'STORAGE_FULL' : 'STORAGE_IO', `cannot write ${file}: ${error.message}`, {
      cause: error,
    });
  }
}

async function* gathered(chunks: AsyncIterable<string>): AsyncGenerator<Buffer> {
  let text = '';
  for await (const chunk of chunks) {
    text += chunk;
    if (text.length < 64 * 1024) continue;
    yield Buffer.from(text);
    text = '';
  }
  if (text !== '') yield Buffer.from(text);
}
