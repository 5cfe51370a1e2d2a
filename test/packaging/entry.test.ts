import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t, { type Test } from 'tap'

const root = join(import.meta.dirname, '..', '..')
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }

/** The node of this test is first in PATH, so that `bin/phlix` uses it. */
const environment = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}` }

function shell(line: string, options: { cwd?: string } = {}) {
  return spawnSync('bash', ['-c', `unset NODE_OPTIONS; ${line}`], { env: environment, encoding: 'utf8', ...options })
}

/** A checkout whose sources the test may change; the packages are shared. */
function copyOfCheckout(t: Test): string {
  const copy = t.testdir({})
  for (const path of ['bin', 'scripts', 'src', 'package.json'])
    cpSync(join(root, path), join(copy, path), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  return copy
}

void t.test('bin/phlix runs from any folder and through a link', async (t) => {
  const folder = t.testdir({})
  symlinkSync(join(root, 'bin', 'phlix'), join(folder, 'phlix'))
  const { status, stdout } = shell('./phlix version', { cwd: folder })
  t.equal(status, 0)
  t.match(stdout, `phlix/${version} `)
})

void t.test('a checkout and a release start Node in the same way', async (t) => {
  const copy = copyOfCheckout(t)
  const tell = `process.stdout.write(JSON.stringify([process.execArgv, process.env.MALLOC_ARENA_MAX]) + '\\n')`
  writeFileSync(join(copy, 'bin', 'dev.js'), tell)
  const [flags, arenas] = JSON.parse(shell('bin/phlix', { cwd: copy }).stdout) as [string[], string]
  const [line = ''] = readFileSync(join(root, 'bin', 'run.js'), 'utf8').split('\n')
  t.equal(line, `#!/usr/bin/env -S MALLOC_ARENA_MAX=${arenas} node ${flags.join(' ')}`)
  t.match(shell('MALLOC_ARENA_MAX=5 bin/phlix', { cwd: copy }).stdout, '"5"', 'who says otherwise is heard')
})

void t.test('a command is found with a colon and with a space', async (t) => {
  for (const words of ['config:show', 'config show']) {
    const { status, stdout } = shell(`bin/phlix ${words} --json`, { cwd: root })
    t.equal(status, 0)
    t.equal(JSON.parse(stdout).schema, 'config.show/1')
  }
})

void t.test('an unknown command ends with 127', async (t) => {
  t.equal(shell('bin/phlix no:such </dev/null', { cwd: root }).status, 127)
})

void t.test('an early closed output pipe is not a failure', async (t) => {
  const { stdout, stderr } = shell('bin/phlix help | head -n 1; echo "${PIPESTATUS[0]}"', { cwd: root })
  t.match(stdout, /\n0\n$/)
  t.equal(stderr, '')
  const closed = shell('bin/phlix config:show --json | true; echo "${PIPESTATUS[0]}"', { cwd: root })
  t.equal(closed.stdout, '0\n')
  t.equal(closed.stderr, '')
})

void t.test('a new command is there at the next start, and a removed one is gone', async (t) => {
  const copy = copyOfCheckout(t)
  const added = join(copy, 'src', 'commands', 'wave.ts')
  const wave = (): number | null => shell('bin/phlix wave </dev/null', { cwd: copy }).status
  t.equal(wave(), 127)
  const text = `import { Command } from '@oclif/core'
export default class Wave extends Command {
  async run(): Promise<void> {
    this.log('o/')
  }
}
`
  writeFileSync(added, text)
  t.equal(wave(), 0)
  t.equal(readdirSync(join(copy, '.cache', 'commands')).length, 1)
  rmSync(added)
  t.equal(wave(), 127)
})

void t.test('a read-only cache does not prevent the start', async (t) => {
  const copy = copyOfCheckout(t)
  // A file at the path of the folder, because root may write everywhere.
  writeFileSync(join(copy, '.cache'), '')
  const { status, stdout } = shell('bin/phlix version', { cwd: copy })
  t.equal(status, 0)
  t.match(stdout, version)
})

void t.test('the release entry names the required Node version when it is run by an older one', async (t) => {
  const folder = t.testdir({})
  mkdirSync(join(folder, 'bin'))
  cpSync(join(root, 'bin', 'run.js'), join(folder, 'bin', 'run.js'))
  const pretend = `Object.defineProperty(process.versions, 'node', { value: '22.1.0' })`
  writeFileSync(join(folder, 'old.cjs'), pretend)
  const { status, stderr } = shell(`node --require ./old.cjs bin/run.js`, { cwd: folder })
  t.equal(status, 69)
  t.match(stderr, 'phlix needs Node 24.7 or newer')
})
