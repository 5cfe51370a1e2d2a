import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, cpSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'

const root = join(import.meta.dirname, '..', '..')

/** The programs of a bare system that the scripts may lean on. */
const BASIC = 'sh bash readlink dirname uname mkdir rm cat cksum sed tail grep tee flock'.split(' ')

type Machine = { checkout: string; environment: { PATH: string } }

/**
 * A fresh clone (its shell scripts) on a machine whose PATH holds the basic programs and what is added: stand-ins by their text.
 * The account is an ordinary one, whoever runs the test.
 */
function bareMachine(t: Test, standIns: Record<string, string> = {}): Machine {
  const folder = t.testdir({ checkout: { bin: {} }, path: {} })
  const [checkout, path] = [join(folder, 'checkout'), join(folder, 'path')]
  for (const name of ['_toolchain.sh', 'phlix', 'quickstart', 'test']) {
    cpSync(join(root, 'bin', name), join(checkout, 'bin', name))
  }
  for (const name of BASIC) {
    symlinkSync(execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim(), join(path, name))
  }
  for (const [name, line] of Object.entries({ id: 'echo 1000', ...standIns })) {
    writeFileSync(join(path, name), `#!/bin/sh\n${line}\n`)
    chmodSync(join(path, name), 0o755)
  }
  return { checkout, environment: { PATH: path } }
}

const DEBIAN = { 'apt-get': 'exit 100' }

function run({ checkout, environment }: Machine, program: string, words: readonly string[]) {
  return spawnSync(join(checkout, 'bin', program), words, { env: environment, encoding: 'utf8' })
}

/** Runs a line of shell among the functions of bin/_toolchain.sh. */
function runAmongFunctions({ checkout, environment }: Machine, line: string) {
  const script = `project='${checkout}'; . "$project/bin/_toolchain.sh"; ${line}`
  return spawnSync('sh', ['-euc', script], { env: environment, encoding: 'utf8' })
}

const VERSIONS: readonly [version: string, isUsed: boolean][] = [
  ['v18.20.4', false],
  ['v24.6.0', false],
  ['v24.7.0', true],
  ['v24.21.0', true],
  ['v25.0.0', true],
  ['v26.1.0-nightly', true],
]

for (const [version, isUsed] of VERSIONS) {
  void t.test(`Node ${version} of the shell is ${isUsed ? 'used' : 'not used'}`, async (t) => {
    const machine = bareMachine(t, { node: `echo ${version}` })
    const { stdout } = runAmongFunctions(machine, 'if find_node; then echo "$node"; else echo none; fi')
    t.equal(stdout, isUsed ? `${machine.environment.PATH}/node\n` : 'none\n')
  })
}

void t.test('phlix in a fresh clone says in one line what to run, with exit code 69', async (t) => {
  const { status, stderr } = run(bareMachine(t, { node: 'echo v24.7.0' }), 'phlix', ['version'])
  t.equal(status, 69)
  t.match(stderr, /^phlix is not set up yet: run .*\/bin\/quickstart first\n$/)
})

void t.test(
  'quickstart without npm and without the right to install it says in one line what to install',
  async (t) => {
    const { status, stderr } = run(bareMachine(t, DEBIAN), 'quickstart', [])
    t.equal(status, 69)
    t.equal(stderr, 'Not on this machine: nodejs npm. Install with: sudo apt-get install nodejs npm\n')
  },
)

const LINES: readonly [system: string, standIns: Record<string, string>, advice: string][] = [
  ['Debian', DEBIAN, 'Install with: sudo apt-get install ffmpeg chromium'],
  ['another system', {}, 'Install with the package manager of your system.'],
]

for (const [system, standIns, advice] of LINES) {
  void t.test(
    `on ${system} missing programs that may not be installed are named in one line with what to do`,
    async (t) => {
      const script = 'bring_programs ffmpeg chromium; missing_line "$missing"'
      const { stdout, stderr } = runAmongFunctions(bareMachine(t, standIns), script)
      t.equal(stdout, `Not on this machine: ffmpeg chromium. ${advice}\n`)
      t.equal(stderr, '')
    },
  )
}

void t.test('bin/test passes its words to the test runner, and ends with its last line and exit status', async (t) => {
  const programs = ['ffmpeg', 'ffprobe', 'chromium', 'curl', 'heif-convert', 'heif-enc', 'mpv']
  for (const exit of [0, 1, 2]) {
    const machine = bareMachine(t, {
      node: 'echo v24.7.0',
      npm: `case "$*" in ci*) mkdir -p node_modules ;; *) printf '%s\n' "$*" '8 passed, 0 failed'; exit ${exit} ;; esac`,
      ...Object.fromEntries(programs.map((name) => [name, ''])),
    })
    writeFileSync(join(machine.checkout, 'package-lock.json'), '{}')
    const { status, stdout, stderr } = run(machine, 'test', ['--jobs', '2', 'test/core'])
    t.equal(stdout, 'run --silent test -- --check --jobs 2 test/core\n8 passed, 0 failed\n', stderr)
    t.equal(status, exit)
  }
})

const WRONG: readonly [words: string[], exit: number, message: string][] = [
  [['--prot', '80'], 2, 'unknown option --prot'],
  [['--port'], 2, '--port needs a value'],
  [['--port', '0'], 2, "not '0'"],
  [['--port=65536'], 2, "not '65536'"],
  [['--port', '080'], 2, "not '080'"],
  [['--port', '8096; rm -rf /'], 2, 'takes a number'],
  [['--port', '65535'], 2, "--websocket-port takes a number from 1 to 65535, not '65536'"],
  [['--websocket-port', '0x1'], 2, "not '0x1'"],
  [['a', 'b'], 2, 'one MEDIA_DIR only'],
  [['/nowhere/at/all'], 66, 'no such folder: /nowhere/at/all'],
]

for (const [words, exit, message] of WRONG) {
  void t.test(`quickstart ${words.join(' ')} is refused with ${exit} before anything is installed`, async (t) => {
    const { status, stderr } = run(bareMachine(t), 'quickstart', words)
    t.equal(status, exit)
    t.match(stderr, message)
  })
}

void t.test('quickstart --help prints its page without setting anything up', async (t) => {
  const { status, stdout } = run(bareMachine(t), 'quickstart', ['--help'])
  t.equal(status, 0)
  t.match(stdout, /^usage: bin\/quickstart \[MEDIA_DIR\]/)
  t.match(stdout, /Exit status: /)
})
