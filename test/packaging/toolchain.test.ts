import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'

const root = join(import.meta.dirname, '..', '..')

/** The programs of a minimal system that the scripts may use. */
const BASIC = 'sh bash readlink dirname uname mkdir chmod rm cat cksum sed tail grep tee flock'.split(' ')

type Machine = { checkout: string; environment: { PATH: string; PHLIX_FFMPEG?: string; PHLIX_FFPROBE?: string } }

/**
 * A fresh clone (its shell scripts) on a machine whose PATH contains the basic programs and the given stubs (by their text). It runs as an
 * unprivileged account.
 */
function minimalMachine(t: Test, stubs: Record<string, string> = {}): Machine {
  const folder = t.testdir({ checkout: { bin: {} }, path: {} })
  const [checkout, path] = [join(folder, 'checkout'), join(folder, 'path')]
  for (const name of ['_toolchain.sh', 'phlix', 'quickstart', 'test']) {
    cpSync(join(root, 'bin', name), join(checkout, 'bin', name))
  }
  for (const name of BASIC) {
    symlinkSync(execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim(), join(path, name))
  }
  for (const [name, line] of Object.entries({ id: 'echo 1000', ...stubs })) {
    rmSync(join(path, name), { force: true })
    writeFileSync(join(path, name), `#!/bin/sh\n${line}\n`)
    chmodSync(join(path, name), 0o755)
  }
  return { checkout, environment: { PATH: path } }
}

const DEBIAN = { 'apt-get': 'exit 100' }

function run({ checkout, environment }: Machine, program: string, words: readonly string[]) {
  return spawnSync(join(checkout, 'bin', program), words, { env: environment, encoding: 'utf8' })
}

/** Runs a line of shell with the functions of bin/_toolchain.sh. */
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
    const machine = minimalMachine(t, { node: `echo ${version}` })
    const { stdout } = runAmongFunctions(machine, 'if find_node; then echo "$node"; else echo none; fi')
    t.equal(stdout, isUsed ? `${machine.environment.PATH}/node\n` : 'none\n')
  })
}

void t.test('phlix in a fresh clone says in one line what to run, with exit code 69', async (t) => {
  const { status, stderr } = run(minimalMachine(t, { node: 'echo v24.7.0' }), 'phlix', ['version'])
  t.equal(status, 69)
  t.match(stderr, /^phlix is not set up yet: run .*\/bin\/quickstart first\n$/)
})

void t.test(
  'quickstart without npm and without permission to install it prints in one line what to install',
  async (t) => {
    const { status, stderr } = run(minimalMachine(t, DEBIAN), 'quickstart', [])
    t.equal(status, 69)
    t.equal(stderr, 'Not on this machine: nodejs npm. Install with: sudo apt-get install nodejs npm\n')
  },
)

const LINES: readonly [system: string, stubs: Record<string, string>, advice: string][] = [
  ['Debian', DEBIAN, 'Install with: sudo apt-get install ffmpeg chromium'],
  ['another system', {}, 'Install with the package manager of your system.'],
]

for (const [system, stubs, advice] of LINES) {
  void t.test(
    `on ${system} missing programs that may not be installed are named in one line with what to do`,
    async (t) => {
      const script = 'bring_programs ffmpeg chromium; missing_line "$missing"'
      const { stdout, stderr } = runAmongFunctions(minimalMachine(t, stubs), script)
      t.equal(stdout, `Not on this machine: ffmpeg chromium. ${advice}\n`)
      t.equal(stderr, '')
    },
  )
}

void t.test(
  'bin/test passes its arguments to the test runner, and ends with its last line and exit status',
  async (t) => {
    const programs = ['ffmpeg', 'ffprobe', 'chromium', 'curl', 'heif-convert', 'heif-enc', 'mpv', 'slapd']
    for (const exit of [0, 1, 2]) {
      const machine = minimalMachine(t, {
        node: 'echo v24.7.0',
        npm: `case "$*" in ci*) mkdir -p node_modules ;; *) printf '%s\n' "$*" '8 passed, 0 failed'; exit ${exit} ;; esac`,
        ...Object.fromEntries(programs.map((name) => [name, ''])),
      })
      writeFileSync(join(machine.checkout, 'package-lock.json'), '{}')
      const { status, stdout, stderr } = run(machine, 'test', ['--jobs', '2', 'test/core'])
      t.equal(stdout, 'run --silent test -- --check --jobs 2 test/core\n8 passed, 0 failed\n', stderr)
      t.equal(status, exit)
    }
  },
)

const NODE_18 = { node: 'echo v18.20.4' }
const REGISTRY = 'echo https://registry.example/'

void t.test(
  'a disk that is too small for a set-up is named with numbers and exit code 74, and nothing is brought',
  async (t) => {
    const df =
      "printf '%s\\n' 'Filesystem 1024-blocks Used Available Capacity Mounted' '/dev/sda1 1000000 900000 102400 90% /'"
    const machine = minimalMachine(t, { ...NODE_18, npm: 'echo npm was called >&2', df })
    const { status, stderr } = run(machine, 'quickstart', [])
    t.equal(status, 74)
    t.match(stderr, /^The disk of \S+ has 100 MiB free, and Node and the npm packages need 750 MiB: .*\n$/)
  },
)

void t.test(
  'without a network one sentence names the npm registry and the proxy settings, with exit code 69',
  async (t) => {
    const npm = `case "$*" in config*) ${REGISTRY} ;; *) echo 'npm ERR! code EAI_AGAIN' >&2; exit 1 ;; esac`
    const { status, stderr } = run(minimalMachine(t, { ...NODE_18, npm }), 'quickstart', [])
    t.equal(status, 69)
    const [first, sentence, ...rest] = stderr.split('\n')
    t.match(first, /^ bringing Node [\d.]+ from the npm registry \.\.\.$/)
    t.match(
      sentence,
      /^The npm registry https:\/\/registry\.example\/ does not answer: .*npm config set registry URL.*HTTPS_PROXY/,
    )
    t.strictSame(rest, [''])
  },
)

void t.test('a request of npm has a limit', async (t) => {
  const npm = 'case $1 in config | ping) ;; *) echo "$*" >&2; exit 1 ;; esac'
  const { stderr } = run(minimalMachine(t, { ...NODE_18, npm }), 'quickstart', [])
  t.match(stderr, /--fetch-retries=2 .*--fetch-timeout=60000/)
})

void t.test('a registry that never answers is asked once, before anything is brought', async (t) => {
  const npm = `case $1 in
    config) ${REGISTRY} ;;
    ping) echo "npm ERR! network timeout at: https://registry.example/-/ping $*" >&2; exit 1 ;;
    *) echo 'it was used' >&2; exit 1 ;;
  esac`
  const machine = minimalMachine(t, { ...NODE_18, npm })
  const { status, stderr } = run(machine, 'quickstart', [])
  t.equal(status, 69)
  t.match(stderr, /\nThe npm registry https:\/\/registry\.example\/ does not answer: /)
  const log = readFileSync(join(machine.checkout, '.cache', 'setup.log'), 'utf8')
  t.match(log, /--fetch-timeout=20000/)
  t.notMatch(log, 'it was used')
})

void t.test('a registry that knows no ping is used', async (t) => {
  const npm =
    'case $1 in config) ;; ping) echo "npm ERR! code E404" >&2; exit 1 ;; *) echo "it was used" >&2; exit 1 ;; esac'
  const { stderr } = run(minimalMachine(t, { ...NODE_18, npm }), 'quickstart', [])
  t.match(stderr, 'it was used')
})

void t.test('npm as a whole has a limit where timeout(1) exists', async (t) => {
  const timeout = 'case $2 in 1) ;; *) echo "limit of $2 s" >&2; exit 124 ;; esac'
  const npm = 'exit 0'
  const { status, stderr } = run(minimalMachine(t, { ...NODE_18, npm, timeout }), 'quickstart', [])
  t.equal(status, 69)
  t.match(stderr, /\nnpm was ended after 1800 s: bringing Node [\d.]+ from the npm registry did not get done\. /)
})

void t.test('without Debian package servers the sentence names their settings, with exit code 69', async (t) => {
  const machine = minimalMachine(t, {
    id: 'echo 0',
    env: 'shift; exec "$@"',
    'apt-get': "echo 'E: Temporary failure resolving deb.debian.org' >&2; exit 100",
  })
  const { status, stderr } = run(machine, 'quickstart', [])
  t.equal(status, 69)
  t.match(stderr, /\nThe Debian package servers do not answer: .*https_proxy.*sources\.list\.\n$/)
})

void t.test('a slow step is named repeatedly until it ends', async (t) => {
  // The first pause ends at once, the second one when the reminder is printed; npm waits for that.
  const sleep = 'if [ -e ../slept ]; then : >../reminded; exit 1; fi; : >../slept'
  const npm = 'while [ ! -e ../reminded ]; do :; done; exit 1'
  const machine = minimalMachine(t, { ...NODE_18, npm, sleep })
  const { stderr } = spawnSync(join(machine.checkout, 'bin', 'quickstart'), [], {
    cwd: machine.checkout,
    env: machine.environment,
    encoding: 'utf8',
  })
  t.match(
    stderr,
    /^ bringing Node ([\d.]+) from the npm registry \.\.\.\n {3}still bringing Node \1 from the npm registry, for 15 s\n/,
  )
})

void t.test('a checkout that another set-up has locked is waited for with a limit and a message', async (t) => {
  const { status, stderr } = run(minimalMachine(t, { ...NODE_18, flock: 'exit 1' }), 'quickstart', [])
  t.equal(status, 75)
  t.match(
    stderr,
    /^ waiting until another bin\/quickstart or bin\/test has set up this checkout, 900 s at most \.\.\.\nAnother process still holds /,
  )
})

void t.test('a checkout that may not be written is named with exit code 77', async (t) => {
  const machine = minimalMachine(t, NODE_18)
  // A file at the path of the folder, because root may write everywhere.
  writeFileSync(join(machine.checkout, '.cache'), '')
  const { status, stderr } = run(machine, 'quickstart', [])
  t.equal(status, 77)
  t.match(stderr, /may not write into \S+\/checkout \(.*\): .*clone into a folder of your own\.\n$/)
})

/** A machine where only the Debian packages are missing; its Node prints its arguments. */
function installedMachine(t: Test, stubs: Record<string, string> = {}): Machine {
  const machine = minimalMachine(t, {
    ...DEBIAN,
    sudo: 'exit 1',
    node: `case $1 in --version) echo v24.7.0 ;; *) printf '%s\\n' "$@" ;; esac`,
    npm: 'mkdir -p node_modules',
    ...stubs,
  })
  writeFileSync(join(machine.checkout, 'package-lock.json'), '{}')
  mkdirSync(join(machine.checkout, 'node_modules'))
  return machine
}

void t.test('an account without permission to install ffmpeg gets instructions to use its own', async (t) => {
  const { status, stdout } = run(installedMachine(t), 'quickstart', [])
  t.equal(status, 0)
  t.match(stdout, 'Not on this machine: ffmpeg. Install with: sudo apt-get install ffmpeg\n')
  t.match(stdout, 'PHLIX_FFMPEG=FOLDER/ffmpeg PHLIX_FFPROBE=FOLDER/ffprobe\n')
})

void t.test('PHLIX_FFMPEG and PHLIX_FFPROBE are used instead of the programs on PATH', async (t) => {
  const machine = installedMachine(t, { 'my-ffmpeg': '', 'my-ffprobe': '' })
  const sample = join(machine.checkout, 'scripts', 'make-sample-library.sh')
  mkdirSync(join(machine.checkout, 'scripts'))
  writeFileSync(sample, '#!/bin/sh\necho "the sample is made with $PHLIX_FFMPEG"\n', { mode: 0o755 })
  const own = { PHLIX_FFMPEG: join(machine.environment.PATH, 'my-ffmpeg'), PHLIX_FFPROBE: 'my-ffprobe' }
  const { status, stdout } = run({ ...machine, environment: { ...machine.environment, ...own } }, 'quickstart', [])
  t.equal(status, 0)
  t.match(stdout, `the sample is made with ${own.PHLIX_FFMPEG}\n`)
  t.notMatch(stdout, '--missing')
})

void t.test('a PHLIX_FFMPEG that is no program is named with exit code 78 before anything is installed', async (t) => {
  const machine = minimalMachine(t)
  const environment = { ...machine.environment, PHLIX_FFMPEG: '/nowhere/ffmpeg' }
  const { status, stderr } = run({ ...machine, environment }, 'quickstart', [])
  t.equal(status, 78)
  t.equal(stderr, 'quickstart: PHLIX_FFMPEG names no program: /nowhere/ffmpeg\n')
})

void t.test('packages that npm ci has installed by hand are not installed again', async (t) => {
  const node = `exec '${process.execPath}' "$@"`
  const machine = minimalMachine(t, { node, npm: 'echo "npm $*" >&2; exit 1' })
  const inCheckout = (path: string): string => join(machine.checkout, path)
  mkdirSync(inCheckout('scripts'))
  cpSync(join(root, 'scripts/are-packages-installed.ts'), inCheckout('scripts/are-packages-installed.ts'))
  const other = { version: '1.0.0', optional: true, os: ['none'] }
  const packages = {
    'node_modules/one': { version: '1.0.0', integrity: 'sha512-a' },
    'node_modules/tool': { version: '2.0.0', dev: true },
  }
  writeFileSync(
    inCheckout('package-lock.json'),
    JSON.stringify({ packages: { '': {}, ...packages, 'node_modules/x': other } }),
  )
  const installed = (record: object, names = Object.keys(record)): void => {
    rmSync(inCheckout('node_modules'), { recursive: true, force: true })
    for (const name of names) mkdirSync(inCheckout(name), { recursive: true })
    for (const name of names) writeFileSync(inCheckout(`${name}/package.json`), '{}')
    writeFileSync(inCheckout('node_modules/.package-lock.json'), JSON.stringify({ packages: record }))
  }
  const bring = (mode: string) => runAmongFunctions(machine, `find_node; bring_packages ${mode}`)
  installed(packages)
  t.match(bring('all'), { status: 0, stderr: '' })
  t.match(bring('runtime'), { status: 0, stderr: '' }, 'all include those for running')
  const { 'node_modules/one': one } = packages
  installed({ 'node_modules/one': one })
  t.match(bring('runtime'), { status: 0, stderr: '' })
  t.match(bring('all'), { status: 69, stderr: /installing npm packages/ }, 'packages for development are missing')
  installed({ 'node_modules/one': { ...one, version: '0.9.0' } })
  t.match(bring('runtime'), { status: 69 }, 'another version')
  installed({ 'node_modules/one': { ...one, integrity: 'sha512-b' } })
  t.match(bring('runtime'), { status: 69 }, 'another content')
  mkdirSync(inCheckout('node_modules/other'), { recursive: true })
  installed({ 'node_modules/one': one }, ['node_modules/other'])
  t.match(bring('runtime'), { status: 69 }, 'its folder was removed')
})

void t.test('npm pack in a fresh checkout brings the bundler and builds with a Node that is new enough', async (t) => {
  const machine = installedMachine(t, { npm: 'echo "npm $*" >&3; mkdir -p node_modules/esbuild' })
  for (const folder of ['scripts', 'contrib', 'docs', 'migrations']) mkdirSync(join(machine.checkout, folder))
  for (const file of ['CHANGELOG.md', 'LICENSE', 'README.md', 'package.json', 'scripts/prepack.sh']) {
    cpSync(join(root, file), join(machine.checkout, file))
  }
  const prepack = () =>
    spawnSync('sh', ['-c', 'sh scripts/prepack.sh 3>&1'], {
      cwd: machine.checkout,
      env: machine.environment,
      encoding: 'utf8',
    })
  const { stdout, stderr } = prepack()
  const [ci, ...written] = stdout.trim().split('\n')
  t.match(ci, /^npm ci .*--no-dry-run/, stderr)
  t.match(ci, '--omit=dev', 'the bundler is needed at run time too')
  t.strictSame(
    written,
    ['build.ts', 'write-release-files.ts'].map((name) => join(machine.checkout, 'scripts', name)),
  )
  t.equal(prepack().stdout, `${written.join('\n')}\n`, 'installed parts are not installed again')
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
    const { status, stderr } = run(minimalMachine(t), 'quickstart', words)
    t.equal(status, exit)
    t.match(stderr, message)
  })
}

void t.test('quickstart --help prints its page without setting anything up', async (t) => {
  const { status, stdout } = run(minimalMachine(t), 'quickstart', ['--help'])
  t.equal(status, 0)
  t.match(stdout, /^usage: bin\/quickstart \[MEDIA_DIR\]/)
  t.match(stdout, /Exit status: /)
})
