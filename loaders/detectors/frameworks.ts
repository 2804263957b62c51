import { ecosystemById } from '../../src/model/ecosystems/index.ts';

/** A framework by the packages that bring it; `kind` says what it is for. */
export interface Framework {
  id: string;
  title: string;
  kind: string;
  /** `ecosystem name`; a name that ends in `*` stands for all that begin so. */
  packages: readonly string[];
}

const of =
  (kind: string) =>
  (title: string, ...packages: string[]): Framework => ({
    id: title.toLowerCase().replaceAll(/[^a-z\d.+#]+/g, '-'),
    title,
    kind,
    packages,
  });
const web = of('web');
const frontend = of('frontend');
const data = of('data');
const test = of('test');
const messaging = of('messaging');
const machineLearning = of('machine_learning');
const command = of('command_line');
const api = of('api');
const mobile = of('mobile');

/** The frameworks that are known, by what they are for. A new one is a line here. */
export const frameworks: readonly Framework[] = [
  web('Express', 'npm express'),
  web('Koa', 'npm koa'),
  web('Fastify', 'npm fastify'),
  web('NestJS', 'npm @nestjs/core'),
  web('Hapi', 'npm @hapi/hapi'),
  web('Hono', 'npm hono'),
  web('Next.js', 'npm next'),
  web('Nuxt', 'npm nuxt'),
  web('Remix', 'npm @remix-run/*'),
  web('Astro', 'npm astro'),
  web('SvelteKit', 'npm @sveltejs/kit'),
  web('Gatsby', 'npm gatsby'),
  web('Meteor', 'npm meteor-node-stubs'),
  web('AdonisJS', 'npm @adonisjs/core'),
  web('Flask', 'pypi flask'),
  web('FastAPI', 'pypi fastapi'),
  web('Django', 'pypi django'),
  web('Starlette', 'pypi starlette'),
  web('Tornado', 'pypi tornado'),
  web('aiohttp', 'pypi aiohttp'),
  web('Pyramid', 'pypi pyramid'),
  web('Bottle', 'pypi bottle'),
  web('Falcon', 'pypi falcon'),
  web('Sanic', 'pypi sanic'),
  web('Quart', 'pypi quart'),
  web('Litestar', 'pypi litestar'),
  web('Gin', 'go github.com/gin-gonic/gin'),
  web('Echo', 'go github.com/labstack/echo*'),
  web('chi', 'go github.com/go-chi/chi*'),
  web('Fiber', 'go github.com/gofiber/fiber*'),
  web('Gorilla Mux', 'go github.com/gorilla/mux'),
  web('Beego', 'go github.com/beego/beego*'),
  web('Buffalo', 'go github.com/gobuffalo/buffalo'),
  web('Spring Boot', 'maven org.springframework.boot:*'),
  web('Spring', 'maven org.springframework:*'),
  web('Quarkus', 'maven io.quarkus:*'),
  web('Micronaut', 'maven io.micronaut:*', 'maven io.micronaut.*'),
  web('Dropwizard', 'maven io.dropwizard:*'),
  web('Vert.x', 'maven io.vertx:*'),
  web('Jersey', 'maven org.glassfish.jersey.*'),
  web('Ktor', 'maven io.ktor:*'),
  web('Play', 'maven com.typesafe.play:*', 'maven org.playframework:*'),
  web('Netty', 'maven io.netty:*'),
  web('axum', 'cargo axum'),
  web('Actix Web', 'cargo actix-web'),
  web('Rocket', 'cargo rocket'),
  web('Warp', 'cargo warp'),
  web('Tokio', 'cargo tokio'),
  web('Ruby on Rails', 'rubygems rails'),
  web('Sinatra', 'rubygems sinatra'),
  web('Laravel', 'composer laravel/framework'),
  web('Symfony', 'composer symfony/framework-bundle', 'composer symfony/symfony'),
  web('Slim', 'composer slim/slim'),
  web('ASP.NET Core', 'nuget Microsoft.AspNetCore.*'),
  frontend('React', 'npm react'),
  frontend('Vue', 'npm vue'),
  frontend('Angular', 'npm @angular/core'),
  frontend('Svelte', 'npm svelte'),
  frontend('SolidJS', 'npm solid-js'),
  frontend('Preact', 'npm preact'),
  frontend('Lit', 'npm lit'),
  frontend('Ember', 'npm ember-source'),
  frontend('Alpine.js', 'npm alpinejs'),
  frontend('jQuery', 'npm jquery'),
  frontend('Redux', 'npm redux', 'npm @reduxjs/toolkit'),
  frontend('Tailwind CSS', 'npm tailwindcss'),
  frontend('Streamlit', 'pypi streamlit'),
  mobile('React Native', 'npm react-native'),
  mobile('Expo', 'npm expo'),
  mobile('Ionic', 'npm @ionic/*'),
  mobile('Electron', 'npm electron'),
  data('Prisma', 'npm prisma', 'npm @prisma/client'),
  data('TypeORM', 'npm typeorm'),
  data('Sequelize', 'npm sequelize'),
  data('Mongoose', 'npm mongoose'),
  data('Drizzle', 'npm drizzle-orm'),
  data('Knex', 'npm knex'),
  data('Kysely', 'npm kysely'),
  data('MikroORM', 'npm @mikro-orm/core'),
  data('SQLAlchemy', 'pypi sqlalchemy'),
  data('SQLModel', 'pypi sqlmodel'),
  data('Peewee', 'pypi peewee'),
  data('Tortoise ORM', 'pypi tortoise-orm'),
  data('Pydantic', 'pypi pydantic'),
  data('Alembic', 'pypi alembic'),
  data('GORM', 'go gorm.io/gorm', 'go github.com/jinzhu/gorm'),
  data('ent', 'go entgo.io/ent'),
  data('sqlx', 'go github.com/jmoiron/sqlx', 'cargo sqlx'),
  data('Hibernate', 'maven org.hibernate*'),
  data('MyBatis', 'maven org.mybatis*'),
  data('jOOQ', 'maven org.jooq:*'),
  data('Diesel', 'cargo diesel'),
  data('SeaORM', 'cargo sea-orm'),
  data('Active Record', 'rubygems activerecord'),
  data('Doctrine', 'composer doctrine/orm'),
  data('Entity Framework', 'nuget Microsoft.EntityFrameworkCore*', 'nuget EntityFramework'),
  api('GraphQL', 'npm graphql', 'pypi graphql-core'),
  api('Apollo', 'npm @apollo/server', 'npm apollo-server*'),
  api('tRPC', 'npm @trpc/server'),
  api('gRPC', 'npm @grpc/grpc-js', 'pypi grpcio', 'go google.golang.org/grpc', 'maven io.grpc:*', 'cargo tonic'),
  api('Django REST framework', 'pypi djangorestframework'),
  api('Strawberry', 'pypi strawberry-graphql'),
  messaging(
    'Kafka',
    'npm kafkajs',
    'pypi kafka-python',
    'go github.com/segmentio/kafka-go',
    'maven org.apache.kafka:*',
  ),
  messaging('RabbitMQ', 'npm amqplib', 'pypi pika', 'go github.com/rabbitmq/amqp091-go', 'maven com.rabbitmq:*'),
  messaging('BullMQ', 'npm bullmq'),
  messaging('Celery', 'pypi celery'),
  messaging('Socket.IO', 'npm socket.io', 'pypi python-socketio'),
  messaging('Sidekiq', 'rubygems sidekiq'),
  machineLearning('PyTorch', 'pypi torch'),
  machineLearning('TensorFlow', 'pypi tensorflow', 'npm @tensorflow/*'),
  machineLearning('scikit-learn', 'pypi scikit-learn'),
  machineLearning('Transformers', 'pypi transformers'),
  machineLearning('LangChain', 'pypi langchain*', 'npm langchain'),
  machineLearning('Pandas', 'pypi pandas'),
  machineLearning('NumPy', 'pypi numpy'),
  machineLearning('Spark', 'pypi pyspark', 'maven org.apache.spark:*'),
  command('Commander', 'npm commander'),
  command('yargs', 'npm yargs'),
  command('Click', 'pypi click'),
  command('Typer', 'pypi typer'),
  command('Cobra', 'go github.com/spf13/cobra'),
  command('clap', 'cargo clap'),
  command('picocli', 'maven info.picocli:*'),
  test('Mocha', 'npm mocha'),
  test('Jest', 'npm jest'),
  test('Vitest', 'npm vitest'),
  test('Cypress', 'npm cypress'),
  test('Playwright', 'npm @playwright/test', 'npm playwright', 'pypi playwright'),
  test('Jasmine', 'npm jasmine', 'npm jasmine-core'),
  test('pytest', 'pypi pytest'),
  test('Hypothesis', 'pypi hypothesis'),
  test('Testify', 'go github.com/stretchr/testify'),
  test('Ginkgo', 'go github.com/onsi/ginkgo*'),
  test('JUnit', 'maven junit:junit', 'maven org.junit*'),
  test('Mockito', 'maven org.mockito:*'),
  test('TestNG', 'maven org.testng:testng'),
  test('RSpec', 'rubygems rspec*'),
  test('PHPUnit', 'composer phpunit/phpunit'),
  test('xUnit', 'nuget xunit*'),
];

const exact = new Map<string, Framework>();
const beginnings: [string, Framework][] = [];
for (const framework of frameworks) {
  for (const name of framework.packages) {
    if (name.endsWith('*')) beginnings.push([name.slice(0, -1), framework]);
    else exact.set(name, framework);
  }
}

/** The framework that a package brings, or null. */
export function frameworkOf({ ecosystem, name }: { ecosystem: string; name: string }): Framework | null {
  const whole = `${ecosystem} ${name}`;
  return exact.get(whole) ?? beginnings.find(([beginning]) => whole.startsWith(beginning))?.[1] ?? null;
}

/** The framework that an import's text leads to, or null: by the rule of its ecosystem, a package's name is how a module's begins. */
export function frameworkOfModule(ecosystem: string, module: string): Framework | null {
  for (const name of ecosystemById(ecosystem)?.packagesOfModule(module) ?? []) {
    const framework = frameworkOf({ ecosystem, name });
    if (framework) return framework;
  }
  return null;
}
