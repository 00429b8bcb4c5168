/** The toolsets that agents have, as options name them. */
import { InvalidArgumentError } from '@quadrille/model';
import type { Toolset } from '@quadrille/server/mcp';

const TOOLSETS: readonly Toolset[] = ['memory', 'data', 'change'];

/** @throws InvalidArgumentError `INVALID_OPTION` */
export function toolsets(text: string | readonly string[], option = '--tools'): Toolset[] {
  const names = (typeof text === 'string' ? text.split(',') : text).map((name) => name.trim());
  const wrong = names.find((name) => !TOOLSETS.some((known) => known === name));
  if (wrong !== undefined)
    throw new InvalidArgumentError(
      'INVALID_OPTION',
      `${option} has ${TOOLSETS.join(', ')}, and no ${wrong || 'empty name'}`,
    );
  return names as Toolset[];
}
