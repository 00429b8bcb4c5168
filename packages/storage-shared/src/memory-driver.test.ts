import { describe, expect, it } from 'vitest';
import { SharedMemory, SharedMemoryDriver } from './memory-driver.js';
import { sharedConformance } from './testing/conformance.js';

sharedConformance({ describe, it, expect }, 'memory', async () => {
  const memory = new SharedMemory();
  return { connect: () => new SharedMemoryDriver(memory) };
});
