/** The answer as a chart: one column over another. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { number, text } from '../../../messages/en.js';
import type { Answer } from '../../../rows/answer.js';
import type { ChartChoice, ChartRows, Column, Form } from '../../../rows/points.js';
import { parseTerm, shortName } from '../../../rows/term.js';
import { namespaces } from '../../../state/repository.js';
import { TermView } from '../../../terms/term-view.js';
import { Choice } from '../../../ui/choice.js';
import { useLoaded } from '../../../ui/use-loaded.js';
import { draw } from './draw.js';

const FORMS = ['bars', 'lines', 'points'] as const;
/** So many values are listed for those who do not see the chart. */
const MOST_LISTED = 200;

export function Chart({ answer }: { readonly answer: Answer }) {
  const [choice, setChoice] = useState<ChartChoice>({});
  const { value: chart } = useLoaded(() => answer.chart(choice), [answer, answer.arranged.value, choice]);
  if (chart === undefined) return <p class="loading">{text.loading}</p>;
  const { columns, x, y, form, points, rows } = chart;
  if (y === undefined) return <p class="empty-note">{text.chart.none}</p>;
  const names = answer.columns.value!;
  const optionOf = ({ index }: Pick<Column, 'index'>) => [String(index), names[index] ?? text.chart.row] as const;
  return (
    <div class="chart" tabIndex={0} role="group" aria-label={text.query.chart}>
      <div class="row chart-choices">
        <Choice
          label={text.chart.x}
          options={[...columns, { index: -1 }].map(optionOf)}
          selected={String(x.index)}
          onSelect={(index) => setChoice({ ...choice, x: Number(index) })}
        />
        <Choice
          label={text.chart.y}
          options={columns.filter(({ kind }) => kind === 'number').map(optionOf)}
          selected={String(y.index)}
          onSelect={(index) => setChoice({ ...choice, y: Number(index) })}
        />
        <Choice
          label={text.chart.form}
          options={FORMS.map((name) => [name, text.chart.forms[name]])}
          selected={form}
          onSelect={(name) => setChoice({ ...choice, form: name as Form })}
        />
      </div>
      <Plot chart={chart} x={optionOf(x)[1]} y={optionOf(y)[1]} />
      {answer.progress.value.shown > rows && <p class="muted">{text.chart.cut(rows)}</p>}
      {points.left > 0 && <p class="muted">{text.chart.left(points.left)}</p>}
      <Values chart={chart} x={optionOf(x)[1]} y={optionOf(y)[1]} />
    </div>
  );
}

interface Properties {
  readonly chart: ChartRows;
  /** Names of the columns. */
  readonly x: string;
  readonly y: string;
}

function Plot({ chart, x, y }: Properties) {
  const box = useRef<HTMLDivElement>(null);
  const [place, setPlace] = useState<number | undefined>(undefined);
  const { form, points } = chart;
  const nameOf = (cell: string): string => shortName(parseTerm(cell), namespaces.value);
  useEffect(() => {
    setPlace(undefined);
    return draw(box.current!, chart, points.names.map(nameOf), setPlace);
  }, [chart, namespaces.value]);
  const { ys } = points;
  const least = ys.reduce((a, b) => Math.min(a, b), Infinity);
  const most = ys.reduce((a, b) => Math.max(a, b), -Infinity);
  const value = ys[place ?? -1];
  return (
    <>
      <div
        class="chart-plot"
        ref={box}
        role="img"
        aria-label={text.chart.described(text.chart.forms[form], y, x, ys.length, least, most)}
      />
      <p class="chart-point" aria-hidden="true">
        {value === undefined ? text.chart.axes(x, y) : text.chart.point(nameOf(points.names[place!]!), value)}
      </p>
    </>
  );
}

function Values({ chart: { points }, x, y }: Properties) {
  return (
    <details class="chart-values">
      <summary>{text.chart.values}</summary>
      <table class="changed-rows">
        <thead>
          <tr>
            <th scope="col">{x}</th>
            <th scope="col">{y}</th>
          </tr>
        </thead>
        <tbody>
          {points.names.slice(0, MOST_LISTED).map((name, place) => (
            <tr key={place}>
              <td>
                <TermView cell={name} />
              </td>
              <td>{number(points.ys[place]!)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
