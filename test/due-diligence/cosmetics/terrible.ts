import { Draft } from './draft.ts';

/** Secrets that nobody gave out, in forms that are; put together, so that no scanner takes this file for a leak. */
const secrets = {
  aws: ['AKIA', 'Z7QK4TN2WJ5RB3XC'].join(''),
  github: ['ghp_', 'q8Rk2Vn5Zt7Yb4Wc9Xd3Mf6Lg1Hj0PsAuEi2'].join(''),
  own: ['v8Kq2nLx7', 'Rt4ZpW9sJm3'].join(''),
};

/** Who wrote it, and the last day that anything was written. */
const author = 'Max Mono';
export const asOf = '2026-02-01';
const recently = '2026-01-28T12:00:00Z';

const areas = ['users', 'orders', 'invoices', 'payments', 'reports', 'stock'];
const range = (length: number) => Array.from({ length }, (_, index) => index);

/** One person's changes of one year, to code that nobody would like to own: in either language the same faults. */
export function terrible(language: Draft['language'], last = recently): Draft {
  const draft = new Draft(language);
  const { path, source, others } = language === 'javascript' ? javascript : python;
  draft.bad = areas.map(path);
  for (const index of range(28)) {
    const weeksAgo = 27 - index;
    const date = new Date(Date.parse(last) - weeksAgo * 13 * 86_400_000).toISOString();
    const area = areas[index % areas.length] ?? '';
    const files = { [path(area)]: source(area, 3 + Math.floor(index / areas.length)) };
    draft.commit(index === 0 ? 'first' : `fix ${area} ${index}`, index === 0 ? { ...others, ...files } : files, {
      author,
      date,
    });
  }
  return draft;
}

const javascript = {
  path: (area: string) => `src/${area}.js`,
  others: {
    'package.json': JSON.stringify({
      name: 'shop',
      private: true,
      version: '0.0.1',
      dependencies: { express: '*', lodash: '>=2', mysql: '*', request: '^2.88.0' },
    }),
    'index.js': `const express = require('express');\nconst app = express();\n${areas
      .map((area) => `require('./src/${area}')(app);\n`)
      .join('')}app.listen(80);\n`,
    'config.js': `module.exports = {\n  accessKeyId: '${secrets.aws}',\n  token: '${secrets.github}',\n  dbPassword: '${secrets.own}',\n  host: 'http://db.shop-internal.net:3306',\n};\n`,
  },
  /** A module with one long handler; all of them are copies with another name. */
  source: (area: string, states: number) => `const mysql = require('mysql');
const config = require('../config');
const { exec } = require('child_process');
const db = mysql.createConnection({ host: config.host, password: '${secrets.own}' });

module.exports = function (app) {
  app.post('/${area}', function handle(req, res) {
    var result = {};
    var rule = eval(req.body.rule);
    db.query("SELECT * FROM ${area} WHERE name = '" + req.body.name + "'", function (err, rows) {
      exec('convert ' + req.body.file + ' /tmp/${area}.pdf');
${range(20 + states)
  .map(
    (n) => `      if (rows.length > ${n} && req.body.kind == ${n} || rule == ${n}) {
        if (req.body.force) {
          result.state${n} = rows[${n}].state || 'open';
          db.query("UPDATE records SET state = '" + req.body.state + "' WHERE id = " + req.body.id);
        } else {
          result.state${n} = null;
        }
      }`,
  )
  .join('\n')}
      res.send(result);
    });
  });
  app.get('/${area}/:id', function (req, res) {
    db.query('SELECT * FROM ${area} WHERE id = ' + req.params.id, function (err, rows) {
      res.send('<h1>' + req.query.title + '</h1>' + new Function('row', req.query.view)(rows[0]));
    });
  });
};
`,
};

const python = {
  path: (area: string) => `shop/${area}.py`,
  others: {
    'requirements.txt': 'flask\nrequests>=1\npymysql\n',
    'shop/__init__.py': '',
    'app.py': `from flask import Flask\n${areas.map((area) => `from shop import ${area}\n`).join('')}\napp = Flask(__name__)\n${areas
      .map((area) => `app.register_blueprint(${area}.blueprint)\n`)
      .join('')}app.run(host="0.0.0.0", debug=True)\n`,
    'settings.py': `AWS_ACCESS_KEY_ID = "${secrets.aws}"\nGITHUB_TOKEN = "${secrets.github}"\nDB_PASSWORD = "${secrets.own}"\nDB_HOST = "http://db.shop-internal.net:3306"\n`,
  },
  source: (area: string, states: number) => `import pickle
import subprocess

import pymysql
from flask import Blueprint, request

blueprint = Blueprint("${area}", __name__)
db = pymysql.connect(host="db", password="${secrets.own}")


@blueprint.route("/${area}", methods=["POST"])
def handle():
    result = {}
    rule = eval(request.form["rule"])
    cursor = db.cursor()
    cursor.execute("SELECT * FROM ${area} WHERE name = '%s'" % request.form["name"])
    rows = cursor.fetchall()
    subprocess.call("convert " + request.form["file"], shell=True)
${range(20 + states)
  .map(
    (n) => `    if len(rows) > ${n} and request.form["kind"] == ${n} or rule == ${n}:
        if request.form["force"]:
            result["state${n}"] = rows[${n}]["state"] or "open"
            cursor.execute(f"UPDATE records SET state = '{request.form['state']}' WHERE id = {request.form['id']}")
        else:
            result["state${n}"] = None`,
  )
  .join('\n')}
    return result


@blueprint.route("/${area}/<id>")
def show(id):
    cursor = db.cursor()
    cursor.execute("SELECT * FROM ${area} WHERE id = " + id)
    return pickle.loads(bytes.fromhex(request.args["view"]))(cursor.fetchone())
`,
};
