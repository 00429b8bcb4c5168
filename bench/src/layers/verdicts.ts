/** Says of each layer whether it earns its place: what it gains and costs in each stack. */
import { geometricMean } from '../report/statistics.js';
import type { Line } from '../report/report.js';
import { LAYERS } from './stacks.js';

/** A figure differs if its medians do by this factor, and the ranges of the runs do not overlap. */
const CLEAR = 1.1;

/** One text for each layer and stack. Lines of rates are better with greater values, others with smaller ones. */
export function layerVerdicts(lines: readonly Line[]): string[] {
  return Object.entries(LAYERS).flatMap(([layer, pairs]) =>
    pairs.flatMap(([without, having]) => {
      const gains = lines.flatMap((line) => {
        const other = lines.find(({ backend, workload }) => backend === having && workload === line.workload);
        return line.backend === without && other !== undefined ? [gainOf(line, other)] : [];
      });
      return gains.length === 0 ? [] : [verdict(`${layer}, ${having} beside ${without}`, gains)];
    }),
  );
}

interface Gain {
  readonly figure: string;
  /** How many times better the figure is with the layer. */
  readonly times: number;
  readonly isClear: boolean;
}

function gainOf(without: Line, having: Line): Gain {
  const isRate = without.unit.endsWith('/s');
  const [better, worse] = isRate ? [having, without] : [without, having];
  const times = better.median / worse.median;
  const apart = without.max < having.min || having.max < without.min;
  return { figure: without.workload, times, isClear: apart && Math.max(times, 1 / times) >= CLEAR };
}

function verdict(what: string, gains: readonly Gain[]): string {
  const mean = geometricMean(gains.map(({ times }) => times));
  const clear = gains.filter(({ isClear }) => isClear).toSorted((a, b) => b.times - a.times);
  const won = clear.filter(({ times }) => times > 1);
  const lost = clear.filter(({ times }) => times < 1);
  const ends = mean >= CLEAR && won.length > lost.length ? 'wins clearly' : 'DOES NOT WIN CLEARLY';
  return `${what}: ${ends}; ${mean.toFixed(2)} × as good in the mean of ${gains.length} figures; better: ${listed(won)}; worse: ${listed(lost)}`;
}

const listed = (gains: readonly Gain[]): string =>
  gains.map(({ figure, times }) => `${figure} ${times.toFixed(2)} ×`).join(', ') || 'none';
