import { expect } from 'chai';
import { metricsOfFiles } from './metrics-of.ts';
import { dedent } from '../../support/dedent.ts';

describe('metrics: external services', () => {
  it('are found in dependencies, containers, variables and providers, with how far each reaches', async () => {
    const { metric } = await metricsOfFiles({
      'README.md': '# Shop\n\nPays with Stripe.\n',
      'package.json': '{"private":true,"dependencies":{"stripe":"^1","koa":"3","@aws-sdk/client-sns":"3"}}',
      'docker-compose.yml': dedent`
        services:
          db:
            image: postgres:16
          own:
            image: acme/shop:1

      `,
      '.env.example': '# keys\nSENTRY_DSN=\nSHOP_NAME=x\n',
      'infra/main.tf': 'provider "cloudflare" {\n}\n',
      'src/pay/a.js': "import Stripe from 'stripe';\nStripe();\n",
      'src/ship/b.js': dedent`
        import { SNS } from '@aws-sdk/client-sns';
        SNS();

      `,
      'src/list/c.js': "import './d.js';\n",
      'src/list/d.js': 'export const d = 1;\n',
      'test/pay.test.js': "import Stripe from 'stripe';\n",
    });
    expect(metric('external_service_count').evidence.map(({ path, line, note }) => [note, path, line])).to.deep.equal([
      ['aws: @aws-sdk/client-sns', 'package.json', 1],
      ['cloudflare: provider cloudflare', 'infra/main.tf', 1],
      ['postgresql: postgres:16', 'docker-compose.yml', 3],
      ['sentry: SENTRY_DSN', '.env.example', 2],
      ['stripe: stripe', 'package.json', 1],
    ]);
    expect(metric('external_service_count').quantities).to.include({ undocumented: 4, 'kind stripe': 1 });
    expect(metric('external_service_spread_pct')).to.deep.include({ numerator: 2, quantities: { spread_services: 0 } });
    expect(metric('external_service_spread_pct').evidence.map(({ note }) => note)).to.deep.equal([
      'aws in src/ship',
      'stripe in src/pay',
    ]);
  });

  it('of a repository without any', async () => {
    const { metric } = await metricsOfFiles({ 'a.py': 'import os\n' });
    expect(metric('external_service_count').value).to.equal(0);
    expect(metric('external_service_spread_pct')).to.deep.include({ value: null, status: 'not_applicable' });
    expect(metric('hardcoded_endpoint_count').value).to.equal(0);
  });

  it('addresses in the code are findings; examples, schemas, comments, tests and what is configured are not', async () => {
    const { metric } = await metricsOfFiles({
      'a.py': [
        'API = "https://api.acme-pay.io/v1/charge?key=1"',
        '# see https://wiki.acme-pay.io',
        'x = 1  # https://wiki.acme-pay.io',
        'DB = "postgres://ann:hunter2@db.acme-pay.io:5432/shop"',
        'NS = "http://www.w3.org/2000/svg"',
        'LOCAL = "http://localhost:8080", "http://127.0.0.1", "https://api.example.com"',
        'URL = f"https://{host}/x" + "https://%s/y"',
        'IP = "10.1.2.3"',
        'VERSION = "1.2.3.4.5"',
        '',
      ].join('\n'),
      'tests/test_a.py': 'API = "https://api.acme-pay.io"\n',
      'settings.yml': 'api: https://api.acme-pay.io\n',
    });
    expect(metric('hardcoded_endpoint_count').evidence.map(({ line, note }) => [line, note])).to.deep.equal([
      [1, 'https://api.acme-pay.io'],
      [4, 'postgres://db.acme-pay.io'],
      [8, '10.1.2.3'],
    ]);
  });
});
