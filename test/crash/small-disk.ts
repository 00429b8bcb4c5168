/** A small file system that a test can fill: a tmpfs, where the machine lets us mount one. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmdirSync, statfsSync, writeSync, openSync, closeSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export class SmallDisk {
  readonly path: string;
  #mounted = false;

  constructor(
    name: string,
    private readonly megabytes: number,
  ) {
    this.path = join(tmpdir(), `quadrille-${name}-${process.pid}`);
  }

  /** Whether this machine lets us mount one. */
  static get possible(): boolean {
    const disk = new SmallDisk('probe', 1);
    const mounted = disk.mount();
    disk.unmount();
    return mounted;
  }

  mount(): boolean {
    if (process.platform !== 'linux') return false;
    mkdirSync(this.path, { recursive: true });
    const options = ['-t', 'tmpfs', '-o', `size=${this.megabytes}m`, 'tmpfs', this.path];
    this.#mounted = spawnSync('mount', options).status === 0;
    return this.#mounted;
  }

  unmount(): void {
    if (this.#mounted) spawnSync('umount', ['-l', this.path]);
    this.#mounted = false;
    rmdirSync(this.path);
  }

  get freeBytes(): number {
    const { bavail, bsize } = statfsSync(this.path);
    return bavail * bsize;
  }

  /** Takes all that is free, but for so many bytes, with a file of this name. */
  fill(name: string, leaving = 0): void {
    const file = openSync(join(this.path, name), 'a');
    try {
      for (const bytes of [64 * 1024, 4096])
        while (this.freeBytes - leaving >= bytes) writeSync(file, new Uint8Array(bytes).fill(1));
    } finally {
      closeSync(file);
    }
  }

  remove(name: string): void {
    rmSync(join(this.path, name));
  }
}
