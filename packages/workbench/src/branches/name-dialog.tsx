/** A dialog that asks for the name of a branch. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { asProblem, type Problem } from '../api/errors.js';
import { branchText } from '../messages/branches.js';
import { ProblemView } from '../terms/problem-view.js';
import { Dialog, DialogButtons } from '../ui/dialog.js';

interface Properties {
  readonly title: string;
  readonly help: string;
  readonly submit: string;
  /** The name that stands there at first. */
  readonly first: string;
  /** What it is rejected with is shown. */
  readonly onName: (name: string) => Promise<void>;
  readonly onClose: () => void;
  readonly children?: ComponentChildren;
}

const MOST_CHARACTERS = 100;

export function NameDialog({ title, help, submit, first, onName, onClose, children }: Properties) {
  const [name, setName] = useState(first);
  const [problem, setProblem] = useState<Problem | undefined>(undefined);
  const [working, setWorking] = useState(false);
  const send = async (event: Event): Promise<void> => {
    event.preventDefault();
    setWorking(true);
    setProblem(undefined);
    await onName(name.trim()).catch((error: unknown) => setProblem(asProblem(error)));
    setWorking(false);
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{help}</p>
      <form class="stack" onSubmit={(event) => void send(event)}>
        <label class="field">
          <span>{branchText.name}</span>
          <input
            required
            maxLength={MOST_CHARACTERS}
            spellcheck={false}
            autocomplete="off"
            aria-invalid={problem !== undefined}
            value={name}
            onInput={({ currentTarget: { value } }) => setName(value)}
          />
          <small class="muted">{branchText.nameHelp}</small>
        </label>
        {children}
        {problem !== undefined && <ProblemView problem={problem} />}
        <DialogButtons submit={submit} onClose={onClose} disabled={working} />
      </form>
    </Dialog>
  );
}
