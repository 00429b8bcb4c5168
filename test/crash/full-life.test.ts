/** Lives of a store on a full medium. In each of these another write had found no room while a change was prepared, and the change said STORAGE_IO. */
import { it } from 'vitest';
import { RunSeed } from '../campaigns/kind.js';
import { FullLife } from './full-life.js';

it.each([8, 11])('a change that finds no room says STORAGE_FULL (life %i)', async (index) => {
  await new FullLife(new RunSeed('full-disk', 'dev', index).random()).run();
});
