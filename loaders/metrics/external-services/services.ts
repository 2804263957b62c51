/** A third party's service, a cloud's, or infrastructure that somebody must run; by what gives it away. */
export interface Service {
  id: string;
  /** Names of packages, without their ecosystem: whole, or up to a `*`. */
  packages: readonly string[];
  /** Of containers, without registry and tag. */
  images?: readonly string[];
  /** Beginnings of environment variables' names. */
  variables?: readonly string[];
  /** Terraform's provider. */
  provider?: string;
}

/** The idea and part of the data are specfy/stack-analyser's (MIT). */
export const services: readonly Service[] = [
  {
    id: 'aws',
    packages: [
      'aws-sdk',
      '@aws-sdk/*',
      'boto3',
      'botocore',
      'aiobotocore',
      'github.com/aws/aws-sdk-go*',
      'com.amazonaws*',
      'software.amazon.awssdk*',
      'aws-cdk-lib',
    ],
    variables: ['AWS_'],
    provider: 'aws',
  },
  {
    id: 'google-cloud',
    packages: [
      '@google-cloud/*',
      'google-cloud-*',
      'cloud.google.com/go*',
      'com.google.cloud*',
      'google-api-python-client',
      'googleapis',
    ],
    variables: ['GOOGLE_APPLICATION_CREDENTIALS', 'GCP_'],
    provider: 'google',
  },
  {
    id: 'azure',
    packages: [
      '@azure/*',
      'azure-*',
      'github.com/azure/azure-sdk-for-go*',
      'com.azure*',
      'com.microsoft.azure*',
      'msal',
      '@azure/msal-*',
    ],
    variables: ['AZURE_'],
    provider: 'azurerm',
  },
  {
    id: 'cloudflare',
    packages: ['cloudflare', 'wrangler', '@cloudflare/*', 'github.com/cloudflare/cloudflare-go*'],
    variables: ['CLOUDFLARE_'],
    provider: 'cloudflare',
  },
  {
    id: 'digitalocean',
    packages: ['github.com/digitalocean/godo', 'python-digitalocean', 'pydo'],
    variables: ['DIGITALOCEAN_'],
    provider: 'digitalocean',
  },
  { id: 'vercel', packages: ['@vercel/*', 'vercel'], variables: ['VERCEL_'], provider: 'vercel' },
  { id: 'netlify', packages: ['@netlify/*', 'netlify', 'netlify-cli'], variables: ['NETLIFY_'] },
  { id: 'heroku', packages: ['heroku-client', 'heroku3'], variables: ['HEROKU_'], provider: 'heroku' },
  { id: 'fastly', packages: ['fastly', '@fastly/*'], variables: ['FASTLY_'], provider: 'fastly' },
  { id: 'akamai', packages: ['edgegrid-python', 'akamai-edgegrid'], provider: 'akamai' },
  {
    id: 'postgresql',
    packages: [
      'pg',
      'pg-promise',
      'postgres',
      'psycopg',
      'psycopg2',
      'psycopg2-binary',
      'psycopg-binary',
      'asyncpg',
      'aiopg',
      'github.com/lib/pq',
      'github.com/jackc/pgx*',
      'org.postgresql*',
      'tokio-postgres',
    ],
    images: ['postgres', 'bitnami/postgresql', 'postgis/postgis', 'timescale/timescaledb'],
    variables: ['POSTGRES_', 'PGHOST'],
  },
  {
    id: 'mysql',
    packages: [
      'mysql',
      'mysql2',
      'mysqlclient',
      'pymysql',
      'aiomysql',
      'mysql-connector-python',
      'github.com/go-sql-driver/mysql',
      'mysql:*',
      'com.mysql*',
      'mariadb',
      'org.mariadb*',
    ],
    images: ['mysql', 'mariadb'],
    variables: ['MYSQL_', 'MARIADB_'],
  },
  {
    id: 'mssql',
    packages: [
      'mssql',
      'tedious',
      'pymssql',
      'com.microsoft.sqlserver*',
      'github.com/microsoft/go-mssqldb',
      'microsoft.data.sqlclient',
    ],
    images: ['mcr.microsoft.com/mssql/server'],
    variables: ['MSSQL_'],
  },
  {
    id: 'oracle',
    packages: ['oracledb', 'cx-oracle', 'com.oracle.database*', 'github.com/godror/godror'],
    variables: ['ORACLE_'],
  },
  {
    id: 'mongodb',
    packages: [
      'mongodb',
      'mongoose',
      'pymongo',
      'motor',
      'mongoengine',
      'go.mongodb.org/mongo-driver*',
      'org.mongodb*',
    ],
    images: ['mongo', 'bitnami/mongodb'],
    variables: ['MONGO_', 'MONGODB_'],
    provider: 'mongodbatlas',
  },
  {
    id: 'redis',
    packages: [
      'redis',
      'ioredis',
      '@redis/*',
      'aioredis',
      'django-redis',
      'github.com/redis/go-redis*',
      'github.com/go-redis/redis*',
      'github.com/gomodule/redigo',
      'redis.clients*',
      'io.lettuce*',
      'bull',
      'bullmq',
      'rq',
    ],
    images: ['redis', 'bitnami/redis', 'valkey/valkey', 'redis/redis-stack'],
    variables: ['REDIS_'],
  },
  {
    id: 'memcached',
    packages: ['memcached', 'memjs', 'pymemcache', 'python-memcached', 'pylibmc', 'github.com/bradfitz/gomemcache*'],
    images: ['memcached'],
    variables: ['MEMCACHED_'],
  },
  {
    id: 'elasticsearch',
    packages: [
      '@elastic/elasticsearch',
      'elasticsearch',
      'elasticsearch-dsl',
      'github.com/elastic/go-elasticsearch*',
      'org.elasticsearch*',
      'co.elastic.clients*',
    ],
    images: ['elasticsearch', 'docker.elastic.co/elasticsearch/elasticsearch'],
    variables: ['ELASTIC_', 'ELASTICSEARCH_'],
    provider: 'elasticstack',
  },
  {
    id: 'opensearch',
    packages: ['@opensearch-project/*', 'opensearch-py', 'github.com/opensearch-project/*', 'org.opensearch*'],
    images: ['opensearchproject/opensearch'],
    variables: ['OPENSEARCH_'],
  },
  {
    id: 'neo4j',
    packages: ['neo4j-driver', 'neo4j', 'py2neo', 'github.com/neo4j/neo4j-go-driver*', 'org.neo4j.driver*'],
    images: ['neo4j'],
    variables: ['NEO4J_'],
  },
  {
    id: 'cassandra',
    packages: ['cassandra-driver', 'scylla-driver', 'github.com/gocql/gocql', 'com.datastax*'],
    images: ['cassandra', 'scylladb/scylla'],
    variables: ['CASSANDRA_'],
  },
  {
    id: 'clickhouse',
    packages: [
      '@clickhouse/*',
      'clickhouse',
      'clickhouse-driver',
      'clickhouse-connect',
      'github.com/clickhouse/clickhouse-go*',
      'com.clickhouse*',
    ],
    images: ['clickhouse/clickhouse-server'],
    variables: ['CLICKHOUSE_'],
  },
  {
    id: 'snowflake',
    packages: [
      'snowflake-sdk',
      'snowflake-connector-python',
      'snowflake-sqlalchemy',
      'github.com/snowflakedb/gosnowflake',
      'net.snowflake*',
    ],
    variables: ['SNOWFLAKE_'],
    provider: 'snowflake',
  },
  {
    id: 'databricks',
    packages: ['databricks-*', '@databricks/*', 'com.databricks*'],
    variables: ['DATABRICKS_'],
    provider: 'databricks',
  },
  { id: 'bigquery', packages: ['@google-cloud/bigquery', 'google-cloud-bigquery', 'pandas-gbq'] },
  {
    id: 'influxdb',
    packages: ['influx', 'influxdb', 'influxdb-client', '@influxdata/*', 'github.com/influxdata/*'],
    images: ['influxdb'],
    variables: ['INFLUX'],
  },
  {
    id: 'dynamodb',
    packages: ['dynamoose', 'pynamodb', '@aws-sdk/client-dynamodb', '@aws-sdk/lib-dynamodb'],
    images: ['amazon/dynamodb-local'],
  },
  { id: 'supabase', packages: ['@supabase/*', 'supabase'], images: ['supabase/postgres'], variables: ['SUPABASE_'] },
  {
    id: 'firebase',
    packages: ['firebase', 'firebase-admin', 'firebase-functions', 'firebase.google.com/go*', 'com.google.firebase*'],
    variables: ['FIREBASE_'],
  },
  { id: 'planetscale', packages: ['@planetscale/*'], variables: ['PLANETSCALE_'] },
  { id: 'neon', packages: ['@neondatabase/*'], variables: ['NEON_'] },
  { id: 'pinecone', packages: ['@pinecone-database/*', 'pinecone', 'pinecone-client'], variables: ['PINECONE_'] },
  {
    id: 'qdrant',
    packages: ['@qdrant/*', 'qdrant-client', 'github.com/qdrant/go-client'],
    images: ['qdrant/qdrant'],
    variables: ['QDRANT_'],
  },
  {
    id: 'weaviate',
    packages: ['weaviate-client', 'weaviate-ts-client', 'github.com/weaviate/*'],
    images: ['semitechnologies/weaviate'],
  },
  {
    id: 'algolia',
    packages: ['algoliasearch', '@algolia/*', 'algoliasearch-django', 'github.com/algolia/*', 'com.algolia*'],
    variables: ['ALGOLIA_'],
  },
  {
    id: 'meilisearch',
    packages: ['meilisearch', 'github.com/meilisearch/meilisearch-go'],
    images: ['getmeili/meilisearch'],
    variables: ['MEILI'],
  },
  { id: 'typesense', packages: ['typesense', 'github.com/typesense/typesense-go*'], images: ['typesense/typesense'] },
  {
    id: 'kafka',
    packages: [
      'kafkajs',
      'node-rdkafka',
      'kafka-python',
      'aiokafka',
      'confluent-kafka',
      'github.com/segmentio/kafka-go',
      'github.com/ibm/sarama',
      'github.com/shopify/sarama',
      'org.apache.kafka*',
      'github.com/confluentinc/*',
    ],
    images: ['confluentinc/cp-kafka', 'apache/kafka', 'bitnami/kafka', 'redpandadata/redpanda'],
    variables: ['KAFKA_'],
    provider: 'confluent',
  },
  {
    id: 'rabbitmq',
    packages: [
      'amqplib',
      'amqp-connection-manager',
      'pika',
      'aio-pika',
      'github.com/rabbitmq/amqp091-go',
      'github.com/streadway/amqp',
      'com.rabbitmq*',
    ],
    images: ['rabbitmq'],
    variables: ['RABBITMQ_', 'AMQP_'],
  },
  {
    id: 'nats',
    packages: ['nats', '@nats-io/*', 'nats-py', 'github.com/nats-io/nats.go', 'io.nats*'],
    images: ['nats'],
    variables: ['NATS_'],
  },
  {
    id: 'pulsar',
    packages: ['pulsar-client', 'github.com/apache/pulsar-client-go', 'org.apache.pulsar*'],
    images: ['apachepulsar/pulsar'],
  },
  { id: 'sqs', packages: ['@aws-sdk/client-sqs', 'sqs-consumer'] },
  {
    id: 'temporal',
    packages: ['@temporalio/*', 'temporalio', 'go.temporal.io/sdk*', 'io.temporal*'],
    images: ['temporalio/auto-setup', 'temporalio/server'],
    variables: ['TEMPORAL_'],
  },
  {
    id: 'stripe',
    packages: ['stripe', '@stripe/*', 'github.com/stripe/stripe-go*', 'com.stripe*', 'dj-stripe', 'stripe/stripe-php'],
    variables: ['STRIPE_'],
  },
  { id: 'paypal', packages: ['@paypal/*', 'paypalrestsdk', 'paypal-rest-sdk', 'com.paypal*'], variables: ['PAYPAL_'] },
  { id: 'braintree', packages: ['braintree', 'braintree-web', 'com.braintreepayments*'], variables: ['BRAINTREE_'] },
  { id: 'adyen', packages: ['@adyen/*', 'adyen', 'github.com/adyen/*', 'com.adyen*'], variables: ['ADYEN_'] },
  { id: 'square', packages: ['square', 'squareup', 'com.squareup:square'], variables: ['SQUARE_'] },
  {
    id: 'plaid',
    packages: ['plaid', 'plaid-python', 'github.com/plaid/plaid-go*', 'react-plaid-link'],
    variables: ['PLAID_'],
  },
  {
    id: 'twilio',
    packages: ['twilio', '@twilio/*', 'github.com/twilio/twilio-go', 'com.twilio.sdk*'],
    variables: ['TWILIO_'],
  },
  {
    id: 'sendgrid',
    packages: ['@sendgrid/*', 'sendgrid', 'github.com/sendgrid/*', 'com.sendgrid*'],
    variables: ['SENDGRID_'],
  },
  {
    id: 'mailgun',
    packages: ['mailgun.js', 'mailgun-js', 'mailgun', 'github.com/mailgun/mailgun-go*'],
    variables: ['MAILGUN_'],
  },
  { id: 'postmark', packages: ['postmark', 'postmarker'], variables: ['POSTMARK_'] },
  { id: 'mailchimp', packages: ['@mailchimp/*', 'mailchimp3', 'mailchimp-marketing'], variables: ['MAILCHIMP_'] },
  { id: 'resend', packages: ['resend'], variables: ['RESEND_'] },
  {
    id: 'slack',
    packages: ['@slack/*', 'slack-sdk', 'slack-bolt', 'slackclient', 'github.com/slack-go/slack', 'com.slack.api*'],
    variables: ['SLACK_'],
  },
  {
    id: 'discord',
    packages: ['discord.js', 'discord.py', 'github.com/bwmarrin/discordgo', 'net.dv8tion*'],
    variables: ['DISCORD_'],
  },
  {
    id: 'telegram',
    packages: ['telegraf', 'node-telegram-bot-api', 'python-telegram-bot', 'aiogram'],
    variables: ['TELEGRAM_'],
  },
  { id: 'intercom', packages: ['intercom-client', 'python-intercom'], variables: ['INTERCOM_'] },
  { id: 'zendesk', packages: ['node-zendesk', 'zenpy'], variables: ['ZENDESK_'] },
  { id: 'salesforce', packages: ['jsforce', 'simple-salesforce', '@salesforce/*'], variables: ['SALESFORCE_'] },
  { id: 'hubspot', packages: ['@hubspot/*', 'hubspot-api-client'], variables: ['HUBSPOT_'] },
  { id: 'shopify', packages: ['@shopify/*', 'shopify-api-node', 'shopifyapi'], variables: ['SHOPIFY_'] },
  { id: 'contentful', packages: ['contentful', 'contentful-management'], variables: ['CONTENTFUL_'] },
  { id: 'sanity', packages: ['@sanity/*', 'sanity', 'next-sanity'], variables: ['SANITY_'] },
  {
    id: 'auth0',
    packages: ['auth0', 'auth0-js', '@auth0/*', 'auth0-python', 'com.auth0:auth0*', 'github.com/auth0/go-auth0'],
    variables: ['AUTH0_'],
    provider: 'auth0',
  },
  {
    id: 'okta',
    packages: ['@okta/*', 'okta', 'github.com/okta/*', 'com.okta*'],
    variables: ['OKTA_'],
    provider: 'okta',
  },
  { id: 'clerk', packages: ['@clerk/*', 'clerk-backend-api'], variables: ['CLERK_'] },
  { id: 'workos', packages: ['@workos-inc/*', 'workos', '@workos/*'], variables: ['WORKOS_'] },
  {
    id: 'keycloak',
    packages: ['keycloak-js', 'keycloak-connect', 'python-keycloak', 'org.keycloak*'],
    images: ['quay.io/keycloak/keycloak', 'keycloak/keycloak'],
    variables: ['KEYCLOAK_'],
  },
  {
    id: 'vault',
    packages: ['node-vault', 'hvac', 'github.com/hashicorp/vault/api'],
    images: ['hashicorp/vault', 'vault'],
    variables: ['VAULT_'],
    provider: 'vault',
  },
  {
    id: 'sentry',
    packages: ['@sentry/*', 'sentry-sdk', 'raven', 'github.com/getsentry/sentry-go*', 'io.sentry*'],
    variables: ['SENTRY_'],
    provider: 'sentry',
  },
  {
    id: 'datadog',
    packages: [
      'dd-trace',
      '@datadog/*',
      'ddtrace',
      'datadog',
      'datadog-api-client',
      'github.com/datadog/*',
      'gopkg.in/datadog/*',
      'com.datadoghq*',
    ],
    images: ['datadog/agent', 'gcr.io/datadoghq/agent'],
    variables: ['DD_API', 'DATADOG_'],
    provider: 'datadog',
  },
  {
    id: 'new-relic',
    packages: ['newrelic', 'github.com/newrelic/*', 'com.newrelic*'],
    variables: ['NEW_RELIC_'],
    provider: 'newrelic',
  },
  {
    id: 'honeycomb',
    packages: ['@honeycombio/*', 'libhoney', 'honeycomb-beeline', 'github.com/honeycombio/*'],
    variables: ['HONEYCOMB_'],
  },
  {
    id: 'grafana',
    packages: ['@grafana/faro-*'],
    images: ['grafana/grafana', 'grafana/loki', 'grafana/tempo'],
    provider: 'grafana',
  },
  {
    id: 'prometheus',
    packages: [
      'prom-client',
      'prometheus-client',
      'prometheus-fastapi-instrumentator',
      'github.com/prometheus/client_golang*',
      'io.prometheus*',
      'io.micrometer:micrometer-registry-prometheus',
    ],
    images: ['prom/prometheus'],
  },
  { id: 'bugsnag', packages: ['@bugsnag/*', 'bugsnag', 'github.com/bugsnag/*'], variables: ['BUGSNAG_'] },
  { id: 'rollbar', packages: ['rollbar', 'github.com/rollbar/*'], variables: ['ROLLBAR_'] },
  {
    id: 'pagerduty',
    packages: ['@pagerduty/*', 'pdpyras', 'github.com/pagerduty/*'],
    variables: ['PAGERDUTY_'],
    provider: 'pagerduty',
  },
  {
    id: 'segment',
    packages: ['@segment/*', 'analytics-node', 'segment-analytics-python', 'analytics-python'],
    variables: ['SEGMENT_'],
  },
  { id: 'mixpanel', packages: ['mixpanel', 'mixpanel-browser'], variables: ['MIXPANEL_'] },
  { id: 'amplitude', packages: ['@amplitude/*', 'amplitude-js', 'amplitude-analytics'], variables: ['AMPLITUDE_'] },
  {
    id: 'posthog',
    packages: ['posthog', 'posthog-js', 'posthog-node', 'github.com/posthog/*'],
    variables: ['POSTHOG_'],
  },
  {
    id: 'launchdarkly',
    packages: ['launchdarkly-*', '@launchdarkly/*', 'github.com/launchdarkly/*', 'com.launchdarkly*'],
    variables: ['LAUNCHDARKLY_', 'LD_SDK'],
    provider: 'launchdarkly',
  },
  {
    id: 'openai',
    packages: [
      'openai',
      '@azure/openai',
      'github.com/openai/openai-go*',
      'github.com/sashabaranov/go-openai',
      '@langchain/openai',
      'langchain-openai',
      '@ai-sdk/openai',
    ],
    variables: ['OPENAI_'],
  },
  {
    id: 'anthropic',
    packages: [
      '@anthropic-ai/*',
      'anthropic',
      '@langchain/anthropic',
      'langchain-anthropic',
      '@ai-sdk/anthropic',
      'github.com/anthropics/*',
    ],
    variables: ['ANTHROPIC_'],
  },
  {
    id: 'google-ai',
    packages: ['@google/generative-ai', '@google/genai', 'google-generativeai', 'google-genai', 'vertexai'],
    variables: ['GEMINI_'],
  },
  { id: 'cohere', packages: ['cohere-ai', 'cohere'], variables: ['COHERE_'] },
  { id: 'mistral', packages: ['@mistralai/*', 'mistralai'], variables: ['MISTRAL_'] },
  {
    id: 'hugging-face',
    packages: ['@huggingface/*', 'huggingface-hub', 'transformers'],
    variables: ['HF_TOKEN', 'HUGGINGFACE_'],
  },
  { id: 'replicate', packages: ['replicate'], variables: ['REPLICATE_'] },
  {
    id: 'minio',
    packages: ['minio', 'github.com/minio/minio-go*', 'io.minio*'],
    images: ['minio/minio', 'quay.io/minio/minio'],
    variables: ['MINIO_'],
  },
  { id: 's3', packages: ['@aws-sdk/client-s3', 's3fs', 's3transfer', 'multer-s3', 'django-storages'] },
  { id: 'cloudinary', packages: ['cloudinary', 'cloudinary-core'], variables: ['CLOUDINARY_'] },
  { id: 'mapbox', packages: ['mapbox-gl', '@mapbox/*', 'mapbox'], variables: ['MAPBOX_'] },
  {
    id: 'google-maps',
    packages: ['@googlemaps/*', 'googlemaps', '@react-google-maps/api'],
    variables: ['GOOGLE_MAPS_'],
  },
  {
    id: 'github',
    packages: ['@octokit/*', 'octokit', 'pygithub', 'github3.py', 'github.com/google/go-github*', 'probot'],
    variables: ['GITHUB_APP_', 'GH_TOKEN'],
    provider: 'github',
  },
  {
    id: 'gitlab',
    packages: ['@gitbeaker/*', 'python-gitlab', 'github.com/xanzy/go-gitlab', 'gitlab.com/gitlab-org/api/client-go'],
    provider: 'gitlab',
  },
  {
    id: 'jira',
    packages: ['jira', 'jira-client', 'jira.js', 'atlassian-python-api', 'github.com/andygrunwald/go-jira'],
    variables: ['JIRA_'],
  },
  {
    id: 'ldap',
    packages: ['ldapjs', 'ldapts', 'python-ldap', 'ldap3', 'django-auth-ldap', 'github.com/go-ldap/ldap*'],
    images: ['osixia/openldap'],
    variables: ['LDAP_'],
  },
  {
    id: 'smtp',
    packages: ['nodemailer', 'aiosmtplib', 'github.com/wneessen/go-mail', 'gopkg.in/gomail.v2'],
    images: ['mailhog/mailhog', 'axllent/mailpit'],
    variables: ['SMTP_', 'MAIL_HOST'],
  },
  {
    id: 'kubernetes',
    packages: [
      '@kubernetes/client-node',
      'kubernetes',
      'kubernetes-asyncio',
      'k8s.io/client-go',
      'io.kubernetes*',
      'io.fabric8:kubernetes-client',
    ],
    provider: 'kubernetes',
  },
  {
    id: 'docker',
    packages: ['dockerode', 'docker', 'github.com/docker/docker', 'github.com/moby/moby*', 'com.github.docker-java*'],
  },
  {
    id: 'consul',
    packages: ['consul', 'python-consul', 'github.com/hashicorp/consul/api'],
    images: ['hashicorp/consul', 'consul'],
    provider: 'consul',
  },
  {
    id: 'etcd',
    packages: ['etcd3', 'go.etcd.io/etcd/client*', 'io.etcd*'],
    images: ['quay.io/coreos/etcd', 'bitnami/etcd'],
  },
  {
    id: 'zookeeper',
    packages: [
      'node-zookeeper-client',
      'kazoo',
      'github.com/go-zookeeper/zk',
      'org.apache.zookeeper*',
      'org.apache.curator*',
    ],
    images: ['zookeeper'],
  },
];

const exact = new Map<string, string>();
const prefixes: { prefix: string; id: string }[] = [];
for (const { id, packages } of services) {
  for (const name of packages) {
    if (!name.endsWith('*')) {
      if (!exact.has(name)) exact.set(name, id);
    } else prefixes.push({ prefix: name.slice(0, -1), id });
  }
}
const images = new Map(services.flatMap(({ id, images: names = [] }) => names.map((name) => [name, id] as const)));
const variables = services.flatMap(({ id, variables: names = [] }) => names.map((name) => ({ name, id })));
const providers = new Map(services.flatMap(({ id, provider }) => (provider ? [[provider, id] as const] : [])));

/** Which service a package, or the module that it is imported as, belongs to; null for none. */
export function serviceOfPackage(name: string): string | null {
  const key = name.toLowerCase();
  return exact.get(key) ?? prefixes.find(({ prefix }) => key.startsWith(prefix))?.id ?? null;
}

/** Which service a container runs; the tag and, where it is Docker's own, the registry are left out. */
export function serviceOfImage(image: string): string | null {
  const [name = ''] = image.replace(/^(docker\.io\/)?(library\/)?/, '').split('@', 1);
  const tag = name.indexOf(':', name.lastIndexOf('/') + 1);
  return images.get(tag < 0 ? name : name.slice(0, tag)) ?? null;
}

export function serviceOfVariable(name: string): string | null {
  return variables.find((each) => name.startsWith(each.name))?.id ?? null;
}

export function serviceOfProvider(name: string): string | null {
  return providers.get(name) ?? null;
}
