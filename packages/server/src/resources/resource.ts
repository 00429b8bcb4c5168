/** A resource is one record: its address, its handlers, and for each method who may use it, what it takes and what it gives. */
import type { ParameterName } from '../parameters/known-parameters.js';
import type { Handlers, Route, Service, Taken } from '../service.js';

/** The path of a repository. */
export const REPOSITORY_PATH = '/:account/:repository';

export interface Resource extends Omit<Route, 'handlers'> {
  /** The functions that answer, for one server. They get all resources, too. */
  readonly handlers: (service: Service, all: readonly Resource[]) => Handlers;
  /** What `/system` calls it, and what comes with it. Names are added, never changed. */
  readonly features?: readonly string[];
  /** Whether a server has it. Default: each has. */
  readonly isServed?: (service: Service) => boolean;
}

/** Those that a server has. */
export const servedBy = (service: Service, all: readonly Resource[]): readonly Resource[] =>
  all.filter(({ isServed }) => isServed === undefined || isServed(service));

type List = readonly ParameterName[];

/** Without a body but that of a form. */
export const form = (...names: List): Taken => ({ names, body: 'form' });
/** The fields of a form are parameters, and the handler reads other bodies. */
export const typed = (...names: List): Taken => ({ names, body: 'typed' });
/** The handler reads every body, since some clients send all of them with the type of a form. */
export const raw = (...names: List): Taken => ({ names, body: 'raw' });
/** Of what all branches have in common. */
export const common = (taken: Taken): Taken => ({ ...taken, allBranches: true });
/** Of a graph that a parameter names. */
export const named = ({ names, body }: Taken): Taken => ({ names: ['graph', 'default', ...names], body });

/** Each request makes one commit at most. */
export const always = (): boolean => true;
