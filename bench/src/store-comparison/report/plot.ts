/** Bars with their spread, as inline SVG. */
import { escapeHtml } from './escape.js';

export interface Bar {
  readonly label: string;
  /** Number of the colour in the style sheet. */
  readonly colour: number;
  readonly value: number;
  readonly min: number;
  readonly max: number;
  /** Text next to the bar. */
  readonly text: string;
  /** Whether the bar is drawn hollow, because its value must not be compared. */
  readonly hollow?: boolean;
}

const WIDTH = 480;
const LABEL = 84;
const BARS = 210;
const ROW = 26;
const THICK = 16;

export function barChart(title: string, bars: readonly Bar[]): string {
  const scale = BARS / Math.max(...bars.map(({ max }) => max), Number.MIN_VALUE);
  const height = bars.length * ROW + 4;
  return `<svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${escapeHtml(title)}">${bars
    .map((bar, row) => barOf(bar, row * ROW + 4, scale))
    .join('')}</svg>`;
}

function barOf({ label, colour, value, min, max, text, hollow }: Bar, top: number, scale: number): string {
  const length = Math.max(2, value * scale);
  const middle = top + THICK / 2;
  const [from, to] = [LABEL + min * scale, LABEL + max * scale];
  const textAt = Math.max(LABEL + length, to) + 8;
  const spread =
    to - from < 3
      ? ''
      : `<path class="spread" d="M${r(from)} ${middle}H${r(to)}M${r(from)} ${middle - 4}v8M${r(to)} ${middle - 4}v8"/>`;
  return (
    `<text x="${LABEL - 8}" y="${middle + 4}" text-anchor="end">${escapeHtml(label)}</text>` +
    `<rect x="${LABEL}" y="${top}" width="${r(length)}" height="${THICK}" rx="2" class="${hollow === true ? 'hollow ' : ''}c${colour}"/>` +
    spread +
    `<text x="${r(textAt)}" y="${middle + 4}">${escapeHtml(text)}</text>`
  );
}

/** Rounds to a tenth of a pixel. */
const r = (value: number): number => Math.round(value * 10) / 10;
