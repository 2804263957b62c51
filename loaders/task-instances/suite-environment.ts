import { access } from 'node:fs/promises';
import type { TaskEnvironment } from '../../src/model/task-instance.ts';

/** The certificates that this machine trusts, as the tools of each language want to be told of them. */
const certificates = '/etc/ssl/certs/ca-certificates.crt';
const certificateSettings = [
  'SSL_CERT_FILE',
  'NODE_EXTRA_CA_CERTS',
  'PIP_CERT',
  'REQUESTS_CA_BUNDLE',
  'CARGO_HTTP_CAINFO',
  'GIT_SSL_CAINFO',
];

/** What a suite and its setup find in their environment: the same on each machine, at each time. */
export async function suiteEnvironment(
  environment: Pick<TaskEnvironment, 'env'>,
  network: boolean,
): Promise<Record<string, string>> {
  const trusts =
    network &&
    (await access(certificates).then(
      () => true,
      () => false,
    ));
  return {
    CI: '1',
    TZ: 'UTC',
    LANG: 'C.UTF-8',
    PYTHONHASHSEED: '0',
    // A source that is changed within a second keeps its time, and then what was compiled before would count.
    PYTHONDONTWRITEBYTECODE: '1',
    SOURCE_DATE_EPOCH: '315532800',
    CARGO_TERM_COLOR: 'never',
    // What can't be changed can't be removed either.
    GOFLAGS: '-modcacherw',
    ...(trusts ? Object.fromEntries(certificateSettings.map((name) => [name, certificates])) : {}),
    ...environment.env,
  };
}
