import { expect } from 'chai';
import { detectors } from '../../../loaders/detectors/index.ts';
import type { Sources } from '../../support/edges-of.ts';
import { detectedIn } from './detected-in.ts';

/** Models in sources: name, table, fields, and the class that describes it where it is a known symbol. */
const rows: readonly [detector: string, guarantee: string, sources: Sources, models: readonly string[]][] = [
  [
    'prisma',
    'models of a schema, with their tables',
    {
      'schema.prisma':
        '// model Old {}\nmodel User {\n  id    Int    @id\n  email String\n  @@map("users")\n}\nenum Role { A }\nmodel Post {\n  id Int @id\n}\n',
    },
    ['Post(id)', 'User[users](id, email)'],
  ],
  [
    'typeorm',
    'entities',
    {
      'user.ts':
        "import { Entity } from 'typeorm';\n@Entity({ name: 'users' })\nexport class User {\n  @Column() name: string;\n  greet() {}\n}\nclass Plain {}\n",
    },
    ['User[users](name) -> user.ts#User'],
  ],
  [
    'sequelize',
    'defined models, and classes of them',
    {
      'a.js':
        "import { Model } from 'sequelize';\nsequelize.define('Car', {});\nclass Bike extends Model {}\nBike.init({}, { sequelize });\n",
    },
    ['Bike -> a.js#Bike', 'Car'],
  ],
  [
    'mongoose',
    'models made of schemas',
    {
      'a.js': "const mongoose = require('mongoose');\nmodule.exports = mongoose.model('Cat', schema);\nviews.model(1);",
    },
    ['Cat'],
  ],
  [
    'drizzle',
    'tables',
    {
      'a.ts':
        "import { pgTable, text } from 'drizzle-orm/pg-core';\nexport const users = pgTable('user_table', {\n  id: text('id'),\n  name: text('name'),\n});\n",
    },
    ['users[user_table](id, name)'],
  ],
  [
    'sqlalchemy',
    'mapped classes, those below them, and tables',
    {
      'a.py':
        'from sqlalchemy import Table\nclass User(Base):\n    """Somebody."""\n    __tablename__ = "users"\n    id = Column()\nclass Admin(User):\n    level = 1\nlinks = Table("links", metadata)\nclass Other:\n    pass\n',
    },
    ['Admin(level) -> a.py#Admin', 'User[users](id) -> a.py#User', 'links[links]'],
  ],
  [
    'django-models',
    'models, also below a model of another file',
    {
      'base.py': 'from django.db import models\nclass Base(models.Model):\n    created = models.DateTimeField()\n',
      'a.py': 'from base import Base\nclass Post(Base):\n    title = 1\n    class Meta:\n        ordering = []\n',
    },
    ['Base(created) -> base.py#Base', 'Post(title) -> a.py#Post'],
  ],
  [
    'pydantic',
    'models that are checked',
    { 'a.py': 'from pydantic import BaseModel\nclass Item(BaseModel):\n    name: str\n    price: float = 0\n' },
    ['Item(name, price) -> a.py#Item'],
  ],
  [
    'jpa',
    'entities',
    {
      'A.java':
        'package a;\nimport jakarta.persistence.*;\n@Entity\n@Table(name = "owners")\npublic class Owner {\n  @Id private Long id;\n  Long getId() { return id; }\n}\n',
    },
    ['Owner[owners](id) -> A.java#Owner'],
  ],
  [
    'gorm',
    'structs with the base or with tags',
    {
      'a.go':
        'package a\ntype User struct {\n\tgorm.Model\n\tName string\n}\ntype Tag struct {\n\tID int `gorm:"primaryKey"`\n}\ntype Plain struct {\n\tX int\n}\n',
    },
    ['Tag(ID) -> a.go#Tag', 'User(Model, Name) -> a.go#User'],
  ],
  [
    'active-record',
    'classes of the base class',
    { 'a.rb': 'class ApplicationRecord < ActiveRecord::Base\nend\nclass User < ApplicationRecord\nend\n' },
    ['User -> a.rb#User'],
  ],
  [
    'eloquent',
    'models, with their tables',
    {
      'A.php':
        "<?php\nuse Illuminate\\Database\\Eloquent\\Model;\nclass Flight extends Model\n{\n    protected $table = 'my_flights';\n}\n",
    },
    ['Flight[my_flights] -> A.php#Flight'],
  ],
  [
    'entity-framework',
    'sets of a context',
    { 'A.cs': 'class Db : DbContext\n{\n    public DbSet<Blog> Blogs { get; set; }\n}\n' },
    ['Blog[Blogs]'],
  ],
  [
    'protobuf',
    'messages',
    { 'a.proto': 'syntax = "proto3";\nmessage User {\n  string name = 1;\n  repeated int32 ids = 2;\n}\n' },
    ['User(name, ids)'],
  ],
  [
    'graphql',
    'types, but not those at which queries begin',
    {
      'a.graphql':
        'type Query {\n  user: User\n}\ntype User implements Node @key {\n  id: ID!\n  posts(first: Int): [Post]\n}\n',
    },
    ['User(id, posts)'],
  ],
  [
    'sql-ddl',
    'tables as they are created',
    {
      'a.sql':
        '-- create table old (id int);\nCREATE TABLE IF NOT EXISTS public."users" (\n  id SERIAL PRIMARY KEY,\n  name text NOT NULL,\n  CONSTRAINT x UNIQUE (name)\n);\nselect 1;\n',
    },
    ['users(id, name)'],
  ],
  [
    'json-schema',
    'a schema, and what it defines',
    {
      'config.schema.json':
        '{"$schema": "x", "title": "Config", "properties": {"port": {}}, "$defs": {"Log": {"properties": {"level": {}}}}}',
    },
    ['Config(port)', 'Log(level)'],
  ],
];

const fieldList = (fields: unknown) => (Array.isArray(fields) ? `(${(fields as string[]).join(', ')})` : '');

describe('data models', () => {
  for (const [detector, guarantee, sources, models] of rows) {
    it(`${detector}: ${guarantee}`, async () => {
      const { nodes, edges } = await detectedIn(sources);
      const lines = nodes.map(({ id, name, kind, properties: { table, fields } }) => {
        expect(kind).equals(detector);
        const to = edges.find((edge) => edge.from === id);
        const described = to ? ` -> ${to.to.slice('r/'.length)}` : '';
        return `${name}${typeof table === 'string' ? `[${table}]` : ''}${fieldList(fields)}${described}`;
      });
      expect(lines.sort()).deep.equals(models);
    });
  }

  it('every detector of data models has its row; those of OpenAPI are with its endpoints', () => {
    const gives = detectors.filter(({ id, read, patterns }) =>
      read ? id !== 'openapi' : patterns?.some((each) => each.gives === 'model'),
    );
    expect(gives.map(({ id }) => id)).to.have.members(rows.map(([detector]) => detector));
  });
});
