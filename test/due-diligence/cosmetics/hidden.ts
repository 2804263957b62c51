import { posix } from 'node:path';
import { deflateSync } from 'node:zlib';
import type { Draft } from './draft.ts';
import type { Trick } from './tricks.ts';

const isScript = ({ language }: Draft) => language === 'javascript';
const stem = (path: string) => posix.basename(path, posix.extname(path));
/** What starts the program, and asks for each of the bad files. */
const entry = (draft: Draft) => (isScript(draft) ? 'index.js' : 'app.py');

/** Moves the bad files, and has the program ask for them where they are then. */
function movedAndUsed(
  draft: Draft,
  rename: (path: string) => string,
  use: { javascript(path: string): string; python(path: string): string; before?: string },
): void {
  const names = draft.bad.map(stem);
  draft.move('move', rename);
  let text = draft.text(entry(draft));
  for (const [n, name] of names.entries()) {
    const to = draft.bad[n] ?? '';
    text = isScript(draft)
      ? text.replace(`require('./src/${name}')`, use.javascript(to))
      : text.replace(`from shop import ${name}\n`, use.python(to));
  }
  draft.commit('use', { [entry(draft)]: `${use.before ?? ''}${text}` });
}

const required = (path: string) => `require('./${path}')`;
const imported = (path: string) => {
  const module = path.replace(/\.py$/, '').replaceAll('/', '.');
  return `from ${posix.dirname(path).replaceAll('/', '.')} import ${stem(path)}\n`.replace(
    /^from \. /,
    `import ${module} as `,
  );
};
const executed = (read: (path: string) => string) => (path: string) =>
  `${stem(path)} = {}\nexec(${read(path)}, ${stem(path)})\n`;

const toFolder = (folder: string): Trick => ({
  name: `the bad files moved to ${folder}/, and used there`,
  worth: 5,
  apply: (draft) =>
    movedAndUsed(draft, (path) => `${folder}/${posix.basename(path)}`, { javascript: required, python: imported }),
});

/** The texts of the bad files, written otherwise, are what the files run. */
const encoded = (name: string, javascript: (text: string) => string, python: (text: string) => string): Trick => ({
  name: `the code ${name}`,
  worth: 5,
  apply: (draft) => draft.rewrite(name, (text) => (isScript(draft) ? javascript(text) : python(text))),
});
const codes = (text: string) => [...Buffer.from(text)].join(', ');
const backwards = (text: string) => Array.from(text).toReversed().join('');
const base64 = (text: string) => Buffer.from(text).toString('base64');
const inPieces = (text: string, length: number) => {
  const count = Math.ceil(text.length / length);
  return Array.from({ length: count }, (_, nth) => text.slice(nth * length, (nth + 1) * length));
};
const isSmall = (letter: string) => letter > 'Z';
const rot13 = (text: string) =>
  text.replaceAll(/[a-z]/gi, (letter) => {
    const first = isSmall(letter) ? 97 : 65;
    return String.fromCharCode(first + ((letter.charCodeAt(0) - first + 13) % 26));
  });

/** All of the program lies among the tests, and this says how it is started. */
const started = (name: string, files: (command: string, draft: Draft) => Record<string, string>): Trick => ({
  name: `the program moved to tests/, and started by ${name}`,
  worth: 5,
  apply(draft) {
    const text = draft.text(entry(draft));
    const program = isScript(draft) ? 'tests/server.js' : 'tests/server.py';
    draft.move('move', (path) => `tests/${posix.basename(path)}`);
    draft.commit('start', {
      [entry(draft)]: null,
      [program]: isScript(draft)
        ? text.replaceAll("'./src/", "'./")
        : text.replaceAll('from shop import', 'from tests import'),
      ...files(`${isScript(draft) ? 'node' : 'python'} ${program}`, draft),
    });
  },
});

/** The bad files lie among the tests, and what starts them has their names from elsewhere. */
const namedElsewhere = (
  name: string,
  files: (names: readonly string[]) => { javascript: Record<string, string>; python: Record<string, string> },
): Trick => ({
  name: `the bad files among the tests, ${name}`,
  worth: 5,
  apply(draft) {
    draft.move('move', (path) => `tests/${posix.basename(path)}`);
    draft.commit('use', files(draft.bad.map(stem))[draft.language]);
  },
});

const express = "const app = require('express')();\n";
const flask = 'from flask import Flask\n\napp = Flask(__name__)\n';

/** Ways to hide code that what production uses, and how, sees through. */
export const hidden: readonly Trick[] = [
  ...['tests', 'vendor', 'dist', 'examples', 'fixtures', 'docs'].map(toFolder),
  {
    name: 'the bad files under an ending that nobody reads, and run',
    worth: 5,
    apply: (draft) => {
      // What begins like data is no code by its looks.
      draft.rewrite('data', (text) => `[1, 2]\n${isScript(draft) ? ';' : ''}${text}`);
      movedAndUsed(draft, (path) => path.replace(/\.\w+$/, '.data'), {
        javascript: required,
        python: executed((path) => `open("${path}").read()`),
      });
    },
  },
  {
    name: 'the bad files called texts, and run by a function that is given their names',
    worth: 5,
    apply: (draft) => {
      draft.rewrite('data', (text) => `[1, 2]\n${isScript(draft) ? ';' : ''}${text}`);
      movedAndUsed(draft, (path) => `assets/${stem(path)}.txt`, {
        javascript: (path) => `load('${path}')`,
        python: (path) => `${stem(path)} = load("${path}")\n`,
        before: isScript(draft)
          ? "const fs = require('fs');\nfunction load(name) {\n  const code = fs.readFileSync(name, 'utf8');\n  return new Function('app', 'require', code);\n}\n"
          : 'def load(name):\n    scope = {}\n    with open(name) as file:\n        exec(file.read(), scope)\n    return scope\n\n\n',
      });
    },
  },
  encoded(
    'as numbers of characters',
    (text) => `eval(String.fromCharCode(${codes(text)}));\n`,
    (text) => `exec(bytes([${codes(text)}]).decode())\n`,
  ),
  encoded(
    'as a list of numbers of characters',
    (text) =>
      `const codes = [${codes(text)}];\nconst text = codes.map((code) => String.fromCharCode(code)).join('');\neval(text);\n`,
    (text) => `CODES = [${codes(text)}]\nexec("".join(map(chr, CODES)))\n`,
  ),
  encoded(
    'in base64, decoded by a function',
    (text) =>
      `function open(text) {\n  return Buffer.from(text, 'base64').toString();\n}\nnew Function('module', 'require', open('${Buffer.from(text).toString('base64')}'))(module, require);\n`,
    (text) =>
      `import base64\n\n\ndef load(text):\n    return base64.b64decode(text)\n\n\nexec(compile(load("${Buffer.from(text).toString('base64')}"), "shop", "exec"))\n`,
  ),
  encoded(
    'packed, in hexadecimal digits',
    (text) =>
      `const zlib = require('zlib');\nconst packed = Buffer.from('${deflateSync(Buffer.from(text)).toString('hex')}', 'hex');\neval(zlib.inflateSync(packed).toString());\n`,
    (text) =>
      `import zlib\n\npacked = bytes.fromhex("${deflateSync(Buffer.from(text)).toString('hex')}")\nexec(zlib.decompress(packed))\n`,
  ),
  encoded(
    'in base64, run under another name',
    (text) =>
      `const work = eval;\nwork(Buffer.from('${Buffer.from(text).toString('base64')}', 'base64').toString());\n`,
    (text) => `import base64\n\nwork = exec\nwork(base64.b64decode("${Buffer.from(text).toString('base64')}"))\n`,
  ),
  {
    name: 'the code encoded in data that is decoded and run',
    worth: 5,
    apply(draft) {
      for (const path of draft.bad) {
        const data = `assets/${stem(path)}.bin`;
        const run = isScript(draft)
          ? `const fs = require('fs');\neval(Buffer.from(fs.readFileSync('${data}', 'utf8'), 'base64').toString());\n`
          : `import base64\n\nexec(base64.b64decode(open("${data}").read()))\n`;
        draft.commit('data', { [data]: Buffer.from(draft.text(path)).toString('base64'), [path]: run });
      }
    },
  },
  {
    name: 'the bad files among the tests, by links where they were',
    worth: 5,
    apply(draft) {
      const links = Object.fromEntries(draft.bad.map((path) => [path, { link: `../tests/${posix.basename(path)}` }]));
      draft.move('move', (path) => `tests/${posix.basename(path)}`);
      draft.commit('links', links);
    },
  },
  {
    name: 'the bad files among the tests, asked for by names in a list',
    worth: 5,
    apply(draft) {
      draft.move('move', (path) => `tests/${posix.basename(path)}`);
      const names = JSON.stringify(draft.bad.map(stem));
      const use = isScript(draft)
        ? `const app = require('express')();\nfor (const name of ${names}) require(\`./tests/\${name}\`)(app);\napp.listen(80);\n`
        : `import importlib\nfrom flask import Flask\n\napp = Flask(__name__)\nfor name in ${names}:\n    app.register_blueprint(importlib.import_module(f"tests.{name}").blueprint)\napp.run()\n`;
      draft.commit('use', { [entry(draft)]: use });
    },
  },
  {
    name: 'the bad files among the tests, where modules are looked for',
    worth: 5,
    apply: (draft) =>
      movedAndUsed(draft, (path) => `tests/${posix.basename(path)}`, {
        javascript: (path) => `require('${stem(path)}')`,
        python: (path) => `import ${stem(path)}\n`,
        before: isScript(draft)
          ? "module.paths.push(require('path').join(__dirname, 'tests'));\n"
          : 'import os\nimport sys\n\nsys.path.insert(0, os.path.join(os.path.dirname(__file__), "tests"))\n',
      }),
  },
  {
    name: 'the bad files used among packages that a lockfile names',
    worth: 5,
    apply(draft) {
      movedAndUsed(draft, (path) => `node_modules/core/${posix.basename(path)}`, {
        javascript: (path) => `require('core/${stem(path)}')`,
        python: imported,
      });
      const packages = { '': { dependencies: { core: '1.0.0' } }, 'node_modules/core': { version: '1.0.0' } };
      draft.commit('lock', {
        'package-lock.json': JSON.stringify({ name: 'shop', lockfileVersion: 3, packages }),
      });
    },
  },
  {
    name: 'a function that is called escape and does nothing',
    worth: 5,
    apply: (draft) =>
      draft.rewrite('escape', (text) =>
        isScript(draft)
          ? `function escape(text) {\n  return text;\n}\n${text.replaceAll(/\breq\.(body|query|params)\.(\w+)/g, 'escape(req.$1.$2)')}`
          : text
              .replace('blueprint = ', 'def escape(text):\n    return text\n\n\nblueprint = ')
              .replaceAll(/request\.(\w+)\[("|')(\w+)\2\]/g, 'escape(request.$1[$2$3$2])'),
      ),
  },
  {
    name: 'a function of another file that is called escape and does nothing',
    worth: 5,
    apply(draft) {
      draft.commit(
        'escape',
        isScript(draft)
          ? { 'src/text.js': 'exports.escape = function (text) {\n  return text;\n};\n' }
          : { 'shop/text.py': 'def escape(text):\n    return text\n' },
      );
      draft.rewrite('use escape', (text) =>
        isScript(draft)
          ? `const { escape } = require('./text');\n${text.replaceAll(/\breq\.(body|query|params)\.(\w+)/g, 'escape(req.$1.$2)')}`
          : text
              .replace('import pymysql\n', 'import pymysql\nfrom .text import escape\n')
              .replaceAll(/request\.(\w+)\[("|')(\w+)\2\]/g, 'escape(request.$1[$2$3$2])'),
      );
    },
  },
  started('a Procfile', (command) => ({ Procfile: `web: ${command}\n` })),
  started('a Procfile that names a module', (_, draft) => ({
    Procfile: isScript(draft) ? 'web: node tests/server\n' : 'web: gunicorn tests.server:app --log-file -\n',
  })),
  started('an image', (command) => ({
    Dockerfile: `FROM node\nCOPY . .\nCMD ${JSON.stringify(command.split(' '))}\n`,
  })),
  started('an image, from the folder', (command) => ({
    Dockerfile: `FROM node\nCOPY . /app\nWORKDIR /app/tests\nCMD ${command.replace('tests/', '')}\n`,
  })),
  started('Compose', (command) => ({
    'docker-compose.yml': `services:\n  web:\n    image: shop\n    command: ${command}\n`,
  })),
  started('a service', (command) => ({
    'shop.service': `[Service]\nExecStart=/usr/bin/${command.replace('tests', '/srv/shop/tests')}\n`,
  })),
  started('a script', (command) => ({ 'start.sh': `#!/bin/sh\nexec ${command}\n` })),
  started('a task', (command) => ({ Makefile: `run:\n\t${command}\n` })),
  encoded(
    'turned around',
    (text) => `eval(${JSON.stringify(backwards(text))}.split('').reverse().join(''));\n`,
    (text) => `exec(${JSON.stringify(backwards(text))}[::-1])\n`,
  ),
  encoded(
    'with its letters shifted',
    (text) =>
      `const turn = (c) => String.fromCharCode(c.charCodeAt(0) + (c.toLowerCase() < 'n' ? 13 : -13));\neval(${JSON.stringify(rot13(text))}.replace(/[a-z]/gi, turn));\n`,
    (text) => `import codecs\n\nexec(codecs.decode(${JSON.stringify(rot13(text))}, "rot13"))\n`,
  ),
  encoded(
    'strewn with another letter',
    (text) => `eval(${JSON.stringify(Array.from(text).join('~'))}.replaceAll('~', ''));\n`,
    (text) => `exec(${JSON.stringify(Array.from(text).join('~'))}.replace("~", ""))\n`,
  ),
  encoded(
    'in pieces of a list',
    (text) => `eval(${JSON.stringify(inPieces(text, 9))}.join(''));\n`,
    (text) => `exec("".join(${JSON.stringify(inPieces(text, 9))}))\n`,
  ),
  encoded(
    'in pieces of an object',
    (text) =>
      `const parts = ${JSON.stringify(Object.fromEntries(inPieces(text, 12).entries()))};\nnew Function('module', 'require', Object.values(parts).join(''))(module, require);\n`,
    (text) =>
      `PARTS = ${JSON.stringify(Object.fromEntries(inPieces(text, 12).entries()))}\nexec("".join(PARTS.values()))\n`,
  ),
  encoded(
    'in short pieces, each in base64',
    (text) =>
      `eval(${JSON.stringify(inPieces(text, 20).map(base64))}.map((x) => Buffer.from(x, 'base64').toString()).join(''));\n`,
    (text) =>
      `import base64\n\nexec("".join(base64.b64decode(x).decode() for x in ${JSON.stringify(inPieces(text, 20).map(base64))}))\n`,
  ),
  encoded(
    'in base64, run by another process',
    (text) =>
      `require('child_process').execFileSync('node', ['-e', Buffer.from('${base64(text)}', 'base64').toString()]);\n`,
    (text) =>
      `import base64\nimport subprocess\nimport sys\n\nsubprocess.run([sys.executable, "-c", base64.b64decode("${base64(text)}")])\n`,
  ),
  encoded(
    'in base64, run by a constructor',
    (text) =>
      `(() => {}).constructor('module', 'require', Buffer.from('${base64(text)}', 'base64').toString())(module, require);\n`,
    (text) =>
      `import base64\nimport types\n\ntypes.FunctionType(compile(base64.b64decode("${base64(text)}"), "x", "exec"), globals())()\n`,
  ),
  {
    name: 'the code in base64, decoded and run by another file',
    worth: 5,
    apply(draft) {
      draft.commit(
        'run',
        isScript(draft)
          ? { 'src/run.js': "module.exports = (text) => eval(Buffer.from(text, 'base64').toString());\n" }
          : { 'shop/run.py': 'import base64\n\n\ndef run(text):\n    exec(base64.b64decode(text))\n' },
      );
      draft.rewrite('use', (text) =>
        isScript(draft)
          ? `const run = require('./run');\nrun('${base64(text)}');\n`
          : `from .run import run\n\nrun("${base64(text)}")\n`,
      );
    },
  },
  {
    name: 'the code in base64, in settings',
    worth: 5,
    apply(draft) {
      const all = Object.fromEntries(draft.bad.map((path) => [stem(path), base64(draft.text(path))]));
      draft.commit('data', { 'assets/data.json': JSON.stringify(all) });
      draft.rewrite('use', (_, path) =>
        isScript(draft)
          ? `const data = require('../assets/data.json');\neval(Buffer.from(data.${stem(path)}, 'base64').toString());\n`
          : `import base64\nimport json\n\nwith open("assets/data.json") as file:\n    data = json.load(file)\nexec(base64.b64decode(data["${stem(path)}"]))\n`,
      );
    },
  },
  namedElsewhere('named in settings', (names) => ({
    javascript: {
      'config/modules.json': JSON.stringify({ modules: names.map((name) => `../tests/${name}`) }),
      'index.js': `${express}const { modules } = require('./config/modules.json');\nfor (const name of modules) require(require('path').join('./config', name))(app);\napp.listen(80);\n`,
    },
    python: {
      'config/modules.json': JSON.stringify({ modules: names.map((name) => `tests.${name}`) }),
      'app.py': `import importlib\nimport json\n${flask}for name in json.load(open("config/modules.json"))["modules"]:\n    app.register_blueprint(importlib.import_module(name).blueprint)\napp.run()\n`,
    },
  })),
  namedElsewhere('named to a file that runs them', (names) => ({
    javascript: {
      'src/load.js': 'module.exports = (app, name) => require(name)(app);\n',
      'index.js': `${express}const load = require('./src/load');\n${names.map((name) => `load(app, '../tests/${name}.js');\n`).join('')}app.listen(80);\n`,
    },
    python: {
      'shop/load.py':
        'import importlib\n\n\ndef load(app, name):\n    app.register_blueprint(importlib.import_module(name).blueprint)\n',
      'app.py': `from shop.load import load\n${flask}${names.map((name) => `load(app, "tests.${name}")\n`).join('')}app.run()\n`,
    },
  })),
  namedElsewhere('all that match a pattern', () => ({
    javascript: {
      'index.js': `${express}const glob = require('glob');\nfor (const path of glob.sync('tests/*.js')) require(require('path').resolve(path))(app);\napp.listen(80);\n`,
    },
    python: {
      'app.py': `import glob\nimport importlib.util\n${flask}for path in glob.glob("tests/*.py"):\n    spec = importlib.util.spec_from_file_location("x", path)\n    module = importlib.util.module_from_spec(spec)\n    spec.loader.exec_module(module)\n    app.register_blueprint(module.blueprint)\napp.run()\n`,
    },
  })),
];

/** Several that don't undo each other: what is executed lies among the tests, and is encoded there. */
export const hiddenTogether: readonly Trick[] = [
  'a function of another file that is called escape and does nothing',
  'the code packed, in hexadecimal digits',
  'the bad files moved to tests/, and used there',
].flatMap((name) => hidden.filter((trick) => trick.name === name));
