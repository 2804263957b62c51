import { entropyOf, isPlaceholder, isPretended, withoutPretence } from './placeholders.ts';
import type { FoundSecret } from './secrets-in.ts';

const words =
  '(?:secret|token|passw(?:or)?d|passphrase|api[_-]?key|access[_-]?key|auth[_-]?key|account[_-]?key|private[_-]?key|encryption[_-]?key|signing[_-]?key|credential)';
const afterName = String.raw`[\w.-]{0,20}["'\]]{0,2}[ \t]{0,4}(?::[ \t]?\w{1,20}[ \t]?)?(?::=|=>|=|:)[ \t]{0,4}`;
const quoted = new RegExp(`${words}${afterName}[bru]{0,2}(["'\`])([^\\s"'\`\\\\]{16,200})\\1`, 'gi');
const bare = new RegExp(`${words}[\\w.-]{0,20}[ \\t]{0,4}[=:][ \\t]{0,4}([^\\s"'\`]{16,200})[ \\t]*(?:#.*)?$`, 'gim');
/** Where values stand without quotes. */
const settings = /(^|\/)(\.env[^/]*|[^/]+\.(env|properties|ini|conf|cfg|ya?ml|tfvars)|\.(npmrc|pypirc|netrc))$/i;
const forReaders =
  /(^|\/)(locales?|i18n|lang(uages?)?|translations?|vendor|third_party|storybook|golden|snapshots?|__snapshots__)\/|\.(md|rst|txt|html?|ipynb|adoc)$/i;
/** A name of something beside the secret: its hash, the field that it is typed into. */
const notSecret =
  /hash|sha\d|checksum|digest|integrity|public|pubkey|publish|csrf|xsrf|pattern|regex|(_|-|\b)id$|(id|url|uri|path|file|filename|name|header|type|field|label|message|title|text|selector|format|prefix|class|method|algorithm|endpoint|reset|length|count|policy|provider|version|backend|generator|validator)s?$|tokeni[sz]|max_?token|(next|continuation|page|sync)[_-]?token/i;
const hashed = /^(\$\d|\{?SSHA|pbkdf2|sha\d|md5|bcrypt|argon2|scrypt|ENC[[(])/i;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const encryptedFile = /kind:\s*SealedSecret|^sops:|\$ANSIBLE_VAULT/m;

const named = new RegExp(words, 'i');
/** Whether anything is called a secret. */
export const namesSecret = (source: string): boolean => named.test(source);

/** Texts for people, and what others made. */
export const isForReaders = (path: string): boolean => forReaders.test(path);

/** What is assigned, in the text itself, to a name that says that it is a secret; only where it looks random. */
export function genericSecretsIn(source: string, path: string): FoundSecret[] {
  const found = [...assigned(source, quoted, 2), ...(settings.test(path) ? assigned(source, bare, 1) : [])];
  return found.length > 0 && encryptedFile.test(source) ? [] : found;
}

function assigned(source: string, expression: RegExp, group: number): FoundSecret[] {
  const found: FoundSecret[] = [];
  for (const match of source.matchAll(expression)) {
    const secret = match[group] ?? '';
    const context = source.slice(Math.max(0, match.index - 200), match.index);
    const before = /[\w.-]{0,40}$/.exec(context)?.[0] ?? '';
    const name = before + (/^[\w.-]+/.exec(match[0])?.[0] ?? '');
    const rule = ruleOf(name, secret);
    // What calls itself an example or a test may be none, when it looks as random as any other.
    const aside = /example/i.test(context) || isPretended(secret);
    if (rule !== null) found.push({ rule, at: match.index, secret, provider: rule !== 'generic', aside });
    if (found.length >= 1_000) break;
  }
  return found;
}

function ruleOf(name: string, secret: string): string | null {
  const rest = withoutPretence(secret);
  if (notSecret.test(name) || hashed.test(secret) || isPlaceholder(rest)) return null;
  if (/heroku/i.test(name) && uuid.test(secret)) return 'heroku';
  if (!isRandom(rest)) return null;
  return /aws|amazon/i.test(name) && /^[A-Za-z0-9+/]{40}$/.test(secret) ? 'aws_secret_key' : 'generic';
}

/** A run of letters and digits that no word, path, address or id is made of. */
function isRandom(text: string): boolean {
  if (uuid.test(text) || !/^[\w+/=.~!@#$%^&*-]+$/.test(text)) return false;
  const longest = text.split(/[^A-Za-z0-9+=]/).reduce((best, part) => (part.length > best.length ? part : best), '');
  const digits = longest.replaceAll(/\D/g, '').length;
  return longest.length >= 12 && digits >= 2 && digits < longest.length - 1 && entropyOf(text) >= 3.5;
}
