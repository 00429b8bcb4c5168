/** The conflicts of a merge: what each side says, and what is to stay. */
import type { ConflictRecord, MergePreview, Side } from '../api/branches.js';
import { mergeText } from '../messages/branches.js';
import { TermView } from '../terms/term-view.js';
import { TermInput } from '../terms/term-field.js';
import { type Decision, type Decisions, keyOf, OWN_VALUES } from './decisions.js';

const SIDES = ['ours', 'theirs', 'base'] as const satisfies readonly Side[];

/** Names of both branches. */
interface Branches {
  readonly source: string;
  readonly target: string;
}

interface Properties extends Branches {
  readonly preview: MergePreview;
  readonly decisions: Decisions;
  readonly onDecide: (decisions: Decisions) => void;
  readonly others: 'ours' | 'theirs' | undefined;
  readonly onOthers: (side: 'ours' | 'theirs' | undefined) => void;
}

export function Conflicts({ preview, decisions, onDecide, others, onOthers, ...branches }: Properties) {
  const { conflicts, conflictCount } = preview;
  const decideAll = (take: Side): void => onDecide(new Map(conflicts.map((each) => [keyOf(each), { take }])));
  const hidden = conflictCount - conflicts.length;
  return (
    <div class="conflicts">
      <p>{mergeText.conflicts(conflictCount)}</p>
      <div class="row" role="group" aria-label={mergeText.all}>
        <span class="muted">{mergeText.all}</span>
        {SIDES.map((side) => (
          <button key={side} type="button" class="button small" onClick={() => decideAll(side)}>
            {mergeText.sideOf(side, branches.source, branches.target)}
          </button>
        ))}
      </div>
      {conflicts.map((conflict) => {
        const key = keyOf(conflict);
        return (
          <ConflictChoice
            key={key}
            conflict={conflict}
            decision={decisions.get(key)}
            onDecide={(decision) => onDecide(new Map(decisions).set(key, decision))}
            {...branches}
          />
        );
      })}
      {hidden > 0 && (
        <label class="inline-field">
          <span>{mergeText.others(hidden)}</span>
          <select
            value={others ?? ''}
            onChange={({ currentTarget: { value } }) =>
              onOthers(value === '' ? undefined : (value as 'ours' | 'theirs'))
            }
          >
            <option value="">{mergeText.refuse}</option>
            {(['ours', 'theirs'] as const).map((side) => (
              <option key={side} value={side}>
                {mergeText.sideOf(side, branches.source, branches.target)}
              </option>
            ))}
          </select>
        </label>
      )}
    </div>
  );
}

interface ChoiceProperties extends Branches {
  readonly conflict: ConflictRecord;
  readonly decision: Decision | undefined;
  readonly onDecide: (decision: Decision) => void;
}

function ConflictChoice({ conflict, decision, onDecide, source, target }: ChoiceProperties) {
  const { subject, predicate, graph } = conflict;
  const name = keyOf(conflict);
  const own = decision !== undefined && 'own' in decision ? decision.own : undefined;
  return (
    <fieldset class="conflict">
      <legend>
        <TermView cell={subject} /> <TermView cell={predicate} />
        {graph !== null && (
          <>
            {' '}
            <TermView cell={graph} />
          </>
        )}
      </legend>
      {SIDES.map((side) => (
        <label key={side}>
          <input
            type="radio"
            name={name}
            checked={decision !== undefined && 'take' in decision && decision.take === side}
            onChange={() => onDecide({ take: side })}
          />
          <span class="conflict-side">{mergeText.sideOf(side, source, target)}</span>
          <Values terms={conflict[side]} />
        </label>
      ))}
      <label>
        <input
          type="radio"
          name={name}
          checked={own !== undefined}
          onChange={() => onDecide({ own: [...new Set([...conflict.ours, ...conflict.theirs])].join('\n') })}
        />
        <span class="conflict-side">{mergeText.own}</span>
      </label>
      {own !== undefined && (
        <div class="field">
          <small class="muted">{mergeText.ownHelp}</small>
          <TermInput
            label={mergeText.ownLabel(subject, predicate)}
            positions={['object']}
            taken={OWN_VALUES}
            many
            value={own}
            onInput={(value) => onDecide({ own: value })}
          />
        </div>
      )}
    </fieldset>
  );
}

function Values({ terms }: { readonly terms: readonly string[] }) {
  if (terms.length === 0) return <span class="muted">{mergeText.noValue}</span>;
  return (
    <span class="conflict-values">
      {terms.map((cell) => (
        <TermView key={cell} cell={cell} />
      ))}
    </span>
  );
}
