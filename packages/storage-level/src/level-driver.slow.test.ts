import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { storageConformance, type ConformanceStore } from '@quadrille/storage/testing';
import { ClassicLevel } from 'classic-level';
import { MemoryLevel } from 'memory-level';
import { describe, expect, it } from 'vitest';
import { LevelDriver } from './level-driver.js';

const testApi = { describe, it, expect };

async function classic(): Promise<ConformanceStore> {
  const path = await mkdtemp(join(tmpdir(), 'quadrille-level-'));
  const again = () => new LevelDriver(new ClassicLevel(path));
  return { driver: again(), again, dispose: () => rm(path, { recursive: true }) };
}

/** Like browser-level: its iterators see writes made after they were created. */
class NoSnapshots extends MemoryLevel {
  constructor() {
    super();
    this.supports.implicitSnapshots = false;
    this.supports.explicitSnapshots = false;
  }
}

storageConformance(testApi, 'memory-level', async () => ({ driver: new LevelDriver(new MemoryLevel()) }), {
  persistent: true,
});
storageConformance(testApi, 'memory-level of encoded buffers', async () => ({
  driver: new LevelDriver(new MemoryLevel<string, string>({ storeEncoding: 'buffer', keyEncoding: 'utf8' })),
}));
storageConformance(testApi, 'a database without snapshots', async () => ({
  driver: new LevelDriver(new NoSnapshots()),
}));
storageConformance(testApi, 'classic-level', classic, { persistent: true });

describe('capabilities', () => {
  it('are those of the database', () => {
    expect(new LevelDriver(new MemoryLevel()).capabilities).toEqual({
      getSync: true,
      durable: false,
      sizeOnDisk: false,
      compact: false,
    });
    expect(new LevelDriver(new MemoryLevel(), { durable: true }).capabilities.durable).toBe(true);
  });
});
