/** The formats that the library reads and writes: its own, and those of `@quadrille/formats-extra` from their first need on. */
import type { FormatRegistry, RdfFormat, RdfSerializer, SerializerOptions } from '@quadrille/formats';
import { createDefaultRegistry } from '@quadrille/formats';
import { InvalidArgumentError } from '@quadrille/model';

/**
 * The registry of RDF formats of this process. `register` adds a format to all databases.
 * @example
 * ```ts
 * import { formats } from 'quadrille';
 *
 * console.log(formats.byExtension('people.ttl.gz').format.name); // 'Turtle'
 * ```
 * @since 0.1.0
 */
export const formats: FormatRegistry = createDefaultRegistry();

/** A format that is known already, or a promise of one that may have to be loaded. */
type Found = RdfFormat | Promise<RdfFormat>;

/**
 * The format that `find` takes from the registry. Where it finds none, the formats of `@quadrille/formats-extra` are added first.
 * @throws InvalidArgumentError `INVALID_OPTION` that lists the formats
 */
export function findFormat(find: (registry: FormatRegistry) => RdfFormat): Found {
  try {
    return find(formats);
  } catch (error) {
    if (!(error instanceof InvalidArgumentError)) throw error;
    return findExtra(find);
  }
}

async function findExtra(find: (registry: FormatRegistry) => RdfFormat): Promise<RdfFormat> {
  await addExtraFormats();
  return find(formats);
}

/** Adds the formats of `@quadrille/formats-extra`, which are loaded when one is needed. A format that is registered already stays. */
export async function addExtraFormats(): Promise<void> {
  const { registerExtraFormats } = await import('@quadrille/formats-extra');
  registerExtraFormats(formats);
}

/** @throws InvalidArgumentError `INVALID_OPTION` where the format can only be read */
export function serializerOf(format: RdfFormat, options: SerializerOptions): RdfSerializer {
  if (format.createSerializer !== undefined) return format.createSerializer(options);
  throw new InvalidArgumentError('INVALID_OPTION', `${format.name} can be read, not written`);
}
