import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { parseAllDocuments } from 'yaml';
import packageJson from '../../package.json' with { type: 'json' };
import { readConfig } from '../../src/config.ts';
import { temporaryFolder } from '../support/git-repository.ts';
import { needsCommand } from '../support/required.ts';
import { onPython, python } from '../suites/python.ts';

const chart = join(import.meta.dirname, '../../packaging/helm/repo-intel');

interface Container {
  name: string;
  image: string;
  args: string[];
  env: { name: string; value: string }[];
  envFrom?: { secretRef: { name: string } }[];
  ports?: { name: string; containerPort: number }[];
  securityContext: Record<string, unknown>;
}
interface Manifest {
  kind: string;
  metadata: { name: string };
  spec: {
    replicas?: number;
    ports?: { name: string }[];
    ingress?: { ports: { port: string }[]; from?: unknown[] }[];
    volumeClaimTemplates?: unknown[];
    template?: { spec: { containers: Container[]; securityContext: Record<string, unknown> } };
  };
}

const render = (...options: string[]) =>
  spawnSync('helm', ['template', chart, '--namespace', 'code', ...options], { encoding: 'utf8' });
const set = (values: Record<string, string>) =>
  Object.entries(values).flatMap(([name, value]) => ['--set', `${name}=${value}`]);

function manifests(...options: string[]): Manifest[] {
  const { status, stdout, stderr } = render(...options);
  expect(status, stderr).to.equal(0);
  return parseAllDocuments(stdout).flatMap((document) => (document.toJS() as Manifest | null) ?? []);
}
const containersIn = (found: Manifest[]) => found.flatMap(({ spec }) => spec.template?.spec.containers ?? []);
const kinds = (found: Manifest[]) => found.map(({ kind, metadata }) => `${kind} ${metadata.name}`).sort();

describe('the chart', function () {
  before(function () {
    needsCommand(this, 'helm');
  });
  const onServers = set({ servers: 'true', secretName: 'ris', 'service.replicas': '3' });
  const everything = [
    ...onServers,
    ...set({ 'ingress.enabled': 'true', 'ingress.host': 'ris.example.com', 'ingress.tlsSecretName': 'tls' }),
  ];

  it('has nothing for its linter, and the version of the package', () => {
    execFileSync('helm', ['lint', chart], { stdio: 'pipe' });
    const said = readFileSync(join(chart, 'Chart.yaml'), 'utf8');
    expect(said)
      .to.include(`\nversion: ${packageJson.version}\n`)
      .and.to.include(`\nappVersion: ${packageJson.version}\n`);
  });

  it('is one pod with a volume, unless servers are named', () => {
    const found = manifests();
    expect(kinds(found)).to.deep.equal([
      'NetworkPolicy release-repo-intel',
      'Service release-repo-intel',
      'Service release-repo-intel-metrics',
      'StatefulSet release-repo-intel',
    ]);
    expect(found.find(({ kind }) => kind === 'StatefulSet')?.spec).to.include({ replicas: 1 });
    expect(found.find(({ kind }) => kind === 'StatefulSet')?.spec.volumeClaimTemplates).to.have.length(1);
  });

  it('is any number of services and workers on servers, whose addresses and passwords stay in their Secret', () => {
    const found = manifests(...everything);
    expect(kinds(found)).to.include.members([
      'Deployment release-repo-intel',
      'StatefulSet release-repo-intel-worker',
      'PodDisruptionBudget release-repo-intel',
      'Ingress release-repo-intel',
    ]);
    const containers = containersIn(found);
    expect(containers.map(({ args }) => args[0])).to.have.members(['serve', 'worker']);
    for (const { envFrom } of containers) expect(envFrom).to.deep.equal([{ secretRef: { name: 'ris' } }]);
    expect(containers[0]?.env).to.deep.include({ name: 'BASE_URL', value: 'https://ris.example.com' });
  });

  it('lets nobody but whom it names to the metrics, which ask for no key', () => {
    const [policy] = manifests().filter(({ kind }) => kind === 'NetworkPolicy');
    const rules = policy?.spec.ingress ?? [];
    expect(rules.map(({ ports, from }) => [ports[0]?.port, from !== undefined])).to.deep.equal([
      ['http', false],
      ['metrics', true],
    ]);
    const without = manifests(...set({ 'metrics.enabled': 'false' }));
    expect(JSON.stringify(without)).not.to.match(/9464|ADMIN_HOST|"metrics"/);
  });

  it('runs as nobody who could do harm', () => {
    for (const { spec } of manifests(...everything)) {
      if (spec.template === undefined) continue;
      expect(spec.template.spec.securityContext).to.deep.include({
        runAsNonRoot: true,
        seccompProfile: { type: 'RuntimeDefault' },
      });
      for (const { securityContext } of spec.template.spec.containers)
        expect(securityContext).to.deep.equal({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
    }
  });

  it('gives the service settings that it takes', () => {
    const [container] = containersIn(
      manifests(...set({ 'settings.REMEDIATION_CURRENCY': 'EUR', 'settings.DRAIN_SECONDS': '7' })),
    );
    const config = readConfig(Object.fromEntries((container?.env ?? []).map(({ name, value }) => [name, value])));
    expect(config).to.deep.include({
      baseUrl: 'http://release-repo-intel.code.svc:8080',
      dataDir: '/data/repo-intel',
      drainMs: 7_000,
      admin: { host: '0.0.0.0', port: 9464 },
      remediationRate: { currency: 'EUR', hourly_rate: 100 },
    });
  });

  for (const [what, values, says] of [
    ['servers without their Secret', { servers: 'true' }, 'servers needs secretName'],
    ['two embedded services', { 'service.replicas': '2' }, 'service.replicas above 1 needs servers'],
    ['an ingress without a host', { 'ingress.enabled': 'true' }, 'ingress needs a host'],
    ['a secret among the settings', { 'settings.GITHUB_TOKEN': 'x' }, 'GITHUB_TOKEN may hold a secret'],
    ['a value that it has not', { replicas: '2' }, 'replicas'],
    ['a setting by another name', { 'settings.base-url': 'x' }, 'base-url'],
  ] as const) {
    it(`refuses ${what}, and says what to do`, () => {
      const { status, stderr } = render(...set(values));
      expect(status).to.equal(1);
      expect(stderr).to.include(says);
    });
  }

  onPython('kubernetes_validate', () => {
    it('is what the schemas of Kubernetes ask for', async () => {
      const folder = temporaryFolder();
      try {
        for (const [name, options] of Object.entries({ embedded: [], servers: everything })) {
          const file = join(folder, `${name}.yaml`);
          writeFileSync(file, render(...options).stdout);
          const { status, output } = await python(['-m', 'kubernetes_validate', '--strict', '-k', '1.34', file]);
          expect(status, output).to.equal(0);
          expect(output).to.include('passed for resource service/release-repo-intel ');
        }
      } finally {
        rmSync(folder, { recursive: true });
      }
    });
  });
});
