/** The part of the graph beside a revision. The text of the revision says the same, so the drawing is for the eye alone. */
import type { Line, Row } from './lanes.js';

const LANE = 14;
const MARGIN = 9;
/** Lanes further right are drawn at the edge. */
const MOST_LANES = 7;
/** Where the revision is, and where lines to other lanes have reached them, in pixels from the upper edge. */
const MIDDLE = 33;
const BEND = 58;
const COLOURS = 5;

const xOf = (lane: number): number => MARGIN + LANE * Math.min(lane, MOST_LANES - 1);
const colourOf = (lane: number): string => `lane-${String(lane % COLOURS)}`;

export const graphWidth = (lanes: number): number => xOf(lanes - 1) + MARGIN;

interface Properties {
  readonly row: Row;
  readonly width: number;
  readonly isMerge: boolean;
}

export function GraphCell({ row: { lane, lines }, width, isMerge }: Properties) {
  return (
    <svg class="graph-cell" width={width} aria-hidden="true" focusable="false">
      {lines.map((line) => (
        <LineShape key={`${line.part}${String(line.from)}-${String(line.to)}`} line={line} />
      ))}
      <circle cx={xOf(lane)} cy={MIDDLE} r={isMerge ? 4 : 5} class={`${colourOf(lane)}${isMerge ? ' merge' : ''}`} />
    </svg>
  );
}

/** Rows have different heights: bends have a fixed one, and straight lines reach the lower edge. */
function LineShape({ line: { from, to, part, colour, isCut = false } }: { readonly line: Line }) {
  const [x, end] = [xOf(from), xOf(to)];
  const look = `${colourOf(colour)}${isCut ? ' cut' : ''}`;
  if (part === 'through') return <line class={look} x1={x} x2={x} y1={0} y2="100%" />;
  if (part === 'in') return <path class={look} d={bend(x, 0, end, MIDDLE)} />;
  return (
    <>
      <path class={look} d={bend(x, MIDDLE, end, BEND)} />
      {!isCut && <line class={look} x1={end} x2={end} y1={BEND} y2="100%" />}
    </>
  );
}

function bend(x1: number, y1: number, x2: number, y2: number): string {
  const middle = String((y1 + y2) / 2);
  const [a, b, c, d] = [x1, y1, x2, y2].map(String) as [string, string, string, string];
  return `M${a} ${b}C${a} ${middle} ${c} ${middle} ${c} ${d}`;
}
