import { expect } from 'chai';
import { requestTarget } from '../../../loaders/detectors/request-target.ts';
import { detectedIn } from './detected-in.ts';
import { dedent } from '../../support/dedent.ts';

describe('requests', () => {
  const rows: readonly [client: string, path: string, source: string, requests: readonly string[]][] = [
    [
      'fetch and axios',
      'a.ts',
      dedent`
        await fetch(\`\${base}/users/\${id}?x=1\`, { method: 'PUT', body });
        fetch('/orders');
        axios.post<User>('http://billing:8080/invoices', data);
        this.http.get(this.url + '/carts/' + id + '/items');
        axios({ method: 'delete', url: '/carts/1' });
        cache.get('/not/a/request');
        fetch(url);
        // fetch('/commented')
      `,
      ['DELETE /carts/1', 'GET /carts/{}/items', 'GET /orders', 'POST billing /invoices', 'PUT /users/{}'],
    ],
    [
      'requests and httpx',
      'a.py',
      dedent`
        import requests, httpx
        requests.get(f"{BASE}/users/{user_id}", timeout=3)
        session.post("https://pay.example/charges")
        httpx.get("/a/%s" % x)
        config.get("/no")

      `,
      ['GET /a/{}', 'GET /users/{}', 'POST pay.example /charges'],
    ],
    [
      'net/http',
      'a.go',
      dedent`
        package a
        import "net/http"
        func f() {
        \thttp.Get(base + "/users/" + id)
        \thttp.NewRequestWithContext(ctx, http.MethodPost, fmt.Sprintf("%s/orders/%d/pay", base, n), nil)
        \thttp.NewRequest("DELETE", "http://carts/items", nil)
        }

      `,
      ['DELETE carts /items', 'GET /users/{}', 'POST /orders/{}/pay'],
    ],
    [
      'RestTemplate and WebClient',
      'A.java',
      dedent`
        package a;
        import org.springframework.web.client.RestTemplate;
        class A { void f() {
          rest.getForObject("http://users/api/users/{id}", User.class, 1);
          web.post().uri("/orders").retrieve();
        } }

      `,
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
