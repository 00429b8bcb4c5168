/** The proleptic Gregorian calendar on a time line of seconds since 1970-01-01T00:00:00. */
import { addDecimals, floorDecimal } from './decimal.js';
import type { DecimalValue } from './value-types.js';

export const SECONDS_PER_DAY = 86_400;
/** XSD leaves the years beyond four digits open; with these every second has a safe number. */
export const MAX_YEAR = 99_999_999;

export interface CalendarDate {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

const MONTH_LENGTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

const isLeapYear = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);

export const daysInMonth = (year: number, month: number): number =>
  month === 2 && isLeapYear(year) ? 29 : (MONTH_LENGTHS[month - 1] as number);

// Howard Hinnant's algorithms: years begin in March and are counted in eras of 400, so that the leap day comes last.
export function daysFromDate(year: number, month: number, day: number): number {
  const shifted = month <= 2 ? year - 1 : year;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}

export function dateFromDays(days: number): CalendarDate {
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const marchMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9;
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * marchMonth + 2) / 5) + 1,
  };
}

export interface TimeOfDay {
  readonly days: number;
  readonly hour: number;
  readonly minute: number;
  /** With its fraction. */
  readonly second: DecimalValue;
}

/** Days since 1970-01-01 and the time of that day. */
export function splitSeconds({ mantissa, scale }: DecimalValue): TimeOfDay {
  const whole = Number(floorDecimal(mantissa, scale));
  const days = Math.floor(whole / SECONDS_PER_DAY);
  const ofDay = whole - days * SECONDS_PER_DAY;
  const hour = Math.floor(ofDay / 3600);
  const minute = Math.floor((ofDay % 3600) / 60);
  // Below 60, so that the sum cannot be too long.
  const second = addDecimals(mantissa, scale, (ofDay % 60) - whole, 0) as DecimalValue;
  return { days, hour, minute, second };
}

/** The date some months later; a day that its month does not have becomes the last one. */
export function addMonths({ year, month, day }: CalendarDate, months: number): CalendarDate {
  const index = year * 12 + (month - 1) + months;
  const newYear = Math.floor(index / 12);
  const newMonth = index - newYear * 12 + 1;
  return { year: newYear, month: newMonth, day: Math.min(day, daysInMonth(newYear, newMonth)) };
}
