/** Draws points with uPlot, in the colours of the page. */
import UPlot from 'uplot';
import { colour, followTheme } from '../../../state/preferences.js';
import type { ChartRows, Form, Points } from '../../../rows/points.js';

interface Drawing extends ChartRows {
  /** What stands below the chart at each point, for texts. */
  readonly labels: readonly string[];
  readonly onPoint: (place: number | undefined) => void;
}

/** Between two labels, in pixels. */
const LABEL_SPACE = 76;
/** Labels that lie at an angle take this height. */
const SLANTED_HEIGHT = 96;
const LONGEST_LABEL = 18;

/**
 * Fills an element with a chart, and keeps its size.
 * @param labels names of the points
 * @param onPoint gets the place of the point that the pointer is over; undefined when it leaves
 * @returns what takes the chart away
 */
export function draw(
  parent: HTMLElement,
  chart: ChartRows,
  labels: readonly string[],
  onPoint: (place: number | undefined) => void,
): () => void {
  const { xs, ys } = chart.points;
  const size = (): { width: number; height: number } => ({ width: parent.clientWidth, height: parent.clientHeight });
  const drawing = optionsOf({ ...chart, labels, onPoint }, parent.clientWidth);
  const plot = new UPlot({ ...size(), ...drawing }, [[...xs], [...ys]], parent);
  const observer = new ResizeObserver(() => plot.setSize(size()));
  observer.observe(parent);
  // Colours are read when something is drawn.
  const unfollow = followTheme(() => plot.redraw(false));
  return () => {
    observer.disconnect();
    unfollow();
    plot.destroy();
  };
}

function optionsOf(drawing: Drawing, width: number): Omit<UPlot.Options, 'width' | 'height'> {
  const { form, x, points, onPoint } = drawing;
  return {
    legend: { show: false },
    cursor: { drag: { x: false, y: false }, y: false },
    tzDate: (seconds) => UPlot.tzDate(new Date(seconds * 1000), 'UTC'),
    scales: {
      x: { time: x.kind === 'date', range: (_, min, max) => roomFor(form, points, min, max) },
      // Bars begin at zero: their lengths are compared.
      y: { range: (_, min, max) => (form === 'bars' ? barRange(min, max) : UPlot.rangeNum(min, max, 0.1, true)) },
    },
    series: [{}, seriesOf(form, points.xs.length)],
    axes: [xAxis(drawing, width), { ...axis(), size: 64 }],
    hooks: { setCursor: [({ cursor: { idx } }) => onPoint(idx ?? undefined)] },
  };
}

function roomFor(form: Form, { xs }: Points, min: number, max: number): [number, number] {
  if (min === max) return [min - 1, max + 1];
  const room = form === 'bars' ? (max - min) / Math.max(xs.length - 1, 1) / 1.5 : (max - min) / 50;
  return [min - room, max + room];
}

function barRange(min: number, max: number): [number, number] {
  const [low, high] = [Math.min(min, 0), Math.max(max, 0)];
  const room = (high - low || 1) * 0.06;
  return [low < 0 ? low - room : 0, high > 0 ? high + room : 0];
}

function seriesOf(form: Form, count: number): UPlot.Series {
  const { bars, linear } = UPlot.paths;
  const paths = form === 'bars' ? bars!({ size: [0.72, 64] }) : form === 'lines' ? linear!() : () => null;
  return {
    stroke: () => colour('--accent'),
    width: form === 'bars' ? 0 : 2,
    ...(form === 'bars' ? { fill: () => colour('--accent') } : {}),
    paths,
    points: { show: form === 'points' || (form === 'lines' && count <= 60), size: 7, fill: () => colour('--accent') },
  };
}

const axis = (): UPlot.Axis => ({
  stroke: () => colour('--muted'),
  font: '12px system-ui, sans-serif',
  grid: { stroke: () => colour('--line'), width: 1 },
  ticks: { stroke: () => colour('--line'), width: 1, size: 5 },
});

function xAxis({ x, labels }: Drawing, width: number): UPlot.Axis {
  const plain = { ...axis(), grid: { show: false } };
  if (x.kind !== 'text') return { ...plain, space: LABEL_SPACE };
  const crowded = labels.length * LABEL_SPACE > width - 64;
  const cut = (label = ''): string =>
    label.length > LONGEST_LABEL ? `${label.slice(0, LONGEST_LABEL - 1).trimEnd()}…` : label;
  return {
    ...plain,
    space: crowded ? 22 : LABEL_SPACE / 2,
    incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500],
    values: (_, splits) => splits.map((place) => (Number.isInteger(place) ? cut(labels[place]) : '')),
    ...(crowded ? { rotate: -45, size: SLANTED_HEIGHT } : {}),
  };
}
