/** Loads a package that need not be installed. */
import { InvalidArgumentError } from '@quadrille/model';

/** @throws InvalidArgumentError `INVALID_OPTION` that says how to install it */
export async function loadOptional<Module>(what: string, name: string, load: () => Promise<Module>): Promise<Module> {
  try {
    return await load();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new InvalidArgumentError(
      'INVALID_OPTION',
      `${what} is a separate package, which is not installed: npm install ${name}`,
      { cause: error, details: { package: name } },
    );
  }
}
