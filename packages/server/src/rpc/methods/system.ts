/** Introspection, as XML-RPC servers have it, for both protocols. */
import type { RpcCall } from '../calls/call.js';
import { toRpcError } from '../calls/failure.js';
import { RPC, RpcError } from '../calls/rpc-error.js';
import type { RpcStruct, RpcValue } from '../calls/value.js';
import { method, type Method, type MethodDirectory, type Parameter, type RpcResult, type Session } from './method.js';

const NAME = { name: 'method', type: 'string', doc: 'the name of a method' } as const satisfies Parameter;

const CAPABILITIES = {
  xmlrpc: { specUrl: 'http://xmlrpc.com/spec.md', specVersion: 1 },
  'json-rpc': { specUrl: 'https://www.jsonrpc.org/specification', specVersion: 2 },
  faults_interop: { specUrl: 'http://xmlrpc-epi.sourceforge.net/specs/rfc.fault_codes.php', specVersion: 20010516 },
  introspection: { specUrl: 'http://xmlrpc-c.sourceforge.net/introspection.html', specVersion: 1 },
  'system.multicall': { specUrl: 'http://www.xmlrpc.com/discuss/msgReader$1208', specVersion: 1 },
  nil: { specUrl: 'http://ontosys.com/xml-rpc/extensions.php', specVersion: 1 },
} as const;

export const systemMethods = (directory: MethodDirectory): readonly Method[] => [
  method({
    names: ['system.listMethods'],
    parameters: [],
    result: 'array',
    doc: 'Every name that a method answers to.',
    right: 'public',
    run: () => [...directory.names()],
  }),
  method({
    names: ['system.methodSignature'],
    parameters: [NAME],
    result: 'array',
    doc: 'The ways to call a method, each as an array: the type of its result, then those of its parameters.',
    right: 'public',
    run: (_, [name]) => signatures(directory.need(name)),
  }),
  method({
    names: ['system.methodHelp'],
    parameters: [NAME],
    result: 'string',
    doc: 'What a method does, in a few words.',
    right: 'public',
    run: (_, [name]) => helpOf(directory.need(name)),
  }),
  method({
    names: ['system.getCapabilities'],
    parameters: [],
    result: 'struct',
    doc: 'The conventions that this server follows, each with a `specUrl` and a `specVersion`.',
    right: 'public',
    run: () => CAPABILITIES,
  }),
  method({
    names: ['system.multicall'],
    parameters: [{ name: 'calls', type: 'array', doc: 'structs with `methodName` and `params`, at most 100' }],
    result: 'array',
    doc: 'Runs calls one after the other. For each gives an array with its result, or a struct with `faultCode` and `faultString`.',
    right: 'public',
    run: multicall,
  }),
];

/** One signature for each number of optional parameters, the longest first. */
function signatures({ result, parameters }: Method): RpcResult {
  const required = parameters.filter(({ optional }) => optional !== true).length;
  const types = [result, ...parameters.map(({ type }) => type)];
  return Array.from({ length: parameters.length - required + 1 }, (_, left) => types.slice(0, types.length - left));
}

function helpOf({ doc, parameters }: Method): string {
  const lines = parameters.map(({ name, optional, doc }) => `${name}${optional ? ' (optional)' : ''}: ${doc}`);
  return [doc, ...lines].join('\n');
}

async function multicall(session: Session, [calls]: readonly [readonly RpcValue[]]): Promise<RpcResult> {
  session.admit(calls.length);
  const results: RpcResult[] = [];
  for (const call of calls) {
    try {
      results.push([await session.invoke(memberOf(call))]);
    } catch (error) {
      const { rpcCode, message } = toRpcError(error);
      results.push({ faultCode: rpcCode, faultString: message });
    }
  }
  return results;
}

function memberOf(member: RpcValue): RpcCall {
  if (typeof member !== 'object' || member === null) throw invalid('a member of a multicall is a struct');
  const own = (name: string): RpcValue | undefined =>
    Object.hasOwn(member, name) ? (member as RpcStruct)[name] : undefined;
  const [method, params = []] = [own('methodName'), own('params')];
  if (typeof method !== 'string') throw invalid('a member of a multicall has a methodName');
  if (method === 'system.multicall') throw invalid('a multicall cannot contain another one');
  if (!Array.isArray(params)) throw invalid('the params of a member of a multicall are an array');
  return { method, params };
}

const invalid = (message: string): RpcError => new RpcError(RPC.INVALID_REQUEST, message);
