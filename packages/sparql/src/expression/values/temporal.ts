/** Dates and times: their lexical forms (XSD 1.1, section 3.3.7 and on) and what is computed with them. */
import {
  addMonths,
  dateFromDays,
  daysFromDate,
  daysInMonth,
  MAX_YEAR,
  SECONDS_PER_DAY,
  splitSeconds,
} from './calendar.js';
import { addDecimals, floorDecimal, formatDecimal, negateInteger, parseDecimal } from './decimal.js';
import {
  DecimalValue,
  ERROR,
  TemporalValue,
  type DurationValue,
  type ErrorValue,
  type TemporalKind,
} from './value-types.js';

const YEAR = '(-?(?:[1-9]\\d{4,}|\\d{4}))';
const MONTH = '(0[1-9]|1[0-2])';
const DAY = '(0[1-9]|[12]\\d|3[01])';
const TIME = '(?:([01]\\d|2[0-3]):([0-5]\\d):([0-5]\\d(?:\\.\\d+)?)|24:00:00(?:\\.0+)?)';
const ZONE = '(Z|[+-](?:(?:0\\d|1[0-3]):[0-5]\\d|14:00))?';

type Field = 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second' | 'zone';
interface Grammar {
  readonly pattern: RegExp;
  /** What the groups of the pattern are. */
  readonly fields: readonly Field[];
}
const grammar = (text: string, ...fields: Field[]): Grammar => ({
  pattern: new RegExp(`^${text}${ZONE}$`),
  fields: [...fields, 'zone'],
});
const GRAMMARS: Readonly<Record<TemporalKind, Grammar>> = {
  dateTime: grammar(`${YEAR}-${MONTH}-${DAY}T${TIME}`, 'year', 'month', 'day', 'hour', 'minute', 'second'),
  date: grammar(`${YEAR}-${MONTH}-${DAY}`, 'year', 'month', 'day'),
  time: grammar(TIME, 'hour', 'minute', 'second'),
  gYear: grammar(YEAR, 'year'),
  gYearMonth: grammar(`${YEAR}-${MONTH}`, 'year', 'month'),
  gMonth: grammar(`--${MONTH}`, 'month'),
  gDay: grammar(`---${DAY}`, 'day'),
  gMonthDay: grammar(`--${MONTH}-${DAY}`, 'month', 'day'),
};

/** The value of a lexical form, or undefined where it is none (or its year has more digits than are supported). */
export function parseTemporal(kind: TemporalKind, text: string): TemporalValue | undefined {
  if (kind === 'dateTime' || kind === 'date') {
    const fast = parseFast(kind, text);
    if (fast !== undefined) return fast;
  }
  const { pattern, fields } = GRAMMARS[kind];
  const match = pattern.exec(text);
  if (match === null) return undefined;
  const found: Partial<Record<Field, string>> = {};
  fields.forEach((field, index) => {
    const part = match[index + 1];
    if (part !== undefined) found[field] = part;
  });
  const year = Number(found.year ?? (kind === 'time' ? 1970 : 1972));
  const month = Number(found.month ?? 1);
  const day = Number(found.day ?? 1);
  if (Math.abs(year) > MAX_YEAR || day > daysInMonth(year, month)) return undefined;
  const withTime = kind === 'dateTime' || kind === 'time';
  // 24:00:00 has no hour group: the first instant of the next day, which for a time is that of the same one.
  const hour = withTime ? Number(found.hour ?? (kind === 'time' ? 0 : 24)) : 0;
  const whole = daysFromDate(year, month, day) * SECONDS_PER_DAY + hour * 3600 + Number(found.minute ?? 0) * 60;
  const seconds = addSeconds(new DecimalValue(whole, 0), found.second);
  return seconds && new TemporalValue(kind, seconds, parseZone(found.zone));
}

function twoDigits(text: string, index: number): number {
  const tens = text.charCodeAt(index) - 48;
  const ones = text.charCodeAt(index + 1) - 48;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : NaN;
}

/** `2024-02-29` and `2024-02-29T12:30:00`, perhaps with a `Z`: most of what is ever read, without the regular expressions. */
function parseFast(kind: 'dateTime' | 'date', text: string): TemporalValue | undefined {
  const isUtc = text.endsWith('Z');
  if (text.length - (isUtc ? 1 : 0) !== (kind === 'date' ? 10 : 19) || text[4] !== '-' || text[7] !== '-')
    return undefined;
  const year = twoDigits(text, 0) * 100 + twoDigits(text, 2);
  const month = twoDigits(text, 5);
  const day = twoDigits(text, 8);
  // NaN fails every one of these.
  if (!(year >= 0 && month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month))) return undefined;
  const ofDay = kind === 'date' ? 0 : fastTime(text);
  if (Number.isNaN(ofDay)) return undefined;
  const seconds = daysFromDate(year, month, day) * SECONDS_PER_DAY + ofDay;
  return new TemporalValue(kind, new DecimalValue(seconds, 0), isUtc ? 0 : undefined);
}

/** Seconds of the day from `Thh:mm:ss` at 10; NaN for another form. */
function fastTime(text: string): number {
  if (text[10] !== 'T' || text[13] !== ':' || text[16] !== ':') return NaN;
  const hour = twoDigits(text, 11);
  const minute = twoDigits(text, 14);
  const second = twoDigits(text, 17);
  return hour < 24 && minute < 60 && second < 60 ? hour * 3600 + minute * 60 + second : NaN;
}

function addSeconds(whole: DecimalValue, text: string | undefined): DecimalValue | undefined {
  if (text === undefined) return whole;
  const second = parseDecimal(text);
  if (second === undefined) return undefined;
  const sum = addDecimals(whole.mantissa, 0, second.mantissa, second.scale);
  return sum.kind === 'error' ? undefined : sum;
}

function parseZone(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (text === 'Z') return 0;
  const minutes = Number(text.slice(1, 3)) * 60 + Number(text.slice(4, 6));
  return text.startsWith('-') ? 0 - minutes : minutes;
}

const pad = (value: number, width = 2): string => String(value).padStart(width, '0');

export function formatZone(zone: number | undefined): string {
  if (zone === undefined) return '';
  if (zone === 0) return 'Z';
  const size = Math.abs(zone);
  return `${zone < 0 ? '-' : '+'}${pad(Math.floor(size / 60))}:${pad(size % 60)}`;
}

/** Canonical form, in the time zone of the value. */
export function formatTemporal({ kind, seconds, zone }: TemporalValue): string {
  const { days, hour, minute, second } = splitSeconds(seconds);
  const { year, month, day } = dateFromDays(days);
  const yearText = `${year < 0 ? '-' : ''}${pad(Math.abs(year), 4)}`;
  const secondText = formatDecimal(second.mantissa, second.scale);
  const time = `${pad(hour)}:${pad(minute)}:${/^\d(?:\.|$)/.test(secondText) ? '0' : ''}${secondText}`;
  const texts: Readonly<Record<TemporalKind, string>> = {
    dateTime: `${yearText}-${pad(month)}-${pad(day)}T${time}`,
    date: `${yearText}-${pad(month)}-${pad(day)}`,
    time,
    gYear: yearText,
    gYearMonth: `${yearText}-${pad(month)}`,
    gMonth: `--${pad(month)}`,
    gDay: `---${pad(day)}`,
    gMonthDay: `--${pad(month)}-${pad(day)}`,
  };
  return texts[kind] + formatZone(zone);
}

/** Where a value lies on the time line of UTC, which a value without time zone is taken to be in. */
export function instantOf({ seconds, zone }: TemporalValue): DecimalValue {
  if (zone === undefined || zone === 0) return seconds;
  return addDecimals(seconds.mantissa, seconds.scale, zone * -60, 0) as DecimalValue;
}

const isWithinCalendar = ({ mantissa, scale }: DecimalValue): boolean =>
  Math.abs(Number(floorDecimal(mantissa, scale))) < MAX_YEAR * 365 * SECONDS_PER_DAY;

/** The value with other seconds: those of the day alone for a time, those of whole days for a date. */
function withSeconds(value: TemporalValue, seconds: DecimalValue | ErrorValue): TemporalValue | ErrorValue {
  if (seconds.kind === 'error' || !isWithinCalendar(seconds)) return ERROR;
  const { days } = splitSeconds(seconds);
  if (value.kind === 'dateTime') return new TemporalValue('dateTime', seconds, value.zone);
  if (value.kind === 'date') return new TemporalValue('date', new DecimalValue(days * SECONDS_PER_DAY, 0), value.zone);
  const ofDay = addDecimals(seconds.mantissa, seconds.scale, days * -SECONDS_PER_DAY, 0) as DecimalValue;
  return new TemporalValue('time', ofDay, value.zone);
}

/** A dateTime, date or time and a duration (times `sign`): months first, then seconds (XPath Functions, section 9.7). */
export function addDuration(value: TemporalValue, duration: DurationValue, sign: 1 | -1): TemporalValue | ErrorValue {
  const { kind } = value;
  if (kind !== 'dateTime' && kind !== 'date' && kind !== 'time') return ERROR;
  if (kind === 'time' && duration.type !== 'dayTimeDuration') return ERROR;
  let { seconds } = value;
  if (duration.months !== 0) {
    const { days } = splitSeconds(seconds);
    const date = addMonths(dateFromDays(days), sign * duration.months);
    if (Math.abs(date.year) > MAX_YEAR) return ERROR;
    const shift = (daysFromDate(date.year, date.month, date.day) - days) * SECONDS_PER_DAY;
    seconds = addDecimals(seconds.mantissa, seconds.scale, shift, 0) as DecimalValue;
  }
  const { mantissa, scale } = duration.seconds;
  return withSeconds(
    value,
    addDecimals(seconds.mantissa, seconds.scale, sign === 1 ? mantissa : negateInteger(mantissa), scale),
  );
}
