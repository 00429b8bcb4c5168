import { describe, expect, it } from 'vitest';
import { MemoryDriver } from '../memory-driver.js';
import { FaultDriver, SimulatedDriver, storageConformance } from '../testing.js';

const testApi = { describe, it, expect };

storageConformance(testApi, 'memory', async () => ({ driver: new MemoryDriver() }), { persistent: true });
storageConformance(testApi, 'fault driver without a fault', async () => ({
  driver: new FaultDriver(new MemoryDriver()),
}));
storageConformance(testApi, 'simulated', async () => ({ driver: new SimulatedDriver({ logBytes: 1000 }) }), {
  persistent: true,
});
