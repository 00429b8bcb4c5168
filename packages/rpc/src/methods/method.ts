/** What a method is: everything that dispatch, checks, introspection and the documentation have to know of it, in one entry. */
import type { Caller, Service } from '@quadrille/service';
import type { RpcCall } from '../calls/call.js';
import type { RpcValue } from '../calls/value.js';

/** What both protocols can say without a loss; times are texts in ISO 8601. */
export type RpcResult = null | boolean | number | string | readonly RpcResult[] | RpcResultStruct;
export interface RpcResultStruct {
  readonly [name: string]: RpcResult;
}

/** XML-RPC's words for types, as `system.methodSignature` gives them. */
export type TypeName = 'string' | 'int' | 'boolean' | 'array' | 'struct';

export interface Parameter {
  readonly name: string;
  readonly type: 'string' | 'array';
  /** Where it is left out, it is the empty text. */
  readonly optional?: true;
  readonly doc: string;
}

/** The request that a call came with. */
export interface Session {
  readonly service: Service;
  readonly caller: Caller;
  /** Where the world sees this server, without a slash at the end. */
  readonly base: string;
  /** Runs another call of the same request. Rejects with an RpcError. */
  readonly invoke: (call: RpcCall) => Promise<RpcResult>;
  /** Before the members of a batch are run. @throws RpcError where they are too many; AccessError `RATE_LIMITED` */
  readonly admit: (calls: number) => void;
}

/**
 * `public`: anyone; all others need credentials. `account`: somebody known. `read`, `write`, `own`: who may do that with the
 * repository, account or operation that is named, which the service looks at.
 */
export type Right = 'public' | 'account' | 'read' | 'write' | 'own';

type Values<P extends readonly Parameter[]> = {
  readonly [I in keyof P]: P[I] extends { readonly type: 'array' } ? readonly RpcValue[] : string;
};

export interface MethodEntry<P extends readonly Parameter[]> {
  /** The first is the usual one. Those that begin with `dydra.` also answer to `datagraph.`. */
  readonly names: readonly [string, ...string[]];
  readonly parameters: P;
  readonly result: TypeName;
  /** What it does and gives, in Markdown. */
  readonly doc: string;
  readonly right: Right;
  readonly run: (session: Session, values: Values<P>) => RpcResult | Promise<RpcResult>;
}

export type Method = MethodEntry<readonly Parameter[]>;

/** The methods by every name that they answer to. */
export interface MethodDirectory {
  names(): Iterable<string>;
  /** @throws RpcError where no method has the name */
  need(name: string): Method;
}

/** Gives `run` the types of its parameters. */
export const method = <const P extends readonly Parameter[]>(entry: MethodEntry<P>): Method =>
  entry as unknown as Method;
