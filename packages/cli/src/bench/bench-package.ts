/** `@quadrille/bench` is installed by those who measure: it and what it needs are not part of the command. */
import { InvalidArgumentError } from '@quadrille/model';

/** @throws InvalidArgumentError `INVALID_OPTION` if the package is not installed */
export const benchPackage = (): Promise<typeof import('@quadrille/bench')> =>
  import('@quadrille/bench').catch((cause: unknown) => {
    const { code, message } = cause as NodeJS.ErrnoException;
    if (code !== 'ERR_MODULE_NOT_FOUND' || !message.includes("'@quadrille/bench'")) throw cause;
    const hint = 'quadrille bench is in a separate package, which is not installed: npm install @quadrille/bench';
    throw new InvalidArgumentError('INVALID_OPTION', hint, { cause });
  });
