import { expect } from 'chai';
import { z } from 'zod';
import { insecureCodeRules } from '../../../loaders/detectors/insecure-code/rules.ts';
import { createExtractor } from '../../../loaders/extraction/extract.ts';
import { languageById, languages } from '../../../loaders/languages/index.ts';
import { isSuperLinear } from '../../support/patterns.ts';

const names = z.array(z.string().min(1));
const findSchema = z
  .strictObject({
    calls: names,
    sets: names,
    strings: z.string(),
    within: names,
    argument: z.union([z.number(), z.string(), z.array(z.union([z.number(), z.string()]))]),
    when: z.array(z.enum(['request', 'parameter', 'variable', 'built', 'built parameter', 'decoded'])),
    is: z.string(),
    like: z.string(),
    only: z.string(),
    unless: z.string(),
    file: z.string(),
  })
  .partial()
  .refine(({ calls, sets, strings }) => [calls, sets, strings].filter((each) => each !== undefined).length === 1);
const ruleSchema = z.strictObject({
  id: z.string().regex(/^[a-z_]+$/),
  cwe: z.string().regex(/^CWE-\d+$/),
  severity: z.enum(['low', 'medium', 'high', 'critical']),
  message: z.string().regex(/^[A-Z].+\.$/),
  clean: names.optional(),
  finds: z.array(findSchema).min(1),
  insecure: names.min(1),
  fine: names.min(1),
});
const languageSchema = z.strictObject({
  languages: names.min(1),
  alsoOf: z.string().optional(),
  sources: names.optional(),
  inputs: names.optional(),
  interpolates: z.string().optional(),
  parameters: z.string().optional(),
  handlers: z.string().optional(),
  clean: names.optional(),
  decodes: z.array(z.strictObject({ calls: names, only: z.string().optional() })).optional(),
  turns: z.strictObject({ calls: names, beside: z.string() }).optional(),
  runs: names.optional(),
  looksIn: names.optional(),
  rules: z.array(ruleSchema).min(1),
});

describe('rules of insecure code', () => {
  let extractor: Awaited<ReturnType<typeof createExtractor>>;

  before(async () => {
    extractor = await createExtractor();
  });

  after(() => extractor.close());

  const find = (id: string, source: string) => {
    const language = languageById(id);
    if (!language) throw new Error(id);
    return extractor.read(language, Buffer.from(source), 'file', null).insecure ?? [];
  };

  for (const { languages: dialects, rules } of insecureCodeRules())
    for (const { id, insecure, fine } of rules)
      it(`${id} finds its insecure examples and none of the fine ones`, () => {
        for (const dialect of dialects) {
          const found = (source: string) => find(dialect, source).filter(({ rule }) => rule === id).length;
          for (const source of insecure) expect(found(source), `${dialect}: ${source}`).to.be.at.least(1);
          for (const source of fine) expect(found(source), `${dialect}: ${source}`).to.equal(0);
        }
      });

  it('have the form that is read', () => {
    for (const each of insecureCodeRules()) languageSchema.parse(each);
  });

  it('are there for every language', () => {
    const known = insecureCodeRules().flatMap(({ languages: dialects }) => dialects);
    expect(known.toSorted()).to.deep.equal(languages.map(({ id }) => id).toSorted());
  });

  it('have names of their own and patterns that are linear in what they are given', () => {
    const all = insecureCodeRules();
    const ids = all.flatMap(({ rules }) => rules.map(({ id }) => id));
    expect(new Set(ids).size).to.equal(ids.length);
    const patterns = all.flatMap(({ parameters, handlers, decodes = [], rules }) => [
      parameters,
      ...decodes.map(({ only }) => only),
      handlers,
      ...rules.flatMap(({ finds }) =>
        finds.flatMap(({ is, like, only, unless, file, strings }) => [is, like, only, unless, file, strings]),
      ),
    ]);
    const slow = patterns.filter((source) => source !== undefined && isSuperLinear({ source, flags: 'i' }));
    expect(slow).to.deep.equal([]);
  });

  it('follow what a request fills over calls in the file, and say by which lines', () => {
    const source = `const { exec } = require('child_process');
function run(options, file) {
  const command = 'convert ' + file;
  exec(command);
}
app.post('/', (req, res) => {
  const name = req.body.file;
  run({}, name);
  run({}, 'a');
});
`;
    expect(find('javascript', source)).to.deep.equal([
      { rule: 'ecmascript_command_from_data', line: 4, severity: 'high', steps: [7, 8, 2, 3, 4] },
    ]);
    const harmless = source.replace('run({}, name)', 'run({}, parseInt(name))');
    expect(find('javascript', harmless).map(({ severity }) => severity)).to.deep.equal(['medium']);
  });

  it('are not talked out of it by a word in a name, an argument or a text', () => {
    const talked: [string, string, string][] = [
      [
        'javascript',
        'ecmascript_query_from_data',
        'app.get("/", (req, res) => { db.query(req.query.q, cache, http); });',
      ],
      ['javascript', 'ecmascript_query_from_data', 'app.get("/", (req, res) => { cache.query(req.query.q); });'],
      ['javascript', 'ecmascript_markup_from_data', 'app.get("/", (req, res) => { res.send(req.query.q, json); });'],
      [
        'javascript',
        'ecmascript_code_from_data',
        'app.get("/", (req, res) => { require(req.query.q + "__dirname"); });',
      ],
      ['javascript', 'ecmascript_secret_in_code', 'const apiKey = "f8Kq2nLx7testRt4ZpW9sJm3";'],
      ['python', 'python_secret_in_code', 'api_key = "yourf8Kq2nLx7Rt4ZpW9sJm3"'],
      ['python', 'python_weak_hash', 'import hashlib\nhashlib.md5(secret, f("usedforsecurity=False"))'],
      ['python', 'python_objects_from_data', 'import yaml\nyaml.load(Safe, unSafe)'],
      [
        'python',
        'python_markup_from_data',
        'from jinja2 import Environment\nimport jinja2\njinja2.Environment(loader=autoescape)',
      ],
      ['ruby', 'ruby_objects_from_data', 'def a\n  Marshal.load(params[:permitted_classes])\nend'],
      ['php', 'php_path_from_data', '<?php include($_GET["f"] . __DIR__);'],
      ['php', 'php_query_from_data', '<?php $db->query($_GET["q"], $x->prepare);'],
      [
        'java',
        'java_objects_from_data',
        'class A { void f(InputStream in) { new ObjectInputStream(ValidatingObjectInputStream); } }',
      ],
    ];
    for (const [language, rule, source] of talked)
      expect(
        find(language, source).map((each) => each.rule),
        source,
      ).to.include(rule);
  });

  it('are not talked out of it by a comment, nor by blanks before what they look at', () => {
    const shapes = (open: string, rest: string) => [
      `${open}${rest}`,
      ...['json', 'cache', 'http', 'true', '=>', 'example', 'test'].map((word) => `${open}/* ${word} */ ${rest}`),
      `${open}${' '.repeat(3_000)}${rest}`,
      `${open}/* ${'x'.repeat(3_000)} */${rest}`,
      `${open}${'/**/'.repeat(5_000)}${rest}`,
    ];
    const calls = [
      ["app.get('/', (req, res) => { res.send(", 'req.query.name) })'],
      ["app.get('/', (req, res) => { db.query(", 'req.query.id) })'],
      ["const { spawn } = require('child_process');\nfunction f(a) { spawn(", "'sh', ['-c', a]) }"],
    ] as const;
    for (const [open, rest] of calls) {
      const [plain, ...others] = shapes(open, rest).map((source) => find('javascript', source).map(({ rule }) => rule));
      expect(plain, open).to.have.length.at.least(1);
      for (const found of others) expect(found, open).to.deep.equal(plain);
    }
  });

  it('tell the line, once, of what goes over several lines or is found twice', () => {
    expect(find('python', 'import os\n\nos.system(\n  "rm " + path\n)\nos.system(a); os.system(b)\n')).to.deep.equal([
      { rule: 'python_command_from_data', line: 3, severity: 'medium' },
      { rule: 'python_command_from_data', line: 6, severity: 'medium' },
    ]);
  });
});
