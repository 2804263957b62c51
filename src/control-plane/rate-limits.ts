import type { Limits } from '../http/rate-limit.ts';

/** The quotas of the beta. */
export const betaLimits: Limits = {
  organization: [
    { name: 'default', requests: 600, window_seconds: 60 },
    { name: 'burst', requests: 100, window_seconds: 1 },
  ],
  address: [{ name: 'public', requests: 300, window_seconds: 60 }],
  named: [{ name: 'search', requests: 120, window_seconds: 60 }],
};
