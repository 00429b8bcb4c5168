/**
 * A random walk over HTTP with a model of accounts, tokens, rights, repositories and their revisions: each answer has the status that the rights give, and the
 * content of the revision that it names.
 */
import { createHandler, type Handler } from '@quadrille/server';
import { openService, type Service } from '@quadrille/server/host';
import { type Database, open } from 'quadrille';

type Random = () => number;
type Right = 'none' | 'read' | 'write' | 'owner';
type Lines = ReadonlySet<string>;

interface Caller {
  readonly account: string | undefined;
  readonly readOnly: boolean;
  token: string | undefined;
}
interface Held {
  privacy: Privacy;
  readonly collaborators: Map<string, 'read' | 'write'>;
  /** By number; the first one is before all. */
  readonly states: Lines[];
}
interface Answer {
  readonly status: number;
  readonly text: string;
}

const ACCOUNTS = ['ada', 'bob', 'cyd'] as const;
const NAMES = ['one', 'two'] as const;
const PRIVACIES = ['public', 'private', 'authenticated'] as const;
type Privacy = (typeof PRIVACIES)[number];
const FORM = 'application/x-www-form-urlencoded';
const N_QUADS = 'application/n-quads';
const REFUSED = new Set([401, 403, 404]);

export class RightsWalk {
  readonly plan: string[] = [];
  requests = 0;
  readonly #repositories = new Map<string, Held>();
  readonly #callers: Caller[] = [];

  private constructor(
    private readonly random: Random,
    private readonly database: Database,
    private readonly service: Service,
    private readonly handler: Handler,
  ) {}

  /** @throws Error where an answer is not as the model says */
  static async run(random: Random, steps: number): Promise<RightsWalk> {
    const database = await open(':memory:');
    const service = await openService(database, { rateLimit: false });
    const walk = new RightsWalk(random, database, service, createHandler({ service }));
    try {
      await walk.#prepare();
      for (let n = 0; n < steps; n++) await walk.#step();
      await walk.#checkAll();
    } catch (error) {
      const after = walk.plan.slice(-25).join('\n  ');
      throw new Error(`${(error as Error).message}, after\n  ${after}`, { cause: error });
    } finally {
      await service.close();
      await database.close();
    }
    return walk;
  }

  async #prepare(): Promise<void> {
    this.#callers.push({ account: undefined, readOnly: false, token: undefined });
    for (const account of ACCOUNTS) {
      await this.service.accounts.create(account);
      for (const readOnly of [false, true]) {
        const { text } = await this.service.tokens.create(account, { readOnly });
        this.#callers.push({ account, readOnly, token: text });
      }
    }
  }

  #one<T>(choices: readonly T[]): T {
    return choices[Math.floor(this.random() * choices.length)]!;
  }

  async #send(caller: Caller, method: string, path: string, type?: string, body?: string): Promise<Answer> {
    this.requests++;
    const who = `${caller.account ?? 'nobody'}${caller.readOnly ? ' (reads)' : ''}`;
    this.plan.push(`${who} ${method} ${path.replace(/tokens\/.*/, 'tokens/…')} ${body ?? ''}`);
    const headers: Record<string, string> = {};
    if (caller.token !== undefined) headers['Authorization'] = `Bearer ${caller.token}`;
    if (type !== undefined) headers['Content-Type'] = type;
    if (method === 'GET' && /statements/.test(path)) headers['Accept'] = N_QUADS;
    const init = { method, headers, ...(body !== undefined && { body }) };
    const response = await this.handler(new Request(`http://localhost${path}`, init));
    const answer = { status: response.status, text: await response.text() };
    if (answer.status >= 500) throw new Error(`${answer.status}: ${answer.text}`);
    if (/qdt_\w{8}/.test(answer.text) && !path.endsWith('/tokens')) throw new Error(`a token in ${answer.text}`);
    return answer;
  }

  #rightOf({ account, readOnly }: Caller, name: string): Right {
    const held = this.#repositories.get(name);
    if (held === undefined) return 'none';
    const cap = (right: Right): Right => (readOnly && right !== 'none' ? 'read' : right);
    if (account !== undefined && name.startsWith(`${account}/`)) return cap('owner');
    const shared = account === undefined ? undefined : held.collaborators.get(account);
    if (shared !== undefined) return cap(shared);
    return held.privacy === 'public' || (held.privacy === 'authenticated' && account !== undefined) ? 'read' : 'none';
  }

  /** The refusal that is due. */
  #refusal(caller: Caller, name: string, needs: Exclude<Right, 'none'>): number | undefined {
    const has = this.#rightOf(caller, name);
    if (has === 'none') return caller.account === undefined ? 401 : 404;
    if (needs === 'read' || has === 'owner' || has === needs) return undefined;
    return caller.account === undefined ? 401 : 403;
  }

  #due(answer: Answer, due: number | undefined): boolean {
    const { status, text } = answer;
    if (due !== undefined && status !== due) throw new Error(`${status}, ${due} is due: ${text.slice(0, 200)}`);
    if (due === undefined && REFUSED.has(status)) throw new Error(`${status} is not due: ${text.slice(0, 200)}`);
    return due === undefined;
  }

  async #step(): Promise<void> {
    const chance = this.random() * 100;
    const caller = this.#one(this.#callers);
    const name = `${this.#one(ACCOUNTS)}/${this.#one(NAMES)}`;
    if (chance < 8) return this.#create(caller, name);
    if (chance < 10) return this.#remove(caller, name);
    if (chance < 15) return this.#setPrivacy(caller, name);
    if (chance < 25) return this.#share(caller, name);
    if (chance < 60) return this.#change(caller, name);
    if (chance < 75) return this.#readSize(caller, name);
    if (chance < 88) return this.#readStatements(caller, name);
    if (chance < 95) return this.#list(caller, name.split('/')[0]!);
    return this.#exchangeToken();
  }

  async #create(caller: Caller, name: string): Promise<void> {
    const [account, repository] = name.split('/') as [string, string];
    const privacy = this.#one(PRIVACIES);
    const body = `repository[name]=${repository}&repository[privacy]=${privacy}`;
    const answer = await this.#send(caller, 'POST', `/${account}/repositories`, FORM, body);
    const mine = caller.account === account && !caller.readOnly;
    const due = mine ? undefined : caller.account === undefined ? 401 : 403;
    if (!this.#due(answer, due)) return;
    const isNew = !this.#repositories.has(name);
    const wanted = isNew ? 200 : 422;
    if (answer.status !== wanted) throw new Error(`${answer.status}, not ${wanted}: ${answer.text}`);
    if (isNew) this.#repositories.set(name, { privacy, collaborators: new Map(), states: [new Set(), new Set()] });
  }

  async #remove(caller: Caller, name: string): Promise<void> {
    const due = this.#refusal(caller, name, 'owner');
    if (this.#due(await this.#send(caller, 'DELETE', `/${name}`), due)) this.#repositories.delete(name);
  }

  async #setPrivacy(caller: Caller, name: string): Promise<void> {
    const due = this.#refusal(caller, name, 'owner');
    const privacy = this.#one(PRIVACIES);
    const answer = await this.#send(caller, 'PUT', `/${name}/meta`, FORM, `repository[privacy]=${privacy}`);
    if (this.#due(answer, due)) this.#repositories.get(name)!.privacy = privacy;
  }

  async #share(caller: Caller, name: string): Promise<void> {
    const due = this.#refusal(caller, name, 'owner');
    const other = this.#one(ACCOUNTS.filter((account) => !name.startsWith(`${account}/`)));
    const right = this.#one(['none', 'read', 'write'] as const);
    const body = JSON.stringify({ read: right !== 'none', write: right === 'write' });
    const path = `/${name}/collaborators/${other}`;
    const answer = await (right === 'none'
      ? this.#send(caller, 'DELETE', path)
      : this.#send(caller, 'PUT', path, 'application/json', body));
    if (!this.#due(answer, due)) return;
    const { collaborators } = this.#repositories.get(name)!;
    if (right === 'none') collaborators.delete(other);
    else collaborators.set(other, right);
  }

  async #change(caller: Caller, name: string): Promise<void> {
    const due = this.#refusal(caller, name, 'write');
    const held = this.#repositories.get(name);
    const before = held?.states.at(-1) ?? new Set<string>();
    const line = (): string => `<urn:s${Math.floor(this.random() * 6)}> <urn:p> "${Math.floor(this.random() * 4)}" .`;
    const lines = Array.from({ length: 1 + Math.floor(this.random() * 3) }, line);
    const subject = `urn:s${Math.floor(this.random() * 6)}`;
    const ways: readonly (() => readonly [Promise<Answer>, Set<string>])[] = [
      () => [
        this.#send(caller, 'POST', `/${name}/statements`, N_QUADS, lines.join('\n')),
        new Set([...before, ...lines]),
      ],
      () => [this.#send(caller, 'PUT', `/${name}/statements`, N_QUADS, lines.join('\n')), new Set(lines)],
      () => [
        this.#send(caller, 'DELETE', `/${name}/statements?subj=${encodeURIComponent(`<${subject}>`)}`),
        new Set([...before].filter((each) => !each.startsWith(`<${subject}>`))),
      ],
      () => [
        this.#send(
          caller,
          'POST',
          `/${name}/sparql`,
          'application/sparql-update',
          `INSERT DATA { ${lines.join(' ')} }`,
        ),
        new Set([...before, ...lines]),
      ],
    ];
    const [sent, after] = this.#one(ways)();
    if (!this.#due(await sent, due)) return;
    const { status, text } = await sent;
    if (status >= 300) throw new Error(`${status} is no success: ${text.slice(0, 300)}`);
    const isSame = after.size === before.size && [...after].every((each) => before.has(each));
    if (!isSame) held!.states.push(after);
  }

  /** A revision that there is, mostly. */
  #revision(name: string): number {
    const last = (this.#repositories.get(name)?.states.length ?? 2) - 1;
    return this.random() < 0.1 ? last + 1 : 1 + Math.floor(this.random() * last);
  }

  async #readSize(caller: Caller, name: string): Promise<void> {
    const number = this.#revision(name);
    const due = this.#refusal(caller, name, 'read');
    const state = this.#repositories.get(name)?.states[number];
    const isMissing = due === undefined && state === undefined;
    const answer = await this.#send(caller, 'GET', `/${name}/size?revision-id=${number}`);
    if (!this.#due(answer, isMissing ? 404 : due) || isMissing) return;
    const { size } = state!;
    if (Number(answer.text) !== size) throw new Error(`revision ${number} of ${name} has ${answer.text}, not ${size}`);
  }

  async #readStatements(caller: Caller, name: string): Promise<void> {
    const due = this.#refusal(caller, name, 'read');
    const answer = await this.#send(caller, 'GET', `/${name}/statements`);
    if (this.#due(answer, due)) this.#same(answer.text, this.#repositories.get(name)!.states.at(-1)!, name);
  }

  #same(text: string, state: Lines, name: string): void {
    const found = text.split('\n').filter((line) => line !== '');
    const wanted = [...state].toSorted().join('\n');
    if (found.toSorted().join('\n') !== wanted) throw new Error(`${name} has\n${text}, not\n${wanted}`);
  }

  async #list(caller: Caller, account: string): Promise<void> {
    const answer = await this.#send(caller, 'GET', `/${account}/repositories`);
    this.#due(answer, undefined);
    const found = (JSON.parse(answer.text) as { repository_id: string }[]).map(({ repository_id }) => repository_id);
    const wanted = [...this.#repositories.keys()].filter(
      (name) => name.startsWith(`${account}/`) && this.#rightOf(caller, name) !== 'none',
    );
    if (found.toSorted().join() !== wanted.toSorted().join())
      throw new Error(`the list of ${account} is ${found.join()}, not ${wanted.join()}`);
  }

  /** Another token takes the place of one, which is refused from then on. */
  async #exchangeToken(): Promise<void> {
    const caller = this.#one(this.#callers.filter(({ account }) => account !== undefined));
    const account = caller.account!;
    const old = caller.token!;
    const { id } = (await this.service.tokens.list(account)).find((known) => old.includes(known.id))!;
    const owner = this.#callers.find((other) => other.account === account && !other.readOnly)!;
    const { text } = await this.service.tokens.create(account, { readOnly: caller.readOnly });
    this.#due(await this.#send(owner, 'DELETE', `/${account}/tokens/${id}`), undefined);
    const answer = await this.#send({ ...caller, token: old }, 'GET', '/health');
    if (answer.status !== 401) throw new Error(`a revoked token is answered ${answer.status}`);
    caller.token = text;
  }

  async #checkAll(): Promise<void> {
    for (const [name, { states }] of this.#repositories) {
      const owner = this.#callers.find(({ account }) => account !== undefined && name.startsWith(`${account}/`))!;
      for (let number = 1; number < states.length; number++) {
        const { text } = await this.#send(owner, 'GET', `/${name}/statements?revision-id=${number}`);
        this.#same(text, states[number]!, `${name} at ${number}`);
      }
      const { text } = await this.#send(owner, 'GET', `/${name}/size?revision-id=${states.length}`);
      if (!text.includes('REVISION_NOT_FOUND')) throw new Error(`${name} has more revisions than ${states.length - 1}`);
    }
    const { problems } = await this.database.verify();
    if (problems.length > 0) throw new Error(JSON.stringify(problems));
  }
}
