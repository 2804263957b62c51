import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { parse } from 'csv-parse/sync';
import { fromBufferPromise } from 'yauzl';
import type { Role } from '../../src/model/account.ts';
import { repository } from '../contract/relational-store.ts';
import { eventually } from '../support/eventually.ts';
import type { Answer } from '../support/http.ts';
import { describeService } from '../support/service.ts';
import { shareWithAll } from '../support/share-with-all.ts';
import { evaluationRun, saveEvaluationRuns, taskInstance } from '../support/task-instances.ts';

type Json = Record<string, unknown>;

interface Rendered {
  title: string;
  sections: Record<string, { title: string; notes: string[]; rows: Json[] }>;
}

describeService('/v1/reports', (service) => {
  /** What a member of this organization may do. */
  const member = async (organization: string, role: Role = 'member') => {
    const { api_key, organization: own } = await service().createKey(organization, role);
    const authorization = `Bearer ${api_key}`;
    const send = (method: string, path: string, headers: Record<string, string> = {}, body?: unknown) =>
      service().send(path, {
        method,
        headers: {
          authorization,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    const get = (path: string, headers?: Record<string, string>) => send('GET', path, headers);
    return {
      organizationId: own.id,
      send,
      get,
      create: (body: Json, headers?: Record<string, string>) => send('POST', '/v1/reports', headers, body),
      /** Asks for a report and waits until it is made, or not. */
      async make(body: Json): Promise<Json> {
        const { status, json } = await send('POST', '/v1/reports', {}, body);
        expect([status, json['status']]).deep.equals([202, 'pending']);
        return eventually(async () => {
          const { json: report } = await get(`/v1/reports/${json['id'] as string}`);
          expect(report['status']).is.oneOf(['succeeded', 'failed']);
          return report;
        });
      },
      content: (report: Json, headers?: Record<string, string>) =>
        get(`/v1/reports/${report['id'] as string}/content`, headers),
    };
  };
  const deepDive = (format: string, repo = 'payments-api') => ({
    type: 'repository_deep_dive',
    format,
    parameters: { repo },
  });
  const rendered = (answer: Answer) => answer.json as unknown as Rendered;

  before(async () => {
    const info = repository('payments-api');
    info.requires = [
      { ecosystem: 'npm', name: 'koa', range: '^3', scope: 'runtime', path: 'package.json', line: 4, imports: 7 },
    ];
    info.warnings.push(`not_a_git_repository: ${info.source} is no git repository.`);
    await service().stores.relational.snapshots.save(info, '1', [Buffer.from('x')]);
  });
  after(() => service().stores.relational.snapshots.remove('payments-api'));

  describe('202', () => {
    it('answers where the report will be and when to ask, and makes it at once', async () => {
      const anna = await member('reports-create');
      const { status, headers, json } = await anna.create({ ...deepDive('json'), name: 'Payments, November' });
      const self = `/v1/reports/${json['id'] as string}`;
      expect([status, headers['location'], headers['retry-after']]).deep.equals([202, self, '2']);
      expect(json).deep.includes({
        object: 'report',
        status: 'pending',
        progress: 0,
        name: 'Payments, November',
        parameters: { repo: 'payments-api' },
        result: null,
        links: { self, content: null },
      });
      const report = await eventually(async () => {
        const { headers, json } = await anna.get(self);
        expect([json['status'], headers['retry-after']]).deep.equals(['succeeded', undefined]);
        return json;
      });
      expect(report['progress']).equals(1);
      expect(report['links']).deep.equals({ self, content: `${self}/content` });
      const keptMs = Date.parse(String(report['expires_at'])) - Date.parse(String(report['completed_at']));
      expect(keptMs).equals(30 * 24 * 3_600_000);
    });

    it('makes one report of requests with one Idempotency-Key', async () => {
      const anna = await member('reports-once');
      const headers = { 'idempotency-key': 'november' };
      const answers = [await anna.create(deepDive('csv'), headers), await anna.create(deepDive('csv'), headers)];
      expect(answers.map(({ status }) => status)).deep.equals([202, 202]);
      expect(new Set(answers.map(({ json }) => json['id'])).size).equals(1);
      expect(answers.map(({ headers }) => headers['location'])).deep.equals([
        answers[0]?.headers['location'],
        answers[0]?.headers['location'],
      ]);
      expect((await anna.get('/v1/reports')).json['total']).equals(1);
    });
  });

  describe('200', () => {
    it('lists the types, each with the schema of its parameters, and says which can be made', async () => {
      const { json } = await (await member('reports-types', 'viewer')).get('/v1/reports/types');
      const items = json['items'] as { type: string; available: boolean; parameters: Json }[];
      expect(Object.fromEntries(items.map(({ type, available }) => [type, available]))).deep.equals({
        portfolio_executive: true,
        repository_deep_dive: true,
        factor_portfolio: true,
        usage_statement: true,
        benchmark_summary: true,
      });
      expect(items.find(({ type }) => type === 'usage_statement')?.parameters).deep.includes({ required: ['period'] });
    });

    it('tells how many task instances there are, and how models did on them', async () => {
      const { relational } = service().stores;
      const anna = await member('reports-benchmark');
      const run = evaluationRun({ run_id: 'reported', timestamp: '2997-01-01T00:00:00Z' });
      const task = taskInstance({ instance_id: 'acme__reported-1', difficulty: '>4 hours' });
      await shareWithAll(service().stores, [task.repo]);
      await relational.taskInstances.save([task]);
      await saveEvaluationRuns(relational, anna.organizationId, [run]);
      const { hard, total } = await relational.tenant(anna.organizationId, async (own) => ({
        hard: (await own.taskInstances.list({ difficulty: '>4 hours', offset: 0, limit: 1 })).total,
        total: (await own.evaluationRuns.list({ offset: 0, limit: 1 })).total,
      }));
      const report = await anna.make({ type: 'benchmark_summary', format: 'json' });
      const { sections } = rendered(await anna.content(report));
      expect(sections['tasks']?.rows.at(-1)).deep.equals({ difficulty: '>4 hours', instances: hard });
      expect(sections['runs']?.rows).lengthOf(total);
      const own = sections['runs']?.rows.find(({ run_id }) => run_id === 'reported');
      expect(own).includes({ model: run.model, evaluated: 3, solved: 2, solve_rate: 0.6667, solve_rate_total: 0.5 });
    });

    it('lists the organization’s own reports, the newest first, by state, type and time, in pages', async () => {
      const anna = await member('reports-list');
      const reports = [
        await anna.make(deepDive('json')),
        await anna.make({ type: 'portfolio_executive', format: 'csv' }),
      ];
      const [oldest, newest] = reports.map(({ id }) => id);
      const listed = async (query: string) => {
        const { json } = await anna.get(`/v1/reports?${query}`);
        return [json['total'], (json['items'] as Json[]).map(({ id }) => id)];
      };
      expect(await listed('')).deep.equals([2, [newest, oldest]]);
      expect(await listed('type=portfolio_executive')).deep.equals([1, [newest]]);
      expect(await listed('status=failed')).deep.equals([0, []]);
      expect(await listed('status=succeeded&page_size=1&page=2')).deep.equals([2, [oldest]]);
      const between = encodeURIComponent(String(reports[1]?.['created_at']));
      expect(await listed(`created_from=${between}`)).deep.equals([1, [newest]]);
      expect(await listed(`created_to=${between}`)).deep.equals([1, [oldest]]);
      expect(await listed('created_from=0000-01-01T00:00:00Z&created_to=9999-12-31T23:59:59-12:00')).deep.equals([
        2,
        [newest, oldest],
      ]);
      expect((await (await member('reports-others')).get('/v1/reports')).json['total']).equals(0);
    });

    it('gives the content as a file, with its digest, uncompressed, and 304 to who has it', async () => {
      const anna = await member('reports-content');
      for (const [format, type, extension] of [
        ['json', 'application/json; charset=utf-8', 'json'],
        ['csv', 'text/csv; charset=utf-8', 'csv'],
        ['csv_zip', 'application/zip', 'zip'],
        ['markdown', 'text/markdown; charset=utf-8', 'md'],
      ] as const) {
        const report = await anna.make(deepDive(format));
        const { status, headers, bytes } = await anna.content(report, { 'accept-encoding': 'gzip' });
        const sha256 = createHash('sha256').update(bytes);
        const result = report['result'] as Json;
        expect(result['sha256']).equals(sha256.copy().digest('hex'));
        expect(result).deep.includes({ content_type: type, size_bytes: bytes.length });
        expect({ status, ...headers }).deep.includes({
          status: 200,
          'content-type': type,
          'content-disposition': `attachment; filename="repository_deep_dive-${String(report['id'])}.${extension}"`,
          'repr-digest': `sha-256=:${sha256.digest('base64')}:`,
          'cache-control': 'private, no-cache, no-transform',
        });
        expect(headers['content-encoding']).equals(undefined);
        const again = await anna.content(report, { 'if-none-match': String(headers['etag']) });
        expect(again.status).equals(304);
      }
    });

    it('the same data gives the same bytes', async () => {
      const anna = await member('reports-same');
      for (const format of ['json', 'csv', 'csv_zip', 'markdown']) {
        const digests = [await anna.make(deepDive(format)), await anna.make(deepDive(format))].map(
          ({ result }) => (result as Json)['sha256'],
        );
        expect(digests[0]).equals(digests[1]);
      }
    });

    it('repository_deep_dive tells what the stores hold of one repository', async () => {
      const anna = await member('reports-deep');
      const { title, sections } = rendered(await anna.content(await anna.make(deepDive('json'))));
      expect(title).equals('Repository deep dive: payments-api');
      expect(sections['repository']).deep.include({
        notes: ['shallow clone', 'not_a_git_repository: payments-api is no git repository.'],
      });
      expect(sections['repository']?.rows[0]).deep.includes({ name: 'payments-api', description: 'Takes payments.' });
      expect(sections['contributors']?.rows).deep.equals([
        { contributor: 'Anna Berg', kind: null, commits: 12, share: 0.8 },
        { contributor: 'Bo Dahl', kind: null, commits: 3, share: 0.2 },
      ]);
      expect(sections['neighbors']?.rows).deep.equals([
        { neighbor: 'ledger', edge: 'DEPENDS_ON', direction: 'out', weight: 4, strategy: 'manifest' },
      ]);
      expect(sections['dependencies']?.rows).deep.equals([
        { ecosystem: 'npm', package: 'koa', range: '^3', scope: 'runtime', imports: 7, path: 'package.json' },
      ]);
      expect(sections['inside']?.rows).deep.includes({ kind: 'node', type: 'Function', count: 2 });
      expect(sections['symbols']?.rows.map(({ symbol }) => symbol)).has.members([
        'parsePaymentRequest',
        'chargeCard',
        'PaymentGateway',
      ]);
    });

    it('portfolio_executive tells of all repositories', async () => {
      const anna = await member('reports-portfolio');
      const report = await anna.make({ type: 'portfolio_executive', format: 'json' });
      const { sections } = rendered(await anna.content(report));
      expect(sections['portfolio']?.rows[0]).deep.includes({
        repositories: 3,
        contributors: 2,
        functions: 2,
        classes: 2,
      });
      const repositories = sections['repositories']?.rows ?? [];
      expect(repositories.map(({ repository }) => repository)).deep.equals(['ledger', 'odd name+ü', 'payments-api']);
      expect(repositories[2]).deep.includes({
        contributors: 2,
        commits: 15,
        top_share: 0.8,
        depends_on: 1,
        dependents: 0,
      });
      expect(sections['contributors']?.rows[0]).deep.includes({
        contributor: 'Anna Berg',
        repositories: 2,
        commits: 17,
      });
      expect(sections['packages']?.rows).deep.equals([
        { ecosystem: 'npm', package: 'koa', repositories: 1, imports: 7 },
      ]);
    });

    it('usage_statement has every call that was answered before, from the ledger, and nobody else’s', async () => {
      const anna = await member('reports-usage');
      for (let call = 0; call < 3; call += 1) expect((await anna.get('/api/search?q=pay')).status).equals(200);
      expect((await anna.get('/api/graph/neighbors/none')).status).equals(404);
      const period = new Date().toISOString().slice(0, 7);
      const event = { specversion: '1.0', id: '1', source: '/ci', type: 'build', time: new Date().toISOString() };
      expect((await anna.send('POST', '/v1/usage/events', {}, event)).status).within(200, 202);
      const report = await anna.make({ type: 'usage_statement', format: 'json', parameters: { period } });
      const { sections } = rendered(await anna.content(report));
      expect(sections['statement']?.rows[0]).deep.includes({
        period,
        calls: 4,
        successful_calls: 3,
        client_error_calls: 1,
        credits: 3,
        usage_events: 1,
        charged_cents: 0,
      });
      expect(sections['products']?.rows.map(({ product, calls }) => [product, calls])).deep.equals([
        ['code-graph', 1],
        ['code-search', 3],
      ]);
    });

    it('csv is one table that a parser reads, whatever the names, and holds no formula', async () => {
      const { graph } = service().stores;
      const name = '=cmd|" /C calc"!A0, "x"\n';
      const { nodes } = await graph.everything.repositoryGraph();
      const person = { ...nodes.find(({ type }) => type === 'Contributor')!, id: 'contributor:evil', name };
      const repo = { ...nodes.find(({ id }) => id === 'ledger')!, id: 'evil', name: 'evil', repository: 'evil' };
      const edge = { confidence: 1, strategy: 'history', path: null, line: null };
      await shareWithAll(service().stores, ['evil']);
      await graph.replaceRepository({
        repository: 'evil',
        generation: '1',
        nodes: [repo, person],
        edges: [{ ...edge, type: 'CONTRIBUTED_TO', from: person.id, to: 'evil', weight: 2 }],
      });
      try {
        const anna = await member('reports-csv');
        const csv = await anna.content(await anna.make(deepDive('csv', 'evil')));
        expect(csv.text.split('\r\n')[0]).match(/^section,name,description,/);
        const rows = parse<Record<string, string>>(csv.text, { columns: true });
        expect(rows.find(({ section }) => section === 'contributors')).deep.includes({
          contributor: `'${name}`,
          commits: '2',
        });
        const zip = await anna.content(await anna.make(deepDive('csv_zip', 'evil')));
        const files = await filesIn(zip.bytes);
        const { sections } = rendered(await anna.content(await anna.make(deepDive('json', 'evil'))));
        expect([...files.keys()]).members([...Object.keys(sections), 'notes'].map((id) => `${id}.csv`));
        for (const [id, section] of Object.entries(sections))
          expect(parse(files.get(`${id}.csv`) ?? '', { columns: true }), id).lengthOf(section?.rows.length ?? 0);
        expect(parse(files.get('contributors.csv') ?? '', { columns: true })[0]).deep.equals({
          contributor: `'${name}`,
          kind: '',
          commits: '2',
          share: '1',
        });
        const markdown = await anna.content(await anna.make(deepDive('markdown', 'evil')));
        expect(markdown.text).include(String.raw`| =cmd\|" /C calc"\!A0, "x" | – | 2 | 1 |`);
      } finally {
        await graph.removeRepository('evil');
      }
    });
  });

  describe('204', () => {
    it('an owner, an admin and who asked for it delete a report; afterwards it is not there; the audit log knows', async () => {
      const anna = await member('reports-delete');
      for (const role of ['owner', 'admin', 'member'] as const) {
        const { id } = await anna.make(deepDive('json'));
        const path = `/v1/reports/${String(id)}`;
        const other = role === 'member' ? anna : await member('reports-delete', role);
        const { status, text } = await other.send('DELETE', path);
        expect([role, status, text]).deep.equals([role, 204, '']);
        for (const [method, gone] of [
          ['GET', path],
          ['GET', `${path}/content`],
          ['DELETE', path],
        ] as const) {
          const { status, json } = await anna.send(method, gone);
          expect([status, json['code']]).deep.equals([404, 'report_not_found']);
        }
      }
    });
  });

  describe('403', () => {
    it('a viewer neither creates nor deletes, a member deletes only its own', async () => {
      const anna = await member('reports-roles');
      const report = await anna.make(deepDive('json'));
      const path = `/v1/reports/${String(report['id'])}`;
      const viewer = await member('reports-roles', 'viewer');
      expect((await viewer.get(path)).status).equals(200);
      const refused = [await viewer.create(deepDive('json')), await viewer.send('DELETE', path)];
      expect(refused.map(({ status, json }) => [status, json['code']])).deep.equals([
        [403, 'insufficient_role'],
        [403, 'insufficient_role'],
      ]);
    });
  });

  describe('404', () => {
    it('another organization’s report answers like one that never was', async () => {
      const { id } = await (await member('reports-mine')).make(deepDive('json'));
      const olga = await member('reports-theirs', 'owner');
      for (const [method, suffix] of [
        ['GET', ''],
        ['GET', '/content'],
        ['DELETE', ''],
      ] as const) {
        const answers = [`/v1/reports/${String(id)}`, '/v1/reports/rep_none'].map((path) =>
          olga.send(method, path + suffix),
        );
        const [theirs, none] = (await Promise.all(answers)).map(({ status, json }) => [
          status,
          json['code'],
          json['detail'],
        ]);
        expect(theirs).deep.equals(none);
        expect(theirs?.[0]).equals(404);
      }
    });
  });

  describe('409', () => {
    it('a report that failed has no content; it says why, in a sentence', async () => {
      const anna = await member('reports-failed');
      for (const [body, error] of [
        [deepDive('json', 'nothing'), { code: 'repository_not_found', message: 'No repository is named "nothing".' }],
      ] as const) {
        const report = await anna.make(body);
        expect([report['status'], report['error'], report['result']]).deep.equals(['failed', error, null]);
        const { status, json } = await anna.content(report);
        expect([status, json['code'], json['detail']]).deep.equals([409, 'report_not_ready', 'The report is failed.']);
      }
    });
  });

  describe('410', () => {
    it('a report that is being made has no content yet, one that has expired no more', async () => {
      const anna = await member('reports-expired');
      const { tenant, reports: queue } = service().stores.relational;
      // Unless the service's own runner was faster.
      const claimed = await eventually(async () => {
        await tenant(anna.organizationId, ({ reports }) =>
          reports.create({
            type: 'portfolio_executive',
            name: null,
            format: 'csv',
            parameters: {},
            createdBy: 'mem_anna',
          }),
        );
        return (await queue.claim({ leaseMs: 60_000, perOrganization: 2 })) ?? expect.fail('it was taken');
      });
      const path = `/v1/reports/${claimed.id}`;
      const running = await anna.get(path);
      expect([running.json['status'], running.headers['retry-after']]).deep.equals(['running', '2']);
      const early = await anna.get(`${path}/content`);
      expect([early.status, early.json['code'], early.headers['retry-after']]).deep.equals([
        409,
        'report_not_ready',
        '2',
      ]);
      await queue.succeed(claimed, { content: Buffer.from('a'), contentType: 'text/csv', retentionMs: 1 });
      await eventually(async () => {
        const { json } = await anna.get(path);
        expect(json).deep.includes({ status: 'expired', result: null, links: { self: path, content: null } });
      });
      const late = await anna.get(`${path}/content`);
      expect([late.status, late.json['code']]).deep.equals([410, 'report_expired']);
    });
  });

  describe('422', () => {
    it('names what is wrong with a request', async () => {
      const anna = await member('reports-invalid');
      for (const [body, pointer, code] of [
        [{ ...deepDive('json'), type: 'novel' }, '#/type', 'not_in_enum'],
        [{ type: 'repository_deep_dive', format: 'json' }, '#/parameters', 'required'],
        [{ type: 'repository_deep_dive', format: 'json', parameters: {} }, '#/parameters/repo', 'required'],
        [deepDive('json', 'a\u0000'), '#/parameters/repo', 'pattern'],
        [deepDive('pdf'), '#/format', 'not_in_enum'],
        [
          { type: 'usage_statement', format: 'json', parameters: { period: '2026-13' } },
          '#/parameters/period',
          'pattern',
        ],
        [{ ...deepDive('json'), colour: 'red' }, '#/', 'unknown'],
      ] as const) {
        const { status, json } = await anna.create(body);
        const [error] = json['errors'] as Json[];
        expect([status, error?.['pointer'], error?.['code']]).deep.equals([422, pointer, code]);
      }
      expect((await anna.get('/v1/reports?created_from=yesterday')).status).equals(422);
    });
  });
});

/** The files of a ZIP as another library reads them, by name. */
async function filesIn(zip: Buffer): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  const read = await fromBufferPromise(zip);
  for await (const entry of read.eachEntry()) {
    const chunks = await Array.fromAsync(await read.openReadStreamPromise(entry));
    files.set(entry.fileName, Buffer.concat(chunks as Buffer[]).toString());
  }
  return files;
}
