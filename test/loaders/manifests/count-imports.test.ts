import { expect } from 'chai';
import { countImports } from '../../../loaders/manifests/count-imports.ts';
import type { Requirement } from '../../../src/model/snapshot.ts';

const cases: [language: string, ecosystem: Requirement['ecosystem'], name: string, module: string, imports: number][] =
  [
    ['typescript', 'npm', 'lodash', 'lodash/fp', 1],
    ['javascript', 'npm', '@acme/money', '@acme/money', 1],
    ['javascript', 'npm', 'lodash', 'lodash-es', 0],
    ['python', 'pypi', 'ruamel-yaml', 'ruamel_yaml.main', 1],
    ['python', 'pypi', 'pyyaml', 'yaml', 1],
    ['python', 'npm', 'yaml', 'yaml', 0],
    ['go', 'go', 'github.com/go-chi/chi/v5', 'github.com/go-chi/chi/v5/middleware', 1],
    ['go', 'go', 'github.com/go-chi/chi', 'github.com/go-chi/chi-extra', 0],
    ['java', 'maven', 'com.google.code.gson:gson', 'com.google.code.gson.Gson', 1],
    ['kotlin', 'maven', 'org.jetbrains.kotlinx:kotlinx-coroutines-core', 'org.jetbrains.kotlinx.x', 1],
    ['rust', 'cargo', 'serde-json', 'serde_json', 1],
    ['csharp', 'nuget', 'Newtonsoft.Json', 'Newtonsoft.Json.Linq', 1],
    ['csharp', 'nuget', 'Newtonsoft.Json', 'Newtonsoft.JsonPath', 0],
    ['php', 'composer', 'symfony/console', 'Symfony\\Component\\Console\\Input', 1],
    ['php', 'composer', 'symfony/console', 'Symfony\\Component\\Yaml', 0],
    ['ruby', 'rubygems', 'rack-protection', 'rack/protection', 1],
  ];

describe('countImports', () => {
  for (const [language, ecosystem, name, module, imports] of cases) {
    it(`${imports ? 'counts' : 'does not count'} ${language} ${module} for ${ecosystem} ${name}`, () => {
      const requirement: Requirement = {
        ecosystem,
        name,
        range: null,
        scope: 'runtime',
        path: 'p',
        line: 1,
        imports: 0,
      };
      // Twice in one file is one file.
      const externalImports = [1, 2].map((line) => ({ document: 1, language, module, line }));
      const [first, again] = countImports([requirement, requirement], { externalImports });
      expect(first?.imports).to.equal(imports);
      expect(again?.imports).to.equal(0);
    });
  }
});
