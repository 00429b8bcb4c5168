import { expect, test } from 'vitest';
import { LazyLibrary } from './library.js';

test('a library is imported once, by the first call that needs it', async () => {
  let times = 0;
  const library = new LazyLibrary(async () => ({ times: ++times }));
  expect(library.isLoaded).toBe(false);
  expect(() => library.get()).toThrow('was not loaded');
  await Promise.all([library.load(), library.load()]);
  await library.load();
  expect(library.isLoaded).toBe(true);
  expect(library.get()).toEqual({ times: 1 });
});

test('an import that fails is tried again', async () => {
  let fails = true;
  const library = new LazyLibrary(async () => {
    if (fails) throw new Error('no such file');
    return 'loaded';
  });
  await expect(library.load()).rejects.toThrow('no such file');
  expect(library.isLoaded).toBe(false);
  fails = false;
  await library.load();
  expect(library.get()).toBe('loaded');
});
