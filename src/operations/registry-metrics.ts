import { ValueType } from '@opentelemetry/api';
import type { HrTime } from '@opentelemetry/api';
import { hrTime } from '@opentelemetry/core';
import type { InstrumentationScope } from '@opentelemetry/core';
import { emptyResource } from '@opentelemetry/resources';
import { AggregationTemporality, DataPointType } from '@opentelemetry/sdk-metrics';
import type { DataPoint, Histogram, MetricData, MetricProducer } from '@opentelemetry/sdk-metrics';
import type { MetricObjectWithValues, MetricValue, MetricValueWithName, Registry } from 'prom-client';

/** What Prometheus' registry counts, as OpenTelemetry's metrics of the same names; all are cumulative since the process began. */
export function registryMetrics(registry: Registry, scope: InstrumentationScope): MetricProducer {
  const startTime = hrTime(0);
  return {
    async collect() {
      const endTime = hrTime();
      const found = (await registry.getMetricsAsJSON()) as MetricObjectWithValues<MetricValueWithName<string>>[];
      const metrics = found.flatMap((metric) => metricOf(metric, { startTime, endTime }));
      return { resourceMetrics: { resource: emptyResource(), scopeMetrics: [{ scope, metrics }] }, errors: [] };
    },
  };
}

type Times = { startTime: HrTime; endTime: HrTime };

function metricOf(
  { name, help, type, values }: MetricObjectWithValues<MetricValueWithName<string>>,
  times: Times,
): MetricData[] {
  const base = {
    descriptor: {
      name,
      description: help,
      unit: /_seconds(_total)?$/.test(name) ? 's' : name.endsWith('_bytes') ? 'By' : '',
      valueType: ValueType.DOUBLE,
    },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  };
  // What can't be told now is left out.
  const told = values.filter(({ value }) => Number.isFinite(value));
  if (told.length === 0) return [];
  const point = ({ labels, value }: MetricValue<string>) => ({ ...times, attributes: { ...labels }, value });
  // A prom-client release may give the enumeration's number or its name.
  if (String(type) === 'histogram')
    return [{ ...base, dataPointType: DataPointType.HISTOGRAM, dataPoints: histograms(told, times) }];
  if (String(type) === 'counter')
    return [{ ...base, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints: told.map(point) }];
  return [{ ...base, dataPointType: DataPointType.GAUGE, dataPoints: told.map(point) }];
}

/** Prometheus counts what is at or below each boundary; OpenTelemetry what lies between two. */
function histograms(values: readonly MetricValueWithName<string>[], times: Times): DataPoint<Histogram>[] {
  const bySeries = Map.groupBy(values, ({ labels }) => JSON.stringify({ ...labels, le: undefined }));
  return [...bySeries.values()].map((series) => {
    const ending = (suffix: string) => series.filter(({ metricName }) => metricName?.endsWith(suffix) === true);
    const buckets = ending('_bucket')
      .map(({ labels: { le }, value }) => ({ le: le === '+Inf' ? Infinity : Number(le), value }))
      .sort((a, b) => a.le - b.le);
    const { le: _, ...attributes } = series[0]?.labels ?? {};
    return {
      ...times,
      attributes,
      value: {
        buckets: {
          boundaries: buckets.map(({ le }) => le).filter(Number.isFinite),
          counts: buckets.map(({ value }, index) => value - (buckets[index - 1]?.value ?? 0)),
        },
        sum: ending('_sum')[0]?.value ?? 0,
        count: ending('_count')[0]?.value ?? 0,
      },
    };
  });
}
