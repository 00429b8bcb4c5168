/** The dialog that makes an account. */
import { useState } from 'preact/hooks';
import { createAccount } from '../api/accounts.js';
import { asProblem, type Problem } from '../api/errors.js';
import { adminText } from '../messages/admin.js';
import { ProblemView } from '../terms/problem-view.js';
import { Dialog, DialogButtons } from '../ui/dialog.js';

interface Properties {
  readonly onClose: () => void;
  readonly onCreated: (name: string) => void;
}

export function CreateAccount({ onClose, onCreated }: Properties) {
  const [name, setName] = useState('');
  const [fullName, setFullName] = useState('');
  const [email, setEmail] = useState('');
  const [admin, setAdmin] = useState(false);
  const [problem, setProblem] = useState<Problem | undefined>(undefined);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    try {
      await createAccount({ name: name.trim(), fullname: fullName || null, email: email || null, admin });
      onCreated(name.trim());
    } catch (error) {
      setProblem(asProblem(error));
    }
  };
  return (
    <Dialog title={adminText.create} onClose={onClose}>
      <form class="stack" onSubmit={(event) => void submit(event)}>
        <Field label={adminText.name} help={adminText.nameHelp} value={name} onChange={setName} required />
        <Field label={adminText.fullName} value={fullName} onChange={setFullName} />
        <Field label={adminText.email} value={email} onChange={setEmail} />
        <label class="check-field">
          <input type="checkbox" checked={admin} onChange={() => setAdmin(!admin)} />
          <span>{adminText.operates}</span>
        </label>
        {problem !== undefined && <ProblemView problem={problem} />}
        <DialogButtons submit={adminText.createButton} onClose={onClose} />
      </form>
    </Dialog>
  );
}

interface FieldProperties {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly help?: string;
  readonly required?: boolean;
}

function Field({ label, value, onChange, help, required = false }: FieldProperties) {
  return (
    <label class="field">
      <span>{label}</span>
      <input
        required={required}
        value={value}
        placeholder={help}
        maxLength={required ? 100 : 1000}
        spellcheck={false}
        autocomplete="off"
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
    </label>
  );
}
