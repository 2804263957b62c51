import { expect } from 'chai';
import { requestTarget } from '../../../loaders/detectors/request-target.ts';
import { detectedIn } from './detected-in.ts';

describe('requests', () => {
  const rows: readonly [client: string, path: string, source: string, requests: readonly string[]][] = [
    [
      'fetch and axios',
      'a.ts',
      "await fetch(`${base}/users/${id}?x=1`, { method: 'PUT', body });\nfetch('/orders');\naxios.post<User>('http://billing:8080/invoices', data);\nthis.http.get(this.url + '/carts/' + id + '/items');\naxios({ method: 'delete', url: '/carts/1' });\ncache.get('/not/a/request');\nfetch(url);\n// fetch('/commented')",
      ['DELETE /carts/1', 'GET /carts/{}/items', 'GET /orders', 'POST billing /invoices', 'PUT /users/{}'],
    ],
    [
      'requests and httpx',
      'a.py',
      'import requests, httpx\nrequests.get(f"{BASE}/users/{user_id}", timeout=3)\nsession.post("https://pay.example/charges")\nhttpx.get("/a/%s" % x)\nconfig.get("/no")\n',
      ['GET /a/{}', 'GET /users/{}', 'POST pay.example /charges'],
    ],
    [
      'net/http',
      'a.go',
      'package a\nimport "net/http"\nfunc f() {\n\thttp.Get(base + "/users/" + id)\n\thttp.NewRequestWithContext(ctx, http.MethodPost, fmt.Sprintf("%s/orders/%d/pay", base, n), nil)\n\thttp.NewRequest("DELETE", "http://carts/items", nil)\n}\n',
      ['DELETE carts /items', 'GET /users/{}', 'POST /orders/{}/pay'],
    ],
    [
      'RestTemplate and WebClient',
      'A.java',
      'package a;\nimport org.springframework.web.client.RestTemplate;\nclass A { void f() {\n  rest.getForObject("http://users/api/users/{id}", User.class, 1);\n  web.post().uri("/orders").retrieve();\n} }\n',
      ['GET users /api/users/{}', 'POST /orders'],
    ],
  ];

  for (const [client, path, source, requests] of rows) {
    it(`${client}: method, host and path, what is computed left open`, async () => {
      const found = (await detectedIn({ [path]: source })).requests;
      const lines = found.map((each) => [each.method, each.host, each.path].filter(Boolean).join(' '));
      expect(lines.sort()).deep.equals(requests);
    });
  }

  it('an address that says nothing is none', () => {
    for (const expression of ['url', '`${base}${path}`', "'relative'", "'https://example.com'", 'base + "/" + id'])
      expect(requestTarget(expression), expression).equals(null);
  });
});
