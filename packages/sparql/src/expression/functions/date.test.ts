/** Dates, times and durations: their parts, arithmetic and canonical forms. */
import { describe, expect, it } from 'vitest';
import { dateFromDays, daysFromDate } from '../values/calendar.js';
import { evaluateText } from '../testing.js';

const cases: readonly (readonly [string, string])[] = [
  ['year("2011-01-10T14:45:13.815-05:00"^^xsd:dateTime)', '"2011"^^xsd:integer'],
  ['month("2011-01-31T23:45:13.815-05:00"^^xsd:dateTime)', '"1"^^xsd:integer'],
  ['day("2011-01-31T23:45:13.815-05:00"^^xsd:dateTime)', '"31"^^xsd:integer'],
  ['hours("2011-01-10T14:45:13.815-05:00"^^xsd:dateTime)', '"14"^^xsd:integer'],
  ['minutes("2011-01-10T14:45:13.815-05:00"^^xsd:dateTime)', '"45"^^xsd:integer'],
  ['seconds("2011-01-10T14:45:13.815-05:00"^^xsd:dateTime)', '"13.815"^^xsd:decimal'],
  ['seconds("2011-01-10T14:45:13.123456789012345678Z"^^xsd:dateTime)', '"13.123456789012345678"^^xsd:decimal'],
  ['year("-0044-03-15T00:00:00"^^xsd:dateTime)', '"-44"^^xsd:integer'],
  ['day("2024-02-29"^^xsd:date)', '"29"^^xsd:integer'],
  ['hours("2024-02-29"^^xsd:date)', 'error'],
  ['hours("24:00:00"^^xsd:time)', '"0"^^xsd:integer'],
  ['day("1999-12-31T24:00:00Z"^^xsd:dateTime)', '"1"^^xsd:integer'],
  ['year("2011")', 'error'],
  ['timezone("2011-01-10T14:45:13.815-05:00"^^xsd:dateTime)', '"-PT5H"^^xsd:dayTimeDuration'],
  ['timezone("2011-01-10T14:45:13.815+05:30"^^xsd:dateTime)', '"PT5H30M"^^xsd:dayTimeDuration'],
  ['timezone("2011-01-10T14:45:13.815Z"^^xsd:dateTime)', '"PT0S"^^xsd:dayTimeDuration'],
  ['timezone("2011-01-10T14:45:13.815"^^xsd:dateTime)', 'error'],
  ['tz("2011-01-10T14:45:13.815-05:00"^^xsd:dateTime)', '"-05:00"'],
  ['tz("2011-01-10T14:45:13.815Z"^^xsd:dateTime)', '"Z"'],
  ['tz("2011-01-10T14:45:13.815"^^xsd:dateTime)', '""'],
  // Adding and subtracting
  ['"2000-10-30T11:12:00"^^xsd:dateTime + "P1Y2M"^^xsd:yearMonthDuration', '"2001-12-30T11:12:00"^^xsd:dateTime'],
  ['"2000-10-30T11:12:00Z"^^xsd:dateTime + "P3DT1H15M"^^xsd:dayTimeDuration', '"2000-11-02T12:27:00Z"^^xsd:dateTime'],
  ['"2000-10-30"^^xsd:date - "P1Y2M"^^xsd:yearMonthDuration', '"1999-08-30"^^xsd:date'],
  ['"2000-10-30Z"^^xsd:date - "P3DT1H15M"^^xsd:dayTimeDuration', '"2000-10-26Z"^^xsd:date'],
  ['"11:12:00"^^xsd:time + "P3DT1H15M"^^xsd:dayTimeDuration', '"12:27:00"^^xsd:time'],
  ['"08:20:00-05:00"^^xsd:time - "P23DT10H10M"^^xsd:dayTimeDuration', '"22:10:00-05:00"^^xsd:time'],
  ['"2024-02-29"^^xsd:date + "P1Y"^^xsd:yearMonthDuration', '"2025-02-28"^^xsd:date'],
  ['"2024-01-31"^^xsd:date + "P1M"^^xsd:yearMonthDuration', '"2024-02-29"^^xsd:date'],
  ['"P1D"^^xsd:dayTimeDuration + "2024-12-31"^^xsd:date', '"2025-01-01"^^xsd:date'],
  ['"2024-01-01"^^xsd:date + "P1M1D"^^xsd:duration', '"2024-02-02"^^xsd:date'],
  ['"10:00:00"^^xsd:time + "P1M"^^xsd:yearMonthDuration', 'error'],
  ['"2024"^^xsd:gYear + "P1Y"^^xsd:yearMonthDuration', 'error'],
  ['"2000-01-01"^^xsd:date + "P999999999999Y"^^xsd:yearMonthDuration', 'error'],
  [
    '"2000-10-30T06:12:00-05:00"^^xsd:dateTime - "1999-11-28T09:00:00Z"^^xsd:dateTime',
    '"P337DT2H12M"^^xsd:dayTimeDuration',
  ],
  ['"2000-10-30"^^xsd:date - "1999-11-28"^^xsd:date', '"P337D"^^xsd:dayTimeDuration'],
  ['"11:12:00Z"^^xsd:time - "04:00:00-05:00"^^xsd:time', '"PT2H12M"^^xsd:dayTimeDuration'],
  ['"2000-10-30"^^xsd:date - "2000-10-30T00:00:00"^^xsd:dateTime', 'error'],
  ['"P2Y11M"^^xsd:yearMonthDuration + "P3Y3M"^^xsd:yearMonthDuration', '"P6Y2M"^^xsd:yearMonthDuration'],
  ['"P2DT12H5M"^^xsd:dayTimeDuration - "P1DT1.5S"^^xsd:dayTimeDuration', '"P1DT12H4M58.5S"^^xsd:dayTimeDuration'],
  ['"P2Y11M"^^xsd:yearMonthDuration * 2.3', '"P6Y9M"^^xsd:yearMonthDuration'],
  ['2 * "PT2H10M"^^xsd:dayTimeDuration', '"PT4H20M"^^xsd:dayTimeDuration'],
  ['"PT1H"^^xsd:dayTimeDuration / 0', 'error'],
  ['"P3Y4M"^^xsd:yearMonthDuration / "P1Y4M"^^xsd:yearMonthDuration', '"2.5"^^xsd:decimal'],
  ['"P1Y"^^xsd:yearMonthDuration / 0', 'error'],
  ['"P1Y"^^xsd:yearMonthDuration + "P1D"^^xsd:dayTimeDuration', 'error'],
  // Canonical forms
  ['xsd:duration("P13M400DT25H")', '"P1Y1M401DT1H"^^xsd:duration'],
  ['xsd:duration("-PT0S")', '"PT0S"^^xsd:duration'],
  ['xsd:yearMonthDuration("-P0M")', '"P0M"^^xsd:yearMonthDuration'],
  ['xsd:dayTimeDuration("-PT90.50S")', '"-PT1M30.5S"^^xsd:dayTimeDuration'],
  ['xsd:dateTime("0000-01-01T00:00:00.0Z")', '"0000-01-01T00:00:00Z"^^xsd:dateTime'],
  ['xsd:dateTime("-0001-12-31T23:59:59.90-00:00")', '"-0001-12-31T23:59:59.9Z"^^xsd:dateTime'],
  ['xsd:time("09:05:07.010")', '"09:05:07.01"^^xsd:time'],
];

describe('dates and durations', () => {
  it.each(cases)('%s is %s', (text, expected) => expect(evaluateText(text)).toBe(expected));

  it('count days as the platform does', () => {
    for (let days = -1_000_000; days <= 1_000_000; days += 997) {
      const { year, month, day } = dateFromDays(days);
      const date = new Date(days * 86_400_000);
      expect([year, month, day]).toEqual([date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()]);
      expect(daysFromDate(year, month, day)).toBe(days);
    }
  });
});
