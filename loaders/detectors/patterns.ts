import type { Pattern } from './detector.ts';

/** A quoted text under a name, with what languages put before a quote: `quoted('path')`. */
export const quoted = (name: string, begins = '') =>
  String.raw`[rRfFbBuU@$]{0,2}(?:"""|["'\x60])(?<${name}>${begins}[^"'\x60\n]{0,300})["'\x60]`;

/** A global expression over many lines. */
// Bounded: checked where they are made: `patternsMade` of the test.
export const expression = (source: string) => new RegExp(source, 'gm');

/** Some spaces, lines too. */
const s = String.raw`\s{0,80}`;
const rest = String.raw`(?=(?<handler>[^;]{0,600}))`;
const router = String.raw`(?<router>[\w$]+(?:\.[\w$]+){0,3}(?:\(\))?)`;

/** A method of a router by the name of an HTTP method, with path and handler: `app.get('/users', list)`. */
export const routeCall = (
  methods: string,
  path: string = quoted('path', String.raw`(?:[/*{:]|(?=["'\x60]))`),
): Pattern => ({
  gives: 'endpoint',
  expression: expression(
    String.raw`(?<![\w$.])${router}${s}\.${s}(?<method>${methods})(?:<[^()]{0,300}>)?${s}\(${s}${path}${s},${rest}`,
  ),
});

/** Of the routers of JavaScript. */
export const ecmascriptMethods = 'get|post|put|patch|delete|del|head|options|all';

/** `router.route('/users').get(list).post(create)`. */
export const routeChain: Pattern = {
  gives: 'endpoint',
  expression: expression(String.raw`(?<![\w$.])${router}${s}\.${s}route${s}\(${s}${quoted('path', '/')}${s}\)`),
  chained: true,
};

/** `app.use('/api', users)`. */
export const useCall: Pattern = {
  gives: 'mount',
  expression: expression(
    String.raw`(?<![\w$.])(?<on>[\w$]+(?:\.[\w$]+){0,3})${s}\.${s}use${s}\(${s}${quoted('prefix', '/')}${s},(?=(?<router>[^;]{0,300}))`,
  ),
};

/** `const router = …`: `value` is what makes it one. */
export const routerVariable = (value: string): Pattern => ({
  gives: 'router',
  expression: expression(String.raw`(?<![\w$.])(?<router>[\w$]+)(?:${s}:[^=;\n]{1,80})?${s}=${s}(?:await\s)?${value}`),
});
