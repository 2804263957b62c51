import { randomBytes, randomUUID } from 'node:crypto';
import { noLimits } from '../../src/model/account.ts';
import type { UsageEvent } from '../../src/model/account.ts';
import type { BillingChange } from '../../src/model/billing.ts';
import { edgeTypeSchema, nodeTypeSchema } from '../../src/model/graph.ts';
import type { GraphReader, GraphStore } from '../../src/stores/graph/port.ts';
import type { RelationalStore, Tenant } from '../../src/stores/relational/port.ts';
import type { SearchQuery, SearchReader, SearchStore } from '../../src/stores/search/port.ts';
import { edge, repository } from '../contract/graph-store.ts';
import { repository as info } from '../contract/relational-store.ts';
import { document } from '../contract/search-store.ts';
import { someDigest } from './accounts.ts';
import { evaluationAttempt, evaluationOutcome, evaluationRun, mintRun, taskInstance } from './task-instances.ts';

/** Is in every text given to a store; only SQL or Cypher with values put into its text has it. */
export const MARK = `zq"'\`jx`;
/** Likewise of every number that a person may choose. */
export const MARKED_NUMBER = 7_919;

type Methods<Store> = Exclude<keyof Store, 'engine' | 'circuit' | 'healing' | 'close' | 'ping'>;
/** One call or more for every method: a new one does not compile until it is called here. */
type Exercise<Store> = Record<Methods<Store>, (store: Store) => Promise<unknown>>;

const names = ['a', 'b'].map((letter) => `${letter} ${MARK}`) as [string, string];
const [a, b] = names;

const symbol = `${a}/lib.js#${symbols('two')[1]}`;
const walk = {
  edgeTypes: edgeTypeSchema.options,
  nodeTypes: nodeTypeSchema.options,
  minConfidence: 0,
  offset: 0,
  limit: 10,
};

const graphQuestions: Exercise<GraphReader> = {
  state: (reader) => reader.state(),
  repositoryGraph: (reader) => reader.repositoryGraph(),
  neighbors: (reader) => reader.neighbors(a),
  inside: (reader) => reader.inside({ ...walk, repository: a }),
  stateInside: (reader) => reader.stateInside(a),
  edgesInside: (reader) => reader.edgesInside({ ...walk, repository: a }),
  async adjacent(reader) {
    for (const id of [a, symbol]) await reader.adjacent({ ...walk, id });
  },
  outgoing: (reader) => reader.outgoing({ ...walk, ids: [a, symbol] }),
  async impact(reader) {
    for (const id of [b, symbol]) await reader.impact({ ...walk, id, depth: 3 });
  },
  path: (reader) => reader.path({ ...walk, from: b, to: symbol, longest: 4 }),
  definitions: (reader) => reader.definitions([{ repository: a, path: 'lib.js', lines: [1] }]),
  answer: (reader) => {
    const of = { of: 'node' as const, place: 0, name: 'name' as const };
    return reader.answer({
      nodes: 2,
      edges: [{ left: 0, right: 1, types: ['CALLS'], direction: 'out', length: { min: 1, max: 2 } }],
      start: { node: 0, id: symbol },
      matches: [{ edges: [0], conditions: [{ kind: 'value', left: of, operator: '<>', right: MARK }] }],
      columns: [{ kind: 'property', of: { ...of, place: 1 } }],
      distinct: false,
      order: [],
      skip: 0,
      limit: 10,
      maxMs: 3_000,
    });
  },
  query: (reader) =>
    reader.query(async (found) => {
      for (const equal of [{ id: symbol }, { repository: a, name: MARK }, {}]) {
        for await (const nodes of found.nodes({ label: null, equal: new Map(Object.entries(equal)) })) {
          const keys = nodes.map(({ key }) => key);
          await found.nodeProperties(keys);
          for (const direction of ['in', 'out'] as const) {
            const steps = await found.steps(keys, direction, ['CALLS', MARK]);
            await found.edgeProperties(steps.map(({ edge: { key } }) => key));
          }
        }
      }
    }),
  node: (reader) => reader.node(`${a}/lib.js#${symbols('two')[0]}`),
};

const graph: Exercise<GraphStore> = {
  async replaceRepository(store) {
    for (const generation of ['one', 'two']) {
      for (const name of names) {
        await store.replaceRepository({
          ...repository(name, { symbols: symbols(generation), contributors: [MARK] }),
          generation: generation + MARK,
        });
      }
    }
  },
  async replaceLinks(store) {
    const edges = [edge('DEPENDS_ON', a, b), edge('CALLS', symbol, `${b}/lib.js#${symbols('two')[0]}`)];
    await store.replaceLinks({ repository: a, generation: MARK, edges });
    await store.replaceLinks({ repository: b, generation: MARK, edges: [edge('IMPORTS', b, a)] });
  },
  linkGenerations: (store) => store.linkGenerations(),
  generations: (store) => store.generations(),
  everything: (store) => callAll(graphQuestions, store.everything),
  within: (store) => callAll(graphQuestions, store.within(names)),
  async edges(store) {
    for (const types of [undefined, ['CALLS'] as const]) {
      for (const only of [undefined, a]) await Array.fromAsync(store.edges(filter(only, types)));
    }
  },
  async nodes(store) {
    for (const types of [undefined, ['Function', 'Contributor'] as const]) {
      for (const only of [undefined, a]) await Array.fromAsync(store.nodes(filter(only, types)));
    }
  },
  removeRepository: (store) => store.removeRepository(b),
};

const search: Exercise<SearchStore> = {
  async replaceRepository(store) {
    for (const generation of ['one', 'two']) {
      for (const name of names) {
        // More than a search reads whole.
        const documents = ['', 'B', 'C'].flatMap((more) =>
          symbols(generation).map((symbol) => document(name, symbol + more)),
        );
        const contributor = { type: 'Contributor', id: `contributor:${MARK}`, repository: null } as const;
        documents.push(document(name, MARK, contributor));
        await store.replaceRepository({ repository: name, generation: generation + MARK, documents });
      }
    }
  },
  generations: (store) => store.generations(),
  documents: (store) => Array.fromAsync(store.documents(MARK)),
  async everything(store) {
    await askAll(store.everything);
    await store.everything.search({ text: '', sort: 'name', order: 'asc', offset: MARKED_NUMBER, limit: 1 });
  },
  async within(store) {
    for (const repositories of [[a], [a, b, MARK], []]) await askAll(store.within(repositories));
  },
  removeRepository: (store) => store.removeRepository(b),
};

async function askAll(reader: SearchReader): Promise<void> {
  await reader.documents({ repository: a, offset: 0, limit: MARKED_NUMBER });
  const filters: Partial<SearchQuery>[] = [
    {},
    { types: ['Function'] },
    { repositories: [a, b], languages: [MARK] },
    { minScore: MARKED_NUMBER, facets: ['type', 'language', 'repo'] },
    { phrases: [`symbolTwo1 ${MARK}`], without: [MARK], paths: [`lib/${MARK}`], frameworks: [MARK] },
  ];
  for (const text of [
    '',
    'symbolTwo',
    `symbol ${MARK}`,
    'symbplTwo',
    'symbolTw_o',
    '$',
    's',
    'symbol'.repeat(20),
    'gSP',
    'the symbol two zebra',
  ]) {
    for (const sort of ['composite_score', 'relevance', 'name'] as const) {
      for (const order of ['asc', 'desc'] as const) {
        for (const more of filters) {
          await reader.search({ text, sort, order, offset: 0, limit: MARKED_NUMBER, ...more });
        }
      }
    }
  }
}

const accounts: Exercise<RelationalStore['accounts']> = {
  ensureOrganization: (store) => store.ensureOrganization({ slug: MARK, name: MARK }),
  organizations: (store) => store.organizations(),
  principalByDigest: (store) => store.principalByDigest([someDigest(), markedDigest]),
  membersOf: (store) => store.membersOf(MARK),
  apiKeys: (store) => store.apiKeys(),
  keysByPepper: (store) => store.keysByPepper(),
};

/** What one call makes and others find. */
const markedDigest = someDigest();
let markedMember = '';
let markedKey = '';
let markedPairing = '';

const members: Exercise<Tenant['members']> = {
  async create(store) {
    markedMember = (await store.create({ name: MARK, role: 'owner' })).id;
  },
  get: (store) => store.get(MARK),
  named: (store) => store.named(MARK),
  count: (store) => store.count(),
  setSubject: (store) => store.setSubject(markedMember, MARK),
  setRole: (store) => store.setRole(MARK, 'admin'),
  list: (store) => store.list({ offset: MARKED_NUMBER, limit: MARKED_NUMBER }),
  setName: (store) => store.setName(MARK, MARK),
  remove: (store) => store.remove(MARK),
};

const apiKeys: Exercise<Tenant['apiKeys']> = {
  alone: (store) => store.alone(),
  async create(store) {
    const key = { name: MARK, prefix: MARK, digest: markedDigest, expiresAt: null };
    markedKey = (await store.create({ ...key, memberId: markedMember })).id;
  },
  get: (store) => store.get(MARK),
  has: (store) => store.has(markedDigest),
  list: (store) => store.list({ offset: MARKED_NUMBER, limit: MARKED_NUMBER }),
  inUse: async (store) => [await store.inUse({ memberId: MARK }), await store.inUse({ role: 'owner' })],
  revoke: (store) => store.revoke(MARK),
  revokeAllOf: (store) => store.revokeAllOf(MARK),
  expire: (store) => store.expire(MARK, '2026-11-02T03:04:05Z'),
  change: (store) => store.change(MARK, { ...noLimits, name: MARK }),
};

const audit: Exercise<Tenant['audit']> = {
  append: (store) => store.append({ memberId: MARK, keyId: MARK, action: MARK, subject: MARK }),
  list: (store) => store.list(),
  page: (store) =>
    store.page(
      { action: MARK, memberId: MARK, subject: MARK, from: '2026-11-02T03:04:05Z', to: '2026-11-02T03:04:05Z' },
      { after: MARK, limit: MARKED_NUMBER },
    ),
};

const settings: Exercise<Tenant['settings']> = {
  get: (store) => store.get(),
  set: (store) =>
    store.set({ name: MARK, checkout_hosts: [MARK], default_role: 'viewer', default_key_days: MARKED_NUMBER }),
};

const pairings: Exercise<Tenant['pairings']> = {
  useOwnerJwt: (store) => store.useOwnerJwt({ digest: randomBytes(32), expires_at: '2026-11-02T03:04:05Z' }),
  async create(store) {
    const pairing = { selector: MARK, secretDigest: randomBytes(32), deviceName: MARK, role: 'member' } as const;
    const made = await store.create({
      ...pairing,
      memberId: markedMember,
      keyId: null,
      lifetimeSeconds: MARKED_NUMBER,
    });
    markedPairing = made?.id ?? '';
  },
  get: (store) => store.get(markedPairing),
  hold: (store) => store.hold(markedPairing),
  countWrongSecret: (store) => store.countWrongSecret(markedPairing),
  invited: (store) => store.invited(),
  revokeAllOf: (store) => store.revokeAllOf(MARK),
  claim: (store) => store.claim(MARK),
  revoke: (store) => store.revoke(MARK),
};

const cliSessions: Exercise<Tenant['cliSessions']> = {
  create: (store) =>
    store.create({
      memberId: markedMember,
      apiKeyId: markedKey,
      pairingId: markedPairing,
      deviceName: MARK,
      client: { name: MARK, version: MARK, platform: MARK },
    }),
  get: (store) => store.get(MARK),
  ofKey: (store) => store.ofKey(MARK),
  async list(store) {
    const page = { offset: MARKED_NUMBER, limit: MARKED_NUMBER };
    return [await store.list(page), await store.list({ ...page, memberId: markedMember })];
  },
};

const openPairings: Exercise<RelationalStore['pairings']> = {
  owner: async (store) => [
    await store.owner({ organization: MARK, subject: MARK }),
    await store.owner({ organization: `org_${MARK}`, subject: MARK }),
  ],
  find: (store) => store.find(MARK),
  expire: (store) => store.expire(),
};

const someReport = { type: MARK, name: MARK, format: 'json', parameters: { [MARK]: MARK }, createdBy: MARK } as const;
const page = { offset: MARKED_NUMBER, limit: MARKED_NUMBER };
const someTime = '2026-11-02T03:04:05Z';

const reports: Exercise<Tenant['reports']> = {
  create: (store) => store.create(someReport),
  list: (store) => store.list({ ...page, status: 'pending', type: MARK, createdFrom: someTime, createdTo: someTime }),
  get: (store) => store.get(MARK),
  content: (store) => store.content(MARK),
  remove: (store) => store.remove(MARK),
};

const claimed = { ...someReport, id: MARK, organization_id: MARK, attempt: MARKED_NUMBER };

const reportQueue: Exercise<RelationalStore['reports']> = {
  claim: (store) => store.claim({ leaseMs: MARKED_NUMBER, perOrganization: MARKED_NUMBER }),
  renew: (store) => store.renew(claimed, { leaseMs: MARKED_NUMBER, progress: 0.5 }),
  release: (store) => store.release(claimed, { delayMs: MARKED_NUMBER }),
  succeed: (store) =>
    store.succeed(claimed, { content: Buffer.from(MARK), contentType: MARK, retentionMs: MARKED_NUMBER }),
  fail: (store) => store.fail(claimed, { code: MARK, message: MARK }),
  expire: (store) => store.expire(),
};

const checkoutSessions: Exercise<Tenant['checkoutSessions']> = {
  async create(store) {
    const texts = { plan_id: MARK, success_url: MARK, cancel_url: MARK, client_reference_id: MARK, createdBy: MARK };
    const amounts = { amountTotalCents: MARKED_NUMBER, listAmountCents: MARKED_NUMBER, lifetimeMs: MARKED_NUMBER };
    await store.create({
      ...texts,
      ...amounts,
      quantity: MARKED_NUMBER,
      interval: 'month',
      metadata: { [MARK]: MARK },
    });
  },
  list: (store) => store.list({ offset: MARKED_NUMBER, limit: MARKED_NUMBER }),
  get: (store) => store.get(MARK),
  expire: (store) => store.expire(MARK),
  hosts: (store) => store.hosts(),
};

const billingEvents: Exercise<Tenant['billingEvents']> = {
  list: async (store) => [
    await store.list({ offset: MARKED_NUMBER, limit: MARKED_NUMBER }),
    await store.list({ status: 'failed', offset: MARKED_NUMBER, limit: MARKED_NUMBER }),
  ],
  get: (store) => store.get(MARK, MARK),
  retry: (store) => store.retry(MARK, MARK),
};

const webhookEndpoints: Exercise<Tenant['webhookEndpoints']> = {
  create: (store) => store.create({ url: MARK, description: MARK, types: ['repository.failed'] }),
  list: (store) => store.list({ offset: MARKED_NUMBER, limit: MARKED_NUMBER }),
  get: (store) => store.get(MARK),
  async change(store) {
    const { id } = await store.create({ url: MARK, description: null, types: null });
    await store.change(id, { url: MARK, description: MARK, types: null, disabled: true });
    await store.change(id, { disabled: false });
  },
  rotate: (store) => store.rotate(MARK, MARKED_NUMBER),
  remove: (store) => store.remove(MARK),
};

const savedViews = (memberId: string): Exercise<Tenant['savedViews']> => ({
  create: (store) => store.create({ memberId, name: MARK, place: MARK, shared: false }),
  list: (store) => store.list(MARK, { offset: MARKED_NUMBER, limit: MARKED_NUMBER }),
  get: (store) => store.get(MARK, MARK),
  change: (store) => store.change(MARK, { name: MARK, shared: true }),
  remove: (store) => store.remove(MARK),
  count: (store) => store.count(MARK),
});

const badges = (memberId: string): Exercise<Tenant['badges']> => ({
  create: (store) => store.create({ repository: MARK, digest: randomBytes(32), memberId }),
  list: (store) => store.list({ offset: MARKED_NUMBER, limit: MARKED_NUMBER }),
  get: (store) => store.get(MARK),
  remove: (store) => store.remove(MARK),
});

const visits = (memberId: string): Exercise<Tenant['visits']> => ({
  get: (store) => store.get(MARK),
  record: (store) => store.record(memberId, MARKED_NUMBER),
});

const webhookDeliveries: Exercise<Tenant['webhookDeliveries']> = {
  page: async (store) => [
    await store.page({ after: null, limit: MARKED_NUMBER }),
    await store.page({ after: MARK, limit: MARKED_NUMBER, endpointId: MARK, status: 'failed' }),
  ],
  get: (store) => store.get(MARK),
  retry: (store) => store.retry(MARK),
};

const webhookOutbox: Exercise<RelationalStore['webhookOutbox']> = {
  take: (store) => store.take({ leaseMs: 0, limit: MARKED_NUMBER }),
  async settle(store) {
    const outcome = { responseStatus: MARKED_NUMBER, error: MARK, retryInMs: MARKED_NUMBER, isGone: false };
    for (const isGone of [false, true]) {
      const taken = await store.take({ leaseMs: 0, limit: MARKED_NUMBER });
      if (taken === null) throw new Error('Nothing is due.');
      const outcomes = taken.deliveries.map(({ id }) => ({ ...outcome, id, isGone }));
      await store.settle(taken.endpoint, isGone ? outcomes : [{ ...outcome, id: MARK, error: null, retryInMs: null }]);
    }
  },
};

const webhooks: Exercise<RelationalStore['webhooks']> = {
  keep: (store) => store.keep({ provider: MARK, event_id: MARK, type: MARK, body: Buffer.from(MARK) }),
  async workOff(store) {
    await store.workOff(() => {
      throw new Error(MARK);
    });
    const happened = { session_id: MARK, occurred_at: '2026-11-02T03:04:05Z' };
    const changes: BillingChange[] = [
      { ...happened, kind: 'checkout', status: 'complete', payment_status: 'paid' },
      { ...happened, kind: 'invoice', id: MARK, status: MARK, amount_cents: MARKED_NUMBER, currency: MARK, rank: 0 },
    ];
    for (const [index, change] of changes.entries()) {
      await store.keep({ provider: MARK, event_id: `${MARK}${index}`, type: MARK, body: Buffer.from(MARK) }, change);
      await store.workOff(() => change);
    }
  },
};

const checkouts: Exercise<RelationalStore['checkouts']> = {
  find: (store) => store.find(MARK),
};

const keyPlaces: Exercise<RelationalStore['keyPlaces']> = {
  see: (store) =>
    store.see({
      organizationId: MARK,
      digests: [Buffer.from(MARK)],
      data: { key_id: MARK, prefix: MARK, member_id: MARK, network: MARK, program: MARK },
    }),
};

const waitlists: Exercise<RelationalStore['waitlists']> = {
  async join(store) {
    for (const product of [MARK, `${MARK} 2`]) await store.join({ product, email: MARK });
  },
  get: (store) => store.get(MARK),
  async confirm(store) {
    for (const { id } of await store.list(MARK)) await store.confirm(id);
  },
  leave: (store) => store.leave(MARK),
  list: (store) => store.list(),
  release: (store) => store.release([MARK]),
  take: (store) => store.take(0),
  async settle(store) {
    const taken = await store.take(0);
    if (taken) await store.settle(taken, { retryInMs: MARKED_NUMBER });
  },
  erase: (store) => store.erase(MARK),
};

const repositories = (organizationId: string): Exercise<RelationalStore['repositories']> => ({
  claim: (store) => store.claim(organizationId, MARK),
  get: (store) => store.get(MARK),
  list: (store) => store.list(),
  share: (store) => store.share(MARK, true),
  remove: (store) => store.remove(MARK),
  onChange: async (store) => store.onChange(() => {}),
});

const readSnapshots: Exercise<Tenant['snapshots']> = {
  list: (store) => store.list(),
  get: (store) => store.get(a),
};

const snapshots: Exercise<RelationalStore['snapshots']> = {
  ...readSnapshots,
  async save(store) {
    const measurements = { metrics: [], people: [], authorship: [] };
    for (const name of names) await store.save(info(name), MARK, [Buffer.alloc(300_000)], { run: MARK, measurements });
  },
  read: (store) => Array.fromAsync(store.read(a)),
  remove: (store) => store.remove(b),
};

const readRuns: Exercise<Tenant['runs']> = {
  latest: (store) => store.latest({ repository: a, asOf: '2026-11-02T03:04:05Z' }),
  succeeded: (store) => store.succeeded({ last: 3, repository: a, asOf: '2026-11-02T03:04:05Z' }),
  last: (store) => store.last(),
  list: (store) => store.list(a),
  metrics: (store) => store.metrics([MARK]),
  measurements: (store) => store.measurements(MARK),
};

const runs: Exercise<RelationalStore['runs']> = {
  ...readRuns,
  begin: (store) => store.begin(info(a)),
  fail: (store) => store.fail(MARK, MARK),
};

const readTaskInstances: Exercise<Tenant['taskInstances']> = {
  async list(store) {
    for (const filter of [{}, { repo: MARK }, { language: MARK }, { difficulty: '1-4 hours' }] as const)
      await store.list({ ...filter, ...page });
  },
  counts: (store) => store.counts({ repo: MARK, language: MARK, difficulty: '1-4 hours' }, 'language'),
  get: (store) => store.get(MARK),
};

const taskInstances: Exercise<RelationalStore['taskInstances']> = {
  ...readTaskInstances,
  async save(store) {
    const instance = taskInstance({ repo: MARK, language: MARK });
    await store.save([instance, { ...instance, problem_statement: MARK }]);
  },
  each: (store) => Array.fromAsync(store.each()),
};

const readMintRuns: Exercise<Tenant['mintRuns']> = {
  latest: (store) => store.latest(MARK),
  list: (store) => store.list(page),
};

const mintRuns: Exercise<RelationalStore['mintRuns']> = {
  ...readMintRuns,
  save: (store) => store.save(mintRun({ run_id: MARK, repo: MARK, source: MARK })),
};

const evaluationRuns: Exercise<Tenant['evaluationRuns']> = {
  save: (store) => store.save(evaluationRun({ run_id: MARK, model: MARK })),
  list: (store) => store.list(page),
};

const outcomeFilter = {
  run: MARK,
  language: MARK,
  difficulty: MARK,
  evaluatedFrom: '2026-11-02T03:04:05Z',
  evaluatedTo: '2026-11-02T03:04:05Z',
  committedFrom: '2026-11-02T03:04:05Z',
  committedTo: '2026-11-02T03:04:05Z',
};

const evaluationOutcomes: Exercise<Tenant['evaluationOutcomes']> = {
  save: (store) =>
    store.save(evaluationRun({ run_id: MARK, model: MARK }), [evaluationOutcome({ instance_id: MARK, problem: MARK })]),
  list: (store) => store.list({ ...page, runId: MARK, model: MARK, status: 'resolved' }),
  models: (store) => store.models({ ...page, ...outcomeFilter }),
  scores: (store) => store.scores({ ...outcomeFilter, models: [MARK] }),
};

const attempt = { runId: MARK, model: MARK, instanceId: MARK };
const evaluationAttempts: Exercise<Tenant['evaluationAttempts']> = {
  save: (store) => store.save(evaluationRun({ run_id: MARK, model: MARK }), evaluationAttempt({ instance_id: MARK })),
  get: (store) => store.get(attempt),
  text: (store) => store.text(attempt, 'log'),
};

const usage: Exercise<RelationalStore['usage']> = {
  append: (store) => store.append([usageEvent()]),
  latest: (store) => store.latest(),
  check: (store) => store.check(),
};

const tenantUsage: Exercise<Tenant['usage']> = {
  async calls(store) {
    const days = { from: '2026-11-01', to: '2026-11-30' };
    await store.calls(days, ['product', 'operation', 'member_id', 'day']);
    return store.calls(days, ['product'], MARK);
  },
  events: (store) => store.events({ from: '2026-11-01', to: '2026-11-30' }, ['member_id', 'day']),
};

const usageEvents: Exercise<Tenant['usageEvents']> = {
  append(store) {
    const texts = {
      id: MARK,
      source: MARK,
      type: MARK,
      subject: MARK,
      datacontenttype: MARK,
      attributes: {},
      data: MARK,
    };
    return store.append([{ ...texts, time: '2026-11-02T03:04:05Z' }], { memberId: MARK, keyId: MARK });
  },
  async list(store) {
    const page = { offset: MARKED_NUMBER, limit: MARKED_NUMBER };
    const time = '2026-11-02T03:04:05Z';
    return [await store.list(page), await store.list({ ...page, type: MARK, from: time, to: time })];
  },
};

/** Calls every method of the store, in an order that leaves something to find. */
export async function exerciseGraph(store: GraphStore): Promise<void> {
  await callAll(graph, store);
}

/** The same of a search store. */
export async function exerciseSearch(store: SearchStore): Promise<void> {
  await callAll(search, store);
}

/** The same of a relational store. */
export async function exerciseRelational(store: RelationalStore): Promise<void> {
  const organization = await store.accounts.ensureOrganization({ slug: MARK, name: MARK });
  await store.tenant(organization.id, async (tenant) => {
    await callAll(members, tenant.members);
    await callAll(apiKeys, tenant.apiKeys);
    await callAll(pairings, tenant.pairings);
    await callAll(cliSessions, tenant.cliSessions);
    await callAll(audit, tenant.audit);
    await callAll(settings, tenant.settings);
    await callAll(reports, tenant.reports);
    await callAll(checkoutSessions, tenant.checkoutSessions);
    await tenant.billingRecords();
    await callAll(billingEvents, tenant.billingEvents);
    await callAll(tenantUsage, tenant.usage);
    await callAll(usageEvents, tenant.usageEvents);
    await callAll(evaluationRuns, tenant.evaluationRuns);
    await callAll(evaluationOutcomes, tenant.evaluationOutcomes);
    await callAll(evaluationAttempts, tenant.evaluationAttempts);
    await tenant.repositories.visible();
    await callAll(readSnapshots, tenant.snapshots);
    await callAll(readRuns, tenant.runs);
    await callAll(readTaskInstances, tenant.taskInstances);
    await callAll(readMintRuns, tenant.mintRuns);
    await callAll(webhookEndpoints, tenant.webhookEndpoints);
    await callAll(webhookDeliveries, tenant.webhookDeliveries);
    const { id } = await tenant.members.create({ name: randomUUID(), role: 'viewer' });
    await callAll(savedViews(id), tenant.savedViews);
    await callAll(badges(id), tenant.badges);
    await callAll(visits(id), tenant.visits);
  });
  await callAll(accounts, store.accounts);
  await callAll(checkouts, store.checkouts);
  await callAll(webhooks, store.webhooks);
  await callAll(keyPlaces, store.keyPlaces);
  await store.badges.find(randomBytes(32));
  await callAll(waitlists, store.waitlists);
  await callAll(openPairings, store.pairings);
  await callAll(snapshots, store.snapshots);
  await callAll(runs, store.runs);
  await callAll(taskInstances, store.taskInstances);
  await callAll(mintRuns, store.mintRuns);
  await store.evaluationRuns.list(page);
  await callAll(repositories(organization.id), store.repositories);
  await callAll(usage, store.usage);
  await callAll(reportQueue, store.reports);
  const owned = info(await store.repositories.claim(organization.id, MARK));
  await store.runs.fail(await store.runs.begin(owned), MARK);
  await callAll(webhookOutbox, store.webhookOutbox);
  await store.purge();
  await store.backlog();
}

async function callAll<Store>(exercise: Exercise<Store>, store: Store): Promise<void> {
  for (const call of Object.values<(store: Store) => Promise<unknown>>(exercise)) await call(store);
}

function symbols(generation: string): string[] {
  return Array.from({ length: 200 }, (_, i) => `symbol${generation === 'two' ? 'Two' : 'One'}${i} ${MARK}`);
}

function filter<Type>(only: string | undefined, types: readonly Type[] | undefined) {
  return { ...(only === undefined ? {} : { repository: only }), ...(types === undefined ? {} : { types }) };
}

function usageEvent(): UsageEvent {
  const texts = { organization_id: MARK, member_id: MARK, key_id: MARK, product: MARK, operation: MARK };
  const occurred_at = '2026-11-02T03:04:05Z';
  return { ...texts, event_id: randomUUID(), status: 200, class: 'successful', credits: MARKED_NUMBER, occurred_at };
}
