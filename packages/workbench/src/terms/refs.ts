/** References that a field proposes: names first, then revisions, the newest first. */
import { compareText } from '../messages/compare.js';
import { text } from '../messages/en.js';
import { branches } from '../state/branch.js';
import { revisions, tags } from '../state/revision.js';
import type { Option } from '../ui/combo-field.js';

export function refOptions(): Option[] {
  const list = revisions.value.toReversed();
  const ordinals = new Map(list.map(({ uuid, ordinal }) => [uuid, ordinal]));
  const tagged = [...tags.value].flatMap(([uuid, names]) =>
    names.map((value) => {
      const ordinal = ordinals.get(uuid);
      return { value, ...(ordinal === undefined ? {} : { note: text.history.option(ordinal, undefined) }) };
    }),
  );
  return [
    { value: 'HEAD', note: compareText.current },
    { value: 'HEAD~1', note: compareText.oneBefore },
    ...list.map(({ uuid, ordinal, message }) => ({
      value: String(ordinal),
      note: compareText.noteOf(message, tags.value.get(uuid) ?? []),
    })),
    ...(branches.value ?? []).map(({ name, head }) => ({ value: name, note: compareText.noteOf(head.message, []) })),
    ...tagged.toSorted((one, other) => one.value.localeCompare(other.value)),
  ];
}
