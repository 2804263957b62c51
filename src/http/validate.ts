import type { z } from 'zod';
import { HttpError } from './errors.ts';
import type { FieldError } from './errors.ts';
import { problems } from './problems.ts';

/** The query string as an object; a parameter given more than once is a list. */
function queryValues(querystring: string): Record<string, string | string[]> {
  const search = new URLSearchParams(querystring);
  const names = new Set(search.keys());
  return Object.fromEntries(
    [...names].map((name) => {
      const values = search.getAll(name);
      return [name, values.length === 1 ? values[0]! : values];
    }),
  );
}

function sentence(issue: z.core.$ZodIssue): Pick<FieldError, 'code' | 'detail'> {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined
        ? { code: 'required', detail: 'is required' }
        : { code: 'wrong_type', detail: `must be ${/^[aeiou]/.test(issue.expected) ? 'an' : 'a'} ${issue.expected}` };
    case 'too_small':
    case 'too_big': {
      const small = issue.code === 'too_small';
      const bound = `at ${small ? `least ${issue.minimum}` : `most ${issue.maximum}`}`;
      if (issue.origin === 'string')
        return { code: small ? 'too_short' : 'too_long', detail: `must have ${bound} characters` };
      if (issue.origin === 'array' || issue.origin === 'set')
        return { code: small ? 'too_few_items' : 'too_many_items', detail: `must have ${bound} items` };
      return { code: 'out_of_range', detail: `must be ${bound}` };
    }
    case 'invalid_value':
      return { code: 'not_in_enum', detail: `must be one of ${issue.values.join(', ')}` };
    case 'invalid_union':
      if (!('options' in issue)) return { code: 'pattern', detail: issue.message };
      return { code: 'not_in_enum', detail: `must be one of ${issue.options.join(', ')}` };
    case 'unrecognized_keys':
      return { code: 'unknown', detail: `is not known: ${issue.keys.join(', ')}` };
    case 'invalid_format':
      return { code: 'pattern', detail: 'has characters or a form that is not allowed' };
    default:
      return { code: 'pattern', detail: issue.message };
  }
}

/** Of alternatives, what is wrong with the one that was meant: the first whose type is right, else the first. */
function resolveUnions(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union') return [issue];
  const isOfType = (issues: readonly z.core.$ZodIssue[]) =>
    issues.every(({ code, path }) => code !== 'invalid_type' || path.length > 0);
  const meant = issue.errors.find(isOfType) ?? issue.errors[0];
  return meant?.flatMap((inner) => resolveUnions({ ...inner, path: [...issue.path, ...inner.path] })) ?? [issue];
}

function fieldError(where: FieldError['in'], issue: z.core.$ZodIssue): FieldError {
  const pointer = issue.path.map((key) => String(key).replaceAll('~', '~0').replaceAll('/', '~1')).join('/');
  return {
    in: where,
    name: where === 'body' ? null : String(issue.path[0] ?? ''),
    pointer: where === 'body' ? `#/${pointer}` : null,
    ...sentence(issue),
  };
}

/** The 422 that names these fields or parameters. */
export function refuse(errors: readonly FieldError[]): HttpError {
  const unknown = errors.some(({ code }) => code === 'unknown');
  const where = errors[0]?.in === 'body' ? 'field' : 'parameter';
  return new HttpError(unknown ? problems.unknown_parameter : problems.validation_error, {
    detail: errors.length === 1 ? `1 ${where} is not valid.` : `${errors.length} ${where}s are not valid.`,
    members: { errors },
  });
}

/** The parsed query; 422 names every parameter that is wrong or unknown. */
export function parseQuery(schema: z.ZodObject, querystring: string): Record<string, unknown> {
  const values = queryValues(querystring);
  const allowed = Object.keys(schema.shape);
  const known = allowed.length === 0 ? 'no parameters' : `only ${allowed.join(', ')}`;
  const unknown = Object.keys(values)
    .filter((name) => !allowed.includes(name))
    .map((name) => ({
      in: 'query' as const,
      name,
      pointer: null,
      code: 'unknown',
      detail: `is not known here, ${known}`,
    }));
  const result = schema.safeParse(values, { reportInput: true });
  const errors = [...unknown, ...(result.error?.issues ?? []).map((issue) => fieldError('query', issue))];
  if (errors.length > 0) throw refuse(errors);
  return result.data ?? {};
}

/** The parsed body; 422 names every field that is wrong. */
export function parseBody<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const result = schema.safeParse(value, { reportInput: true });
  if (!result.success) {
    throw refuse(result.error.issues.flatMap(resolveUnions).map((issue) => fieldError('body', issue)));
  }
  return result.data;
}
