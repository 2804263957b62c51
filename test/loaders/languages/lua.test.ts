import { expect } from 'chai';
import { edgesOf, factsOf } from '../../support/edges-of.ts';
import { dedent } from '../../support/dedent.ts';

describe('Lua', () => {
  it('calls go through modules, and a local of another file is nobody else’s', async () => {
    const sources = {
      'src/pl/app.lua': dedent`
          local util = require "pl.util"
          local M = {}
          local function helper(x) return x end
          function M.run(a) helper(a); util.up(a); M.other(); hidden(); util.no() end
          function M.other() pcall(M.run, 1) end
          M.late = function() everywhere() end
          M.nested = { deep = function() M.late() end }
          return M
        `,
      'src/pl/util.lua': dedent`
          local function up(s) return s end
          function everywhere() end
          return { up = up, twice = function() up(1) end }
        `,
      'src/pl/init.lua': 'local app = require("pl.app").run\nlocal function start() app(1) end',
      'other.lua': 'local function hidden() end',
    };
    expect(await edgesOf(sources)).to.deep.equal([
      'M.late -> everywhere',
      'M.nested.deep -> M.late',
      'M.other -> M.run',
      'M.run -> M.other',
      'M.run -> helper',
      'M.run -> up',
      'start -> M.run',
      'twice -> up',
    ]);
  });

  it('methods belong to their table, those of its base are its own, too', async () => {
    const sources = {
      'point.lua': dedent`
          local Shape = require "shape"
          local Point = setmetatable({}, { __index = Shape })
          Point.__index = Point
          function Point.new(x) local self = setmetatable({}, Point); self:reset(); return self end
          function Point:move(d) self:reset(); self:draw(); self.shape:draw() end
          function Point:reset() self.shape = Shape end
          function Point.twice(self) self:move(2) end
          return Point
        `,
      'shape.lua': 'local Shape = {}\nShape.__index = Shape\nfunction Shape:draw() end\nreturn Shape',
      'use.lua': dedent`
          local Point = require "point"
          local Square = class("Square", Point)
          function Square:area() return self:move(1) end
          local function run() local p = Point.new(1); p:move(2); p:none(); local s = Square(); s:area() end
        `,
    };
    expect(await edgesOf(sources)).to.deep.equal([
      'Point.move -> Point.reset',
      'Point.move -> Shape.draw',
      'Point.new -> Point.reset',
      'Point.twice -> Point.move',
      'Square.area -> Point.move',
      'run -> Point.move',
      'run -> Point.new',
      'run -> Square',
      'run -> Square.area',
    ]);
    expect(await edgesOf(sources, 'INHERITS')).to.deep.equal(['Point -> Shape', 'Square -> Point']);
  });

  it('functions have their parameters, lines and what is said above them', async () => {
    const source = '--- Adds one.\n-- Or more.\nlocal function add(a, b, ...)\nend\nreturn add';
    const [file] = await factsOf({ 'a.lua': source });
    const [add] = file?.facts.definitions ?? [];
    expect(add).to.include({ name: 'add', line: 3, endLine: 4, exported: false, doc: 'Adds one. Or more.' });
    expect(add?.signature).to.equal('local function add(a, b, ...)');
  });

  it('declares variables of the file and fields of its tables', async () => {
    const source = 'local M = {}\nM.MAX = 1\nlocal size = 2\nlocal function f() local inner = 1 end';
    const [file] = await factsOf({ 'a.lua': source });
    const names = file?.facts.declared.map(({ kind, name, around }) => [kind, name, around].join(' ').trim());
    expect(names).to.deep.equal(['constant M', 'constant MAX M', 'variable size']);
  });
});
