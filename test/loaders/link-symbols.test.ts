import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { analyze } from '../../loaders/analyze.ts';
import { linkSymbols } from '../../loaders/link-symbols.ts';
import { gatherBoundary } from '../../loaders/records/boundary.ts';
import { wantedLinks } from '../../loaders/wanted-links.ts';
import type { Snapshot } from '../../src/model/snapshot.ts';
import { dedent } from '../support/dedent.ts';

/** By language: what a package gives, and what a program makes of it, with the edges between them. */
const languages: Record<string, { gives: Record<string, string>; uses: Record<string, string>; edges: string[] }> = {
  'TypeScript: barrels, default and named exports, results, members through instances and bases': {
    gives: {
      'package.json':
        '{ "name": "@acme/kit", "version": "1.0.0", "exports": { ".": "./dist/index.js", "./deep": "./dist/deep.js" } }',
      'src/index.ts': dedent`
          export * from './client.ts';
          export { make as build } from './make.ts';
          export default class Kit { start() {} }

        `,
      'src/client.ts': dedent`
          class Base { ping() {} }
          export class Client extends Base { get users(): Users { return new Users(); } }
          export class Users { list() {} }

        `,
      'src/make.ts': dedent`
          import { Client } from './client.ts';
          export function make() { return new Client(); }
          export function unused() {}

        `,
      'src/deep.ts': 'export const tools = { mend() {} };\n',
    },
    uses: {
      'package.json': '{ "name": "shop", "dependencies": { "@acme/kit": "^1.0.0" } }',
      'a.ts': dedent`
          import Kit, { build, Client } from '@acme/kit';
          import { tools } from '@acme/kit/deep';
          import { get } from 'elsewhere';
          export class Mine extends Client { go() { this.ping(); } }
          export function run(client: Client) { build().ping(); client.users.list(); new Kit().start(); tools.mend(); get(); client.nothing(); }

        `,
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
      'lib/kit.js': dedent`
          class Kit { use(fn) { return this; } }
          module.exports = Kit;
          module.exports.help = function help() {};

        `,
    },
    uses: {
      'package.json': '{ "name": "shop", "dependencies": { "kit": "*" } }',
      'a.js': dedent`
          const Kit = require('kit');
          function main() { const kit = new Kit(); kit.use(() => {}).use(); Kit.help(); }

        `,
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
      'pyproject.toml': dedent`
        [project]
        name = "acme-kit"
        version = "1.0"

      `,
      'src/acme_kit/__init__.py': 'from .core import Client, connect\n',
      'src/acme_kit/core.py':
        'class Client:\n    def get(self):\n        pass\n\ndef connect() -> Client:\n    return Client()\n',
      'src/acme_kit/errors.py': 'class KitError(Exception):\n    pass\n',
    },
    uses: {
      'pyproject.toml': dedent`
        [project]
        name = "shop"
        version = "1.0"
        dependencies = ["acme-kit>=1"]

      `,
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
      'src/main/java/com/acme/shop/Whole.java':
        'package com.acme.shop;\n\nimport com.acme.kit.*;\n\nclass Whole { void run(Client c) { c.send("a"); }\n  void full() { com.acme.kit.Client.open(); } }\n',
    },
    edges: [
      'CALLS shop -> kit',
      'CALLS src/main/java/com/acme/shop/Shop.java#Shop.heard -> src/main/java/com/acme/kit/Client.java#Client',
      'CALLS src/main/java/com/acme/shop/Shop.java#Shop.heard -> src/main/java/com/acme/kit/Client.java#Client.open',
      'CALLS src/main/java/com/acme/shop/Shop.java#Shop.heard -> src/main/java/com/acme/kit/Client.java#Client.send',
      'CALLS src/main/java/com/acme/shop/Shop.java#Shop.heard -> src/main/java/com/acme/kit/Client.java#Client.send@5',
      'CALLS src/main/java/com/acme/shop/Whole.java#Whole.run -> src/main/java/com/acme/kit/Client.java#Client.send',
      'CALLS src/main/java/com/acme/shop/Whole.java#Whole.full -> src/main/java/com/acme/kit/Client.java#Client.open',
      'IMPORTS shop -> src/main/java/com/acme/kit/Client.java#Client',
      'INHERITS shop -> kit',
      'INHERITS src/main/java/com/acme/shop/Shop.java#Shop -> src/main/java/com/acme/kit/Client.java#Client',
      'INHERITS src/main/java/com/acme/shop/Shop.java#Shop -> src/main/java/com/acme/kit/Client.java#Client.Listener',
    ],
  },
  'Rust: crates, the modules in them, paths in full': {
    gives: {
      'Cargo.toml': dedent`
        [package]
        name = "acme-kit"
        version = "1.0.0"

      `,
      'src/lib.rs': dedent`
        pub mod net;
        pub use net::Client;
        pub fn help() {}

      `,
      'src/net.rs': dedent`
          pub struct Client;
          impl Client { pub fn new() -> Client { Client }
           pub fn send(&self) {} }
          pub trait Loud {}

        `,
    },
    uses: {
      'Cargo.toml': dedent`
        [package]
        name = "shop"
        version = "1.0.0"
        [dependencies]
        acme-kit = "1"

      `,
      'src/main.rs': dedent`
          use acme_kit::{help, net::Client};
          fn run() { let c = Client::new(); c.send(); help(); }
          struct Mine;
          impl acme_kit::net::Loud for Mine {}
          fn full(m: acme_kit::Client) { acme_kit::net::Client::new(); m.send(); std::mem::drop(m); }

        `,
    },
    edges: [
      'CALLS shop -> kit',
      'CALLS src/main.rs#full -> src/net.rs#Client.new',
      'CALLS src/main.rs#full -> src/net.rs#Client.send',
      'CALLS src/main.rs#run -> src/lib.rs#help',
      'CALLS src/main.rs#run -> src/net.rs#Client.new',
      'CALLS src/main.rs#run -> src/net.rs#Client.send',
      'IMPORTS shop -> src/lib.rs#help',
      'IMPORTS shop -> src/net.rs#Client',
      'INHERITS shop -> kit',
      'INHERITS src/main.rs#Mine -> src/net.rs#Loud',
    ],
  },
  'PHP: namespaces': {
    gives: {
      'composer.json': '{ "name": "acme/kit" }',
      'src/Client.php': dedent`
          <?php
          namespace Acme\\Kit;
          class Client { public function send() {} public static function open(): Client { return new Client(); } }

        `,
    },
    uses: {
      'composer.json': '{ "name": "acme/shop", "require": { "acme/kit": "^1.0" } }',
      'src/Shop.php': dedent`
          <?php
          namespace Acme\\Shop;
          use Acme\\Kit\\Client;
          class Shop extends Client { function run() { Client::open()->send(); $c = new Client(); } }

        `,
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
  'C#: namespaces, overloads, types written in full': {
    gives: {
      'src/Acme.Kit.csproj':
        '<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><PackageId>Acme.Kit</PackageId></PropertyGroup></Project>',
      'src/Client.cs': dedent`
          namespace Acme.Kit;
          public class Client {
            public static Client Open() => new Client();
            public void Send(string a) {}
            public void Send(string a, int b) {}
          }

        `,
      'src/Wire.cs': 'namespace Acme.Kit.Net { public static class Wire { public static void Encode() {} } }\n',
    },
    uses: {
      'Shop.csproj':
        '<Project Sdk="Microsoft.NET.Sdk"><ItemGroup><PackageReference Include="Acme.Kit" Version="1.0.0" /></ItemGroup></Project>',
      'Shop.cs': dedent`
          using System;
          using Acme.Kit;
          namespace Shop;
          public class Counter : Client {
            public void Run(Client client) { Client.Open().Send("a", 1); client.Send("b"); new Client(); Acme.Kit.Net.Wire.Encode(); Console.WriteLine("c"); }
          }

        `,
    },
    edges: [
      'CALLS shop -> kit',
      'CALLS Shop.cs#Counter.Run -> src/Client.cs#Client',
      'CALLS Shop.cs#Counter.Run -> src/Client.cs#Client.Open',
      'CALLS Shop.cs#Counter.Run -> src/Client.cs#Client.Send',
      'CALLS Shop.cs#Counter.Run -> src/Client.cs#Client.Send@5',
      'CALLS Shop.cs#Counter.Run -> src/Wire.cs#Wire.Encode',
      'INHERITS shop -> kit',
      'INHERITS Shop.cs#Counter -> src/Client.cs#Client',
    ],
  },
  'Python: what a name keeps back is for the classes below': {
    gives: {
      'pyproject.toml': '[project]\nname = "kit"\n',
      'kit/__init__.py': dedent`
        class Client:
            def _keep(self): pass
            def __hide(self): pass

      `,
    },
    uses: {
      'pyproject.toml': '[project]\nname = "shop"\ndependencies = ["kit"]\n',
      'shop.py': dedent`
        from kit import Client
        class Mine(Client):
            def run(self):
                self._keep()
                self.__hide()

      `,
    },
    edges: [
      'CALLS shop -> kit',
      'CALLS shop.py#Mine.run -> kit/__init__.py#Client._keep',
      'IMPORTS shop -> kit/__init__.py#Client',
      'INHERITS shop -> kit',
      'INHERITS shop.py#Mine -> kit/__init__.py#Client',
    ],
  },
  'TypeScript: of what an interface says several times, by the number of arguments': {
    gives: {
      'package.json': '{ "name": "kit", "version": "1.0.0", "main": "a.ts" }',
      'a.ts': dedent`
          export interface Pipe {
            pipe(a: string): string;
            pipe(a: string, b?: string): string;
            pipe(a: string, b: string, c: string, ...more: string[]): string;
          }
          export function toString() {}

        `,
    },
    uses: {
      'package.json': '{ "name": "shop", "dependencies": { "kit": "^1.0.0" } }',
      'b.ts': dedent`
          import { type Pipe, toString } from 'kit';
          export function run(one: Pipe) { one.pipe('a', 'b', 'c'); one.pipe('a'); one.pipe('b'); }
          export function two(one: Pipe) { one.pipe('a', 'b'); }
          export function five(one: Pipe) { one.pipe('a', 'b', 'c', 'd', 'e'); toString(); }

        `,
    },
    edges: [
      'CALLS shop -> kit',
      'CALLS b.ts#run -> a.ts#Pipe.pipe',
      'CALLS b.ts#run -> a.ts#Pipe.pipe@4',
      'CALLS b.ts#two -> a.ts#Pipe.pipe@3',
      'CALLS b.ts#five -> a.ts#Pipe.pipe@4',
      'CALLS b.ts#five -> a.ts#toString',
      'IMPORTS shop -> a.ts#Pipe',
      'IMPORTS shop -> a.ts#toString',
    ],
  },
  'Ruby: a module that both open': {
    gives: {
      'acme.gemspec': dedent`
        Gem::Specification.new do |s|
          s.name = 'acme'
        end

      `,
      'lib/acme.rb': dedent`
          module Acme
            class Request
              def host; end
            end
            class Price
            end
            module Shop
              class Price
                def add; end
              end
            end
            module Parts
              class Wheel
                def turn; end
              end
            end
          end

        `,
    },
    uses: {
      Gemfile: "gem 'acme'\n",
      'shop.rb': dedent`
          require 'acme'
          module Acme
            module Shop
              class Basket
                def run
                  Request.new.host
                end
                def go
                  Acme::Request.new
                end
                def pay
                  Price.new.add
                end
              end
            end
          end
          module Store
            include Acme::Parts
          end
          def roll
            Store::Wheel.new.turn
          end

        `,
    },
    edges: [
      'CALLS shop -> kit',
      'CALLS shop.rb#Acme.Shop.Basket.go -> lib/acme.rb#Acme.Request',
      'CALLS shop.rb#Acme.Shop.Basket.pay -> lib/acme.rb#Acme.Shop.Price',
      'CALLS shop.rb#Acme.Shop.Basket.pay -> lib/acme.rb#Acme.Shop.Price.add',
      'CALLS shop.rb#roll -> lib/acme.rb#Acme.Parts.Wheel',
      'CALLS shop.rb#roll -> lib/acme.rb#Acme.Parts.Wheel.turn',
      'INHERITS shop -> kit',
      'INHERITS shop.rb#Store -> lib/acme.rb#Acme.Parts',
      'CALLS shop.rb#Acme.Shop.Basket.run -> lib/acme.rb#Acme.Request',
      'CALLS shop.rb#Acme.Shop.Basket.run -> lib/acme.rb#Acme.Request.host',
    ],
  },
  'Ruby: constants, mixins, bases': {
    gives: {
      'acme-kit.gemspec': dedent`
        Gem::Specification.new do |s|
          s.name = 'acme-kit'
        end

      `,
      'lib/acme/kit.rb': dedent`
          module Acme
            module Kit
              class Client
                def self.open = Client.new
                def send_it; end
              end
              module Loud
                def shout; end
              end
            end
          end

        `,
    },
    uses: {
      Gemfile: "gem 'acme-kit'\n",
      'shop.rb': dedent`
          require 'acme/kit'
          class Shop < Acme::Kit::Client
            include Acme::Kit::Loud
            def run
              Acme::Kit::Client.open.send_it
              shout
              Acme::Kit::Client.new
              puts 'x'
            end
          end

        `,
    },
    edges: [
      'CALLS shop -> kit',
      'CALLS shop.rb#Shop.run -> lib/acme/kit.rb#Acme.Kit.Client',
      'CALLS shop.rb#Shop.run -> lib/acme/kit.rb#Acme.Kit.Client.open',
      'CALLS shop.rb#Shop.run -> lib/acme/kit.rb#Acme.Kit.Client.send_it',
      'CALLS shop.rb#Shop.run -> lib/acme/kit.rb#Acme.Kit.Loud.shout',
      'INHERITS shop -> kit',
      'INHERITS shop.rb#Shop -> lib/acme/kit.rb#Acme.Kit.Client',
      'INHERITS shop.rb#Shop -> lib/acme/kit.rb#Acme.Kit.Loud',
    ],
  },
  'Rust: what modules inside a file hand on, also of one another': {
    gives: {
      'Cargo.toml': dedent`
        [package]
        name = "acme-kit"
        version = "1.0.0"

      `,
      'src/lib.rs': dedent`
          mod table;
          mod inner;
          pub mod tables {
            pub use crate::table::*;
            pub mod rows { pub use crate::inner::Row; use crate::inner::Hidden; }
            pub mod again { pub use super::rows::*; pub use crate::prelude::*; }
          }
          pub mod prelude { pub use crate::tables::again::*; pub use crate::shapes::*; pub use crate::shapes::Round as Ball; }
          mod shapes { pub struct Round;
           impl Round { pub fn roll(&self) {} } }

        `,
      'src/table.rs':
        'pub struct Table;\nimpl Table { pub fn new() -> Table { Table }\n pub fn find(&self) {} }\npub fn open() {}\n',
      'src/inner.rs':
        'pub struct Row;\nimpl Row { pub fn cut(&self) {} }\npub struct Hidden;\nimpl Hidden { pub fn show(&self) {} }\n',
    },
    uses: {
      'Cargo.toml': dedent`
        [package]
        name = "shop"
        version = "1.0.0"
        [dependencies]
        acme-kit = "1"

      `,
      'src/main.rs': dedent`
          use acme_kit::tables;
          use acme_kit::tables::rows::Row;
          use acme_kit::tables::rows::Hidden;
          use acme_kit::prelude::{Ball, Round};
          fn glob(table: &tables::Table) { table.find(); tables::open(); acme_kit::tables::Table::new(); }
          fn single(row: &Row, hidden: &Hidden) { row.cut(); hidden.show(); }
          fn nested(row: &tables::again::Row) { row.cut(); }
          fn circle(row: &acme_kit::prelude::Row, round: &tables::again::Round) { row.cut(); round.roll(); }
          fn renamed(ball: &Ball, round: &Round) { ball.roll(); }

        `,
    },
    edges: [
      'CALLS shop -> kit',
      'CALLS src/main.rs#circle -> src/inner.rs#Row.cut',
      'CALLS src/main.rs#circle -> src/lib.rs#Round.roll',
      'CALLS src/main.rs#glob -> src/table.rs#Table.find',
      'CALLS src/main.rs#glob -> src/table.rs#Table.new',
      'CALLS src/main.rs#glob -> src/table.rs#open',
      'CALLS src/main.rs#nested -> src/inner.rs#Row.cut',
      'CALLS src/main.rs#renamed -> src/lib.rs#Round.roll',
      'CALLS src/main.rs#single -> src/inner.rs#Row.cut',
      'IMPORTS shop -> src/inner.rs#Row',
      'IMPORTS shop -> src/lib.rs#shapes.Round',
    ],
  },
  'Rust: elements of what a function gives, and what its containers give of them': {
    gives: {
      'Cargo.toml': dedent`
        [package]
        name = "acme-kit"
        version = "1.0.0"

      `,
      'src/lib.rs': dedent`
          pub struct Part;
          impl Part { pub fn name(&self) {}
           pub fn cost(&self) {}
           pub fn hide(&self) {}
           pub fn next(&self) -> Option<&Part> { None } }
          pub struct Kit { parts: Vec<Part> }
          impl Kit { pub fn parts(&self) -> impl Iterator<Item = &Part> { self.parts.iter() }
           pub fn first(&self) -> Option<&Part> { self.parts.first() }
           pub fn count(&self) -> usize { 0 } }

        `,
    },
    uses: {
      'Cargo.toml': dedent`
        [package]
        name = "shop"
        version = "1.0.0"
        [dependencies]
        acme-kit = "1"

      `,
      'src/main.rs': dedent`
          use acme_kit::Kit;
          fn each(kit: &Kit) { for part in kit.parts() { part.name(); } }
          fn told(kit: &Kit) { kit.parts().filter(|part| part.cost() > 0).for_each(|_| {}); }
          fn chained(kit: &Kit) { kit.first().unwrap().next().expect("two").hide(); }
          fn held(kit: &Kit) { if let Some(part) = kit.first() { part.name(); } }
          fn other(kit: &Kit) { kit.parts().name(); kit.first().count(); }

        `,
    },
    edges: [
      'CALLS shop -> kit',
      'CALLS src/main.rs#chained -> src/lib.rs#Kit.first',
      'CALLS src/main.rs#chained -> src/lib.rs#Part.hide',
      'CALLS src/main.rs#chained -> src/lib.rs#Part.next',
      'CALLS src/main.rs#each -> src/lib.rs#Kit.parts',
      'CALLS src/main.rs#each -> src/lib.rs#Part.name',
      'CALLS src/main.rs#held -> src/lib.rs#Kit.first',
      'CALLS src/main.rs#held -> src/lib.rs#Part.name',
      'CALLS src/main.rs#other -> src/lib.rs#Kit.first',
      'CALLS src/main.rs#other -> src/lib.rs#Kit.parts',
      'CALLS src/main.rs#told -> src/lib.rs#Kit.parts',
      'CALLS src/main.rs#told -> src/lib.rs#Part.cost',
      'IMPORTS shop -> src/lib.rs#Kit',
    ],
  },
  'Java: elements of what a method gives, and what its collections give of them': {
    gives: {
      'pom.xml': '<project><groupId>com.acme</groupId><artifactId>kit</artifactId><version>1</version></project>',
      'src/main/java/com/acme/kit/Part.java':
        'package com.acme.kit;\n\npublic class Part {\n  public void name() {}\n  public int cost() { return 0; }\n}\n',
      'src/main/java/com/acme/kit/Kit.java':
        'package com.acme.kit;\n\nimport java.util.List;\n\npublic class Kit {\n  public List<Part> parts() { return null; }\n  public Part[] all() { return null; }\n}\n',
    },
    uses: {
      'pom.xml':
        '<project><groupId>com.acme</groupId><artifactId>shop</artifactId><version>1</version><dependencies><dependency><groupId>com.acme</groupId><artifactId>kit</artifactId><version>1</version></dependency></dependencies></project>',
      'src/main/java/com/acme/shop/Shop.java':
        'package com.acme.shop;\n\nimport com.acme.kit.Kit;\n\nclass Shop {\n  void each(Kit kit) { for (var part : kit.parts()) part.name(); }\n  void at(Kit kit, int place) { kit.all()[place].name(); }\n}\n',
    },
    edges: [
      'CALLS shop -> kit',
      'CALLS src/main/java/com/acme/shop/Shop.java#Shop.at -> src/main/java/com/acme/kit/Kit.java#Kit.all',
      'CALLS src/main/java/com/acme/shop/Shop.java#Shop.at -> src/main/java/com/acme/kit/Part.java#Part.name',
      'CALLS src/main/java/com/acme/shop/Shop.java#Shop.each -> src/main/java/com/acme/kit/Kit.java#Kit.parts',
      'CALLS src/main/java/com/acme/shop/Shop.java#Shop.each -> src/main/java/com/acme/kit/Part.java#Part.name',
      'IMPORTS shop -> src/main/java/com/acme/kit/Kit.java#Kit',
    ],
  },
  'Kotlin: packages, functions, bases': {
    gives: {
      'pom.xml': '<project><groupId>com.acme</groupId><artifactId>kit</artifactId><version>1</version></project>',
      'src/Client.kt':
        'package com.acme.kit\n\nopen class Client { fun send() {} }\nfun connect(): Client = Client()\nobject Wire { fun encode() {} }\n',
    },
    uses: {
      'pom.xml':
        '<project><groupId>com.acme</groupId><artifactId>shop</artifactId><version>1</version><dependencies><dependency><groupId>com.acme</groupId><artifactId>kit</artifactId><version>1</version></dependency></dependencies></project>',
      'src/Shop.kt':
        'package com.acme.shop\n\nimport com.acme.kit.*\n\nclass Shop : Client() { fun run(c: Client) { connect().send(); c.send(); Client(); Wire.encode(); com.acme.kit.Wire.encode() } }\n',
    },
    edges: [
      'CALLS shop -> kit',
      'CALLS src/Shop.kt#Shop.run -> src/Client.kt#Client',
      'CALLS src/Shop.kt#Shop.run -> src/Client.kt#Client.send',
      'CALLS src/Shop.kt#Shop.run -> src/Client.kt#Wire.encode',
      'CALLS src/Shop.kt#Shop.run -> src/Client.kt#connect',
      'INHERITS shop -> kit',
      'INHERITS src/Shop.kt#Shop -> src/Client.kt#Client',
    ],
  },
  'Kotlin: what a companion has': {
    gives: {
      'pom.xml': '<project><groupId>com.acme</groupId><artifactId>kit</artifactId><version>1</version></project>',
      'src/Text.kt': dedent`
          package com.acme.kit

          class Text {
            fun send() {}
            companion object { fun of(text: String): Text = Text() }
          }

        `,
    },
    uses: {
      'pom.xml':
        '<project><groupId>com.acme</groupId><artifactId>shop</artifactId><version>1</version><dependencies><dependency><groupId>com.acme</groupId><artifactId>kit</artifactId><version>1</version></dependency></dependencies></project>',
      'src/Shop.kt': dedent`
          package com.acme.shop

          import com.acme.kit.Text.Companion.of

          fun run(name: String) { of(name).send() }

        `,
    },
    edges: [
      'CALLS shop -> kit',
      'CALLS src/Shop.kt#run -> src/Text.kt#Text.send',
      'CALLS src/Shop.kt#run -> src/Text.kt#Text.of',
      'IMPORTS shop -> src/Text.kt#Text.of',
    ],
  },
  'Scala: packages, objects, traits': {
    gives: {
      'pom.xml': '<project><groupId>com.acme</groupId><artifactId>kit</artifactId><version>1</version></project>',
      'src/Client.scala':
        'package com.acme.kit\n\nclass Client { def send(): Unit = () }\ntrait Loud { def shout(): Unit = () }\nobject Wire { def connect(): Client = new Client }\n',
    },
    uses: {
      'pom.xml':
        '<project><groupId>com.acme</groupId><artifactId>shop</artifactId><version>1</version><dependencies><dependency><groupId>com.acme</groupId><artifactId>kit</artifactId><version>1</version></dependency></dependencies></project>',
      'src/Shop.scala':
        'package com.acme.shop\n\nimport com.acme.kit.{Client, Wire}\nimport com.acme.kit._\n\nclass Shop extends Client with Loud { def run(c: Client): Unit = { Wire.connect().send(); c.send(); shout(); new Client } }\n',
    },
    edges: [
      'CALLS shop -> kit',
      'CALLS src/Shop.scala#Shop.run -> src/Client.scala#Client',
      'CALLS src/Shop.scala#Shop.run -> src/Client.scala#Client.send',
      'CALLS src/Shop.scala#Shop.run -> src/Client.scala#Loud.shout',
      'CALLS src/Shop.scala#Shop.run -> src/Client.scala#Wire.connect',
      'IMPORTS shop -> src/Client.scala#Client',
      'IMPORTS shop -> src/Client.scala#Wire',
      'INHERITS shop -> kit',
      'INHERITS src/Shop.scala#Shop -> src/Client.scala#Client',
      'INHERITS src/Shop.scala#Shop -> src/Client.scala#Loud',
    ],
  },
};

/** By language: a program, the package that it uses, and the package that this one builds on, with what leads through. */
const chains: Record<string, { files: Record<'shop' | 'kit' | 'core', Record<string, string>>; edges: string[] }> = {
  'Rust: all names of another crate, handed on': {
    files: {
      core: {
        'Cargo.toml': dedent`
          [package]
          name = "core-net"
          version = "1.0.0"

        `,
        'src/lib.rs': 'mod net;\npub use crate::net::Client;\n',
        'src/net.rs':
          'pub struct Client;\nimpl Client { pub fn open() -> Client { Client }\n pub fn send(&self) {} }\n',
      },
      kit: {
        'Cargo.toml': dedent`
          [package]
          name = "kit"
          version = "1.0.0"
          [dependencies]
          core-net = "1"

        `,
        'src/lib.rs': 'pub use core_net::*;\npub mod net { pub use core_net::*;\n pub struct Own; }\n',
      },
      shop: {
        'Cargo.toml': dedent`
          [package]
          name = "shop"
          version = "1.0.0"
          [dependencies]
          kit = "1"

        `,
        'src/lib.rs':
          'use kit::Client;\npub fn run(client: &Client) { client.send(); Client::open(); }\n' +
          'pub fn inner(client: &kit::net::Client) { client.send(); }\n',
      },
    },
    edges: [
      'CALLS shop -> core',
      'CALLS shop/src/lib.rs#inner -> core/src/net.rs#Client.send',
      'CALLS shop/src/lib.rs#run -> core/src/net.rs#Client.open',
      'CALLS shop/src/lib.rs#run -> core/src/net.rs#Client.send',
      'IMPORTS shop -> core/src/net.rs#Client',
    ],
  },
  'Java: what a dependency brings along': {
    files: {
      core: {
        'pom.xml': '<project><groupId>com.acme</groupId><artifactId>core</artifactId><version>1</version></project>',
        'com/acme/core/Buffer.java': 'package com.acme.core;\npublic class Buffer { public void fill() {} }\n',
      },
      kit: {
        'pom.xml': dedent`
            <project><groupId>com.acme</groupId><artifactId>kit</artifactId><version>1</version>
              <dependencies><dependency><groupId>com.acme</groupId><artifactId>core</artifactId><version>1</version></dependency></dependencies>
            </project>

          `,
        'com/acme/kit/Client.java': 'package com.acme.kit;\npublic class Client {}\n',
      },
      shop: {
        'pom.xml': dedent`
            <project><groupId>com.acme</groupId><artifactId>shop</artifactId><version>1</version>
              <dependencies><dependency><groupId>com.acme</groupId><artifactId>kit</artifactId><version>1</version></dependency></dependencies>
            </project>

          `,
        'com/acme/shop/Shop.java': dedent`
            package com.acme.shop;
            import com.acme.core.Buffer;
            import com.acme.kit.Client;
            public class Shop { void run() { new Client(); new Buffer().fill(); } }

          `,
      },
    },
    edges: [
      'CALLS shop -> core',
      'CALLS shop -> kit',
      'CALLS shop/com/acme/shop/Shop.java#Shop.run -> core/com/acme/core/Buffer.java#Buffer',
      'CALLS shop/com/acme/shop/Shop.java#Shop.run -> core/com/acme/core/Buffer.java#Buffer.fill',
      'CALLS shop/com/acme/shop/Shop.java#Shop.run -> kit/com/acme/kit/Client.java#Client',
      'IMPORTS shop -> core/com/acme/core/Buffer.java#Buffer',
      'IMPORTS shop -> kit/com/acme/kit/Client.java#Client',
    ],
  },
  'TypeScript: bases, results and fields, names handed on one by one and whole': {
    files: {
      core: {
        'package.json': '{ "name": "core", "version": "1.0.0", "main": "a.ts" }',
        'a.ts': dedent`
            export class Base { ping() { return new Answer(); } }
            export class Answer { read() {} }
            export function make() { return new Base(); }

          `,
        'more.ts': 'export function mend() {}\n',
      },
      kit: {
        'package.json': '{ "name": "kit", "version": "1.0.0", "main": "a.ts", "dependencies": { "core": "^1.0.0" } }',
        'a.ts': dedent`
            import { Answer, Base, make } from 'core';
            export { make as build } from 'core';
            export * from 'core/more';
            export class Client extends Base { last!: Answer; own() {} }
            export function open() { return make(); }

          `,
      },
      shop: {
        'package.json': '{ "name": "shop", "dependencies": { "kit": "^1.0.0" } }',
        'a.ts': dedent`
            import { Client, build, mend, open } from 'kit';
            export class Mine extends Client { go() { this.ping().read(); this.own(); } }
            export function run(client: Client) { client.last.read(); open().ping(); build(); mend(); client.nothing(); }

          `,
      },
    },
    edges: [
      'CALLS shop -> core',
      'CALLS shop -> kit',
      'CALLS shop/a.ts#Mine.go -> core/a.ts#Answer.read',
      'CALLS shop/a.ts#Mine.go -> core/a.ts#Base.ping',
      'CALLS shop/a.ts#Mine.go -> kit/a.ts#Client.own',
      'CALLS shop/a.ts#run -> core/a.ts#Answer.read',
      'CALLS shop/a.ts#run -> core/a.ts#Base.ping',
      'CALLS shop/a.ts#run -> core/a.ts#make',
      'CALLS shop/a.ts#run -> core/more.ts#mend',
      'CALLS shop/a.ts#run -> kit/a.ts#open',
      'IMPORTS shop -> core/a.ts#make',
      'IMPORTS shop -> core/more.ts#mend',
      'IMPORTS shop -> kit/a.ts#Client',
      'IMPORTS shop -> kit/a.ts#open',
      'INHERITS shop -> kit',
      'INHERITS shop/a.ts#Mine -> kit/a.ts#Client',
    ],
  },
  'C#: bases of bases': {
    files: {
      core: {
        'Core.csproj': '<Project Sdk="Microsoft.NET.Sdk"></Project>',
        'Base.cs': dedent`
          namespace Core;
          public class Base { public void Ping() {} }

        `,
      },
      kit: {
        'Kit.csproj':
          '<Project Sdk="Microsoft.NET.Sdk"><ItemGroup><PackageReference Include="Core" Version="1" /></ItemGroup></Project>',
        'Client.cs': dedent`
          using Core;
          namespace Kit;
          public class Client : Base { }

        `,
      },
      shop: {
        'Shop.csproj':
          '<Project Sdk="Microsoft.NET.Sdk"><ItemGroup><PackageReference Include="Kit" Version="1" /></ItemGroup></Project>',
        'Mine.cs': dedent`
          using Kit;
          namespace Shop;
          public class Mine : Client { void Go() { Ping(); } }

        `,
      },
    },
    edges: [
      'CALLS shop -> core',
      'CALLS shop/Mine.cs#Mine.Go -> core/Base.cs#Base.Ping',
      'INHERITS shop -> kit',
      'INHERITS shop/Mine.cs#Mine -> kit/Client.cs#Client',
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

describe('links between the symbols of repositories', () => {
  for (const [title, { gives, uses, edges }] of Object.entries(languages)) {
    it(title, async () => {
      const [kit, shop] = [await snapshotOf('kit', gives), await snapshotOf('shop', uses)];
      const made = linkSymbols('shop', gatherBoundary(shop.boundary!).references, [
        { repository: 'kit', surface: gatherBoundary(kit.boundary!).surface },
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

  for (const [title, { files, edges }] of Object.entries(chains)) {
    it(`lead through a repository to a third. ${title}`, async () => {
      const snapshots = new Map<string, Snapshot>();
      for (const [name, contents] of Object.entries(files)) snapshots.set(name, await snapshotOf(name, contents));
      const boundaryOf = async (name: string) => gatherBoundary(snapshots.get(name)?.boundary ?? []);
      const infos = [...snapshots.values()].map(({ repository }) => repository);
      const ofShop = wantedLinks(infos).find(({ repository }) => repository === 'shop')!;
      const made = (await ofShop.edges(boundaryOf)).filter(({ strategy }) => strategy !== 'manifest');
      const between = 'IMPORTS shop -> kit';
      expect(made.map(({ type, from, to }) => `${type} ${from} -> ${to}`)).to.have.members([...edges, between]);
    });
  }
});
