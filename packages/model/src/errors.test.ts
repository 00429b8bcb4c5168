import { describe, expect, test } from 'vitest';
import * as model from './index.js';

test('every error carries code, details, cause and its own name', () => {
  const cause = new Error('below');
  const errors = [
    new model.InvalidArgumentError('INVALID_OPTION', 'm', { cause, details: { option: 'x' } }),
    new model.EvaluationError('ABORTED', 'm', { cause, details: { option: 'x' } }),
    new model.NotFoundError('REVISION_NOT_FOUND', 'm', { cause, details: { option: 'x' } }),
    new model.ConflictError('REVISION_CONFLICT', 'm', { cause, details: { option: 'x' } }),
    new model.StateError('STORE_LOCKED', 'm', { cause, details: { option: 'x' } }),
    new model.StorageError('STORAGE_IO', 'm', { cause, details: { option: 'x' } }),
    new model.FetchError('FETCH_FAILED', 'm', { cause, details: { option: 'x' } }),
    new model.CorruptionError('CHECKSUM', 'm', { cause, details: { option: 'x' } }),
  ];
  for (const error of errors) {
    expect(error).toBeInstanceOf(model.QuadrilleError);
    expect(error).toBeInstanceOf(Error);
    expect(error.name).toBe(error.constructor.name);
    expect(error).toMatchObject({ message: 'm', cause, details: { option: 'x' } });
    expect(String(error)).toBe(`${error.name}: m`);
  }
});

test('without cause and details', () => {
  const error = new model.StateError('READ_ONLY', 'm');
  expect('cause' in error).toBe(false);
  expect(error.details).toEqual({});
});

test('a message and its details are bounded, and keep their ends', () => {
  const long = `begin ${'x'.repeat(1_000_000)} end`;
  const error = new model.NotFoundError('INPUT_NOT_FOUND', `there is no file ${long}`, {
    details: { file: long, n: 1 },
  });
  expect(error.message).toMatch(/^there is no file begin x+ … x+ end$/);
  expect(error.message.length).toBeLessThanOrEqual(2000);
  expect(error.details).toEqual({ file: expect.stringMatching(/^begin x{1,4000} … x+ end$/) as string, n: 1 });
  const parse = new model.ParseError('RDF_SYNTAX', long, { source: long, line: 1 });
  expect(`${parse.message}${String(parse.details['source'])}${String(parse.source)}`.length).toBeLessThan(10_000);
});

describe('ParseError', () => {
  test('says where', () => {
    const error = new model.ParseError('RDF_SYNTAX', 'expected a dot', {
      source: 'a.nt',
      line: 3,
      column: 7,
      offset: 99,
    });
    expect(error).toMatchObject({
      message: 'a.nt:3:7: expected a dot',
      reason: 'expected a dot',
      line: 3,
      column: 7,
      offset: 99,
    });
    expect(error.details).toEqual({ source: 'a.nt', line: 3, column: 7, offset: 99 });
    expect(new model.ParseError('RDF_SYNTAX', 'r', { line: 3 }).message).toBe('3: r');
    expect(new model.ParseError('SPARQL_SYNTAX', 'r').message).toBe('r');
  });

  test('cuts what is long, and keeps its cause', () => {
    const cause = new Error('below');
    const error = new model.ParseError('RDF_SYNTAX', 'x'.repeat(300), { line: 1 }, { cause });
    expect(error.message).toBe(`1: ${'x'.repeat(200)}…`);
    expect(error.cause).toBe(cause);
  });
});
