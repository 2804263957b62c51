import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { analyze } from '../../loaders/analyze.ts';
import { linkSymbols } from '../../loaders/link-symbols.ts';
import type { Snapshot } from '../../src/model/snapshot.ts';

/** By language: what a package gives, and what a program makes of it, with the edges between them. */
const languages: Record<string, { gives: Record<string, string>; uses: Record<string, string>; edges: string[] }> = {
  'TypeScript: barrels, default and named exports, results, members through instances and bases': {
    gives: {
      'package.json':
        '{ "name": "@acme/kit", "version": "1.0.0", "exports": { ".": "./dist/index.js", "./deep": "./dist/deep.js" } }',
      'src/index.ts':
        "export * from './client.ts';\nexport { make as build } from './make.ts';\nexport default class Kit { start() {} }\n",
      'src/client.ts':
        'class Base { ping() {} }\nexport class Client extends Base { get users(): Users { return new Users(); } }\nexport class Users { list() {} }\n',
      'src/make.ts':
        "import { Client } from './client.ts';\nexport function make() { return new Client(); }\nexport function unused() {}\n",
      'src/deep.ts': 'export const tools = { mend() {} };\n',
    },
    uses: {
      'package.json': '{ "name": "shop", "dependencies": { "@acme/kit": "^1.0.0" } }',
      'a.ts':
        "import Kit, { build, Client } from '@acme/kit';\nimport { tools } from '@acme/kit/deep';\nimport { get } from 'elsewhere';\n" +
        'export class Mine extends Client { go() { this.ping(); } }\n' +
        'export function run(client: Client) { build().ping(); client.users.list(); new Kit().start(); tools.mend(); get(); client.nothing(); }\n',
    },
    edges: [
      'CALLS shop -> kit',
      'CALLS a.ts#Mine.go -> src/client.ts#Base.ping',
      'CALLS a.ts#run -> src/client.ts#Base.ping',
      'CALLS a.ts#run -> src/client.ts#Users.list',
      'CALLS a.ts#run -> src/deep.ts#mend',
      'CALLS a.ts#run -> src/index.ts#Kit',
      'CALLS a.ts#run -> src/index.ts#Kit.start',
      'CALLS a.ts#run -> src/make.ts#make',
      'IMPORTS shop -> src/client.ts#Client',
      'IMPORTS shop -> src/index.ts#Kit',
      'IMPORTS shop -> src/make.ts#make',
      'INHERITS shop -> kit',
      'INHERITS a.ts#Mine -> src/client.ts#Client',
    ],
  },
  'JavaScript: module.exports': {
    gives: {
      'package.json': '{ "name": "kit", "version": "1.0.0", "main": "lib/kit.js" }',
      'lib/kit.js':
        'class Kit { use(fn) { return this; } }\nmodule.exports = Kit;\nmodule.exports.help = function help() {};\n',
    },
    uses: {
      'package.json': '{ "name": "shop", "dependencies": { "kit": "*" } }',
      'a.js':
        "const Kit = require('kit');\nfunction main() { const kit = new Kit(); kit.use(() => {}).use(); Kit.help(); }\n",
    },
    edges: [
      'CALLS shop -> kit',
      'CALLS a.js#main -> lib/kit.js#Kit',
      'CALLS a.js#main -> lib/kit.js#Kit.use',
      'CALLS a.js#main -> lib/kit.js#Kit.help',
      'IMPORTS shop -> lib/kit.js#Kit',
    ],
  },
  'Python: packages, __init__, submodules': {
    gives: {
      'pyproject.toml': '[project]\nname = "acme-kit"\nversion = "1.0"\n',
      'src/acme_kit/__init__.py': 'from .core import Client, connect\n',
      'src/acme_kit/core.py':
        'class Client:\n    def get(self):\n        pass\n\ndef connect() -> Client:\n    return Client()\n',
      'src/acme_kit/errors.py': 'class KitError(Exception):\n    pass\n',
    },
    uses: {
      'pyproject.toml': '[project]\nname = "shop"\nversion = "1.0"\ndependencies = ["acme-kit>=1"]\n',
      'shop.py':
        'import acme_kit\nfrom acme_kit import connect\nfrom acme_kit.errors import KitError\n\nclass Broken(KitError):\n    pass\n\n' +
        'def run(client: acme_kit.Client):\n    client.get()\n    connect().get()\n    acme_kit.core.Client()\n',
    },
    edges: [
      'CALLS shop -> kit',
      'CALLS shop.py#run -> src/acme_kit/core.py#Client',
      'CALLS shop.py#run -> src/acme_kit/core.py#Client.get',
      'CALLS shop.py#run -> src/acme_kit/core.py#connect',
      'IMPORTS shop -> src/acme_kit/core.py#connect',
      'IMPORTS shop -> src/acme_kit/errors.py#KitError',
      'INHERITS shop -> kit',
      'INHERITS shop.py#Broken -> src/acme_kit/errors.py#KitError',
    ],
  },
  'Go: packages, results, embedded structs': {
    gives: {
      'go.mod': 'module example.com/acme/kit\n',
      'kit.go': 'package kit\n\ntype Client struct{}\n\nfunc New() (*Client, error) { return &Client{}, nil }\n',
      'send.go': 'package kit\n\nfunc (c *Client) Send() {}\n',
      'wire/wire.go': 'package wire\n\nfunc Encode() {}\n',
    },
    uses: {
      'go.mod': 'module example.com/acme/shop\n\nrequire example.com/acme/kit v1.0.0\n',
      'main.go':
        'package main\n\nimport (\n\t"example.com/acme/kit"\n\t"example.com/acme/kit/wire"\n)\n\ntype Shop struct{ kit.Client }\n\n' +
        'func run(s Shop) {\n\tclient, err := kit.New()\n\tclient.Send()\n\terr.Send()\n\twire.Encode()\n\ts.Send()\n}\n',
    },
    edges: [
      'CALLS shop -> kit',
      'CALLS main.go#run -> kit.go#New',
      'CALLS main.go#run -> send.go#Client.Send',
      'CALLS main.go#run -> wire/wire.go#Encode',
      'INHERITS shop -> kit',
      'INHERITS main.go#Shop -> kit.go#Client',
    ],
  },
  'Java: packages, overloads by the number of arguments, bases': {
    gives: {
      'pom.xml': '<project><groupId>com.acme</groupId><artifactId>kit</artifactId><version>1</version></project>',
      'src/main/java/com/acme/kit/Client.java':
        'package com.acme.kit;\n\npublic class Client {\n  public void send(String a) {}\n  public void send(String a, int b) {}\n  public static Client open() { return new Client(); }\n  public interface Listener { void heard(); }\n}\n',
    },
    uses: {
      'pom.xml':
        '<project><groupId>com.acme</groupId><artifactId>shop</artifactId><version>1</version><dependencies><dependency><groupId>com.acme</groupId><artifactId>kit</artifactId><version>1</version></dependency></dependencies></project>',
      'src/main/java/com/acme/shop/Shop.java':
        'package com.acme.shop;\n\nimport com.acme.kit.Client;\n\npublic class Shop extends Client implements Client.Listener {\n  public void heard() { Client.open().send("a", 1); send("b"); new Client(); }\n}\n',
    },
    edges: [
      'CALLS shop -> kit',
      'CALLS src/main/java/com/acme/shop/Shop.java#Shop.heard -> src/main/java/com/acme/kit/Client.java#Client',
      'CALLS src/main/java/com/acme/shop/Shop.java#Shop.heard -> src/main/java/com/acme/kit/Client.java#Client.open',
      'CALLS src/main/java/com/acme/shop/Shop.java#Shop.heard -> src/main/java/com/acme/kit/Client.java#Client.send',
      'CALLS src/main/java/com/acme/shop/Shop.java#Shop.heard -> src/main/java/com/acme/kit/Client.java#Client.send@5',
      'IMPORTS shop -> src/main/java/com/acme/kit/Client.java#Client',
      'INHERITS shop -> kit',
      'INHERITS src/main/java/com/acme/shop/Shop.java#Shop -> src/main/java/com/acme/kit/Client.java#Client',
      'INHERITS src/main/java/com/acme/shop/Shop.java#Shop -> src/main/java/com/acme/kit/Client.java#Client.Listener',
    ],
  },
  'Rust: crates and the modules in them': {
    gives: {
      'Cargo.toml': '[package]\nname = "acme-kit"\nversion = "1.0.0"\n',
      'src/lib.rs': 'pub mod net;\npub use net::Client;\npub fn help() {}\n',
      'src/net.rs': 'pub struct Client;\nimpl Client { pub fn new() -> Client { Client }\n pub fn send(&self) {} }\n',
    },
    uses: {
      'Cargo.toml': '[package]\nname = "shop"\nversion = "1.0.0"\n[dependencies]\nacme-kit = "1"\n',
      'src/main.rs':
        'use acme_kit::{help, net::Client};\nfn run() { let c = Client::new(); c.send(); help(); }\nfn main() {}\n',
    },
    edges: [
      'CALLS shop -> kit',
      'CALLS src/main.rs#run -> src/lib.rs#help',
      'CALLS src/main.rs#run -> src/net.rs#Client.new',
      'CALLS src/main.rs#run -> src/net.rs#Client.send',
      'IMPORTS shop -> src/lib.rs#help',
      'IMPORTS shop -> src/net.rs#Client',
    ],
  },
  'PHP: namespaces': {
    gives: {
      'composer.json': '{ "name": "acme/kit" }',
      'src/Client.php':
        '<?php\nnamespace Acme\\Kit;\nclass Client { public function send() {} public static function open(): Client { return new Client(); } }\n',
    },
    uses: {
      'composer.json': '{ "name": "acme/shop", "require": { "acme/kit": "^1.0" } }',
      'src/Shop.php':
        '<?php\nnamespace Acme\\Shop;\nuse Acme\\Kit\\Client;\nclass Shop extends Client { function run() { Client::open()->send(); $c = new Client(); } }\n',
    },
    edges: [
      'CALLS shop -> kit',
      'CALLS src/Shop.php#Shop.run -> src/Client.php#Client',
      'CALLS src/Shop.php#Shop.run -> src/Client.php#Client.open',
      'CALLS src/Shop.php#Shop.run -> src/Client.php#Client.send',
      'IMPORTS shop -> src/Client.php#Client',
      'INHERITS shop -> kit',
      'INHERITS src/Shop.php#Shop -> src/Client.php#Client',
    ],
  },
};

async function snapshotOf(name: string, files: Record<string, string>): Promise<Snapshot> {
  const folder = mkdtempSync(join(tmpdir(), 'link-'));
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    return (await analyze(folder, { name })).snapshot;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('links between the symbols of repositories', function () {
  this.timeout(60_000);

  for (const [title, { gives, uses, edges }] of Object.entries(languages)) {
    it(title, async () => {
      const [kit, shop] = [await snapshotOf('kit', gives), await snapshotOf('shop', uses)];
      const made = linkSymbols('shop', shop.boundary!.references, [
        { repository: 'kit', surface: kit.boundary!.surface },
      ]);
      const short = (id: string) => id.replace(/^(?:kit|shop)\//, '');
      expect(made.map(({ type, from, to }) => `${type} ${short(from)} -> ${short(to)}`)).to.have.members(edges);
      const ids = new Set([...kit.nodes, ...shop.nodes].map(({ id }) => id));
      for (const { from, to, confidence } of made) {
        expect(ids).to.include.keys(from, to);
        expect(confidence).to.be.within(0.5, 0.95);
      }
    });
  }
});
