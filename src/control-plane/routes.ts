import type { Route } from '../http/route.ts';
import type { EphemeralStore } from '../stores/ephemeral/port.ts';
import { healthRoutes } from './health.ts';
import { rootRoute } from './root.ts';
import type { ServiceDescription } from './root.ts';
import { usageRoute } from './usage.ts';

/** The routes of the control plane. */
export function controlPlaneRoutes(options: {
  service: ServiceDescription;
  ephemeral: EphemeralStore;
  isReady: () => boolean;
}): Route[] {
  return [rootRoute(options.service), ...healthRoutes(options.isReady), usageRoute(options.ephemeral)];
}
