/** Sends random changes of valid calls in both protocols, and says what is wrong with their answers. */
import { Agent, type OutgoingHttpHeaders, request } from 'node:http';
import { Chance } from '../sparql-random/chance.js';
import { JSON_TYPE, jsonCall, XML_TYPE, xmlCall } from './calls.js';
import { mutate } from './mutate.js';
import { type RpcServer, rpcServer } from './rpc-server.js';
import { JSON_NAMES, XML_NAMES } from './scenario.js';

const CONNECTIONS = 16;
const UUID = '00000000-0000-4000-8000-000000000000';

export interface Sample {
  readonly type: string;
  readonly body: Buffer;
  /** With the token. What changes something goes without: its mutations must not fill the store, or reach other hosts. */
  readonly known: boolean;
}

export const json = (body: string, known = true): Sample => ({ type: JSON_TYPE, body: Buffer.from(body), known });
const xml = (body: string, known = true): Sample => ({ type: XML_TYPE, body: Buffer.from(body), known });

function samples({ account, document }: RpcServer): readonly Sample[] {
  const name = `${account}/default`;
  const member = (method: string): string =>
    `<value><struct><member><name>methodName</name><value>${method}</value></member>` +
    `<member><name>params</name><value><array><data><value>${name}</value></data></array></value></member></struct></value>`;
  return [
    json(jsonCall('DescribeService')),
    json(jsonCall('system.listMethods', [], null)),
    json(jsonCall('system.methodHelp', ['DescribeService'], 'a')),
    json(jsonCall(JSON_NAMES.list, [''], -1.5)),
    json(jsonCall(JSON_NAMES.describe, [name])),
    json(jsonCall(JSON_NAMES.count, { repository: name })),
    json(jsonCall(JSON_NAMES.operation, [UUID])),
    json(jsonCall('ListOperations', ['completed'])),
    json(jsonCall(JSON_NAMES.create, [name]), false),
    json(jsonCall(JSON_NAMES.import, [name, document, '', '']), false),
    json(`[${jsonCall('DescribeService')},${jsonCall(JSON_NAMES.count, [name], 'b')},{"jsonrpc":"2.0","method":"x"}]`),
    xml(xmlCall('DescribeService')),
    xml(xmlCall('system.methodSignature', '<string>DescribeService</string>')),
    xml(xmlCall('system.getCapabilities')),
    xml(xmlCall(XML_NAMES.list, '<string></string>')),
    xml(xmlCall(XML_NAMES.describe, name)),
    xml(xmlCall(XML_NAMES.count, `<string>${name}</string>`)),
    xml(xmlCall(XML_NAMES.operation, `<string>${UUID}</string>`)),
    xml(xmlCall('ListOperations', 'completed')),
    xml(xmlCall(XML_NAMES.create, name), false),
    xml(xmlCall(XML_NAMES.clear, '<struct><member><name>a</name><value><i8>1</i8></value></member></struct>'), false),
    xml(xmlCall('system.multicall', `<array><data>${member(XML_NAMES.count)}${member('nope')}</data></array>`)),
    xml(
      xmlCall(
        'dydra.repository.count',
        '<dateTime.iso8601>19980717T14:08:55</dateTime.iso8601>',
        '<base64>AA==</base64>',
      ),
    ),
  ];
}

/** A longer call is refused. */
const MOST_XML_BYTES = 256 * 1024;

export interface Answer {
  readonly status: number;
  readonly body: string;
}

export class Mutations {
  /** How often each protocol came to each end. */
  readonly outcomes = new Map<string, number>();
  readonly #agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  readonly #sources: readonly Sample[];

  private constructor(readonly server: RpcServer) {
    this.#sources = samples(server);
  }

  static async start(): Promise<Mutations> {
    return new Mutations(await rpcServer());
  }

  async stop(): Promise<void> {
    this.#agent.destroy();
    await this.server.stop();
  }

  send({ type, known }: Sample, body: Buffer): Promise<Answer> {
    const headers: OutgoingHttpHeaders = {
      'Content-Type': type,
      'Content-Length': body.length,
      'User-Agent': 'mutant/1.0.0',
    };
    if (known) headers['Authorization'] = this.server.basic;
    return new Promise((done, fail) => {
      const sent = request(this.server.rpc, { method: 'POST', agent: this.#agent, headers }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        response.on('end', () => done({ status: response.statusCode ?? 0, body: text }));
        response.on('error', fail);
      });
      sent.on('error', fail);
      sent.end(body);
    });
  }

  /** Sends the mutations of a seed from one number to another, over all connections; gives what is wrong with their answers. */
  async run(seed: number, from: number, to: number): Promise<string[]> {
    const bodies = this.#sources.map(({ body }) => body);
    const faults: string[] = [];
    let next = from;
    const connection = async (): Promise<void> => {
      while (next < to && faults.length < 10) {
        const index = next++;
        const chance = new Chance(index, seed);
        const sample = chance.among(this.#sources);
        const body = mutate(sample.body, chance, bodies);
        const answer = await this.send(sample, body);
        const wrong = wrongWith(sample, body, answer);
        if (wrong !== undefined) faults.push(`${wrong} (${index}): ${body.toString('latin1')} -> ${answer.body}`);
        const outcome = `${sample.type} ${/-32\d{3}/.exec(answer.body)?.[0] ?? 'done'}`;
        this.outcomes.set(outcome, (this.outcomes.get(outcome) ?? 0) + 1);
      }
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, connection));
    return faults;
  }
}

/** What is wrong with an answer; undefined where it is one of its protocol. */
function wrongWith({ type }: Sample, sent: Buffer, { status, body }: Answer): string | undefined {
  if (status >= 500) return `status ${String(status)}`;
  if (body.includes('-32603')) return 'an internal error';
  if (type === XML_TYPE) {
    const due = sent.length > MOST_XML_BYTES ? 413 : 200;
    return status === due && body.startsWith('<?xml') && body.endsWith('</methodResponse>\n')
      ? undefined
      : 'no response';
  }
  if (body === '') return status === 200 ? undefined : 'no error object';
  const answers = [JSON.parse(body) as unknown].flat() as { jsonrpc: string; result?: unknown; error?: unknown }[];
  const isAnswer = answers.every((each) => each.jsonrpc === '2.0' && 'result' in each !== 'error' in each);
  return isAnswer && answers.length > 0 ? undefined : 'no response';
}
