/** The plan of a query as a tree, with what each step was expected to do and did. */
import { explain, type PlanStep } from '../../api/explain.js';
import { duration, number, text } from '../../messages/en.js';
import type { Answer } from '../../rows/answer.js';
import { repository } from '../../state/repository.js';
import { ErrorView } from '../../terms/problem-view.js';
import { useLoaded } from '../../ui/use-loaded.js';

export function Plan({ answer }: { readonly answer: Answer }) {
  const found = useLoaded(
    (signal) => explain(repository.value!, answer.text, answer.revision.value ?? answer.at, signal),
    [answer],
  );
  if (found.error !== undefined) return <ErrorView error={found.error} />;
  if (found.value === undefined) return <p class="loading">{text.loading}</p>;
  const { plan } = found.value;
  if (plan === undefined) return <pre class="raw">{found.value.text}</pre>;
  return (
    <div class="plan" tabIndex={0} role="group" aria-label={text.query.plan}>
      <div class="plan-head" aria-hidden="true">
        <span>{text.query.step}</span>
        <span>{text.query.rowsExpected}</span>
        <span>{text.query.time}</span>
      </div>
      <ul role="tree" aria-label={text.query.planTree}>
        <Step step={plan} level={1} whole={Math.max(plan.actualMs ?? 0, 0.001)} />
      </ul>
    </div>
  );
}

/** Estimates that are off by this factor are marked. */
const OFF = 10;

interface StepProperties {
  readonly step: PlanStep;
  readonly level: number;
  /** Milliseconds of the whole query. */
  readonly whole: number;
}

function Step({ step, level, whole }: StepProperties) {
  const { operator, detail, estimatedRows, actualRows, actualMs, inputs } = step;
  const off =
    actualRows !== undefined &&
    Math.max((actualRows + 1) / (estimatedRows + 1), (estimatedRows + 1) / (actualRows + 1)) >= OFF;
  return (
    <li role="treeitem" aria-level={level} aria-expanded={inputs.length === 0 ? undefined : true}>
      <div class="plan-step">
        <span class="plan-name" style={{ paddingLeft: `${String((level - 1) * 18)}px` }}>
          <strong>{operator}</strong> <code>{detail}</code>
        </span>
        <span class="plan-rows">
          {off && <span class="plan-off">{text.query.estimateOff} </span>}
          {number(Math.round(estimatedRows))} → {actualRows === undefined ? '–' : number(actualRows)}
        </span>
        <span class="plan-time">
          {actualMs !== undefined && (
            <>
              {duration(actualMs)}
              <span class="counted-bar" aria-hidden="true">
                <i style={{ width: `${String(Math.min((100 * actualMs) / whole, 100))}%` }} />
              </span>
            </>
          )}
        </span>
      </div>
      {inputs.length > 0 && (
        <ul role="group">
          {inputs.map((input, index) => (
            <Step key={index} step={input} level={level + 1} whole={whole} />
          ))}
        </ul>
      )}
    </li>
  );
}
