import { existsSync, readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import packageJson from '../package.json' with { type: 'json' };

const root = join(import.meta.dirname, '..');
/** A package manager that is asked for this program by a name, which anybody could have claimed. */
const runsAName = /\b(?:npx|bunx|pnpm dlx|yarn dlx|npm (?:i|install|exec|x))\b[^\n`]*[ "@/]repo-intel\b(?![\w./-])/;
const read = (path: string) => readFileSync(join(root, path), 'utf8');

describe('what is written', () => {
  it('links to what is there', async () => {
    const broken: string[] = [];
    for await (const file of glob('**/*.md', {
      cwd: root,
      exclude: ['node_modules', 'dist', 'data', 'coverage', 'test/fixtures'],
    })) {
      for (const [, target = ''] of read(file).matchAll(/\]\((?!\w+:|#)([^)#\s{]+)/g))
        if (!existsSync(join(root, dirname(file), target))) broken.push(`${file}: ${target}`);
    }
    expect(broken).to.deep.equal([]);
  });

  it('tells nobody to run a name of a registry, and says the name of the package in package.json alone', async () => {
    const wrong: string[] = [];
    for await (const file of glob('{*.md,docs/**/*.md,{src,loaders,packaging,.github}/**/*.{md,ts,tsx,js,yml}}', {
      cwd: root,
    }))
      if (runsAName.test(read(file)) || read(file).includes(packageJson.name)) wrong.push(file);
    expect(wrong).to.deep.equal([]);
    for (const line of [
      'npx repo-intel up',
      'npx -y @a/repo-intel',
      'npm i -g repo-intel',
      '"command": "npx", "args": ["-y", "repo-intel"',
    ])
      expect(runsAName.test(line), line).to.equal(true);
  });

  it('has each setting and each command', () => {
    const [, schema = ''] = /const schema = z\.object\(\{([\s\S]*?)\n\}\)/.exec(read('src/config.ts')) ?? [];
    const settings = [...schema.matchAll(/^ {2}([A-Z][A-Z0-9_]+):/gm)].flatMap(([, name]) => name ?? []);
    expect(settings).to.include('PORT');
    const page = read('docs/settings.md');
    // Node's and npm's own.
    const foreign = ['NODE_ENV', 'INIT_CWD'];
    expect(settings.filter((name) => !foreign.includes(name) && !page.includes(`\`${name}\``))).to.deep.equal([]);

    const commands = [...read('src/cli/main.ts').matchAll(/^ +'?([\w-]+)'?: async \(\) =>/gm)].flatMap(
      ([, name]) => name ?? [],
    );
    expect(commands).to.include.members(['load', 'checkout-hosts']);
    const list = read('docs/command-line.md');
    expect(commands.filter((name) => !new RegExp(`repo-intel .*\\b${name}\\b`).test(list))).to.deep.equal([]);
  });
});
