import { globSync, readFileSync } from 'node:fs'
import { join, matchesGlob } from 'node:path'
import t from 'tap'
import { parse } from 'yaml'
import { parseDockerfile, stagesOf } from '../../scripts/package/dockerfile.ts'
import { loadConfig, OPTIONS } from '../../src/core/platform/config/index.ts'

const root = join(import.meta.dirname, '..', '..')
const docker = join(root, 'contrib', 'docker')
const read = (name: string): string => readFileSync(join(docker, name), 'utf8')

type Service = {
  environment?: Record<string, string>
  volumes?: string[]
  ports?: string[]
  profiles?: string[]
  user?: string
  secrets?: string[]
  extends?: { file: string; service: string }
  image?: string
}
type Compose = { services: Record<string, Service>; volumes: object; secrets?: object }

const compose = (name: string): Compose => parse(read(name), { merge: true }) as Compose
/** Values with the defaults of their variables: `${NAME:-default}`. */
const filled = (value: string): string => value.replaceAll(/\$\{[A-Z_]+:-([^}]*)\}/g, '$1')

void t.test('the Dockerfile has two stages, and the program runs as an account without rights', (t) => {
  const stages = stagesOf(parseDockerfile(read('Dockerfile')))
  t.equal(stages.length, 2)
  const of = (name: string): string[] => (stages[1] ?? []).filter((one) => one.name === name).map(({ words }) => words)
  t.strictSame(of('USER'), ['phlix'])
  t.strictSame(of('ENTRYPOINT'), ['["phlix", "serve"]'])
  t.match(of('HEALTHCHECK')[0], '/healthz')
  t.strictSame(of('EXPOSE'), [`${OPTIONS['server.port'].default} ${OPTIONS['server.websocket_port'].default}`])
  t.strictSame(of('VOLUME'), ['/data'])
  const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  t.equal(engines.node, '>=24.7', 'the images have a Node that is new enough')
  for (const [from] of stages) t.match(from?.words, /^node:24\.\d+\.\d+-bookworm-slim( AS build)?$/)
  t.throws(() => parseDockerfile('FROM a\nADD https://example.org /'), /line 2: ADD is not/)
  t.strictSame(parseDockerfile('RUN a \\\n  b\n'), [{ name: 'RUN', words: 'a b', line: 1 }])
  t.end()
})

void t.test('the build context has every file of the package, and no others', (t) => {
  const rules = read('Dockerfile.dockerignore')
    .split('\n')
    .filter((line) => line.startsWith('!'))
  const kept = rules.map((line) => line.slice(1))
  for (const name of kept) t.equal(globSync(name, { cwd: root }).length, 1, name)
  const { files } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { files: string[] }
  const made = new Set(['dist', 'npm-shrinkwrap.json', 'sbom.cdx.json'])
  for (const name of files.filter((one) => !made.has(one)))
    t.ok(
      kept.some((rule) => name === rule || matchesGlob(name, `${rule}/**`)),
      `${name} is in the context`,
    )
  for (const name of ['node_modules', '.tools', '.git', 'test']) t.notOk(kept.includes(name), name)
  t.end()
})

void t.test('the compose files set options that exist, to values that are accepted', (t) => {
  const known = new Set(
    Object.values(OPTIONS).flatMap(({ env, secret }) =>
      env.flatMap((name) => (secret ? [name, `${name}_FILE`] : [name])),
    ),
  )
  const main = compose('compose.yaml').services
  const { phlix } = compose('compose.postgres.yaml').services
  for (const [name, { environment = {} }] of [...Object.entries(main), ['postgres', phlix ?? {}] as const]) {
    t.strictSame(
      Object.keys(environment).filter((variable) => !known.has(variable)),
      [],
      name,
    )
    const values = Object.entries(environment).filter(([variable]) => !variable.endsWith('_FILE'))
    t.doesNotThrow(
      () =>
        loadConfig({ environment: Object.fromEntries(values.map(([variable, value]) => [variable, filled(value)])) }),
      name,
    )
  }
  t.end()
})

void t.test('the services of the compose files have the ports and volumes of the image', (t) => {
  const { services, volumes } = compose('compose.yaml')
  t.strictSame(Object.keys(services), ['phlix', 'phlix-vaapi', 'phlix-nvidia'])
  for (const [name, service] of Object.entries(services)) {
    t.strictSame(service.ports, ['8096:8096', '8097:8097'], name)
    t.ok(service.volumes?.includes('data:/data') && service.volumes.some((one) => one.endsWith('/media:ro')), name)
    t.equal(service.profiles?.[0], name === 'phlix' ? undefined : name.replace('phlix-', ''))
  }
  t.strictSame(Object.keys(volumes), ['data'])
  const external = compose('compose.postgres.yaml')
  t.strictSame(external.services['phlix']?.extends, { file: 'compose.yaml', service: 'phlix' })
  t.match(external.services['postgres']?.image, /^postgres:18\./)
  t.strictSame(external.services['phlix']?.secrets, Object.keys(external.secrets ?? {}))
  t.end()
})
