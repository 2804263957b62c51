import type { SandboxLimits, SandboxNetwork } from './sandbox/sandbox.ts';

/** What is between commands and the machine, beside the isolation itself. */
export interface Containment {
  setup_network: SandboxNetwork;
  /** What setups reach through the proxy beside registries. */
  allowed_hosts: readonly string[];
  limits: SandboxLimits;
}

const enforcers: Readonly<Record<SandboxLimits['enforced_by'], string>> = {
  container: 'by the container',
  watcher: 'by a watcher',
};

const networks: Readonly<Record<SandboxNetwork, string>> = {
  none: 'no network',
  proxy: 'registries alone, through a proxy',
  host: 'all that this machine reaches',
};

const mebibytes = (bytes: number) => `${Math.round(bytes / 1024 ** 2)} MiB`;

/** In half a sentence each. */
export const limitsIn = ({ memory_bytes: bytes, processes, enforced_by: by }: SandboxLimits): string =>
  `at most ${mebibytes(bytes)} of memory (${enforcers[by]}) and ${processes} processes`;
export const networkIn = (network: SandboxNetwork): string => networks[network];

export const memoryProblem = ({ memory_bytes: bytes }: SandboxLimits): string =>
  `it took more than the ${mebibytes(bytes)} of memory that it may: --memory gives it more`;
