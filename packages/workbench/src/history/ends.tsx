/** The two references of a comparison: fields, and the revisions that they name. */
import type { End } from '../api/differences.js';
import { compareText } from '../messages/compare.js';
import { ago, date, text } from '../messages/en.js';
import { replaceParameters } from '../router.js';
import { ComboField } from '../ui/combo-field.js';
import { refOptions } from '../terms/refs.js';

export function Ends({ from, to }: { readonly from: End; readonly to: End }) {
  return (
    <>
      <div class="ends">
        <EndField name="from" label={text.history.compare} title={compareText.from} end={from} />
        <EndField name="to" label={text.history.compareWith} title={compareText.to} end={to} />
      </div>
      <p class="muted ends-help">{compareText.help}</p>
    </>
  );
}

interface Properties {
  readonly name: 'from' | 'to';
  readonly label: string;
  readonly title: string;
  readonly end: End;
}

function EndField({ name, label, title, end: { ref, revision, problem } }: Properties) {
  return (
    <div class="ref-end">
      <span class="ref-title" aria-hidden="true">
        {title}
      </span>
      <ComboField
        label={label}
        value={ref}
        options={refOptions()}
        invalid={problem !== undefined}
        onChange={(value) => replaceParameters({ [name]: value, page: undefined })}
      />
      {problem !== undefined && (
        <p class="field-error" role="alert">
          {problem.message}
        </p>
      )}
      {revision !== undefined && (
        <p class="ref-facts muted">
          {text.history.option(revision.ordinal, undefined)} ·{' '}
          <time dateTime={revision.datetime} title={date(revision.datetime)}>
            {ago(revision.datetime)}
          </time>
          {' · '}
          {revision.message ?? (revision.ordinal === 1 ? text.history.first : text.history.noMessage)}
        </p>
      )}
    </div>
  );
}
