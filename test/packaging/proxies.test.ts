import { spawnSync } from 'node:child_process'
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { parse } from 'yaml'
import { OPTIONS } from '../../src/core/platform/config/index.ts'
import { reachableDirectory } from '../support/directories.ts'
import { unlessInstalled } from '../support/programs.ts'
import { selfSigned } from '../support/self-signed.ts'

const proxies = join(import.meta.dirname, '..', '..', 'contrib', 'proxies')
const names = globSync('*', { cwd: proxies })
const read = (name: string): string => readFileSync(join(proxies, name), 'utf8')

/** A folder with a certificate and the sample, which names this certificate. */
function prepare(name: string): { folder: string; file: string } {
  const folder = reachableDirectory(t)
  mkdirSync(join(folder, 'log'))
  writeFileSync(join(folder, 'privkey.pem'), selfSigned.key)
  writeFileSync(join(folder, 'fullchain.pem'), selfSigned.cert)
  const file = join(folder, name)
  const text = read(name)
    .replaceAll('/etc/letsencrypt/live/media.example.org', folder)
    .replaceAll('/var/log/nginx', join(folder, 'log'))
  writeFileSync(file, text)
  return { folder, file }
}

void t.test('every sample forwards both ports of the server', (t) => {
  t.strictSame(names.toSorted(), ['Caddyfile', 'apache.conf', 'nginx.conf', 'traefik.yaml'])
  for (const name of names)
    for (const option of ['server.port', 'server.websocket_port'] as const)
      t.match(read(name), `127.0.0.1:${OPTIONS[option].default}`, `${name} ${option}`)
  t.end()
})

void t.test('nginx accepts its sample', { skip: unlessInstalled('nginx') }, (t) => {
  const { folder, file } = prepare('nginx.conf')
  const main = join(folder, 'main.conf')
  writeFileSync(main, `pid ${folder}/pid; error_log stderr; events {} http { access_log off; include ${file}; }`)
  const { status, stderr } = spawnSync('nginx', ['-t', '-q', '-p', folder, '-c', main], { encoding: 'utf8' })
  t.equal(status, 0, stderr)
  t.notMatch(stderr, /\[(?:warn|emerg|error)\]/)
  t.end()
})

void t.test('Apache accepts its sample', { skip: unlessInstalled('apache2') }, (t) => {
  const { folder, file } = prepare('apache.conf')
  const modules = ['mpm_event', 'authz_core', 'proxy', 'proxy_http', 'proxy_wstunnel', 'ssl', 'headers', 'rewrite']
  const main = join(folder, 'main.conf')
  const lines = modules.map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`)
  writeFileSync(
    main,
    [
      ...lines,
      `ServerRoot ${folder}`,
      `ErrorLog ${folder}/log/error.log`,
      'ServerName media.example.org',
      `Include ${file}`,
      '',
    ].join('\n'),
  )
  const environment = { ...process.env, APACHE_LOG_DIR: join(folder, 'log'), APACHE_RUN_DIR: folder }
  const { status, stderr } = spawnSync('apache2', ['-t', '-f', main], { encoding: 'utf8', env: environment })
  t.equal(status, 0, stderr)
  t.match(stderr, 'Syntax OK')
  t.end()
})

void t.test('Caddy accepts its sample', { skip: unlessInstalled('caddy') }, (t) => {
  const { folder, file } = prepare('Caddyfile')
  const environment = { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder }
  const { status, stderr } = spawnSync('caddy', ['validate', '--adapter', 'caddyfile', '--config', file], {
    encoding: 'utf8',
    env: environment,
  })
  t.equal(status, 0, stderr)
  t.end()
})

void t.test('the sample of Traefik names only services and entry points that it explains', (t) => {
  type Router = { service: string; entryPoints: string[]; rule: string }
  const { http } = parse(read('traefik.yaml')) as { http: { routers: Record<string, Router>; services: object } }
  for (const { service, entryPoints, rule } of Object.values(http.routers)) {
    t.ok(service in http.services, service)
    for (const name of entryPoints) t.match(read('traefik.yaml'), `\`${name}\` (`)
    t.equal(rule, 'Host(`media.example.org`)')
  }
  t.end()
})
