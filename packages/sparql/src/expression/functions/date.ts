/** The parts of dates and times (SPARQL 1.2, section 17.4.5), in their own time zone. */
import { dateFromDays, splitSeconds, type CalendarDate, type TimeOfDay } from '../values/calendar.js';
import type { FunctionTable, Unary } from './function-table.js';
import { formatZone } from '../values/temporal.js';
import {
  DecimalValue,
  DurationValue,
  ERROR,
  IntegerValue,
  isTemporal,
  StringValue,
  type Value,
} from '../values/value-types.js';

const ofDate =
  (part: keyof CalendarDate): Unary =>
  (value) =>
    value.kind === 'dateTime' || value.kind === 'date'
      ? new IntegerValue(dateFromDays(splitSeconds(value.seconds).days)[part])
      : ERROR;

const ofTime =
  (part: (time: TimeOfDay) => Value): Unary =>
  (value) =>
    value.kind === 'dateTime' || value.kind === 'time' ? part(splitSeconds(value.seconds)) : ERROR;

const timezone: Unary = (value) =>
  isTemporal(value) && value.zone !== undefined
    ? new DurationValue('dayTimeDuration', 0, new DecimalValue(value.zone * 60, 0))
    : ERROR;

export const dateFunctions: FunctionTable = {
  unary: {
    year: ofDate('year'),
    month: ofDate('month'),
    day: ofDate('day'),
    hours: ofTime(({ hour }) => new IntegerValue(hour)),
    minutes: ofTime(({ minute }) => new IntegerValue(minute)),
    seconds: ofTime(({ second }) => second),
    timezone,
    tz: (value) => (isTemporal(value) ? new StringValue(formatZone(value.zone)) : ERROR),
  },
};
