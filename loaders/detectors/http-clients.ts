import type { Detector } from './detector.ts';
import { expression } from './patterns.ts';

const s = String.raw`\s{0,80}`;
const url = '(?=(?<url>[^;]{1,400}))';
const generic = '(?:<[^()]{0,200}>)?';

/** Requests of browsers and of Node's usual clients. */
export const ecmascriptRequests: Detector = {
  id: 'ecmascript-requests',
  title: 'HTTP request',
  languages: ['JavaScript', 'TypeScript', 'TSX'],
  hint: /\bfetch\(|\b(?:axios|got|ky|superagent|\$?http(?:Client)?|api|client)\b/,
  patterns: [
    {
      gives: 'request',
      expression: expression(String.raw`(?<![\w$])fetch${s}\(${url}`),
      methods: /\bmethod\s*:\s*["'](\w+)["']/g,
      otherwise: ['GET'],
    },
    {
      gives: 'request',
      expression: expression(
        String.raw`(?<![\w$])(?:axios|got|ky|superagent|\$?http(?:Client)?|api|client)${s}\.${s}(?<method>get|post|put|patch|delete|head)${generic}\(${url}`,
      ),
    },
    {
      gives: 'request',
      expression: expression(
        String.raw`(?<![\w$])axios${s}\(${s}\{(?:[^{}]{0,200}?\bmethod\s*:\s*["'](?<method>\w+)["'])?[^{}]{0,200}?\burl\s*:${url}`,
      ),
      methods: /\bmethod\s*:\s*["'](\w+)["']/g,
      otherwise: ['GET'],
    },
  ],
};

/** Requests of requests, httpx and aiohttp. */
export const pythonRequests: Detector = {
  id: 'python-requests',
  title: 'HTTP request',
  languages: ['Python'],
  hint: /\.(?:get|post|put|patch|delete|head)\(/,
  uses: /^(?:requests|httpx|aiohttp)\b/,
  patterns: [
    {
      gives: 'request',
      expression: expression(
        String.raw`(?<![\w.])(?:requests|httpx|\w*(?:[sS]ession|[cC]lient))\.(?<method>get|post|put|patch|delete|head)\(\s*(?:url\s*=\s*)?${url}`,
      ),
    },
  ],
};

/** Requests of the standard library. */
export const goRequests: Detector = {
  id: 'go-requests',
  title: 'HTTP request',
  languages: ['Go'],
  hint: /\bhttp\.(?:Get|Post|Head|NewRequest)|\.NewRequest/,
  uses: /^net\/http$/,
  patterns: [
    { gives: 'request', expression: expression(String.raw`\bhttp\.(?<method>Get|Post|Head)\(${url}`) },
    {
      gives: 'request',
      expression: expression(
        String.raw`\bhttp\.NewRequest(?:WithContext\(\s*[\w.()]+\s*,|\()\s*(?:["']|http\.Method)(?<method>\w+)["']?\s*,${url}`,
      ),
    },
  ],
};

/** Requests of Spring's clients. */
export const javaRequests: Detector = {
  id: 'java-requests',
  title: 'HTTP request',
  languages: ['Java', 'Kotlin'],
  hint: /\b(?:getForObject|getForEntity|postForObject|postForEntity|uri)\(/,
  uses: /^org\.springframework\.web\b/,
  patterns: [
    { gives: 'request', expression: expression(String.raw`\.(?<method>get|post)For(?:Object|Entity)\(${url}`) },
    {
      gives: 'request',
      expression: expression(String.raw`\.(?<method>get|post|put|patch|delete)\(\)\s*\.uri\(${url}`),
    },
  ],
};
