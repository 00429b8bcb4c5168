/** Whether the driver of an engine is open, and how it is opened again after a failed write. */

import { toQuadrilleError } from './failure.js';
import type { StorageDriver } from './contract.js';

export class DriverLife {
  /** False after an attempt to reopen the driver failed. Then reads fail too. */
  isOpen = true;
  #mustClose = true;

  /** Closes and opens what is below. No other call of the driver is under way. */
  async reopen(driver: StorageDriver): Promise<void> {
    const wasOpen = this.isOpen;
    this.isOpen = false;
    if (driver.reopen !== undefined) {
      await driver.reopen();
    } else {
      if (wasOpen) await driver.close();
      this.#mustClose = false;
      await driver.open();
      this.#mustClose = true;
    }
    this.isOpen = true;
  }

  async close(driver: StorageDriver): Promise<void> {
    if (!this.#mustClose) return;
    try {
      await driver.close();
    } catch (error) {
      throw toQuadrilleError('close the storage', error);
    }
  }
}
