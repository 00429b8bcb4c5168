/** xsd:duration and its two derived types: lexical forms (XSD 1.1, sections 3.3.6 and 3.4.26 and on). */
import { addDecimals, demote, formatDecimal, floorDecimal, negateInteger, parseDecimal } from './decimal.js';
import { DecimalValue, DurationValue, type DurationType } from './value-types.js';

const DURATION =
  /^(-?)P(?=.)(?:(\d{1,12})Y)?(?:(\d{1,12})M)?(?:(\d{1,10})D)?(?:T(?=.)(?:(\d{1,10})H)?(?:(\d{1,12})M)?(?:(\d+(?:\.\d+)?)S)?)?$/;

/** The value of a lexical form, or undefined where it is none (or has more digits than are supported). */
export function parseDuration(type: DurationType, text: string): DurationValue | undefined {
  const match = DURATION.exec(text);
  if (match === null) return undefined;
  const [, sign, year, month, day, hour, minute, second] = match;
  if (type === 'dayTimeDuration' && (year ?? month) !== undefined) return undefined;
  if (type === 'yearMonthDuration' && (day ?? hour ?? minute ?? second) !== undefined) return undefined;
  if (type === 'yearMonthDuration' && text.includes('T')) return undefined;
  const months = Number(year ?? 0) * 12 + Number(month ?? 0);
  const whole = Number(day ?? 0) * 86_400 + Number(hour ?? 0) * 3600 + Number(minute ?? 0) * 60;
  const parsed = parseDecimal(second ?? '0');
  if (parsed === undefined) return undefined;
  const seconds = addDecimals(parsed.mantissa, parsed.scale, whole, 0);
  if (seconds.kind === 'error') return undefined;
  if (sign === '') return new DurationValue(type, months, seconds);
  return new DurationValue(type, 0 - months, new DecimalValue(negateInteger(seconds.mantissa), seconds.scale));
}

/** Canonical form. */
export function formatDuration({ type, months, seconds }: DurationValue): string {
  if (type === 'yearMonthDuration') return `${months < 0 ? '-' : ''}P${formatMonths(Math.abs(months)) || '0M'}`;
  const negative = months < 0 || seconds.mantissa < 0;
  const size = negative ? new DecimalValue(negateInteger(seconds.mantissa), seconds.scale) : seconds;
  const dayTime = formatSeconds(size);
  const text = formatMonths(Math.abs(months)) + (seconds.mantissa === 0 ? '' : dayTime);
  return `${negative ? '-' : ''}P${text || 'T0S'}`;
}

const part = (count: number | bigint, unit: string): string => (count > 0 ? `${count}${unit}` : '');

const formatMonths = (months: number): string => part(Math.floor(months / 12), 'Y') + part(months % 12, 'M');

function formatSeconds({ mantissa, scale }: DecimalValue): string {
  const whole = BigInt(floorDecimal(mantissa, scale));
  const second = addDecimals(mantissa, scale, demote((whole % 60n) - whole), 0) as DecimalValue;
  const time =
    part((whole / 3600n) % 24n, 'H') +
    part((whole / 60n) % 60n, 'M') +
    (second.mantissa === 0 ? '' : `${formatDecimal(second.mantissa, second.scale)}S`);
  return part(whole / 86_400n, 'D') + (time === '' ? '' : `T${time}`);
}
