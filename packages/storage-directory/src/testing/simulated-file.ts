/** A file in memory. It loses unsynced data at a simulated power failure. */

import type { Bytes } from '@quadrille/storage';

interface Write {
  readonly bytes: Bytes;
  readonly position: number;
}

export class SimulatedFile {
  present: Bytes = new Uint8Array(0);
  /** The content that survives every power failure. */
  #safe: Bytes = new Uint8Array(0);
  #unsynced: Write[] = [];

  /** Makes a file whose whole content is synced. */
  static of(content: Bytes): SimulatedFile {
    const file = new SimulatedFile();
    file.present = content.slice();
    file.sync();
    return file;
  }

  /** Writes a copy of the bytes. */
  write(bytes: Bytes, position: number): void {
    const write = { bytes: bytes.slice(), position };
    this.present = written(this.present, write);
    this.#unsynced.push(write);
  }

  /** Cuts the file. A power failure may undo it. */
  truncate(length: number): void {
    this.present = this.present.slice(0, length);
  }

  sync(): void {
    this.#safe = this.present;
    this.#unsynced = [];
  }

  /**
   * The file after a power failure. The first few unsynced writes survive, and the last of them may be torn. In
   * `hostile` mode any of them survive, and each may be torn.
   */
  crash(random: () => number, hostile: boolean): SimulatedFile {
    const torn = (write: Write): Write => ({
      ...write,
      bytes: write.bytes.slice(0, Math.floor(random() * (write.bytes.length + 1))),
    });
    if (hostile) {
      const kept = this.#unsynced.filter(() => random() < 0.6);
      return SimulatedFile.of(kept.map((write) => (random() < 0.3 ? torn(write) : write)).reduce(written, this.#safe));
    }
    const whole = Math.floor(random() * (this.#unsynced.length + 1));
    const kept = [...this.#unsynced.slice(0, whole), ...this.#unsynced.slice(whole, whole + 1).map(torn)];
    return SimulatedFile.of(kept.reduce(written, this.#safe));
  }
}

function written(content: Bytes, { bytes, position }: Write): Bytes {
  const grown = new Uint8Array(Math.max(content.length, position + bytes.length));
  grown.set(content);
  grown.set(bytes, position);
  return grown;
}
