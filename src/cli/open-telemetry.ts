import packageJson from '../../package.json' with { type: 'json' };
import type { Config } from '../config.ts';
import type { startTelemetry, Telemetry } from '../operations/telemetry.ts';

/** Begins to send traces and metrics where the settings say so; elsewhere nothing of it is even loaded. */
export async function openTelemetry(
  { openTelemetry: settings }: Pick<Config, 'openTelemetry'>,
  who: Omit<Parameters<typeof startTelemetry>[1], 'version'>,
): Promise<Telemetry | null> {
  if (settings === null) return null;
  const { startTelemetry } = await import('../operations/telemetry.ts');
  return startTelemetry(settings, { ...who, version: packageJson.version });
}
