/** A method in one entry: for dispatch, checks, introspection and the documentation. */
import type { Caller, Service } from '../../host/index.js';
import type { RpcCall } from '../calls/call.js';
import type { RpcValue } from '../calls/value.js';

/** Values that both protocols can express. Times are texts in ISO 8601. */
export type RpcResult = null | boolean | number | string | readonly RpcResult[] | RpcResultStruct;
export interface RpcResultStruct {
  readonly [name: string]: RpcResult;
}

/** XML-RPC's words for types, as `system.methodSignature` gives them. */
export type TypeName = 'string' | 'int' | 'boolean' | 'array' | 'struct';

export interface Parameter {
  readonly name: string;
  readonly type: 'string' | 'boolean' | 'array';
  /** If it is missing, its value is the empty text, or false. */
  readonly optional?: true;
  readonly doc: string;
}

/** The request of a call. */
export interface Session {
  readonly service: Service;
  readonly caller: Caller;
  /** The public address of the server, without a slash at the end. */
  readonly base: string;
  /** Runs another call of the same request. Rejects with an RpcError. */
  readonly invoke: (call: RpcCall) => Promise<RpcResult>;
  /** Before the members of a batch are run. @throws RpcError where they are too many; AccessError `RATE_LIMITED` */
  readonly admit: (calls: number) => void;
}

/**
 * `public`: no credentials; all others need valid ones. `account`: any account. `read`, `write`, `own`: this right on the named
 * repository, account or operation, which the service checks.
 */
export type Right = 'public' | 'account' | 'read' | 'write' | 'own';

type Values<P extends readonly Parameter[]> = {
  readonly [I in keyof P]: P[I] extends { readonly type: 'array' }
    ? readonly RpcValue[]
    : P[I] extends { readonly type: 'boolean' }
      ? boolean
      : string;
};

export interface MethodEntry<P extends readonly Parameter[]> {
  /** The first name is the usual one. Names that begin with `dydra.` are also known with `datagraph.`. */
  readonly names: readonly [string, ...string[]];
  readonly parameters: P;
  readonly result: TypeName;
  /** The effect and the result of the method, in Markdown. */
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
