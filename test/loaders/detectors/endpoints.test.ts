import { expect } from 'chai';
import { detect } from '../../../loaders/detectors/detect.ts';
import { detectors } from '../../../loaders/detectors/index.ts';
import { pathTemplate } from '../../../loaders/detectors/path-template.ts';
import type { Sources } from '../../support/edges-of.ts';
import { declaredIn } from './detected-in.ts';
import { dedent } from '../../support/dedent.ts';

/** What is found in sources, a guarantee a row: by method and path, with the function that answers. */
const rows: readonly [detector: string, guarantee: string, sources: Sources, endpoints: readonly string[]][] = [
  [
    'express',
    'routes of applications and routers, with the last argument as what answers',
    {
      'app.js': `const express = require('express'); const users = require('./users');
        const app = express();
        app.get('/health', (req, res) => res.send('ok'));
        app.get('/users/:id', auth, users.show);
        app.route('/books').get(list).post(auth, create);
        app.get('title'); cache.get('/not', here);
        function auth() {} function list() {} function create() {}
        // app.get('/commented', list)`,
      'users.js': 'exports.show = function show(req, res) {};',
    },
    ['GET /books -> app.js#list', 'GET /health', 'GET /users/{id} -> users.js#show', 'POST /books -> app.js#create'],
  ],
  [
    'express',
    'a router in another file is below the address at which it is mounted, and so is one within it',
    {
      'app.ts': `import express from 'express'; import { router as api } from './api';
        const app = express(); app.use('/api', log, api); function log() {}`,
      'api.ts': `import { Router } from 'express'; import users from './users';
        export const router = Router(); router.use('/users', users); router.get('/', index); function index() {}`,
      'users.ts': `import { Router } from 'express'; const router = Router();
        router.delete(\`/:id(\\\\d+)\`, remove); function remove() {} export default router;`,
    },
    ['DELETE /api/users/{id} -> users.ts#remove', 'GET /api -> api.ts#index'],
  ],
  [
    'koa',
    'routes of routers, named or not, below their prefix',
    {
      'a.js': `import Router from '@koa/router';
        const router = new Router({ prefix: '/v1' }); const inner = new Router();
        router.get('user', '/users/:id', show); inner.del('/x', gone); router.use('/in', inner.routes());
        async function show(ctx) {} async function gone(ctx) {}`,
    },
    ['DELETE /v1/in/x -> a.js#gone', 'GET /v1/users/{id} -> a.js#show'],
  ],
  [
    'fastify',
    'routes in short, in full, and of plugins under a prefix',
    {
      'a.ts': `import Fastify from 'fastify'; import plugin from './plugin';
        const app = Fastify(); app.get<{ Querystring: Q }>('/a', { schema }, a);
        app.route({ method: ['GET', 'HEAD'], url: '/b', handler: b });
        app.register(plugin, { prefix: '/p' }); function a() {} function b() {}`,
      'plugin.ts': `import type { FastifyInstance } from 'fastify';
        export default async function plugin(fastify: FastifyInstance) { fastify.post('/c', async () => 1); }`,
    },
    ['GET /a -> a.ts#a', 'GET /b', 'HEAD /b', 'POST /p/c'],
  ],
  [
    'nestjs',
    'methods of controllers below the controller’s path',
    {
      'a.ts': `import { Controller, Get, Post } from '@nestjs/common';
        @Controller('cats') export class Cats {
          @Get() all() {}
          @Get(':id') @Header('a', 'b') one() {}
        }
        @Controller({ path: 'dogs' }) export class Dogs {
          @Post('new') make() {}
        }`,
    },
    ['GET /cats -> a.ts#Cats.all', 'GET /cats/{id} -> a.ts#Cats.one', 'POST /dogs/new -> a.ts#Dogs.make'],
  ],
  [
    'next',
    'a file’s own place is its address',
    {
      'src/app/(shop)/users/[id]/route.ts': `import { NextResponse } from 'next/server';
export async function GET() {}
export const POST = async () => {};
`,
      'pages/api/files/[...path].js': `import { x } from 'next';\nexport default function handler(req, res) {}`,
    },
    [
      'ANY /api/files/{path} -> pages/api/files/[...path].js#handler',
      'GET /users/{id} -> src/app/(shop)/users/[id]/route.ts#GET',
      'POST /users/{id} -> src/app/(shop)/users/[id]/route.ts#POST',
    ],
  ],
  [
    'flask',
    'views by decorator and by name; blueprints below their prefixes',
    {
      'app.py': `from flask import Flask
from views import bp
import views
app = Flask(__name__)
app.register_blueprint(bp, url_prefix="/api")
@app.route("/items/<int:item_id>/", methods=["GET", "PUT"])
@login_required
def item(item_id): pass
@app.post('/items')
def create(): pass
app.add_url_rule("/named", "named", view_func=views.named)
`,
      'views.py': `from flask import Blueprint
bp = Blueprint("bp", __name__, url_prefix="/bp")
@bp.route("/x")
def x():
    """Shown:

        @bp.route("/only/in/documentation")
        def y(): pass
    """
def named(): pass
`,
    },
    [
      'GET /api/bp/x -> views.py#x',
      'GET /items/{item_id} -> app.py#item',
      'GET /named -> views.py#named',
      'POST /items -> app.py#create',
      'PUT /items/{item_id} -> app.py#item',
    ],
  ],
  [
    'fastapi',
    'operations below the prefixes of routers, where they are included',
    {
      'main.py': `from fastapi import FastAPI
from .routers import users
app = FastAPI()
app.include_router(users.router, prefix="/v1")
@app.get("/")
async def root(): pass
`,
      'routers/__init__.py': '',
      '__init__.py': '',
      'routers/users.py': `from fastapi import APIRouter
router = APIRouter(
    prefix="/users",
)
@router.get("/{user_id:path}", response_model=User)
async def read(user_id): pass
@router.api_route("/many", methods=["POST", "PATCH"])
def many(): pass
`,
    },
    [
      'GET / -> main.py#root',
      'GET /v1/users/{user_id} -> routers/users.py#read',
      'PATCH /v1/users/many -> routers/users.py#many',
      'POST /v1/users/many -> routers/users.py#many',
    ],
  ],
  [
    'django',
    'URL patterns, below those that include them; regular expressions read as addresses',
    {
      'site/__init__.py': '',
      'site/urls.py': `from django.urls import include, path, re_path
from . import views
urlpatterns = [
    path("blog/", include("blog.urls")),
    path("about/", views.About.as_view(), name="about"),
    re_path(r"^old/(?P<year>[0-9]{4})/$", views.old),
]
`,
      'site/views.py': dedent`
        class About: pass
        def old(request, year): pass

      `,
      'blog/__init__.py': '',
      'blog/urls.py': `from django.urls import path
from blog.views import post
urlpatterns = [path("<int:pk>/<slug:name>/", post)]
`,
      'blog/views.py': 'def post(request, pk, name): pass\n',
    },
    [
      'ANY /about -> site/views.py#About',
      'ANY /blog/{pk}/{name} -> blog/views.py#post',
      'ANY /old/{year} -> site/views.py#old',
    ],
  ],
  [
    'spring',
    'mappings of methods below those of their class',
    {
      'A.java': `package a; import org.springframework.web.bind.annotation.*;
@RestController
@RequestMapping(path = "/owners")
class Owners {
  @GetMapping("/{id:[0-9]+}")
  public Owner find(@PathVariable int id) { return null; }
  @PostMapping
  @ResponseStatus(HttpStatus.CREATED)
  void add() {}
  @RequestMapping(value = {"/all"}, method = {RequestMethod.GET, RequestMethod.HEAD})
  void all() {}
}`,
    },
    [
      'GET /owners/all -> A.java#Owners.all',
      'GET /owners/{id} -> A.java#Owners.find',
      'HEAD /owners/all -> A.java#Owners.all',
      'POST /owners -> A.java#Owners.add',
    ],
  ],
  [
    'jax-rs',
    'the method’s annotation, the paths of class and method',
    {
      'B.java': `package b; import jakarta.ws.rs.*;
@Path("books")
public class Books {
  @GET @Path("{isbn}") public String one() { return ""; }
  @POST
  public void add() {}
}`,
    },
    ['GET /books/{isbn} -> B.java#Books.one', 'POST /books -> B.java#Books.add'],
  ],
  [
    'gin',
    'routes of engines, of groups within groups, and of groups that functions are given',
    {
      'main.go': `package main
import "github.com/gin-gonic/gin"
func main() {
	r := gin.Default()
	v1 := r.Group("/v1")
	admin := v1.Group("/admin", auth)
	r.GET("/ping", func(c *gin.Context) { c.String(200, "x") })
	admin.DELETE("/users/:id", auth, remove)
	more(v1.Group("/more"))
	given(admin)
	other(c)
}
func more(r *gin.RouterGroup) { r.POST("/x", auth) }
func given(r *gin.RouterGroup) { r.PUT("", auth) }
func auth(c *gin.Context) {}
func remove(c *gin.Context) {}
`,
    },
    [
      'DELETE /v1/admin/users/{id} -> main.go#remove',
      'GET /ping',
      'POST /v1/more/x -> main.go#auth',
      'PUT /v1/admin -> main.go#auth',
    ],
  ],
  [
    'chi',
    'routes of routers, nested in functions and mounted',
    {
      'main.go': `package main
import "github.com/go-chi/chi/v5"
func main() {
	r := chi.NewRouter()
	r.Route("/articles", func(r chi.Router) {
		r.Get("/", list)
		r.Route("/{id:[0-9]+}", func(r chi.Router) {
			r.Put("/", update)
		})
	})
	r.Mount("/admin", admin())
	r.Method("POST", "/x", list)
}
func admin() chi.Router {
	r := chi.NewRouter()
	r.Get("/users", list)
	return r
}
func list() {}
func update() {}
`,
    },
    [
      'GET /admin/users -> main.go#list',
      'GET /articles -> main.go#list',
      'POST /x -> main.go#list',
      'PUT /articles/{id} -> main.go#update',
    ],
  ],
  [
    'echo',
    'routes of instances and groups, methods of a receiver',
    {
      'main.go': `package main
import "github.com/labstack/echo/v4"
type api struct{}
func (a *api) show(c echo.Context) error { return nil }
func routes(e *echo.Echo, a *api) {
	g := e.Group("/api")
	g.GET("/users/:id", a.show)
}
`,
    },
    ['GET /api/users/{id} -> main.go#api.show'],
  ],
  [
    'net-http',
    'patterns of the multiplexer, with the method where one is written',
    {
      'main.go': `package main
import "net/http"
func main() {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /users/{id}", show)
	http.HandleFunc("/", home)
	mux.Handle("/files/{path...}", http.FileServer(nil))
}
func show(w http.ResponseWriter, r *http.Request) {}
func home(w http.ResponseWriter, r *http.Request) {}
`,
    },
    ['ANY / -> main.go#home', 'ANY /files/{path}', 'GET /users/{id} -> main.go#show'],
  ],
  [
    'rails',
    'the routing table: resources, namespaces, and single routes',
    {
      'config/routes.rb': `Rails.application.routes.draw do
  root "pages#home"
  get "/about", to: "pages#about"
  namespace :api do
    resources :users
    resources :articles, param: :slug, only: [:show] do
      resource :favorite, only: :create
      get :feed, on: :collection
      get :preview
    end
  end
  # get "/commented", to: "x#y"
end
`,
      'app/controllers/pages_controller.rb': dedent`
        class PagesController
          def about
          end
        end

      `,
    },
    [
      'DELETE /api/users/{id}',
      'GET /',
      'GET /about -> app/controllers/pages_controller.rb#PagesController.about',
      'GET /api/articles/feed',
      'GET /api/articles/{article_slug}/preview',
      'GET /api/articles/{slug}',
      'GET /api/users',
      'GET /api/users/{id}',
      'PATCH /api/users/{id}',
      'POST /api/articles/{article_slug}/favorite',
      'POST /api/users',
      'PUT /api/users/{id}',
    ],
  ],
  [
    'laravel',
    'routes, groups under a prefix and resources; those of the API below /api',
    {
      'routes/api.php': `<?php
use Illuminate\\Support\\Facades\\Route;
Route::get('/users/{id?}', [UserController::class, 'show']);
Route::prefix('admin')->group(function () {
    Route::apiResource('posts', PostController::class);
});
`,
      'app/PostController.php': dedent`
          <?php
          class PostController {
            public function index() {}
          }
          class UserController {
            public function show() {}
          }

        `,
    },
    [
      'DELETE /api/admin/posts/{id}',
      'GET /api/admin/posts -> app/PostController.php#PostController.index',
      'GET /api/admin/posts/{id}',
      'GET /api/users/{id} -> app/PostController.php#UserController.show',
      'POST /api/admin/posts',
      'PUT /api/admin/posts/{id}',
    ],
  ],
  [
    'aspnet',
    'attributes of controllers and minimal APIs',
    {
      'A.cs': `using Microsoft.AspNetCore.Mvc;
[ApiController]
[Route("api/[controller]")]
public class UsersController : ControllerBase
{
    [HttpGet("{id:int}")]
    public ActionResult<User> Get(int id) { return null; }
    [HttpPost]
    public async Task<IActionResult> Create() { return null; }
}
`,
      'Program.cs': dedent`
        var app = builder.Build();
        var v1 = app.MapGroup("/v1");
        v1.MapGet("/health", () => "ok");

      `,
    },
    [
      'GET /api/users/{id} -> A.cs#UsersController.Get',
      'GET /v1/health',
      'POST /api/users -> A.cs#UsersController.Create',
    ],
  ],
  [
    'axum',
    'routes of a router, each method with its handler',
    {
      'main.rs': `use axum::{routing::{get, post}, Router};
fn app() -> Router {
    Router::new()
        .route("/users", get(list).post(create))
        .route("/users/{id}", axum::routing::delete(users::remove))
}
async fn list() {}
`,
    },
    ['DELETE /users/{id}', 'GET /users -> main.rs#list', 'POST /users'],
  ],
  [
    'actix',
    'attributes of handlers, and resources',
    {
      'main.rs': `use actix_web::{get, web, App};
#[get("/users/{id}")]
async fn show(id: web::Path<u32>) -> String { String::new() }
fn config(cfg: &mut web::ServiceConfig) {
    cfg.service(web::resource("/items").route(web::post().to(create)));
}
async fn create() {}
`,
    },
    ['GET /users/{id} -> main.rs#show', 'POST /items -> main.rs#create'],
  ],
  [
    'openapi',
    'operations of a description, with its schemas as data models',
    {
      'docs/openapi.yaml': dedent`
          openapi: 3.1.0
          paths:
            /pets/{id}:
              get:
                operationId: showPet
              parameters: []
          components:
            schemas:
              Pet:
                properties:
                  name: {}

        `,
      'swagger.json': '{"swagger": "2.0", "basePath": "/v2", "paths": {"/x": {"post": {}}}}',
    },
    ['GET /pets/{id}', 'POST /v2/x', 'Pet'],
  ],
];

describe('endpoints', () => {
  for (const [detector, guarantee, sources, endpoints] of rows) {
    it(`${detector}: ${guarantee}`, async () => {
      const found = await declaredIn(sources);
      expect(found).deep.equals(endpoints);
    });
  }

  it('every detector of endpoints has its row', () => {
    const gives = detectors.filter(
      ({ id, patterns }) => id === 'openapi' || patterns?.some((each) => each.gives === 'endpoint'),
    );
    expect(gives.map(({ id }) => id)).to.have.members([...new Set(rows.map(([detector]) => detector))]);
  });

  it('a file that imports no framework, in a repository that names none, has none', async () => {
    expect(await declaredIn({ 'a.js': "app.get('/users', list); function list() {}" })).deep.equals([]);
  });

  it('a file made to be slow takes no longer than another', () => {
    const sources: [linguist: string, source: string][] = [
      ['TypeScript', "app.route('/a').get(".repeat(5_000)],
      ['TypeScript', `app.get(${' '.repeat(79)}`.repeat(1_000)],
      ['Python', "@app.route('/a')\n".repeat(5_000)],
      ['Python', `class A(B):\n${'    x = 1\n'.repeat(10_000)}__tablename__`],
      ['Java', '@GetMapping(value = "/a", '.repeat(4_000)],
    ];
    const before = process.cpuUsage();
    for (const [linguist, source] of sources) detect({ source, path: 'a', linguist, facts: null });
    // Other processes may slow the clock, not this.
    expect(process.cpuUsage(before).user / 1000).to.be.below(5_000);
  });

  it('one address in all frameworks’ forms is one template', () => {
    const forms = [
      '/users/:id',
      'users/:id(\\d+)/',
      '/users/<int:id>',
      '/users/{id:[0-9]{1,3}}',
      '^users/(?P<id>[^/]+)/$',
      '/users/[id]',
      '//users/${id}',
      '/users/:id?',
      '/users/{id?}',
      '/users/{id}(.:format)',
    ];
    for (const form of forms) expect(pathTemplate(form), form).equals('/users/{id}');
    expect(pathTemplate('')).equals('/');
    expect(pathTemplate('/v1/{name}:cancel')).equals('/v1/{name}:cancel');
    expect(pathTemplate('/static/*')).equals('/static/{wildcard}');
  });
});
