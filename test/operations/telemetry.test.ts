import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { rmSync } from 'node:fs';
import { expect } from 'chai';
import { openTelemetryOf, openTelemetrySchema } from '../../src/operations/open-telemetry-settings.ts';
import { keyIn, repoIntel, startRepoIntel } from '../support/cli.ts';
import { onEngine } from '../support/engines.ts';
import { eventually } from '../support/eventually.ts';
import { gitRepository, temporaryFolder } from '../support/git-repository.ts';
import { ownDatabase } from '../support/own-database.ts';
import { onPython, python } from '../suites/python.ts';

type Attributes = { key: string; value: { stringValue?: string; intValue?: string } }[];
interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: string;
  attributes: Attributes;
  status?: { code?: string };
}
interface Point {
  attributes?: Attributes;
  asDouble?: number;
  bucketCounts?: string[];
  explicitBounds?: number[];
  count?: string;
}
interface Metric {
  name: string;
  sum?: { isMonotonic: boolean; dataPoints: Point[] };
  gauge?: { dataPoints: Point[] };
  histogram?: { dataPoints: Point[] };
}
interface Sent {
  resourceSpans?: { resource: { attributes: Attributes }; scopeSpans: { spans: Span[] }[] }[];
  resourceMetrics?: { resource: { attributes: Attributes }; scopeMetrics: { metrics: Metric[] }[] }[];
}

const attributesOf = (attributes: Attributes = []) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue)]));

/** A collector that keeps what it is sent. */
async function openCollector() {
  const bodies: { signal: string; headers: Record<string, unknown>; body: Buffer }[] = [];
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      const plain = request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body;
      bodies.push({ signal: (request.url ?? '').replace('/v1/', ''), headers: request.headers, body: plain });
      response.writeHead(200, { 'Content-Type': 'application/x-protobuf' }).end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bodies,
    /** What it was sent, read by the messages that OpenTelemetry publishes. */
    async read(): Promise<Sent[]> {
      const input = bodies.map(({ signal, body }) => `${signal} ${body.toString('base64')}\n`).join('');
      const { status, output } = await python(['test/operations/otlp_json.py'], { input });
      expect(status, output).to.equal(0);
      return output
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Sent);
    },
    close: () => void server.close(),
  };
}
type Collector = Awaited<ReturnType<typeof openCollector>>;

const spansIn = (sent: Sent[]) =>
  sent.flatMap(({ resourceSpans = [] }) =>
    resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
  );

onPython('opentelemetry.proto', () => {
  let collector: Collector;
  let folder: string;
  beforeEach(async () => {
    collector = await openCollector();
    folder = temporaryFolder();
  });
  afterEach(() => {
    collector.close();
    rmSync(folder, { recursive: true });
  });
  const serve = (environment: Record<string, string>) =>
    startRepoIntel(['serve'], { DATA_DIR: folder, ...environment });
  const ask = (address: string, path: string, headers: Record<string, string> = {}) =>
    fetch(address + path, { headers });

  it('sends requests by their route, within the trace of who asked, and the metrics of the registry', async () => {
    const running = await serve({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=acme',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=staging',
      OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip',
    });
    const authorization = `Bearer ${keyIn(running.stdout())}`;
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    await ask(running.address, '/api/graph/neighbors/a-secret-name', { authorization, traceparent });
    await ask(running.address, '/api/search?q=another-secret', { authorization });
    await ask(running.address, '/nowhere/a-third-secret', { authorization });
    await running.stop();

    const sent = await collector.read();
    const spans = spansIn(sent);
    expect(spans.map(({ name }) => name)).to.include.members([
      'GET /api/graph/neighbors/{name}',
      'GET /api/search',
      'GET',
    ]);
    const neighbors = spans.find(({ name }) => name.includes('neighbors'));
    expect(neighbors).to.include({ kind: 'SPAN_KIND_SERVER' });
    expect(Buffer.from(neighbors?.traceId ?? '', 'base64').toString('hex')).to.equal(traceparent.split('-')[1]);
    expect(Buffer.from(neighbors?.parentSpanId ?? '', 'base64').toString('hex')).to.equal(traceparent.split('-')[2]);
    expect(attributesOf(neighbors?.attributes)).to.include({
      'http.request.method': 'GET',
      'http.route': '/api/graph/neighbors/{name}',
      'http.response.status_code': 404,
      'error.type': 'repository_not_found',
    });
    // What the caller did wrong is no error of the service.
    expect(neighbors?.status?.code).to.equal(undefined);
    expect(JSON.stringify(sent))
      .not.to.match(/secret/)
      .and.not.to.include(authorization.slice(-20));

    const resources = sent.flatMap(({ resourceSpans = [], resourceMetrics = [] }) => [
      ...resourceSpans,
      ...resourceMetrics,
    ]);
    for (const { resource } of resources)
      expect(attributesOf(resource.attributes)).to.include({
        'service.name': 'repo-intel',
        'deployment.environment.name': 'staging',
      });
    expect(collector.bodies.map(({ headers }) => headers['x-tenant']))
      .to.include('acme')
      .and.not.to.include(undefined);

    const metrics = sent.flatMap(({ resourceMetrics = [] }) =>
      resourceMetrics.flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics)),
    );
    const requests = metrics.find(({ name }) => name === 'ris_http_request_duration_seconds')?.histogram?.dataPoints;
    const ofSearch = requests?.find(({ attributes }) => Object.values(attributesOf(attributes)).includes('2xx'));
    expect(ofSearch?.bucketCounts?.reduce((sum, each) => sum + Number(each), 0)).to.equal(Number(ofSearch?.count));
    expect(ofSearch?.bucketCounts).to.have.length((ofSearch?.explicitBounds?.length ?? 0) + 1);
    expect(metrics.find(({ name }) => name === 'ris_disk_free_bytes')?.gauge?.dataPoints[0]?.asDouble).to.be.above(0);
    expect(metrics.find(({ name }) => name === 'process_cpu_seconds_total')?.sum?.isMonotonic).to.equal(true);
  });

  it('takes the share of requests that it is told to', async () => {
    const running = await serve({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_METRICS_EXPORTER: 'none',
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0',
    });
    await ask(running.address, '/healthz');
    await ask(running.address, '/api/graph', {
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    });
    await running.stop();
    expect(spansIn(await collector.read()).map(({ name }) => name)).to.deep.equal(['GET /api/graph']);
  });

  it('traces jobs', async () => {
    using repository = gitRepository({ name: 'shop', files: { 'cart.py': 'def total():\n    return 1\n' } });
    const running = await serve({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_BSP_SCHEDULE_DELAY: '200' });
    await repoIntel(['load', '--enqueue', repository.path], { DATA_DIR: folder });
    await eventually(async () => {
      const job = spansIn(await collector.read()).find(({ name }) => name === 'job load');
      expect(attributesOf(job?.attributes)).to.include({
        'repo_intel.job.kind': 'load',
        'repo_intel.job.attempt': 1,
        'repo_intel.job.outcome': 'done',
      });
    });
    await running.stop();
  });

  it('serves, and says so once, where no collector answers or the settings ask for what it has not', async () => {
    const running = await serve({
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
      OTEL_EXPORTER_OTLP_TIMEOUT: '500',
      OTEL_EXPORTER_OTLP_METRICS_PROTOCOL: 'grpc',
      OTEL_BSP_SCHEDULE_DELAY: '100',
      LOG_LEVEL: 'warn',
    });
    expect((await ask(running.address, '/healthz')).status).to.equal(200);
    expect(running.stderr()).to.include('OTEL_EXPORTER_OTLP_METRICS_PROTOCOL is grpc');
    await eventually(async () => void expect(running.stderr()).to.include('the collector does not take telemetry'));
    await running.stop();
  });

  onEngine('postgres', (server) => {
    it('has the calls to the stores within the requests that made them', async () => {
      const database = await ownDatabase(server());
      const running = await serve({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, DATABASE_URL: database.url });
      const key = keyIn(running.stdout());
      await ask(running.address, '/api/repositories', { authorization: `Bearer ${key}` });
      await running.stop();
      const spans = spansIn(await collector.read());
      const request = spans.find(({ name }) => name === 'GET /api/repositories');
      const calls = spans.filter(({ parentSpanId }) => parentSpanId === request?.spanId);
      expect(calls.map(({ name }) => name)).to.include('relational tenant');
      expect(attributesOf(calls[0]?.attributes)).to.include({ 'db.system.name': 'postgresql' });
      expect(new Set([request, ...calls].map((span) => span?.traceId)).size).to.equal(1);
    });
  });
});

describe('settings of telemetry', () => {
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' };

  it('send nothing unless a collector is named', () => {
    expect(openTelemetryOf(openTelemetrySchema.parse({}))).to.equal(null);
    expect(openTelemetryOf(openTelemetrySchema.parse({ ...endpoint, OTEL_SDK_DISABLED: 'true' }))).to.equal(null);
  });

  it('say what the service has not, and leave the rest on', () => {
    const asked = openTelemetryOf(
      openTelemetrySchema.parse({
        ...endpoint,
        OTEL_TRACES_EXPORTER: 'zipkin',
        OTEL_TRACES_SAMPLER: 'jaeger_remote',
        OTEL_TRACES_SAMPLER_ARG: '2',
        OTEL_BSP_SCHEDULE_DELAY: 'soon',
      }),
    );
    expect(asked).to.deep.include({ traces: false, metrics: true, batch: {} });
    expect(asked?.sampler).to.deep.equal({ parentBased: false, name: 'always_on', ratio: 1 });
    for (const name of [
      'OTEL_TRACES_EXPORTER',
      'OTEL_TRACES_SAMPLER',
      'OTEL_TRACES_SAMPLER_ARG',
      'OTEL_BSP_SCHEDULE_DELAY',
    ])
      expect(asked?.problems.join('\n')).to.include(`${name} is`);
  });
});
