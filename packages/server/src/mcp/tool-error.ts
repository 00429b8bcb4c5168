/** What a tool refuses. */
import { InvalidArgumentError } from '@quadrille/model';

/** A refusal that a model can act on: its text says what to do. */
export class ToolError extends InvalidArgumentError {
  constructor(message: string) {
    super('INVALID_OPTION', message);
  }
}
