// The parts of unbzip2-stream that neither need streams of Node.js nor its buffers.
declare module 'unbzip2-stream/lib/bit_iterator.js' {
  /** Reads bits: so many, or with `null` those up to the next byte. */
  interface BitReader {
    (bits: number | null): number;
    readonly bytesRead: number;
  }
  export default function bitIterator(nextBuffer: () => Uint8Array | undefined): BitReader;
}
declare module 'unbzip2-stream/lib/bzip2.js' {
  import type { BitReader } from 'unbzip2-stream/lib/bit_iterator.js';
  interface Bzip2 {
    /** The size of blocks, in 100,000 bytes. @throws where a document does not begin so */
    header(bits: BitReader): number;
    /** One block; the checksum so far, or `null` behind the last block. @throws where it is corrupt */
    decompress(
      bits: BitReader,
      write: (byte: number) => void,
      memory: Int32Array,
      memoryLength: number,
      checksum: number,
    ): number | null;
  }
  const bzip2: Bzip2;
  export default bzip2;
}
