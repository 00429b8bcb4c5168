/** A publication in memory, for tests. */
import type { PublishedFiles } from '../files.js';
import { isDataFile, MANIFEST } from '../layout.js';
import type { PublicationTarget } from '../write/target.js';

const utf8 = new TextEncoder();

export class MemoryTarget implements PublicationTarget {
  readonly place = 'memory:/';
  readonly files = new Map<string, Uint8Array>();
  /** Names in the order in which they were written. */
  readonly written: string[] = [];
  /** Called before each write; it may throw. */
  onWrite: (name: string) => void = () => undefined;

  async dataFiles(): Promise<readonly string[]> {
    return [...this.files.keys()].filter(isDataFile).sort();
  }

  async manifest(): Promise<string | undefined> {
    const bytes = this.files.get(MANIFEST);
    return bytes && new TextDecoder().decode(bytes);
  }

  async read(name: string, at: number, bytes: number): Promise<Uint8Array> {
    return this.files.get(name)!.subarray(at, at + bytes);
  }

  async write(name: string, content: Uint8Array | string): Promise<void> {
    this.onWrite(name);
    this.written.push(name);
    this.files.set(name, typeof content === 'string' ? utf8.encode(content) : content.slice());
  }

  async remove(name: string): Promise<void> {
    this.files.delete(name);
  }
}

/** The files of a target as a reader has them, with the sizes of what it reads. */
export class FilesOf implements PublishedFiles {
  readonly place: string;
  readonly reads: { readonly name: string; readonly bytes: number }[] = [];

  constructor(private readonly target: PublicationTarget) {
    this.place = target.place;
  }

  async manifest(): Promise<string> {
    return (await this.target.manifest())!;
  }

  read(name: string, at: number, bytes: number): Promise<Uint8Array> {
    this.reads.push({ name, bytes });
    return this.target.read(name, at, bytes);
  }

  close(): void {}
}
