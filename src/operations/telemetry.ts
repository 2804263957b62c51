import { AsyncLocalStorage } from 'node:async_hooks';
import type { TracingChannel, TracingChannelSubscribers } from 'node:diagnostics_channel';
import {
  defaultTextMapGetter,
  diag,
  DiagLogLevel,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import type { Context, Span, SpanOptions, Tracer } from '@opentelemetry/api';
import { setGlobalErrorHandler, W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
  serviceInstanceIdDetector,
} from '@opentelemetry/resources';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { requestChannel } from '../http/app.ts';
import { storeChannel } from '../stores/guard.ts';
import { jobChannel } from '../stores/jobs/pg-boss.ts';
import { registryMetrics } from './registry-metrics.ts';
import type { OpenTelemetrySettings } from './open-telemetry-settings.ts';

/** Sends traces and metrics to a collector, from `startTelemetry` on. */
export interface Telemetry {
  /** Sends what is left, for a few seconds at most; a collector that is away keeps nobody. */
  stop(): Promise<void>;
}

const maxStopMs = 3_000;

/**
 * Sends traces of requests, of the calls to the stores' servers and of jobs, and the registry's metrics, by OTLP over HTTP. No span
 * has a path, a query, a body, a name of code or a key: they may hold secrets.
 */
export function startTelemetry(
  { traces, metrics, sampler, batch, interval, problems }: OpenTelemetrySettings,
  { name, version, logger, registry }: { name: string; version: string; logger: Logger; registry: Registry | null },
): Telemetry {
  for (const problem of problems) logger.warn(problem);
  tellProblems(logger);
  const resource = defaultResource()
    .merge(resourceFromAttributes({ 'service.name': name, 'service.version': version }))
    .merge(detectResources({ detectors: [serviceInstanceIdDetector, envDetector] }));
  const closing: (() => Promise<void>)[] = [];
  if (traces) {
    const provider = new TracerProvider({
      resource,
      sampler: samplerOf(sampler),
      spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter(), ...batch })],
    });
    const unsubscribe = traceChannels(provider.getTracer('repo-intel', version));
    closing.push(async () => {
      unsubscribe();
      await provider.shutdown();
    });
  }
  if (metrics && registry !== null) {
    const producer = registryMetrics(registry, { name: 'repo-intel', version });
    const provider = new MeterProvider({
      resource,
      readers: [
        new PeriodicExportingMetricReader({
          exporter: new OTLPMetricExporter(),
          metricProducers: [producer],
          ...interval,
        }),
      ],
    });
    closing.push(() => provider.shutdown());
  }
  return {
    async stop() {
      const enough = new Promise((resolve) => setTimeout(resolve, maxStopMs).unref());
      await Promise.race([enough, Promise.allSettled(closing.map((close) => close()))]);
    },
  };
}

/** A collector that is away is said once in five minutes, not at each try. */
function tellProblems(logger: Logger): void {
  const say = (reason: string) => logger.warn({ reason }, 'telemetry');
  diag.setLogger({ error: say, warn: say, info: say, debug: say, verbose: say }, DiagLogLevel.WARN);
  let said = -Infinity;
  setGlobalErrorHandler((err) => {
    if (performance.now() - said < 300_000) return;
    said = performance.now();
    logger.warn({ err }, 'the collector does not take telemetry');
  });
}

function samplerOf({ parentBased, name, ratio }: OpenTelemetrySettings['sampler']) {
  const samplers = {
    always_on: () => new AlwaysOnSampler(),
    always_off: () => new AlwaysOffSampler(),
    traceidratio: () => new TraceIdRatioBasedSampler(ratio),
  };
  const root = samplers[name]();
  return parentBased ? new ParentBasedSampler({ root }) : root;
}

/** Makes a span of all that the service's channels tell, each within the one in which it happens; gives what ends that. */
function traceChannels(tracer: Tracer): () => void {
  const current = new AsyncLocalStorage<Span>();
  const within = () => {
    const parent = current.getStore();
    return parent === undefined ? ROOT_CONTEXT : trace.setSpan(ROOT_CONTEXT, parent);
  };
  const incoming = new W3CTraceContextPropagator();
  const follow = <Told extends object>(
    channel: TracingChannel<unknown, Told>,
    begin: (told: Told) => { name: string; options: SpanOptions; parent: Context },
    end: (span: Span, told: Told) => void,
  ) => {
    const spans = new WeakMap<Told, Span>();
    (channel.start as { bindStore(store: AsyncLocalStorage<Span>, make: (told: Told) => Span): void }).bindStore(
      current,
      (told) => {
        const { name, options, parent } = begin(told);
        const span = tracer.startSpan(name, options, parent);
        spans.set(told, span);
        return span;
      },
    );
    const subscribers: TracingChannelSubscribers<Told> = {
      start() {},
      end() {},
      asyncStart() {},
      error(told) {
        const { error } = told as { error?: unknown };
        spans.get(told)?.setAttribute('error.type', error instanceof Error ? error.name : 'unknown');
        spans.get(told)?.setStatus({ code: SpanStatusCode.ERROR });
      },
      asyncEnd(told) {
        const span = spans.get(told);
        if (span === undefined) return;
        end(span, told);
        span.end();
      },
    };
    channel.subscribe(subscribers);
    return () => {
      channel.unsubscribe(subscribers);
      channel.start.unbindStore(current);
    };
  };
  const ends = [
    follow(
      requestChannel,
      ({ method, path, headers }) => ({
        name: path === null ? method : `${method} ${path}`,
        options: {
          kind: SpanKind.SERVER,
          attributes: { 'http.request.method': method, ...(path === null ? {} : { 'http.route': path }) },
        },
        parent: incoming.extract(ROOT_CONTEXT, headers, defaultTextMapGetter),
      }),
      (span, { record }) => {
        if (record === null) return;
        const { status, code, request_id, organization_id } = record;
        span.setAttribute('http.response.status_code', status);
        span.setAttribute('repo_intel.request_id', request_id);
        if (organization_id !== null) span.setAttribute('repo_intel.organization_id', organization_id);
        if (code !== null) span.setAttribute('error.type', code);
        // As the conventions have it, what the caller did wrong is no error of the server.
        if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      },
    ),
    follow(
      storeChannel,
      ({ store, name }) => ({
        name: `${store} ${name}`,
        options: {
          kind: SpanKind.CLIENT,
          attributes: { 'db.system.name': systems[store], 'db.operation.name': name, 'repo_intel.store': store },
        },
        parent: within(),
      }),
      () => {},
    ),
    follow(
      jobChannel,
      ({ kind, id, attempt }) => ({
        name: `job ${kind}`,
        options: {
          kind: SpanKind.CONSUMER,
          attributes: {
            'repo_intel.job.kind': kind,
            'repo_intel.job.id': id,
            'repo_intel.job.attempt': attempt,
          },
        },
        parent: ROOT_CONTEXT,
      }),
      (span, { outcome }) => {
        if (outcome !== null) span.setAttribute('repo_intel.job.outcome', outcome);
        if (outcome === 'failed') span.setStatus({ code: SpanStatusCode.ERROR });
      },
    ),
  ];
  return () => {
    for (const end of ends) end();
  };
}

/** What the stores' servers are, by the names of the conventions. */
const systems = {
  graph: 'neo4j',
  search: 'elasticsearch',
  source: 'elasticsearch',
  relational: 'postgresql',
  ephemeral: 'redis',
} as const;
