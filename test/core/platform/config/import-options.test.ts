import { chownSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { importOptions } from '../../../../src/core/platform/config/index.ts'
import { reachableDirectory } from '../../../support/directories.ts'

const toml = (port: number): string => `[server]\nport = ${port}\n`
const plain = { force: false, isDryRun: false, environment: {}, machineFile: '/nowhere/config.toml' }

void t.test('a dry run changes nothing, not even a missing directory', (t) => {
  const dataDirectory = join(reachableDirectory(t), 'new')
  const { options } = importOptions({ ...plain, dataDirectory, toml: toml(1), isDryRun: true })
  t.strictSame(options, ['server.port'])
  t.notOk(existsSync(dataDirectory))
  t.end()
})

void t.test('each previous file is kept under a name of its own', (t) => {
  const dataDirectory = reachableDirectory(t)
  for (const port of [1, 2, 3]) importOptions({ ...plain, dataDirectory, toml: toml(port), force: true })
  const names = ['config.toml', 'config.toml.old', 'config.toml.old.1']
  t.strictSame(readdirSync(dataDirectory).toSorted(), names)
  t.strictSame(
    names.map((name) => readFileSync(join(dataDirectory, name), 'utf8')),
    [toml(3), toml(1), toml(2)],
  )
  t.end()
})

void t.test('the file of the machine is superseded only with --force', (t) => {
  const dataDirectory = reachableDirectory(t)
  const machineFile = join(reachableDirectory(t), 'config.toml')
  writeFileSync(machineFile, toml(1))
  const input = { ...plain, dataDirectory, machineFile, toml: toml(2) }
  t.throws(() => importOptions(input), {
    code: 'config_exists',
    message: /^\/.*config\.toml is the configuration file/,
  })
  t.strictSame(readdirSync(dataDirectory), [])
  t.match(importOptions({ ...input, force: true }), { previous: null, superseded: machineFile })
  t.end()
})

void t.test(
  'with a file that --config or PHLIX_CONFIG names, which would take precedence, nothing is imported',
  (t) => {
    const dataDirectory = reachableDirectory(t)
    const input = { ...plain, dataDirectory, toml: toml(2), force: true }
    const refused = { code: 'config_exists', message: /names \/srv\/phlix\.toml/ }
    t.throws(() => importOptions({ ...input, configFile: '/srv/phlix.toml' }), refused)
    t.throws(() => importOptions({ ...input, environment: { PHLIX_CONFIG: '/srv/phlix.toml' } }), refused)
    t.match(importOptions({ ...input, configFile: join(dataDirectory, 'config.toml') }), { previous: null })
    t.end()
  },
)

void t.test(
  'a file that root imports belongs to the owner of the data directory',
  { skip: process.getuid?.() !== 0 && 'needs root' },
  (t) => {
    const dataDirectory = reachableDirectory(t)
    chownSync(dataDirectory, 4711, 4712)
    const { path } = importOptions({ ...plain, dataDirectory, toml: toml(1) })
    const { uid, gid, mode } = statSync(path)
    t.strictSame([uid, gid, mode & 0o777], [4711, 4712, 0o600])
    t.end()
  },
)
