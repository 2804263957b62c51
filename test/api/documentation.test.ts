import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { needsCommand } from '../support/required.ts';
import { describeService } from '../support/service.ts';

const run = promisify(execFile);

describeService('GET /docs', (service) => {
  let folder: string;
  before(async () => (folder = await mkdtemp(join(tmpdir(), 'docs-'))));
  after(() => rm(folder, { recursive: true }));

  const page = async (path: string) => {
    const { status, text } = await service().send(path);
    expect([path, status]).deep.equals([path, 200]);
    return text;
  };
  const unescape = (html: string) =>
    html
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&quot;', '"')
      .replaceAll('&#39;', "'")
      .replaceAll('&amp;', '&');
  /** The examples of a page in this language, asking the service under test. */
  const examples = async (path: string, language: string) =>
    [...(await page(path)).matchAll(new RegExp(`<code class="language-${language}">([^]*?)</code>`, 'g'))].map(
      ([, code = '']) => unescape(code).replaceAll('https://ris.example', `http://127.0.0.1:${service().port}`),
    );
  const environment = async () => {
    const { api_key } = await service().createKey('reads-the-docs', 'owner', null, 'olga');
    return { cwd: folder, env: { ...process.env, RIS_API_KEY: api_key } };
  };

  describe('200', () => {
    it('every link within the documentation leads to a page', async () => {
      const seen = new Set<string>(['/docs']);
      // It grows while it is walked.
      for (const path of seen) {
        for (const [, link = ''] of (await page(path)).matchAll(/href="https:\/\/ris\.example(\/[^"#]*)/g))
          seen.add(link);
      }
      expect([...seen]).includes.members([
        '/openapi.json',
        '/docs/quick-start',
        '/docs/plans',
        '/docs/changelog',
        '/docs/products/code-search',
        '/docs/products/eval-runner',
        '/docs/errors/report_expired',
      ]);
    });

    it('every docs_url of the catalog and of the plans leads to its page', async () => {
      for (const path of ['/v1/catalog', '/v1/billing/plans']) {
        const { json } = await service().send(path);
        for (const { docs_url } of json['items'] as { docs_url: string }[]) {
          const { pathname, hash } = new URL(docs_url);
          const text = await page(pathname);
          if (hash) expect(text).include(`id="${hash.slice(1)}"`);
        }
      }
    });

    it('the examples with curl work as pasted', async function () {
      needsCommand(this, 'curl');
      for (const [path, shown] of Object.entries({
        '/docs': '{',
        '/docs/authentication': '{',
        '/docs/idempotency': '{',
        '/docs/quick-start': '# Portfolio',
        '/docs/paging': '{"items":[{"name":"payments-api"}',
        '/docs/graph-queries': '"columns":["f.id","callers"],"rows":[["',
        '/docs/exports': '{"type":"C',
        '/docs/reports': '"content_type":"application/zip"',
        '/docs/webhooks': '"has_more":false',
        '/docs/usage-events': '"status":"duplicate"',
        '/docs/checkout': '"billing_mode":"shadow"',
      })) {
        const scripts = await examples(path, 'bash');
        expect(scripts).has.length(1);
        const { stdout } = await run('bash', ['-euc', scripts[0]!], await environment());
        expect(stdout).include(shown);
        expect(stdout).not.include('docs_url');
      }
    });

    it('the example in JavaScript works as pasted', async () => {
      const [script = ''] = await examples('/docs/quick-start', 'js');
      const file = join(folder, 'quick-start.mjs');
      await writeFile(file, script);
      const { stdout } = await run(process.execPath, [file], await environment());
      expect(stdout)
        .match(/^\d+ \[/)
        .and.include('repositories: 3');
    });

    it('the example in Python works as pasted', async function () {
      const options = await environment();
      const hasPython = await run('python3', ['--version']).then(
        () => true,
        () => false,
      );
      if (!hasPython) this.skip();
      const [script = ''] = await examples('/docs/quick-start', 'python');
      const { stdout } = await run('python3', ['-c', script], options);
      expect(stdout)
        .match(/^\d+ \[/)
        .and.include("'repositories': 3");
    });
  });
});
