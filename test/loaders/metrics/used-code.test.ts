import { expect } from 'chai';
import { superLinearCosts } from '../../support/hostile-fillings.ts';
import { withCpuTime } from '../../support/cpu-time.ts';
import { gitRepository } from '../../support/git-repository.ts';
import { metricsOf, metricsOfFiles } from './metrics-of.ts';

const insecure =
  "const db = require('./db');\nexports.run = (req, res) => db.query('SELECT * FROM t WHERE id = ' + req.query.id);\n";
const program = (start: string) => `${start}\nmodule.exports = { one: 1 };\n`;
/** With less production code beside it, what others wrote would count as production anyway. */
const enough = 'exports.two = 2;\n'.repeat(20);

async function usedIn(files: Record<string, string>) {
  const { metric } = await metricsOfFiles({ 'README.md': 'Words.\n', ...files });
  const { quantities, evidence, value } = metric('security_pattern_finding_count');
  const used = evidence.flatMap(({ path, note }) => (/but used by/.test(note ?? '') ? `${path}: ${note}` : []));
  return { high: quantities?.['code_high_used'], hidden: quantities?.['code_hidden'], used, value };
}

describe('metrics: code that production uses, wherever it lies', () => {
  it('is what production imports among tests, with who uses it, and nothing else there', async () => {
    const { high, used } = await usedIn({
      'src/app.js': program("const run = require('../test/run');"),
      'test/run.js': insecure,
      'test/other.js': insecure,
      'test/run.test.js': program("require('./other');"),
    });
    expect(high).to.equal(1);
    expect(used).to.have.length(1);
    expect(used[0]).to.match(/^test\/run\.js: .*but used by src\/app\.js:/);
  });

  it('is followed over several files, and around in a circle', async () => {
    const { high } = await usedIn({
      'src/app.js': program(`require('../vendor/a');\n${enough}`),
      'vendor/a.js': program("require('./b');"),
      'vendor/b.js': `require('./a');\n${insecure}`,
    });
    expect(high).to.equal(1);
  });

  it('is read in the language of who runs it where its name tells none, and only if it is such', async () => {
    const { high, used } = await usedIn({
      'src/app.js': program("require('./billing.data');"),
      'src/billing.data': insecure,
    });
    expect(high).to.equal(1);
    expect(used[0]).to.match(/^src\/billing\.data: /);
    const words = 'Prices of all goods, `ls ${request.query.path}` not among them; and so on, page by page.\n'.repeat(
      20,
    );
    const text = await usedIn({ 'src/app.js': program("require('./billing.data');"), 'src/billing.data': words });
    expect(text.high).to.equal(undefined);
  });

  it('is told of none where production uses nothing that lies elsewhere', async () => {
    const { high, hidden, value } = await usedIn({
      'src/app.js': program(''),
      'test/run.test.js': `require('../src/app');\n${insecure}`,
    });
    expect([high, hidden, value]).to.deep.equal([
      undefined,
      undefined,
      (await usedIn({ 'src/app.js': program('') })).value,
    ]);
  });

  it('is code that is decoded and run, also from a file that is named', async () => {
    const encoded = Buffer.from('console.log("words");\n'.repeat(20)).toString('base64');
    const run =
      "const fs = require('fs');\neval(Buffer.from(fs.readFileSync('src/app.bin', 'utf8'), 'base64').toString());";
    const { hidden } = await usedIn({ 'src/app.js': program(run), 'src/app.bin': encoded });
    expect(hidden).to.equal(1);
  });

  it('is what is named where it is said how the program is started', async () => {
    for (const [path, text] of Object.entries({
      Procfile: 'web: node test/run.js\n',
      Dockerfile: 'FROM node\nWORKDIR /srv/test\nCMD ["node", "run.js"]\n',
      'compose.yaml': 'services:\n  web:\n    command: ["node", "./test/run"]\n',
      'package.json': '{ "name": "shop", "scripts": { "start": "node test/run" } }\n',
      'bin/start.sh': 'cd "$(dirname "$0")/../test" && exec node run.js\n',
    })) {
      const { high, used } = await usedIn({ 'src/app.js': program(''), 'test/run.js': insecure, [path]: text });
      expect(high, path).to.equal(1);
      expect(used[0]).to.include(`but used by ${path}:`);
    }
  });

  it('is what is named to whoever loads modules by any name', async () => {
    const load = "exports.load = (name) => require(require('path').resolve(name));";
    for (const [what, files] of Object.entries({
      'by a file that imports the one that loads': {
        'src/load.js': program(load),
        'src/app.js': program("require('./load').load('./test/run.js');"),
      },
      'in settings': {
        'src/app.js': program(`${load}\nfor (const name of require('../modules.json')) exports.load(name);`),
        'modules.json': '["./test/run"]\n',
      },
    }))
      expect((await usedIn({ ...files, 'test/run.js': insecure })).high, what).to.equal(1);
  });

  const honest: Record<string, Record<string, string>> = {
    'a path that is put together of what is turned around': {
      'src/app.js': program(
        "const up = __dirname.split('/').reverse();\nrequire(require('path').join(up[0], 'package.json'));",
      ),
      'package.json': '{ "name": "shop" }\n',
    },
    'another program that is run, with a word that is a folder': {
      'src/app.py': 'import gzip\nimport subprocess\nsubprocess.run(["docker", "load"], input=gzip.decompress(blob))\n',
      'docker/nginx.conf': 'server { listen 80; }\n',
    },
    'tests that are run': {
      'src/app.js': program("require('child_process').spawn('mocha', ['test']);"),
      'test/rule.js': `${insecure}eval(atob('${'cHJpbnQoMSk7'.repeat(5)}'));\n`,
    },
    'a thread that is given bytes': {
      'src/app.js': program(
        "new Worker(require('path').join(__dirname, '../dist/worker.js'), { workerData: Buffer.from(key, 'hex') });",
      ),
      'dist/worker.js': program(''),
    },
    'examples that have a manifest of their own': {
      'src/app.js': program(''),
      'examples/shop/package.json':
        '{ "name": "shop", "main": "server.js", "scripts": { "start": "node server.js" } }\n',
      'examples/shop/server.js': insecure,
    },
    'a folder of modules, with their tests beside them': {
      'src/app.js': program("exports.load = (name) => require('./routes/' + name);"),
      'src/routes/users.js': program(''),
      'src/routes/users.test.js': insecure,
    },
    'tests that a task, a script of npm or an image runs': {
      'src/app.js': program(''),
      'package.json':
        '{ "name": "shop", "scripts": { "test:server": "node test/server.js", "lint": "node test/server.js" } }\n',
      Makefile: 'test:\n\tnode test/server.js\n\ncheck-all: build\n\tpython test/server.js\n',
      Dockerfile: 'FROM node\nRUN npm test\nRUN node test/server.js --coverage\n',
      'test/server.js': insecure,
    },
    'tests that settings of tools name': {
      'src/app.js': program('exports.load = (name) => require(name);'),
      'Gruntfile.js':
        "module.exports = (grunt) => grunt.initConfig({ mochaTest: { src: ['test/*.js'] }, load: require('./src/app') });\n",
      'karma.conf.js': "module.exports = { files: ['test/*.js'], plugin: require(process.env.PLUGIN) };\n",
      'test/server.js': insecure,
    },
    'a picture and a key in base64': {
      'src/app.js': program(
        `exports.picture = 'data:image/png;base64,${'iVBORw0KGgoAAAANSUhEUgAA'.repeat(20)}';\nexports.key = Buffer.from('${'MIIBIjANBgkqhkiG9w0BAQEF'.repeat(12)}', 'base64');\neval(process.argv[2]);`,
      ),
    },
    'functions that are made of names and of a template': {
      'src/app.js': program(
        `const names = '${'alpha beta gamma delta epsilon zeta eta theta '.repeat(8)}'.split(' ');\nexports.make = new Function('value', names.map((name) => 'this.' + name).join(';'));`,
      ),
      'src/app.py': `TEMPLATE = """\n${'def NAME(self, value):\n    if value is not None:\n        self.values["NAME"] = value\n    return self\n'.repeat(4)}"""\nfor name in ("one", "two"):\n    exec(TEMPLATE.replace("NAME", name))\n`,
    },
    'a package that is loaded by a path of characters': {
      'src/app.php': "<?php require_once dirname(__FILE__).chr(47).'vendor'.chr(47).'autoload.php';\n",
      'src/vendor/autoload.php': '<?php return 1;\n',
    },
  };
  for (const [what, files] of Object.entries(honest))
    it(`is none of honest code: ${what}`, async () => {
      const { high, hidden } = await usedIn({ 'src/more.js': enough, ...files });
      expect([high, hidden]).to.deep.equal([undefined, undefined]);
    });

  it('is not looked for outside of the repository, by a link or by a path', async () => {
    using outside = gitRepository({ files: { 'run.js': insecure } });
    using repository = gitRepository({
      files: {
        'src/app.js': program(`require('../link/run');\nrequire('${outside.path}/run.js');`),
        'README.md': 'W\n',
      },
    });
    repository.commit('link', { files: { link: { symlink: outside.path } } });
    const { metric } = await metricsOf(repository.path);
    expect(metric('security_pattern_finding_count').quantities).to.not.have.property('code_high_used');
  });

  it('costs in proportion to its size: chains of files, and names that may mean many', async () => {
    const shapes: Record<string, (count: number) => Record<string, string>> = {
      starts: (count) => ({
        ...Object.fromEntries(
          Array.from({ length: count / 4 }, (_, n) => [`s${n}/Procfile`, 'web: node /a/b/test/t1.js\n'.repeat(100)]),
        ),
        ...Object.fromEntries(Array.from({ length: count }, (_, n) => [`test/t${n}.js`, program('')])),
      }),
      chain: (count) => ({
        'src/app.js': program("require('../test/t0');"),
        ...Object.fromEntries(
          Array.from({ length: count }, (_, n) => [`test/t${n}.js`, program(`require('./t${n + 1}');`)]),
        ),
      }),
      names: (count) => ({
        ...Object.fromEntries(
          Array.from({ length: count }, (_, n) => [
            `src/s${n}.py`,
            `import runpy\nrunpy.run_path('data' + '/' + 'd${n}.txt')\nexec(open('x').read() + 'data' + 'd')\n`,
          ]),
        ),
        ...Object.fromEntries(Array.from({ length: count }, (_, n) => [`src/data/d${n}.txt`, 'x = 1\n'])),
      }),
    };
    for (const [what, filesOf] of Object.entries(shapes)) {
      const costs = await superLinearCosts(async (bytes) => {
        using repository = gitRepository({ files: { 'README.md': 'Words.\n', ...filesOf(Math.round(bytes / 4_000)) } });
        return (await withCpuTime(() => metricsOf(repository.path))).ms;
      });
      expect(costs, what).to.equal(null);
    }
  });
});
