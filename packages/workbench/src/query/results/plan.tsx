/** The plan of a query as a tree, with what each step was expected to do and did. */
import { useState } from 'preact/hooks';
import { explain, type PlanStep } from '../../api/explain.js';
import { fineDuration, number, text } from '../../messages/en.js';
import { replaceParameters, route } from '../../router.js';
import type { Answer } from '../../rows/answer.js';
import { status } from '../../state/notices.js';
import { repository } from '../../state/repository.js';
import { ErrorView } from '../../terms/problem-view.js';
import { Choice } from '../../ui/choice.js';
import { Icon } from '../../ui/icon.js';
import { moveInTree } from '../../ui/tree.js';
import { useLoaded } from '../../ui/use-loaded.js';

const FORMS = ['tree', 'text', 'json'] as const;

export function Plan({ answer }: { readonly answer: Answer }) {
  const found = useLoaded(
    (signal) => explain(repository.value!, answer.text, answer.revision.value ?? answer.at, signal),
    [answer],
  );
  const wanted = FORMS.find((form) => form === route.value.parameters['plan']) ?? 'tree';
  if (found.error !== undefined) return <ErrorView error={found.error} onRetry={found.again} />;
  if (found.value === undefined) return <p class="loading">{text.loading}</p>;
  const { value } = found;
  const form = value.plan === undefined && wanted === 'tree' ? 'text' : wanted;
  const written = form === 'json' ? JSON.stringify(value.plan ?? value, null, 2) : value.text;
  return (
    <div class="plan-view" aria-busy={found.loading}>
      <div class="plan-bar">
        <Choice
          label={text.query.planForm}
          options={FORMS.map((each) => [each, text.query.planForms[each]])}
          selected={form}
          onSelect={(each) => replaceParameters({ plan: each === 'tree' ? undefined : each })}
        />
        <button type="button" class="button small" onClick={() => void copy(written)}>
          {text.query.copy}
        </button>
      </div>
      {form === 'tree' ? (
        <PlanTree plan={value.plan!} />
      ) : (
        <pre class="raw" tabIndex={0} aria-label={text.query.planForms[form]}>
          {written}
        </pre>
      )}
    </div>
  );
}

async function copy(written: string): Promise<void> {
  await navigator.clipboard.writeText(written).catch(() => undefined);
  status.value = text.query.planCopied;
}

function PlanTree({ plan }: { readonly plan: PlanStep }) {
  return (
    <div class="plan" role="group" aria-label={text.query.plan}>
      <div class="plan-head" aria-hidden="true">
        <span>{text.query.step}</span>
        <span>{text.query.rowsExpected}</span>
        <span>{text.query.time}</span>
      </div>
      <ul role="tree" aria-label={text.query.planTree} onKeyDown={moveInTree}>
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
  const [open, setOpen] = useState(true);
  const { inputs } = step;
  const isLeaf = inputs.length === 0;
  return (
    <li role="treeitem" aria-level={level} aria-expanded={isLeaf ? undefined : open} tabIndex={level === 1 ? 0 : -1}>
      <div class="plan-step" data-toggle onClick={() => isLeaf || setOpen(!open)}>
        <StepName step={step} level={level} />
        <StepRows step={step} />
        <StepTime ms={step.actualMs} whole={whole} />
      </div>
      {!isLeaf && open && (
        <ul role="group">
          {inputs.map((input, index) => (
            <Step key={index} step={input} level={level + 1} whole={whole} />
          ))}
        </ul>
      )}
    </li>
  );
}

function StepName({ step: { operator, detail, inputs }, level }: { readonly step: PlanStep; readonly level: number }) {
  return (
    <span class="plan-name" style={{ paddingLeft: `${String((level - 1) * 18)}px` }}>
      <span class="plan-mark" aria-hidden="true">
        {inputs.length > 0 && <Icon name="down" />}
      </span>
      <strong>{operator}</strong> <code>{detail}</code>
    </span>
  );
}

function StepRows({ step: { estimatedRows, actualRows } }: { readonly step: PlanStep }) {
  const off =
    actualRows !== undefined &&
    Math.max((actualRows + 1) / (estimatedRows + 1), (estimatedRows + 1) / (actualRows + 1)) >= OFF;
  return (
    <span class="plan-rows">
      {number(Math.round(estimatedRows))} → {actualRows === undefined ? '–' : number(actualRows)}
      {off && <span class="plan-off"> {text.query.estimateOff}</span>}
    </span>
  );
}

function StepTime({ ms, whole }: { readonly ms: number | undefined; readonly whole: number }) {
  if (ms === undefined) return <span class="plan-time" />;
  return (
    <span class="plan-time">
      {fineDuration(ms)}
      <span class="counted-bar" aria-hidden="true">
        <i style={{ width: `${String(Math.min((100 * ms) / whole, 100))}%` }} />
      </span>
    </span>
  );
}
