/** Raised when a rule comes, goes or changes. */
export const secretRulesVersion = 1;

/** What a provider's secret looks like, so that it is told from any other text (the idea and the formats are gitleaks'). */
export interface SecretRule {
  id: string;
  /** In every text that the rule finds something in, and hardly in any other; where a word begins or ends, for so it is found quickly. */
  hint: string;
  pattern: string;
  /** In bits a character: less is a placeholder. */
  leastEntropy: number;
  /** What tests and examples are full of: there it opens nothing. */
  commonInTests?: true;
  /** Says nothing of who gave it out. */
  generic?: true;
}

const rule = (id: string, hint: string, pattern: string, leastEntropy = 3): SecretRule => ({
  id,
  hint,
  pattern,
  leastEntropy,
});

export const secretRules: readonly SecretRule[] = [
  {
    ...rule(
      'private_key',
      'PRIVATE KEY',
      String.raw`-----BEGIN (?:[A-Z0-9]{1,10} ){0,2}PRIVATE KEY(?: BLOCK)?-----[^]{0,150}?[A-Za-z0-9+/]{48}`,
      4,
    ),
    commonInTests: true,
  },
  {
    ...rule('jwt', 'eyJ', String.raw`eyJ[\w-]{15,1000}\.eyJ[\w-]{15,2000}\.[\w-]{20,700}`, 4),
    commonInTests: true,
    generic: true,
  },
  rule('age_key', 'AGE-SECRET-KEY-1', 'AGE-SECRET-KEY-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}'),
  rule('airtable', String.raw`pat\w{14}\.[0-9a-f]`, String.raw`pat[A-Za-z0-9]{14}\.[0-9a-f]{64}`),
  rule('alibaba', 'LTAI', 'LTAI[a-zA-Z0-9]{20}'),
  rule('anthropic', 'sk-ant-', String.raw`sk-ant-(?:api|admin|oat)\d{2}-[\w-]{80,110}`),
  rule('artifactory', 'AKCp', 'AKCp[A-Za-z0-9]{69}', 4),
  rule('aws_access_key', '(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}', '(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}'),
  rule('aws_bedrock', 'ABSK', 'ABSK[A-Za-z0-9+/]{109,269}={0,2}'),
  rule('azure_client_secret', String.raw`~[\w.~-]{31}`, String.raw`[\w.~]{3}\dQ~[\w.~-]{31,34}`),
  rule('azure_storage_key', 'AccountKey=', 'AccountKey=[A-Za-z0-9+/]{86}==', 4),
  rule('cloudflare_origin_ca', String.raw`v1\.0-[0-9a-f]`, String.raw`v1\.0-[0-9a-f]{24}-[0-9a-f]{146}`),
  rule('databricks', 'dapi[0-9a-f]{8}', String.raw`dapi[0-9a-f]{32}(?:-\d)?`),
  rule('digitalocean', 'do[opr]_v1_', 'do[opr]_v1_[0-9a-f]{64}'),
  rule(
    'discord_bot_token',
    String.raw`[MNO][\w-]{23,25}\.[\w-]{6}\.`,
    String.raw`[MNO][\w-]{23,25}\.[\w-]{6}\.[\w-]{27,38}`,
    4,
  ),
  rule(
    'discord_webhook',
    String.raw`/api/webhooks/\d`,
    String.raw`https://(?:canary\.|ptb\.)?discord(?:app)?\.com/api/webhooks/\d{17,20}/[\w-]{60,80}`,
  ),
  rule('docker', 'dckr_', String.raw`dckr_(?:pat|oat)_[\w-]{27,32}`),
  rule('doppler', String.raw`dp\.pt\.`, String.raw`dp\.pt\.[a-zA-Z0-9]{40,44}`),
  rule('dynatrace', String.raw`dt0[a-z]\d\d\.`, String.raw`dt0[a-z]\d\d\.[A-Z0-9]{24}\.[A-Z0-9]{64}`),
  rule('facebook', 'EAA[MC]', 'EAA[MC][a-zA-Z0-9]{100,300}', 4),
  rule('fly', 'fo1_|fm[12][ar]?_', String.raw`(?:fo1_[\w-]{43}|fm[12][ar]?_[A-Za-z0-9+/]{100,2000}={0,3})`, 4),
  rule('github', 'gh[pousr]_[0-9a-zA-Z]{36}', 'gh[pousr]_[0-9a-zA-Z]{36}'),
  rule('github_fine_grained', 'github_pat_', String.raw`github_pat_\w{82}`),
  rule('gitlab', 'glpat-', String.raw`glpat-[\w-]{20}`),
  rule(
    'gitlab_other',
    'gl(?:ptt|dt|rt|cbt|soat|ft|imt|agent|oas)-',
    String.raw`gl(?:ptt|dt|rt|cbt|soat|ft|imt|agent|oas)-[\w-]{20,64}`,
    3.5,
  ),
  rule('google_api_key', 'AIza', String.raw`AIza[\w-]{35}`, 4),
  rule('google_oauth_secret', 'GOCSPX-', String.raw`GOCSPX-[\w-]{28}`),
  rule('grafana', 'glsa_|glc_', 'glsa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}|glc_[A-Za-z0-9+/]{32,400}={0,3}'),
  rule('heroku', 'HRKU-', String.raw`HRKU-AA[\w-]{58}`, 4),
  rule('hugging_face', 'hf_[a-zA-Z]{34}|api_org_', '(?:hf|api_org)_[a-zA-Z]{34}', 3.5),
  rule('linear', 'lin_api_', 'lin_api_[a-zA-Z0-9]{40}'),
  rule('mailchimp', '-us[0-9]', String.raw`[0-9a-f]{32}-us\d{1,2}`, 3.2),
  rule('mailgun', 'key-[0-9a-f]{32}', 'key-[0-9a-f]{32}', 3.2),
  rule('new_relic', 'NRAK-', 'NRAK-[A-Z0-9]{27}'),
  rule('notion', 'ntn_', 'ntn_[0-9]{11}[A-Za-z0-9]{35}', 4),
  rule('npm', 'npm_[a-zA-Z0-9]{36}', 'npm_[a-zA-Z0-9]{36}', 3.5),
  rule(
    'openai',
    'sk-(?:proj|svcacct|admin)-|sk-[a-zA-Z0-9]{20}T3',
    String.raw`sk-(?:(?:proj|svcacct|admin)-)?[\w-]{20,80}T3BlbkFJ[\w-]{20,80}`,
    3.5,
  ),
  rule('perplexity', 'pplx-', 'pplx-[a-zA-Z0-9]{48}', 4),
  rule('planetscale', 'pscale_', String.raw`pscale_(?:tkn|pw|oauth)_[\w=.-]{32,64}`),
  rule('postman', 'PMAK-', 'PMAK-[0-9a-f]{24}-[0-9a-f]{34}'),
  rule('pulumi', 'pul-[0-9a-f]{8}', 'pul-[0-9a-f]{40}'),
  rule('pypi', 'pypi-AgE', String.raw`pypi-AgE[\w-]{50,1000}`),
  rule('rubygems', 'rubygems_', 'rubygems_[0-9a-f]{48}'),
  rule('sendgrid', String.raw`SG\.[\w-]{22}\.`, String.raw`SG\.[\w-]{22}\.[\w-]{43}`, 4),
  rule('sendinblue', 'xkeysib-', 'xkeysib-[0-9a-f]{64}-[a-zA-Z0-9]{16}'),
  rule('sentry', 'sntry[su]_', 'sntryu_[0-9a-f]{64}|sntrys_eyJ[A-Za-z0-9+/=_]{80,400}', 3.5),
  rule('shopify', 'shp(?:at|ca|pa|ss)_', 'shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}'),
  rule('slack', 'xox[abeoprs]-', String.raw`xox[abeoprs]-(?:\d{8,13}-){1,3}[a-zA-Z0-9]{18,64}`),
  rule('slack_app', 'xapp-', String.raw`xapp-\d-[A-Z0-9]{9,13}-\d{10,14}-[0-9a-f]{60,66}`),
  rule(
    'slack_webhook',
    String.raw`hooks\.slack\.com`,
    String.raw`hooks\.slack\.com/(?:services|workflows|triggers)/[A-Za-z0-9+/]{43,60}`,
    3.5,
  ),
  rule('square', 'sq0(?:atp|csp)-', String.raw`sq0(?:atp|csp)-[\w-]{22,60}`),
  rule('stripe', '(?:sk|rk)_live_', '(?:sk|rk)_live_[a-zA-Z0-9]{16,120}'),
  { ...rule('stripe_webhook', 'whsec_', 'whsec_[a-zA-Z0-9]{32,48}', 4), commonInTests: true },
  rule('telegram', ':AA[A-Z]', String.raw`\d{8,10}:AA[A-Z][\w-]{32}`, 4),
  rule('terraform_cloud', String.raw`\.atlasv1\.`, String.raw`[a-zA-Z0-9]{14}\.atlasv1\.[\w=-]{60,70}`, 3.5),
  rule('twilio', 'SK[0-9a-f]{32}', 'SK[0-9a-f]{32}', 3.2),
  rule('vault', 'hv[sb]\\.', String.raw`hv[sb]\.[\w-]{90,300}`, 4),
];
