/** The dialog that makes a token, and shows it this once. */
import { useState } from 'preact/hooks';
import { createToken, type NewToken } from '../api/accounts.js';
import { asProblem, type Problem } from '../api/errors.js';
import { adminText } from '../messages/admin.js';
import { ProblemView } from '../terms/problem-view.js';
import { CopyField } from '../ui/copy-field.js';
import { Dialog, DialogButtons } from '../ui/dialog.js';

interface Properties {
  readonly account: string;
  readonly operates: boolean;
  /** The token is made; the dialog is still open. */
  readonly onCreated: () => void;
  readonly onClose: () => void;
}

export function CreateToken({ account, operates, onCreated, onClose }: Properties) {
  const [made, setMade] = useState<string | undefined>(undefined);
  return (
    <Dialog title={adminText.newToken} onClose={onClose} wide={made !== undefined}>
      {made === undefined ? (
        <Form
          operates={operates}
          onClose={onClose}
          onSubmit={async (token) => {
            setMade(await createToken(account, token));
            onCreated();
          }}
        />
      ) : (
        <div class="stack">
          <p class="notice warning">{adminText.copyNow}</p>
          <CopyField label={adminText.newTokenText} value={made} copy={adminText.copy} copied={adminText.copied} />
          <div class="row end">
            <button type="button" class="button" onClick={onClose}>
              {adminText.done}
            </button>
          </div>
        </div>
      )}
    </Dialog>
  );
}

type Choice = keyof typeof adminText.rightChoices;

const RIGHTS: Readonly<Record<Choice, NewToken['rights']>> = {
  read: ['read'],
  write: ['read', 'write'],
  own: ['read', 'write', 'own'],
  operate: ['operate'],
  all: 'all',
};
const DAY_MS = 86_400_000;
const DAYS = 90;
const dayAfter = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);

interface FormProperties {
  readonly operates: boolean;
  readonly onClose: () => void;
  readonly onSubmit: (token: NewToken) => Promise<void>;
}

function Form({ operates, onClose, onSubmit }: FormProperties) {
  const [label, setLabel] = useState('');
  const [choice, setChoice] = useState<Choice>('write');
  const [expires, setExpires] = useState(dayAfter(DAYS));
  const [problem, setProblem] = useState<Problem | undefined>(undefined);
  const choices = (Object.keys(RIGHTS) as Choice[]).filter((each) => operates || each !== 'operate');
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const token = { label: label.trim() || null, rights: RIGHTS[choice], expires: expires || null };
    await onSubmit(token).catch((error: unknown) => setProblem(asProblem(error)));
  };
  return (
    <form class="stack" onSubmit={(event) => void submit(event)}>
      <label class="field">
        <span>{adminText.label}</span>
        <input
          value={label}
          maxLength={100}
          placeholder={adminText.labelHelp}
          autocomplete="off"
          onInput={({ currentTarget: { value } }) => setLabel(value)}
        />
      </label>
      <label class="field">
        <span>{adminText.rights}</span>
        <select value={choice} onChange={({ currentTarget: { value } }) => setChoice(value as Choice)}>
          {choices.map((each) => (
            <option key={each} value={each}>
              {adminText.rightChoices[each]}
            </option>
          ))}
        </select>
      </label>
      <label class="field">
        <span>
          {adminText.expires} <small class="muted">{adminText.expiresHelp}</small>
        </span>
        <input
          type="date"
          min={dayAfter(1)}
          value={expires}
          onInput={({ currentTarget: { value } }) => setExpires(value)}
        />
      </label>
      {problem !== undefined && <ProblemView problem={problem} />}
      <DialogButtons submit={adminText.createToken} onClose={onClose} />
    </form>
  );
}
