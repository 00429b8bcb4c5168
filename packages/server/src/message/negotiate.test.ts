import { HttpError } from '../http/index.js';
import { describe, expect, test } from 'vitest';
import { negotiate } from './negotiate.js';

const OFFERS = ['text/plain', 'application/n-quads', 'text/turtle'];
const statusOf = (accept: string): number | undefined => {
  try {
    negotiate(accept, OFFERS);
    return undefined;
  } catch (error) {
    return (error as HttpError).status;
  }
};

describe('negotiate', () => {
  test.each([
    [null, 'text/plain'],
    ['', 'text/plain'],
    ['*/*', 'text/plain'],
    ['text/turtle', 'text/turtle'],
    ['TEXT/TURTLE; charset=utf-8', 'text/turtle'],
    ['application/*', 'application/n-quads'],
    ['text/turtle;q=0.5, application/n-quads;q=0.9', 'application/n-quads'],
    ['text/turtle, */*;q=0.1', 'text/turtle'],
    ['*/*, text/turtle', 'text/turtle'],
    ['application/x-unknown, text/turtle;q=0.1', 'text/turtle'],
    ['text/plain;q=0, */*', 'application/n-quads'],
  ])('%s gives %s', (accept, offer) => {
    expect(negotiate(accept, OFFERS)).toBe(offer);
  });

  test('what cannot be had is 406, what has no range is 400', () => {
    expect(statusOf('image/png')).toBe(406);
    expect(statusOf('text/turtle;q=0')).toBe(406);
    expect(statusOf('json')).toBe(400);
    expect(statusOf('text/turtle, json')).toBeUndefined();
    expect(statusOf('text/turtle;q=2')).toBe(400);
  });
});
