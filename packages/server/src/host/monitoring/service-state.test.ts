import { open } from 'quadrille';
import { expect, test } from 'vitest';
import { MemoryDriver } from '@quadrille/storage';
import { FaultDriver } from '@quadrille/storage/testing';
import { openService } from '../service.js';
import { OWNER } from '../testing/fixtures.js';

test('nominal, read-only after a failed write, unavailable where nothing can be read', async () => {
  let now = 0;
  const driver = new FaultDriver(new MemoryDriver());
  const database = await open({ storage: driver });
  const service = await openService(database, { now: () => now });
  await service.accounts.create('acme');
  expect(await service.state()).toEqual({ status: 'nominal', readable: true, writable: true });

  driver.setFault({ effect: 'fail', operations: ['write'], at: 1, repeat: 'forever' });
  await expect(service.repositories.create(OWNER, 'acme', { name: 'x' })).rejects.toThrow();
  expect(await service.state()).toEqual({ status: 'read-only', readable: true, writable: false });

  driver.setFault();
  await service.repositories.create(OWNER, 'acme', { name: 'x' });
  expect(await service.state()).toEqual({ status: 'nominal', readable: true, writable: true });

  driver.setFault({ effect: 'fail', operations: ['range', 'get', 'getMany'], at: 1, repeat: 'forever' });
  now += 2000;
  expect(await service.state()).toEqual({ status: 'unavailable', readable: false, writable: false });
  driver.setFault();
  now += 2000;
  expect(await service.state()).toEqual({ status: 'nominal', readable: true, writable: true });

  await service.close();
  await database.close();
  expect(await service.state()).toEqual({ status: 'unavailable', readable: false, writable: false });
});
