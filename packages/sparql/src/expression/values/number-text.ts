/** The lexical forms of the floating-point types, read and written canonically (XSD 1.1, sections 3.3.4 and 3.3.5). */
import { formatDecimal, numberToDecimal } from './decimal.js';

const DOUBLE = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;
const SPECIAL: ReadonlyMap<string, number> = new Map([
  ['INF', Infinity],
  ['+INF', Infinity],
  ['-INF', -Infinity],
  ['NaN', NaN],
]);

export const parseDouble = (text: string): number | undefined => (DOUBLE.test(text) ? Number(text) : SPECIAL.get(text));

function formatSpecial(value: number): string | undefined {
  if (Number.isNaN(value)) return 'NaN';
  if (value === Infinity) return 'INF';
  return value === -Infinity ? '-INF' : undefined;
}

function toScientific(exponential: string): string {
  const [mantissa = '', exponent = ''] = exponential.split('e');
  return `${mantissa.includes('.') ? mantissa : `${mantissa}.0`}E${exponent.replace('+', '')}`;
}

export function formatDouble(value: number): string {
  if (value === 0) return Object.is(value, -0) ? '-0.0E0' : '0.0E0';
  return formatSpecial(value) ?? toScientific(value.toExponential());
}

/** The shortest digits that single precision reads back as the same number. */
function shortestFloat(value: number): number {
  for (let digits = 1; digits < 9; digits++) {
    const candidate = Number(value.toPrecision(digits));
    if (Math.fround(candidate) === value) return candidate;
  }
  return Number(value.toPrecision(9));
}

export function formatFloat(value: number): string {
  return Number.isFinite(value) && value !== 0 ? formatDouble(shortestFloat(value)) : formatDouble(value);
}

/** As a cast to xsd:string writes it (XPath Functions 3.1, section 19.1.2.2): plain in the middle range. */
export function castDoubleToText(value: number, isFloat: boolean): string {
  const special = formatSpecial(value);
  if (special !== undefined) return special;
  if (value === 0) return Object.is(value, -0) ? '-0' : '0';
  const size = Math.abs(value);
  if (size < 1e-6 || size >= 1e6) return isFloat ? formatFloat(value) : formatDouble(value);
  const { mantissa, scale } = numberToDecimal(isFloat ? shortestFloat(value) : value);
  return formatDecimal(mantissa, scale);
}
