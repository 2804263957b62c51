import { z } from 'zod';

const text = z.string().default('');

/**
 * OpenTelemetry's own variables, of which machines have some for other programs: none of them makes a start fail. Those of the exporters
 * (headers, timeouts, compression, certificates) and of the resource are read by its SDK.
 */
export const openTelemetrySchema = z.object({
  OTEL_SDK_DISABLED: text,
  OTEL_TRACES_EXPORTER: text,
  OTEL_METRICS_EXPORTER: text,
  OTEL_EXPORTER_OTLP_ENDPOINT: text,
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: text,
  OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: text,
  OTEL_EXPORTER_OTLP_PROTOCOL: text,
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: text,
  OTEL_EXPORTER_OTLP_METRICS_PROTOCOL: text,
  OTEL_TRACES_SAMPLER: text,
  OTEL_TRACES_SAMPLER_ARG: text,
  OTEL_BSP_SCHEDULE_DELAY: text,
  OTEL_BSP_EXPORT_TIMEOUT: text,
  OTEL_BSP_MAX_QUEUE_SIZE: text,
  OTEL_BSP_MAX_EXPORT_BATCH_SIZE: text,
  OTEL_METRIC_EXPORT_INTERVAL: text,
  OTEL_METRIC_EXPORT_TIMEOUT: text,
});

const samplers = ['always_on', 'always_off', 'traceidratio'] as const;

/** What is sent to a collector, and how; a number that is not said is as the specification of OpenTelemetry has it. */
export interface OpenTelemetrySettings {
  traces: boolean;
  metrics: boolean;
  /** Whether a caller's own decision comes first, and which share of the others is taken. */
  sampler: { parentBased: boolean; name: (typeof samplers)[number]; ratio: number };
  batch: {
    scheduledDelayMillis?: number;
    exportTimeoutMillis?: number;
    maxQueueSize?: number;
    maxExportBatchSize?: number;
  };
  /** Milliseconds. */
  interval: { exportIntervalMillis?: number; exportTimeoutMillis?: number };
  /** One sentence for each variable that says what can't be done. */
  problems: string[];
}

/** Null: nothing is sent. That is so unless a collector is named, or an exporter asked for. */
export function openTelemetryOf(env: z.infer<typeof openTelemetrySchema>): OpenTelemetrySettings | null {
  if (env.OTEL_SDK_DISABLED.toLowerCase() === 'true') return null;
  const problems: string[] = [];
  const isSent = (signal: 'TRACES' | 'METRICS') => {
    const exporter = env[`OTEL_${signal}_EXPORTER`];
    const isNamed = env.OTEL_EXPORTER_OTLP_ENDPOINT !== '' || env[`OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`] !== '';
    if (exporter === 'none' || (exporter === '' && !isNamed)) return false;
    if (exporter !== '' && exporter !== 'otlp') {
      problems.push(`OTEL_${signal}_EXPORTER is ${exporter}, and this service has otlp alone: no ${words[signal]}.`);
      return false;
    }
    const own = `OTEL_EXPORTER_OTLP_${signal}_PROTOCOL` as const;
    const name = env[own] === '' ? 'OTEL_EXPORTER_OTLP_PROTOCOL' : own;
    if (env[name] === '' || env[name] === 'http/protobuf') return true;
    problems.push(`${name} is ${env[name]}, and this service speaks http/protobuf alone: no ${words[signal]}.`);
    return false;
  };
  const number = (name: keyof typeof env) => {
    if (env[name] === '') return undefined;
    const value = Number(env[name]);
    if (Number.isSafeInteger(value) && value > 0) return value;
    problems.push(`${name} is no whole number above 0: it is left at its default.`);
    return undefined;
  };
  const [traces, metrics] = [isSent('TRACES'), isSent('METRICS')];
  const settings = {
    traces,
    metrics,
    sampler: samplerOf(env, problems),
    batch: told({
      scheduledDelayMillis: number('OTEL_BSP_SCHEDULE_DELAY'),
      exportTimeoutMillis: number('OTEL_BSP_EXPORT_TIMEOUT'),
      maxQueueSize: number('OTEL_BSP_MAX_QUEUE_SIZE'),
      maxExportBatchSize: number('OTEL_BSP_MAX_EXPORT_BATCH_SIZE'),
    }),
    interval: told({
      exportIntervalMillis: number('OTEL_METRIC_EXPORT_INTERVAL'),
      exportTimeoutMillis: number('OTEL_METRIC_EXPORT_TIMEOUT'),
    }),
    problems,
  };
  return traces || metrics || problems.length > 0 ? settings : null;
}

const words = { TRACES: 'traces are sent', METRICS: 'metrics are sent' };

function samplerOf(
  { OTEL_TRACES_SAMPLER: given, OTEL_TRACES_SAMPLER_ARG: share }: z.infer<typeof openTelemetrySchema>,
  problems: string[],
): OpenTelemetrySettings['sampler'] {
  const parentBased = given === '' || given.startsWith('parentbased_');
  const name = samplers.find((each) => each === given.replace('parentbased_', '')) ?? 'always_on';
  if (given !== '' && !given.endsWith(name))
    problems.push(`OTEL_TRACES_SAMPLER is ${given}, which is not known: every request is traced.`);
  const ratio = share === '' ? 1 : Number(share);
  if (ratio >= 0 && ratio <= 1) return { parentBased, name, ratio };
  problems.push('OTEL_TRACES_SAMPLER_ARG is no number from 0 to 1: it is taken as 1.');
  return { parentBased, name, ratio: 1 };
}

/** Without what is undefined. */
const told = (numbers: Record<string, number | undefined>): Record<string, number> =>
  Object.fromEntries(Object.entries(numbers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
