import { storageConformance } from '@quadrille/storage/testing';
import { describe, expect, it } from 'vitest';
import { SharedMemory, SharedMemoryDriver } from '../memory-driver.js';
import { SharedStorage } from './shared-storage.js';

storageConformance(
  { describe, it, expect },
  'shared memory',
  async () => {
    const memory = new SharedMemory();
    const driver = (): SharedStorage => new SharedStorage(new SharedMemoryDriver(memory));
    return { driver: driver(), again: driver };
  },
  { persistent: true },
);
storageConformance(
  { describe, it, expect },
  'shared memory with a checkpoint after every batch',
  async () => {
    const memory = new SharedMemory();
    const driver = (): SharedStorage =>
      new SharedStorage(new SharedMemoryDriver(memory), { checkpointEntries: 1, graceMs: 0 });
    return { driver: driver(), again: driver };
  },
  { persistent: true },
);
