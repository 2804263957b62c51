import { expect } from 'chai';
import { detectors } from '../../../loaders/detectors/index.ts';
import type { Sources } from '../../support/edges-of.ts';
import { detectedIn } from './detected-in.ts';
import { dedent } from '../../support/dedent.ts';

/** Models in sources: name, table, fields, and the class that describes it where it is a known symbol. */
const rows: readonly [detector: string, guarantee: string, sources: Sources, models: readonly string[]][] = [
  [
    'prisma',
    'models of a schema, with their tables',
    {
      'schema.prisma': dedent`
          // model Old {}
          model User {
            id    Int    @id
            email String
            @@map("users")
          }
          enum Role { A }
          model Post {
            id Int @id
          }

        `,
    },
    ['Post(id)', 'User[users](id, email)'],
  ],
  [
    'typeorm',
    'entities',
    {
      'user.ts': dedent`
          import { Entity } from 'typeorm';
          @Entity({ name: 'users' })
          export class User {
            @Column() name: string;
            greet() {}
          }
          class Plain {}

        `,
    },
    ['User[users](name) -> user.ts#User'],
  ],
  [
    'sequelize',
    'defined models, and classes of them',
    {
      'a.js': dedent`
          import { Model } from 'sequelize';
          sequelize.define('Car', {});
          class Bike extends Model {}
          Bike.init({}, { sequelize });

        `,
    },
    ['Bike -> a.js#Bike', 'Car'],
  ],
  [
    'mongoose',
    'models made of schemas',
    {
      'a.js': dedent`
        const mongoose = require('mongoose');
        module.exports = mongoose.model('Cat', schema);
        views.model(1);
      `,
    },
    ['Cat'],
  ],
  [
    'drizzle',
    'tables',
    {
      'a.ts': dedent`
          import { pgTable, text } from 'drizzle-orm/pg-core';
          export const users = pgTable('user_table', {
            id: text('id'),
            name: text('name'),
          });

        `,
    },
    ['users[user_table](id, name)'],
  ],
  [
    'sqlalchemy',
    'mapped classes, those below them, and tables',
    {
      'a.py': dedent`
          from sqlalchemy import Table
          class User(Base):
              """Somebody."""
              __tablename__ = "users"
              id = Column()
          class Admin(User):
              level = 1
          links = Table("links", metadata)
          class Other:
              pass

        `,
    },
    ['Admin(level) -> a.py#Admin', 'User[users](id) -> a.py#User', 'links[links]'],
  ],
  [
    'django-models',
    'models, also below a model of another file',
    {
      'base.py': dedent`
        from django.db import models
        class Base(models.Model):
            created = models.DateTimeField()

      `,
      'a.py': dedent`
        from base import Base
        class Post(Base):
            title = 1
            class Meta:
                ordering = []

      `,
    },
    ['Base(created) -> base.py#Base', 'Post(title) -> a.py#Post'],
  ],
  [
    'pydantic',
    'models that are checked',
    {
      'a.py': dedent`
      from pydantic import BaseModel
      class Item(BaseModel):
          name: str
          price: float = 0

    `,
    },
    ['Item(name, price) -> a.py#Item'],
  ],
  [
    'jpa',
    'entities',
    {
      'A.java': dedent`
          package a;
          import jakarta.persistence.*;
          @Entity
          @Table(name = "owners")
          public class Owner {
            @Id private Long id;
            Long getId() { return id; }
          }

        `,
    },
    ['Owner[owners](id) -> A.java#Owner'],
  ],
  [
    'gorm',
    'structs with the base or with tags',
    {
      'a.go': dedent`
          package a
          type User struct {
          \tgorm.Model
          \tName string
          }
          type Tag struct {
          \tID int \`gorm:"primaryKey"\`
          }
          type Plain struct {
          \tX int
          }

        `,
    },
    ['Tag(ID) -> a.go#Tag', 'User(Model, Name) -> a.go#User'],
  ],
  [
    'active-record',
    'classes of the base class',
    {
      'a.rb': dedent`
      class ApplicationRecord < ActiveRecord::Base
      end
      class User < ApplicationRecord
      end

    `,
    },
    ['User -> a.rb#User'],
  ],
  [
    'eloquent',
    'models, with their tables',
    {
      'A.php': dedent`
          <?php
          use Illuminate\\Database\\Eloquent\\Model;
          class Flight extends Model
          {
              protected $table = 'my_flights';
          }

        `,
    },
    ['Flight[my_flights] -> A.php#Flight'],
  ],
  [
    'entity-framework',
    'sets of a context',
    {
      'A.cs': dedent`
      class Db : DbContext
      {
          public DbSet<Blog> Blogs { get; set; }
      }

    `,
    },
    ['Blog[Blogs]'],
  ],
  [
    'protobuf',
    'messages',
    {
      'a.proto': dedent`
      syntax = "proto3";
      message User {
        string name = 1;
        repeated int32 ids = 2;
      }

    `,
    },
    ['User(name, ids)'],
  ],
  [
    'graphql',
    'types, but not those at which queries begin',
    {
      'a.graphql': dedent`
          type Query {
            user: User
          }
          type User implements Node @key {
            id: ID!
            posts(first: Int): [Post]
          }

        `,
    },
    ['User(id, posts)'],
  ],
  [
    'sql-ddl',
    'tables as they are created',
    {
      'a.sql': dedent`
          -- create table old (id int);
          CREATE TABLE IF NOT EXISTS public."users" (
            id SERIAL PRIMARY KEY,
            name text NOT NULL,
            CONSTRAINT x UNIQUE (name)
          );
          select 1;

        `,
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
