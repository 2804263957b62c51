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
];

/** Several that don't undo each other: what is executed lies among the tests, and is encoded there. */
export const hiddenTogether: readonly Trick[] = [
  'a function of another file that is called escape and does nothing',
  'the code packed, in hexadecimal digits',
  'the bad files moved to tests/, and used there',
].flatMap((name) => hidden.filter((trick) => trick.name === name));
