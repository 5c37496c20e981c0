"""Names of technologies and what each is for: from that follows which of them can hold at one time.

A row is `topic | tag | names`. Names that share a topic are alternatives: where a project takes one, the other ends.
Tools that live side by side (a linter for Python, one for JavaScript) have topics of their own.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final, NamedTuple

_TABLE: Final = """
language | code | python, py, typescript, ts, javascript, js, java, kotlin, scala, go, golang, rust, ruby, php, c#, f#, c++, cpp, c, c99, c11, c17, c++17, c++20, c++11, c++14, swift, objective-c, dart, elixir, erlang, haskell, ocaml, clojure, clojurescript, perl, lua, julia, r, matlab, zig, nim, crystal, groovy, cobol, fortran, vb.net, visual basic, solidity, elm, purescript, rescript, reason, gleam, v, d, ada, lisp, common lisp, scheme, racket, prolog, powershell, awk, sed, bash scripts, sql, apl, verilog, vhdl, assembly, webassembly, wasm, coffeescript, delphi, pascal, abap, apex, vba, gdscript, es6, es2022, ecmascript
framework.js-ui | code | react, react.js, reactjs, vue, vue.js, vuejs, svelte, angular, angularjs, solid, solidjs, solid.js, preact, lit, ember, ember.js, backbone, backbone.js, alpine, alpine.js, htmx, stimulus, jquery, qwik, knockout, mithril
framework.js-meta | code | next.js, nextjs, next, nuxt, nuxt.js, nuxtjs, remix, sveltekit, astro, gatsby, solidstart, solid start, react router, tanstack start, vitepress, docusaurus, eleventy, 11ty, hugo, jekyll, redwood, blitz
framework.js-server | code | nitro, h3, polka, moleculer, express, express.js, expressjs, fastify, nestjs, nest.js, nest, koa, hapi, hono, adonis, adonisjs, elysia, meteor, sails, strapi, payload, feathers, loopback
framework.python | code | django rest framework, drf, wagtail, celery tasks, bottle.py, nicegui, flet, marimo, fasthtml, django, flask, fastapi, starlette, litestar, sanic, tornado, aiohttp, pyramid, bottle, falcon, quart, robyn, streamlit, gradio, dash, reflex
framework.ruby | code | rails, ruby on rails, ror, sinatra, hanami, roda
framework.php | code | shopware, typo3, prestashop, filament, laminas, zend, craft cms, concrete5, nextcloud, moodle, laravel, symfony, codeigniter, cakephp, yii, slim, wordpress, drupal, magento, statamic, joomla
framework.jvm | code | ktor, helidon, javalin, play, hibernate, jooq, vaadin flow, liferay, spring boot, spring, springboot, quarkus, micronaut, ktor, play framework, dropwizard, vert.x, vertx, grails, jakarta ee, java ee, jsf, struts, vaadin, http4s, akka
framework.go | code | gin, echo, fiber, chi, gorilla mux, buffalo, beego
framework.rust | code | axum, actix, actix-web, rocket, warp framework, leptos, yew, dioxus, tauri, bevy
framework.dotnet | code | giraffe, avalonia ui, monogame, orleans, .net, dotnet, .net core, asp.net, asp.net core, blazor, wpf, winforms, maui, entity framework, ef core
framework.elixir | code | phoenix, phoenix liveview, liveview, nerves, ash
framework.mobile | code | react native, flutter, expo, ionic, capacitor, cordova, xamarin, swiftui, uikit, jetpack compose, kotlin multiplatform, nativescript
framework.desktop | code | electron, qt, gtk, tkinter, pyqt, pyside, avalonia
framework.game | code | cocos2d, cryengine, defold, renpy, rpg maker, bevy engine, monogame engine, fabric, roblox studio, pico-8, unity, unreal, unreal engine, godot, pygame, phaser, three.js, threejs, babylon.js, gamemaker, love2d
framework.ml | code | pytorch, tensorflow, keras, jax, scikit-learn, sklearn, xgboost, lightgbm, hugging face, huggingface, transformers, langchain, langgraph, llamaindex, llama index, crewai, autogen, dspy, spacy, ray, mlx, onnx, fastai, haystack, pydantic ai
dataframe | code | pandas, polars, dask, spark, pyspark, apache spark, duckdb, arrow, modin, vaex, dplyr, tidyverse
css | code | tailwind, tailwindcss, tailwind css, bootstrap, bulma, sass, scss, less, styled-components, styled components, emotion, css modules, unocss, vanilla extract, postcss, css-in-js, linaria, stitches, windicss, plain css
components | code | material ui, mui, chakra, chakra ui, shadcn, shadcn/ui, ant design, antd, radix, radix ui, mantine, vuetify, quasar, headless ui, daisyui, primevue, element plus, fluent ui
state | code | redux, redux toolkit, rtk, zustand, mobx, recoil, jotai, pinia, vuex, xstate, ngrx, effector, valtio, nanostores, riverpod, bloc
fetching | code | react query, tanstack query, swr, axios, apollo client, urql, rtk query, ky, got, httpx, requests
validation | code | zod, yup, joi, pydantic, marshmallow, valibot, io-ts, ajv, attrs
forms | code | react hook form, formik, tanstack form
dates | code | moment, moment.js, date-fns, dayjs, day.js, luxon, pendulum
logging | code | winston, pino, loguru, structlog, log4j, logback, zap, zerolog, serilog, bunyan, slog
test_runner.js | code | jest, vitest, mocha, jasmine, ava, karma, bun test, tap, qunit
test_runner.python | code | pytest, unittest, nose, nose2, nosetests, tox, nox
test_runner.jvm | code | junit, junit 5, testng, spock, kotest, scalatest
test_runner.ruby | code | rspec, minitest
test_runner.dotnet | code | xunit, nunit, mstest
test_runner.php | code | phpunit, pest
test_runner.go | code | testify, ginkgo
test_runner.other | code | googletest, gtest, catch2, exunit, nextest, cargo-nextest, xctest, swift testing, bats
test_runner.e2e | code | playwright, cypress, selenium, puppeteer, webdriverio, nightwatch, testcafe, detox, appium, maestro, robot framework
load_tests | code | k6, locust, jmeter, gatling, artillery, vegeta
mocks | code | msw, nock, wiremock, mockito, sinon, storybook, chromatic, hypothesis, testcontainers, factory bot, factory boy, mockall, testing library, react testing library
linter.js | code | eslint, tslint, jshint, standardjs, xo, oxlint, biome
linter.python | code | ruff, flake8, pylint, pycodestyle, bandit, pyflakes
linter.other | code | rubocop, standardrb, golangci-lint, golint, clippy, checkstyle, ktlint, detekt, swiftlint, phpcs, phpstan, psalm, credo, hadolint, shellcheck, stylelint, sonarqube, sonar, spotbugs, semgrep
formatter.js | code | prettier, dprint
formatter.python | code | black, yapf, autopep8, isort, blue
formatter.other | code | gofmt, goimports, gofumpt, rustfmt, clang-format, google-java-format, spotless, mix format, stylua, shfmt
type_checker | code | mypy, pyright, basedpyright, pyre, pytype, ty, flow, sorbet, tsc
package_manager.js | tools | npm, yarn, yarn classic, yarn berry, pnpm, bun, lerna
package_manager.python | tools | pip, poetry, uv, pipenv, conda, mamba, hatch, pdm, rye, pip-tools, setuptools, miniconda, pixi, flit
package_manager.other | tools | cargo, composer, bundler, nuget, cocoapods, carthage, swiftpm, spm, hex, go modules, vcpkg, conan, luarocks, cabal, stack, opam
package_manager.system | tools | homebrew, brew, apt, pacman, nix, chocolatey, scoop, winget, snap, flatpak, macports
versions | tools | nvm, fnm, volta, pyenv, rbenv, asdf, mise, sdkman, rvm, direnv
bundler | code | webpack, vite, rollup, esbuild, parcel, turbopack, swc, rspack, babel, tsup, browserify, snowpack, metro, farm
runtime.js | code | node, node.js, nodejs, deno, bun runtime
build | tools | gradle, maven, bazel, ant, sbt, cmake, make, makefiles, ninja, meson, just, rake, buck, buck2, pants, earthly, task, taskfile, gulp, grunt, scons, premake, msbuild, leiningen, mill, invoke
monorepo | tools | turborepo, nx, rush, moon, turbo, npm workspaces, pnpm workspaces, yarn workspaces
orm | code | prisma, drizzle, typeorm, sequelize, sqlalchemy, django orm, active record, activerecord, hibernate, mikro-orm, mikroorm, objection, knex, kysely, tortoise, peewee, sqlmodel, gorm, sqlx, diesel, sea-orm, seaorm, ecto, eloquent, doctrine, dapper, mybatis, jooq, exposed, sqlc, ent, mongoose, slick, doobie, raw sql
migrations | code | alembic, flyway, liquibase, goose, atlas, dbmate, golang-migrate
database | infra | filemaker, realm, room database, core data, firebird, interbase, foxpro, tarantool, foundationdb, mnesia, leveldb, rocksdb, lmdb, duckdb wasm, sap hana, hana, teradata, netezza, vertica, greenplum, ravendb, marten, eventstoredb, d1, berkeley db, progress openedge, postgres, postgresql, pg, mysql, mariadb, sqlite, mongodb, mongo, oracle, sql server, mssql, ms sql, cockroachdb, cockroach, dynamodb, cassandra, scylladb, firestore, firebase realtime database, couchdb, couchbase, planetscale, neon, supabase, turso, libsql, aurora, cosmos db, cosmosdb, spanner, tidb, vitess, yugabyte, yugabytedb, fauna, surrealdb, rethinkdb, neo4j, dgraph, arangodb, db2, rds, cloud sql, pocketbase, convex, access database, h2
timeseries | infra | timescaledb, timescale, influxdb, influx, questdb, victoriametrics
warehouse | infra | snowflake, bigquery, redshift, clickhouse, databricks, hive, presto, trino, athena, druid, pinot, delta lake, iceberg
vectors | infra | pinecone, weaviate, qdrant, chroma, chromadb, milvus, pgvector, faiss, lancedb
search | infra | elasticsearch, elastic search, elastic, opensearch, solr, algolia, meilisearch, typesense, lucene, tantivy
cache | infra | redis, memcached, valkey, dragonfly, keydb, hazelcast, varnish, upstash
queue | infra | kafka, rabbitmq, sqs, nats, pulsar, kinesis, activemq, zeromq, redpanda, pub/sub, pubsub, mqtt, mosquitto, celery, sidekiq, bullmq, bull, resque, rq, temporal, inngest, faktory, dramatiq, oban, hangfire, event hubs, service bus, eventbridge, sns, delayed job, good job, solid queue, huey, arq
etl | infra | airflow, dagster, prefect, dbt, luigi, fivetran, airbyte, nifi, flink, beam, mage, kestra, n8n, zapier
ci | infra | zuul, gocd, teamcity cloud, github runners, earthly, xcode cloud, jenkins x, github actions, gh actions, gitlab ci, gitlab ci/cd, circleci, circle ci, jenkins, travis, travis ci, buildkite, teamcity, drone, azure pipelines, azure devops, bitbucket pipelines, codebuild, codepipeline, concourse, woodpecker, bamboo, appveyor, semaphore, cloud build, tekton, dagger, bitrise, codemagic, forgejo actions, gitea actions, fastlane
cd | infra | argocd, argo cd, argo, flux, fluxcd, spinnaker, octopus deploy, capistrano, kamal, deployer
cloud | infra | aws, amazon web services, gcp, google cloud, azure, digitalocean, digital ocean, hetzner, linode, ovh, vultr, oracle cloud, ibm cloud, alibaba cloud, scaleway, akamai, on-prem, on-premises, bare metal
host | infra | vercel, netlify, heroku, fly.io, fly, railway, render, cloudflare pages, cloudflare workers, cloudflare, ecs, fargate, eks, gke, aks, lambda, aws lambda, ec2, cloud run, app engine, elastic beanstalk, beanstalk, app runner, amplify, aws amplify, firebase, github pages, azure functions, cloud functions, app service, coolify, dokku, lightsail, deno deploy, openshift, pythonanywhere, surge, shared hosting, proxmox, vps
orchestration | infra | consul, slurm, hpc slurm, lsf, pbs, htcondor, docker swarm mode, portainer, cloud foundry, kubernetes, k8s, k3s, nomad, docker swarm, swarm, mesos, rancher, microk8s
container | infra | slirp4netns, nerdctl, kaniko, buildah, incus, lxd, docker, podman, docker compose, docker-compose, containerd, lxc, buildpacks, colima, orbstack, rancher desktop, docker desktop, apptainer, singularity
packaging | infra | helm, kustomize, karpenter, skaffold, tilt, jsonnet
iac | infra | terraform, pulumi, cloudformation, ansible, opentofu, cdk, aws cdk, chef, puppet, saltstack, salt, crossplane, bicep, serverless framework, sst, terragrunt, nixos, packer, vagrant, sam
monitoring | infra | datadog, new relic, grafana, prometheus, cloudwatch, honeycomb, dynatrace, zabbix, nagios, loki, tempo, splunk, opentelemetry, otel, jaeger, signoz, better stack, betterstack, uptime kuma, appsignal, elk, kibana, sumo logic, lightstep, papertrail, logtail, axiom
errors | infra | sentry, rollbar, bugsnag, airbrake, honeybadger, glitchtip
oncall | tools | pagerduty, opsgenie, victorops, incident.io
analytics | tools | posthog, mixpanel, amplitude, google analytics, plausible, segment, matomo, umami, metabase, looker, tableau, power bi, superset
flags | tools | launchdarkly, unleash, flagsmith, split.io, growthbook, statsig, configcat
auth | infra | auth0, clerk, keycloak, okta, cognito, supabase auth, firebase auth, nextauth, next-auth, auth.js, authjs, lucia, better-auth, better auth, devise, workos, stytch, fusionauth, ory, kratos, entra id, active directory, ldap, saml, oauth, oauth2, jwt, jwts, passport, passport.js, zitadel, authentik, magic links, passkeys
secrets | infra | vault, hashicorp vault, doppler, infisical, aws secrets manager, secrets manager, sops, 1password, bitwarden, lastpass, keepass
payments | tools | stripe, paypal, adyen, braintree, paddle, lemon squeezy, square, mollie, razorpay, chargebee, recurly, klarna
mail | tools | sendgrid, mailgun, postmark, resend, ses, mailchimp, twilio, sparkpost, brevo
api | code | graphql, rest, grpc, trpc, soap, openapi, json-rpc, protobuf, apollo, hasura, postgrest, websockets, websocket, server-sent events, sse, odata, thrift, connectrpc
server | infra | nginx, apache, caddy, traefik, haproxy, envoy, iis, gunicorn, uvicorn, puma, unicorn, tomcat, jetty, istio, kong, linkerd, openresty, hypercorn, daphne, uwsgi, wildfly, cdn, fastly
storage | infra | s3, minio, r2, gcs, azure blob storage, cloudinary, ceph, backblaze, b2, nfs, tigris, wasabi
editor | tools | vim, neovim, nvim, emacs, doom emacs, spacemacs, vscode, vs code, visual studio code, vscodium, visual studio, intellij, intellij idea, pycharm, webstorm, goland, rider, phpstorm, rubymine, clion, android studio, xcode, sublime, sublime text, zed, helix, nano, notepad++, eclipse, netbeans, fleet, jetbrains, lazyvim, atom, textmate, kakoune, rstudio, jupyter, jupyterlab, jupyter notebooks, datagrip
assistant | tools | cursor, windsurf, copilot, github copilot, claude code, codex, aider, cline, chatgpt, claude, gemini, tabnine, codeium, opencode, goose, devin, perplexity, ollama, llama.cpp, lm studio
models | tools | openai, anthropic, mistral, groq, bedrock, vertex ai, azure openai, vllm, openrouter, gpt-4, gpt-4o, llama 3, together ai, replicate, cohere
os | tools | centos 7, alpine, ios 17, android 9, windows server, solaris, aix, vxworks, qnx, z/os, as/400, ibm i, talos, flatcar, coreos, bottlerocket, yocto linux, fedora silverblue, silverblue, elementary os, zorin os, asahi, linux, ubuntu, debian, fedora, arch, arch linux, manjaro, pop_os, debian bookworm, bookworm, bullseye, trixie, jammy, pop os, linux mint, opensuse, centos, rhel, rocky linux, alpine linux, macos, mac os, osx, os x, windows, windows 11, windows 10, wsl, wsl2, freebsd, openbsd, chromeos, raspbian, raspberry pi os, gentoo, kali, endeavouros, almalinux, ios, android, amazon linux, guix, void linux
hardware | tools | nucleo, mac pro, m1 max, m2 ultra, m2 max, m1 pro, m3 pro, m3 max, m4 pro, m4 max, surface pro, pi 4, pi 5, pi zero, jetson orin, jetson orin nano, jetson nano, beaglebone, teensy, nrf52, rp2040, pico, synology, qnap, unraid, nas, truenas, unifi, mikrotik, apollo x8, rtx 3090, rtx 4090, rtx 4080, a100, h100, prusa, ender 3, bambu, steam link, kindle paperwhite, remarkable, macbook, framework 13, framework 16, macbook pro, macbook air, mac mini, mac studio, thinkpad, raspberry pi, framework laptop, chromebook, surface, dell xps, imac, arduino, esp32, stm32, ipad, iphone, pixel, steam deck, m1, m2, m3, m4, jetson, imac pro, xps
shell | tools | chezmoi, stow, starship, zsh, bash, fish, nushell, oh my zsh, pwsh, cmd, tcsh, ksh, xonsh, elvish
terminal | tools | lazygit, k9s, ripgrep, fzf, ranger, yazi, izotope rx, iterm, iterm2, alacritty, kitty, wezterm, ghostty, windows terminal, warp, hyper, gnome terminal, konsole, foot, terminal.app
multiplexer | tools | tmux, zellij, screen
browser | tools | firefox, chrome, safari, brave, edge, vivaldi, opera, zen browser, chromium
desktop | tools | i3, sway, hyprland, gnome, kde, kde plasma, xfce, awesomewm, bspwm, yabai, aerospace, rectangle, xmonad, cinnamon
keyboard | tools | dvorak, colemak, qwerty, qwertz, azerty, moonlander, ergodox, kinesis advantage
vcs | tools | git, mercurial, hg, svn, subversion, perforce, jujutsu, jj, fossil, sapling, tfs, cvs
forge | tools | harbor, artifactory, nexus, verdaccio, quay, ecr, gcr, acr, ghcr, jfrog, github, gitlab, bitbucket, gitea, forgejo, codeberg, gerrit, sourcehut, github enterprise
review | tools | graphite, reviewable, phabricator, gerrit reviews
tracker | tools | jira, linear, asana, trello, shortcut, clickup, youtrack, github issues, github projects, redmine, basecamp, monday.com, height, pivotal tracker, plane, bugzilla, azure boards
wiki | tools | confluence, notion, obsidian, logseq, coda, gitbook, roam, evernote, onenote, apple notes, bear, mediawiki, outline, sharepoint, readme.io
chat | tools | slack, discord, microsoft teams, ms teams, teams, mattermost, zulip, telegram, google chat, rocket.chat, matrix, irc, signal, whatsapp
meetings | tools | zoom, google meet, webex, jitsi
design | tools | indesign, adobe indesign, sigil, vellum, quarkxpress, scribus, rhino, grasshopper, sketchup, revit, archicad, zbrush, substance painter, houdini, cinema 4d, maya, 3ds max, krita, gimp, inkscape, coreldraw, rigify, unreal editor, figma, sketch, adobe xd, framer, penpot, miro, photoshop, illustrator, canva, excalidraw, affinity, blender, mermaid, plantuml
http_client | tools | postman, insomnia, bruno, httpie, hoppscotch, curl
commits | tools | husky, lefthook, pre-commit, commitizen, lint-staged, commitlint, conventional commits, semantic-release, changesets, renovate, dependabot, release-please, standard-version, gitflow, git flow, git-cliff
docs | tools | directus, tinacms, decap, sphinx, mkdocs, typedoc, jsdoc, javadoc, swagger, redoc, latex, asciidoc, doxygen, rustdoc, restructuredtext, quarto, pandoc, overleaf, word, google docs
office | tools | syncthing, nextcloud files, jobscan, grammarly, deepl, todoist pro, trados studio, freeagent, datev, lexoffice, sevdesk, sage, netsuite, odoo, erpnext, dolibarr, sap s/4, s/4hana, workday, bamboohr, personio, moneybird, exact online, freshbooks, wave, stripe billing, ms project, omnifocus, trados, omegat, memoq, onenote notebook, mailerlite, convertkit, substack, ghost cms, canvas lms, moodle lms, google classroom, libby, kindle, calibre, adobe acrobat, acrobat, visio, excel, google sheets, google sheet, google docs sheet, google workspace, office 365, microsoft 365, airtable, libreoffice, outlook, gmail, thunderbird, protonmail, powerpoint, google calendar, todoist, things, ynab, calendly, quickbooks, xero, salesforce, hubspot, sap, servicenow, zendesk, intercom, shopify, woocommerce, webflow, squarespace, wix, ghost, contentful, sanity, bubble, retool
audio | tools | logic 11, cubase, nuendo, bitwig, studio one, digitakt, ardour, musescore, sibelius, dorico, finale, max/msp, supercollider, resolve, avid, vegas pro, kdenlive, shotcut, capcut, capture one, darktable, affinity photo, ableton, ableton live, logic pro, fl studio, pro tools, reaper, audacity, garageband, davinci resolve, final cut, final cut pro, premiere, premiere pro, obs, lightroom, after effects, procreate, scrivener, zotero
device | code | ros 2, nuttx, threadx, pixhawk, px4, ardupilot, esphome, zigbee2mqtt, tasmota, node-red, openhab, klipper, marlin, octoprint, freecad, openscad, kicad, fusion 360, solidworks, autocad, qgis, arcgis, gdal, grass gis, labview, simulink, ansys, abaqus, comsol, openfoam, gromacs, lammps, gaussian, snakemake, nextflow, bioconductor, seurat, scanpy, stan, jags, spss, stata, sas, eviews, gretl, jmp, sqlx, sqlboiler, sqlc, gorm, sea-orm, exposed orm, crowdin, lokalise, weblate, pyocd, openocd, j-link, jlink, segger, iar, keil, plantuml server, fanuc, grbl, tibco, mulesoft, camunda, apache camel, camel, ros, ros2, freertos, zephyr, platformio, micropython, circuitpython, home assistant, openwrt, mqtt broker, yocto, buildroot, opencv, cuda, opengl, vulkan, webgl, webgpu, metal api, mapbox, leaflet, openlayers, postgis, d3, d3.js, chart.js, plotly, matplotlib, seaborn, numpy, scipy, ggplot2, shiny, beautifulsoup, scrapy, ffmpeg, webrtc, socket.io, rxjs, lodash, signalr, hotwire, turbo rails, inertia, inertia.js, livewire, active admin, celery beat, mediatr, automapper, lombok, mapstruct, rxjava, room, hilt, retrofit, koin, tokio, serde, clap, cobra, viper, wire, wails
"""

# Plain words as well: read as names only where a name is asked for, and with more care.
PLAIN: Final = frozenset(
    "arch surge zoom signal outline word pages numbers keynote go c r v d less next express nest echo fiber gin chi make just task mill ant bun stack hex spring rocket phoenix play"
    " fly render railway drone circle vault square segment heap split beam mage linear height plane monday shortcut bear"
    " things teams signal matrix word sketch edge arc brave opera fish screen sway foot kitty warp hyper zen swarm salt chef"
    " puppet sam slim solid lit ember alpine stimulus backbone bottle falcon dash reflex blue black flow tap ava karma got"
    " requests moment zap slog wire room clap metal surface pixel outline coda roam ghost bubble sanity wix access elastic"
    " oracle neon convex fauna spanner temporal flux argo helm tilt invoke pants rush moon turbo farm metro parcel fleet atom"
    " eclipse nano helix rider sublime cursor goose devin cline codex gemini claude replicate rectangle cinnamon kinesis"
    " graphite sails meteor adonis payload unity arrow ray attrs reason crystal scheme racket ash swift dart rust ruby java"
    " julia perl ada elm nim pest bats presto hive druid pinot iceberg dragonfly varnish bull huey arq goose atlas ent"
    " exposed slick ecto doctrine diesel peewee tortoise objection ruby cosmos aurora rest soap apollo thrift server kong"
    " windows android screen word excel bruno insomnia wails viper cobra retrofit hilt koin puma unicorn caddy jetty envoy"
    " apache safari chrome square paddle resend brevo devise passport lucia ory clerk stripe unleash axiom loki tempo splunk"
    " poetry spark shiny husky nerves expo detox marshmallow emotion yup unreal premiere remarkable fossil renovate realm marten giraffe fabric harbor consul wave sage finale resolve nas nexus stan jags rhino maya vellum sigil camel play orleans marlin seurat gaussian polka nitro avid pico hana grasshopper kindle calibre houdini workday klipper talos solaris sas stata portainer ardour ring"
    " nose blue spotless credo psalm standard xo pre-commit cdn git".split()
)
_PERSONAL: Final = frozenset(
    "editor os shell terminal multiplexer browser desktop keyboard hardware assistant office audio wiki design".split()
)
_SINGLE_OUT: Final = frozenset("mocks device commits docs office audio fetching models meetings dates forms".split())
"""Tools of these kinds stand beside each other: none ends another."""


class Technology(NamedTuple):
    """A name as it is known: what it is for, and the root of its tag."""

    kind: str
    root: str
    slug: str

    @property
    def topic(self) -> str:
        """The attribute of which it is a value; empty where many hold."""
        return "" if self.kind in _SINGLE_OUT else self.kind

    @property
    def is_personal(self) -> bool:
        """Is it a person's own tool rather than a project's?"""
        return self.kind in _PERSONAL

    @property
    def tags(self) -> tuple[str, ...]:
        """Its tags, the narrowest first."""
        if self.root == "tools":
            return (f"tools.{self.slug}", "tools")
        return (f"{self.root}.{self.slug}", "tools")


_SLUG = re.compile(r"[^a-z0-9]+")
_WORDS = {"c#": "csharp", "c++": "cpp", "f#": "fsharp", ".net": "dotnet"}


@cache
def names() -> dict[str, Technology]:
    """Every name in lower case."""
    found: dict[str, Technology] = {}
    for line in _TABLE.strip().splitlines():
        kind, root, listed = (part.strip() for part in line.split("|"))
        for name in listed.split(", "):
            slug = _SLUG.sub("-", _WORDS.get(name, name)).strip("-")
            found.setdefault(name, Technology(kind, root, slug))
    return found


@cache
def _openings() -> dict[str, int]:
    """By the first word of a name, the most words that a name with it has."""
    longest: dict[str, int] = {}
    for name in names():
        words = name.split(" ")
        longest[words[0]] = max(longest.get(words[0], 0), len(words))
    return longest


_SHAPED = re.compile(
    r"(?:(?P<chip>stm32\w*|esp32\w*|esp8266|nrf5\w*|rp2\d{3}\w*|at(?:mega|tiny)\w+|samd\w+|pic1\w+|imx\w+|zynq\w*|cortex-m\w+)|[a-z\d]+(?:-[a-z\d]+)*-gcc|gcc|clang|msvc|armcc|tcc)(?![\w-])"
)
"""Names that are known by their shape: chips and compilers."""
_CHIP, _COMPILER = Technology("hardware", "tools", "chip"), Technology("compiler", "code", "compiler")
_PIECE = re.compile(r"[^\s,;:()\[\]{}\"“”`!?]+")
_ENDS = ".'’/"


def at(low: str, pos: int, stop: int) -> tuple[int, Technology] | None:
    """The longest known name that begins exactly at `pos` of a text in lower case: where it ends, and what it is."""
    first = _PIECE.match(low, pos, stop)
    if first is None:
        return None
    known, openings = names(), _openings()
    for end in _ends(first.end(), low, pos):
        most = openings.get(low[pos:end], 0) if end == first.end() else 0
        found = _longer(low, pos, end, stop, most)
        if found is not None:
            return found
        if low[pos:end] in known:
            return end, known[low[pos:end]]
        if end - pos > 5 and low[end - 1] == "s" and low[pos : end - 1] in known and low[pos : end - 1] not in PLAIN:
            return end, known[low[pos : end - 1]]
    shaped = _SHAPED.match(low, pos, stop)
    if shaped is not None:
        return shaped.end(), _CHIP if shaped["chip"] else _COMPILER
    return None


def _ends(end: int, low: str, pos: int) -> list[int]:
    """Where a first word may end: as written, without what clings to it, before a slash or an apostrophe."""
    found = [end]
    bare = len(low[pos:end].rstrip(_ENDS)) + pos
    if bare < end:
        found.append(bare)
    for sign in "'’/+-":
        cut = low.find(sign, pos + 1, bare)
        if cut > 0 and cut not in found:
            found.append(cut)
    return [e for e in found if e > pos]


def _longer(low: str, pos: int, end: int, stop: int, most: int) -> tuple[int, Technology] | None:
    known = names()
    ends = [end]
    while len(ends) < most:
        if ends[-1] >= stop or low[ends[-1]] != " ":
            break
        piece = _PIECE.match(low, ends[-1] + 1, stop)
        if piece is None:
            break
        ends.append(piece.end())
    for e in reversed(ends[1:]):
        for last in (e, pos + len(low[pos:e].rstrip(_ENDS))):
            if low[pos:last] in known:
                return last, known[low[pos:last]]
    return None
