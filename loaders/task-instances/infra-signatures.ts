/** Why a failure may not be the patch's fault. */
export interface InfraFailure {
  reason: string;
  /** No change of the sources can cause it; else it may be either's fault. */
  certain: boolean;
}

/** SWE-bench's signatures, the first that is found counts; and ours of a full disk. */
const signatures: readonly (InfraFailure & { sign: RegExp })[] = [
  { reason: 'browser_launch_failed', certain: true, sign: /Failed to launch|Failed to connect to the bus/ },
  {
    reason: 'display_unavailable',
    certain: true,
    sign: /cannot open display|Missing X server|unable to open X display/,
  },
  { reason: 'out_of_memory', certain: true, sign: /Cannot allocate memory|OutOfMemoryError|^Killed$/m },
  { reason: 'disk_full', certain: true, sign: /ENOSPC|No space left on device/ },
  {
    reason: 'container_unavailable',
    certain: true,
    sign: /Error response from daemon|Cannot connect to the Docker daemon/,
  },
  {
    reason: 'network_unreachable',
    certain: true,
    sign: /Could not resolve host|Temporary failure in name resolution|EAI_AGAIN/,
  },
  {
    reason: 'missing_module',
    certain: false,
    sign: /Cannot find module|MODULE_NOT_FOUND|ModuleNotFoundError/,
  },
  { reason: 'no_tests_collected', certain: false, sign: /no tests ran|collected 0 items/ },
];

/** What in a log hints at the machine; advice only, as it changes no result. */
export function infraFailureIn(log: string): InfraFailure | null {
  const found = signatures.find(({ sign }) => sign.test(log));
  return found ? { reason: found.reason, certain: found.certain } : null;
}
