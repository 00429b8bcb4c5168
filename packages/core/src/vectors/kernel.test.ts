import { describe, expect, test, vi } from 'vitest';
import { Pacer, platformEnv } from '../runtime/env.js';
import { cosineOf } from '../testing/vectors.js';
import { type Kernel, newKernel, portableKernel, vectorKernel } from './kernel.js';
import { KERNEL_MODULE } from './kernel-module.js';
import { VectorChunk } from './vector-chunk.js';
import { queryOf, VectorColumn } from './vector-column.js';

/** Vectors of every shape that rounding may not like. */
function someVectors(dimension: number): Float32Array[] {
  let state = 1;
  const next = (): number => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32 - 0.5;
  const one = (at: number, size: number): Float32Array =>
    Float32Array.from({ length: dimension }, (_, i) => (i === at ? size : 0));
  return [
    ...Array.from({ length: 300 }, () => Float32Array.from({ length: dimension }, next)),
    new Float32Array(dimension).fill(1),
    new Float32Array(dimension).fill(-3e38),
    new Float32Array(dimension).fill(1e-45),
    one(0, 1),
    one(dimension - 1, -1e30),
    Float32Array.from({ length: dimension }, (_, i) => (i === 0 ? 1e6 : next())),
  ];
}

async function boundsBy(kernel: Kernel, vectors: readonly Float32Array[], asked: Float32Array): Promise<Float32Array> {
  const column = new VectorColumn(asked.length, () => kernel);
  const chunk = new VectorChunk(asked.length, 64);
  for (const [id, vector] of vectors.entries()) {
    chunk.add(id, vector);
    if (chunk.isFull) column.add(chunk.take());
  }
  column.add(chunk.take());
  const bounds = new Float32Array(vectors.length);
  await column.scan(queryOf(asked), vectors.length, bounds, new Pacer(platformEnv()));
  return bounds;
}

describe.each([1, 16, 20, 384, 4096])('vectors of %i numbers', (dimension) => {
  test('no cosine is greater than its bound, and few bounds are far from it', async () => {
    const vectors = someVectors(dimension);
    for (const asked of [
      vectors[0]!,
      vectors[17]!,
      vectors.at(-6)!,
      vectors.at(-5)!,
      vectors.at(-1)!,
      vectors.at(-2)!,
    ]) {
      const { slack } = queryOf(asked);
      const bounds = await boundsBy(vectorKernel(), vectors, asked);
      for (const [i, vector] of vectors.entries())
        expect(cosineOf(asked, vector)).toBeLessThanOrEqual(bounds[i]! + slack);
      const distances = vectors.map((vector, i) => bounds[i]! + slack - cosineOf(asked, vector)).sort((x, y) => x - y);
      expect(distances[150]).toBeLessThan(0.03);
    }
  });

  test('JavaScript gives what WebAssembly gives', async () => {
    const vectors = someVectors(dimension);
    for (const asked of [vectors[3]!, vectors.at(-5)!]) {
      const [left, right] = [
        await boundsBy(vectorKernel(), vectors, asked),
        await boundsBy(portableKernel(), vectors, asked),
      ];
      for (const [i, bound] of left.entries()) expect(bound).toBeCloseTo(right[i]!, 5);
    }
  });
});

test('the module is what its source compiles to', async () => {
  // Plain JavaScript, of which there are no types.
  const build: string = '../../assembly/compile.mjs';
  const { compileNearest } = (await import(build)) as { compileNearest(): Promise<Uint8Array> };
  expect(Buffer.from(await compileNearest()).toString('base64')).toBe(KERNEL_MODULE);
});

test('where WebAssembly has no vectors JavaScript scores them', async () => {
  // A copy of the module that has compiled nothing yet.
  const copy: string = './kernel.js?without-vectors';
  const fresh = (await import(copy)) as { newKernel: typeof newKernel };
  vi.stubGlobal('WebAssembly', undefined);
  try {
    const vectors = someVectors(20);
    const bounds = await boundsBy(fresh.newKernel(), vectors, vectors[1]!);
    expect(bounds[1]).toBeGreaterThanOrEqual(1);
  } finally {
    vi.unstubAllGlobals();
  }
});

test('a column that gets no more memory keeps what it has', async () => {
  const vectors = someVectors(384);
  const asked = vectors[3]!;
  const kernel = vectorKernel();
  const column = new VectorColumn(384, () => kernel);
  const chunk = new VectorChunk(384);
  for (const [id, vector] of vectors.slice(0, 150).entries()) chunk.add(id, vector);
  column.add(chunk.take());
  kernel.reserve = () => {
    throw new RangeError('no memory');
  };
  const more = new VectorChunk(384, 300);
  for (const [id, vector] of vectors.slice(0, 300).entries()) more.add(200 + id, vector);
  const taken = more.take();
  expect(() => column.add(taken)).toThrow(RangeError);
  expect([column.count, column.before(1000)]).toEqual([150, 150]);
  const bounds = new Float32Array(150);
  await column.scan(queryOf(asked), 150, bounds, new Pacer(platformEnv()));
  expect(bounds[3]).toBeGreaterThanOrEqual(1);
});
