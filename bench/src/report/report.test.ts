import { describe, expect, it } from 'vitest';
import { jsonReport, readable, tableReport } from './report.js';

const LINE = {
  backend: 'quadrille',
  workload: 'load-1m rate',
  unit: 'quads/CPU-s',
  median: 412_345.6,
  min: 400_000,
  max: 420_000,
  cpuSeconds: 2.53,
  peakBytes: 312_000_000,
};

describe('report', () => {
  it('as JSON is one object a line with the members of product.md in their order', () => {
    const lines: string[] = [];
    jsonReport((line) => lines.push(line)).add([LINE]);
    expect(lines).toEqual([
      '{"backend":"quadrille","workload":"load-1m rate","unit":"quads/CPU-s","median":412345.6,"min":400000,' +
        '"max":420000,"cpuSeconds":2.53,"peakBytes":312000000}',
    ]);
  });

  it('as a table has a heading and a row a line', () => {
    const lines: string[] = [];
    tableReport((line) => lines.push(line)).add([LINE, { ...LINE, backend: 'quadrille/quadstore', peakBytes: 0 }]);
    expect(lines).toHaveLength(4);
    expect(lines[2]).toMatch(/^load-1m rate +quadrille +412,346 +400,000 +420,000 +quads\/CPU-s +2.5 +312$/);
    expect(lines[3]).toMatch(/quads\/CPU-s$/);
  });

  it('tells whether bounds are kept', () => {
    const lines: string[] = [];
    const json: string[] = [];
    const kept = { ...LINE, unit: 'ms', median: 50, bound: { most: 50 } };
    const missed = { ...LINE, unit: 'ratio', median: 0.4, bound: { least: 0.5 } };
    tableReport((line) => lines.push(line)).add([kept, missed]);
    expect(lines[2]).toMatch(/<= 50\.00$/);
    expect(lines[3]).toMatch(/>= 0\.5000 MISSED$/);
    jsonReport((line) => json.push(line)).add([kept, missed]);
    expect(json.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { bound: { most: 50 }, kept: true },
      { bound: { least: 0.5 }, kept: false },
    ]);
  });

  it('prints four digits that count', () => {
    expect([0, 0.01234, 3.14567, 48.25, 512.26, 1234.56, 1_022_446].map(readable)).toEqual([
      '0',
      '0.01234',
      '3.146',
      '48.25',
      '512.3',
      '1,235',
      '1,022,446',
    ]);
  });
});
