import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { testDatabase } from '../../support/database.ts'
import {
  PHLIX_WORDS,
  runEntry,
  runPhlix,
  runPhlixProcess,
  runShell,
  startPhlix,
  temporaryDataDirectory,
  type PhlixResult,
} from '../../support/phlix.ts'

const CANARY = 'S3CRET-canary'
const root = join(import.meta.dirname, '..', '..', '..')
const warningCommand = join(import.meta.dirname, 'warning-command.ts')

function failureOf(result: PhlixResult): { code: string; message: string; exit: number; hint: string | null } {
  return (JSON.parse(result.stdout) as { error: ReturnType<typeof failureOf> }).error
}

function runWarningCommand(words: readonly string[], environment: Record<string, string> = {}): Promise<PhlixResult> {
  return runEntry(warningCommand, words, { environment })
}

void t.test('a command is found by its colon form and by its space form', async (t) => {
  const [colon, space] = await Promise.all([
    runPhlix(['config:show', '--plain']),
    runPhlix(['config', 'show', '--plain']),
  ])
  t.equal(colon.code, 0)
  t.match(colon.stdout, /^server\.host\t/)
  t.equal(space.stdout, colon.stdout)
})

void t.test('--json prints exactly one document on stdout and nothing on stderr', async (t) => {
  const { code, stdout, stderr } = await runPhlixProcess(['version', '--json'])
  t.equal(code, 0)
  const document = JSON.parse(stdout) as Record<string, unknown>
  t.match(document, { schema: 'version/1', name: 'phlix', version: /^\d/, node: process.version, warnings: [] })
  t.equal(stderr, '')
})

void t.test('PHLIX_CONTENT_TYPE=json turns JSON on for results and for failures', async (t) => {
  const environment = { PHLIX_CONTENT_TYPE: 'json' }
  const [good, bad] = await Promise.all([
    runPhlix(['version'], { environment }),
    runPhlix(['version', '--nope'], { environment }),
  ])
  t.equal((JSON.parse(good.stdout) as { schema: string }).schema, 'version/1')
  t.match(failureOf(bad), { code: 'usage', exit: 2 })
})

void t.test('the JSON document has no colours, even when they are forced', async (t) => {
  const { stdout } = await runPhlixProcess(['version', '--json'], { environment: { FORCE_COLOR: '1' } })
  t.notOk(stdout.includes('\u001B'))
})

void t.test('warnings are part of the JSON document, and go to stderr otherwise', async (t) => {
  const [json, text, quiet] = await Promise.all([
    runWarningCommand(['--json']),
    runWarningCommand([]),
    runWarningCommand(['-q']),
  ])
  t.strictSame(JSON.parse(json.stdout), { schema: 'warning/1', done: true, warnings: ['first', 'second'] })
  t.equal(json.stderr, '')
  t.strictSame([text.stdout, text.stderr], ['done\n', 'warning: first\nwarning: second\n'])
  t.strictSame([quiet.stdout, quiet.stderr], ['', ''], 'cron has nothing to mail')
})

void t.test('a partial result keeps its exit code, with and without --json', async (t) => {
  const run = (flags: string) => runShell(`"${process.execPath}" "${warningCommand}" --partial ${flags}`)
  const [text, json] = await Promise.all([run(''), run('--json')])
  t.strictSame([text.code, text.stdout], [3, 'done\n'])
  t.equal(json.code, 3)
  t.match(JSON.parse(json.stdout), { done: true })
})

void t.test('an unexpected failure is one document or two lines, without a stack unless -vv is given', async (t) => {
  const cases: [word: string, code: string, exit: number][] = [
    ['ENOSPC', 'io_error', 74],
    ['EACCES', 'denied', 77],
    ['nonsense', 'internal', 1],
  ]
  for (const [word, code, exit] of cases) {
    const [json, text] = await Promise.all([
      runWarningCommand(['--fail', word, '--json']),
      runWarningCommand(['--fail', word]),
    ])
    t.equal(json.code, exit, `${word} exits ${exit}`)
    t.match(failureOf(json), { code, exit, message: 'it broke' })
    t.equal(text.code, exit)
    t.match(text.stderr, `error: it broke (${code})\n`)
    t.notMatch(text.stderr, /\n\s+at /)
  }
  t.match((await runWarningCommand(['--fail', 'nonsense', '-vv'])).stderr, /\n\s+at /)
})

void t.test('a database that goes away in the middle exits 69', async (t) => {
  const data = await temporaryDataDirectory(t)
  const { environment } = await testDatabase(t)
  const { code, stdout } = await runWarningCommand(['--query', '--json', '--data-dir', data], environment)
  t.equal(code, 69)
  t.match(JSON.parse(stdout), { error: { code: 'database_unavailable', details: { retry_after_seconds: 2 } } })
})

void t.test('every way to write a command line wrongly exits 2, as one document under --json', async (t) => {
  const cases: [claim: string, words: string[], message: RegExp][] = [
    ['an unknown flag', ['config:show', '--orgin'], /^Unknown flag --orgin$/],
    ['an unknown letter', ['config:show', '-x'], /^Unknown flag -x$/],
    [
      'a value that is no choice',
      ['version', '--progress', 'loud'],
      /^--progress must be one of: auto, plain, json, none$/,
    ],
    ['a flag without its value', ['version', '--data-dir'], /^Flag --data-dir expects a value$/],
    ['a flag given twice', ['version', '-c', 'a', '-c', 'b'], /^Flag --config can only be specified once$/],
    ['an argument too many', ['version', 'now'], /^Takes no argument$/],
    ['two arguments too many', ['user:reset-password', 'bob', 'x', 'y'], /^Takes only USER$/],
    ['a missing argument', ['user:reset-password'], /^Missing USER \(username or e-mail address\)$/],
    ['a missing flag', ['user:create', 'bob'], /^Missing required flag email$/],
    ['two passwords', ['user:reset-password', 'bob', '--password=a', '--password-stdin'], /^Give only one of/],
    ['an empty password', ['user:reset-password', 'bob', '--password='], /^The password is empty$/],
  ]
  for (const [claim, words, message] of cases) {
    const json = await runPhlix([...words, '--json'])
    t.equal(json.code, 2, claim)
    t.match(failureOf(json), { code: 'usage', exit: 2, message })
    t.equal(json.stderr, '')
  }
  const text = await runPhlix(['config:show', '--orgin'])
  t.strictSame(
    [text.code, text.stdout, text.stderr],
    [2, '', 'error: Unknown flag --orgin (usage)\nhint: did you mean --origin?\n'],
  )
})

void t.test('a secret on a wrong command line is repeated nowhere', async (t) => {
  const lines = [
    ['user:reset-password', 'bob', `--password=${CANARY}`, '--nope'],
    ['user:reset-password', 'bob', `--password=${CANARY}`, '--nope', '--json'],
    ['user:reset-password', 'bob', `--pasword=${CANARY}`, '--json'],
    ['user:reset-password', 'bob', `--pasword`, CANARY, '--json'],
    ['user:reset-password', 'bob', `--${CANARY}`],
    ['user:reset-password', 'bob', `-p${CANARY}`],
    ['user:reset-password', 'bob', CANARY],
    ['user:reset-password', 'bob', `--password=${CANARY}`, '--password-stdin', '--json'],
    ['user:reset-password', 'bob', `--password=${CANARY}`, `--password=${CANARY}`],
    ['user:reset-password', 'bob', `--password=${CANARY}`, '--progress=loud'],
    ['user:create', 'bob', `--password=${CANARY}`],
    ['config:show', '--json'],
  ]
  for (const words of lines) {
    const environment = { DB_PASSWORD: CANARY, JWT_SECRET: CANARY }
    const { stdout, stderr, code } = await runPhlix(words, { environment })
    t.notMatch(stdout + stderr, CANARY, words.join(' '))
    t.equal(code, words[0] === 'config:show' ? 0 : 2)
  }
})

void t.test('a secret in a configuration file that cannot be read is repeated nowhere', async (t) => {
  const file = join(t.testdir({ 'config.toml': `[database]\npassword = "${CANARY}\nport = 1\n` }), 'config.toml')
  for (const json of [['--json'], []]) {
    const { code, stdout, stderr } = await runPhlix(['config:show', '-c', file, ...json])
    t.equal(code, 78)
    t.notMatch(stdout + stderr, CANARY)
    t.match(stdout + stderr, /config\.toml cannot be read: Invalid TOML document: .* \(line 2\)/)
  }
})

void t.test('an unknown command exits 127 and starts nothing', async (t) => {
  const { code, stdout, stderr } = await runPhlix(['libary:list'])
  t.equal(code, 127)
  t.equal(stdout, '')
  t.match(stderr, /There is no command libary:list/)
})

void t.test('a missing argument is not read from standard input, which may contain a password', async (t) => {
  const result = await runPhlix(['user:reset-password', '--password-stdin', '--json'], { input: `${CANARY}\n` })
  t.match(failureOf(result), { code: 'usage', exit: 2, message: /^Missing USER/ })
  for (const path of globSync('src/commands/**/*.ts', { cwd: root })) {
    const text = readFileSync(join(root, path), 'utf8')
    t.equal(text.split('Args.string(').length, text.split('ignoreStdin: true').length, path)
  }
})

void t.test('the command line has no npm plugin commands', async (t) => {
  t.equal((await runPhlix(['plugins:install', 'x'])).code, 127)
})

void t.test('a closed output pipe is not a failure', async (t) => {
  const { child, result } = startPhlix(['exit-codes', '--json'])
  child.stdout?.destroy()
  t.match(await result, { code: 0, signal: null, stderr: '' })
  const piped = await runShell(
    'i=0; while [ $i -lt 3 ]; do { phlix exit-codes; echo "exit $?" >&2; } | head -1; i=$((i+1)); done',
  )
  t.equal(piped.stderr, 'exit 0\nexit 0\nexit 0\n')
})

void t.test('a result that cannot be written exits 74', async (t) => {
  for (const words of ['version', 'version --json']) {
    const { stderr, code } = await runShell(`phlix ${words} > /dev/full`)
    t.strictSame([code, stderr], [74, 'error: the result could not be written: ENOSPC (io_error)\n'])
  }
})

void t.test('colours are judged per stream', async (t) => {
  // script(1) provides a terminal; redirected streams inside are not terminals.
  const onTerminal = (words: string, environment: Record<string, string> = {}): Promise<PhlixResult> =>
    runShell(`script -qec '${PHLIX_WORDS} ${words}' /dev/null`, { TERM: 'xterm', ...environment })
  const plainStdout = await onTerminal('exit-codes | cat')
  t.notOk(plainStdout.stdout.includes('\u001B['), 'a piped stdout has none, though stderr is a terminal')
  const both = await onTerminal('exit-codes')
  t.ok(both.stdout.includes('\u001B[1m'), 'a terminal has them')
  for (const [claim, words, environment] of [
    ['NO_COLOR', 'exit-codes', { NO_COLOR: '1' }],
    ['--no-color', 'exit-codes --no-color', {}],
    ['TERM=dumb', 'exit-codes', { TERM: 'dumb' }],
  ] as const) {
    t.notOk((await onTerminal(words, environment)).stdout.includes('\u001B['), claim)
  }
  const failing = await onTerminal('version --nope 2>&1 >/dev/null')
  t.ok(failing.stdout.includes('\u001B[31m'), 'errors are red on a terminal')
})

void t.test('no flag uses oclif’s `exclusive`, whose message repeats the value', (t) => {
  for (const path of globSync('src/commands/**/*.ts', { cwd: root })) {
    t.notMatch(readFileSync(join(root, path), 'utf8'), /\bexclusive:/, path)
  }
  t.end()
})

void t.test('command files load nothing heavy, such as the index of oclif, before the command line is read', (t) => {
  // The layer check permits core/views no code beside core/platform/config and core/platform/time.
  const light =
    /^(@oclif\/core\/(args|command|errors|flags|help|hooks)|node:[a-z/]+|\.\.?\/(?!.*core\/)[\w./-]+|(\.\.\/)+core\/(platform\/(config|errors|time)|views)\/index\.ts)$/
  let imports = 0
  // `phlix schema` loads its schemas when it runs.
  for (const path of globSync('src/commands/**/*.ts', { cwd: root, exclude: ['src/commands/_support/schemas/**'] })) {
    for (const match of readFileSync(join(root, path), 'utf8').matchAll(/^import (?!type )[^']*'([^']+)'/gm)) {
      imports += 1
      t.match(match[1], light, `${path} imports ${match[1]}`)
    }
  }
  t.ok(imports > 20, `${imports} imports were found`)
  t.end()
})

void t.test('`phlix` alone prints the short help and ends', async (t) => {
  const { code, stdout, stderr } = await runPhlixProcess([])
  t.equal(code, 0)
  t.match(stdout, /library/)
  t.match(stdout, /version/)
  t.equal(stderr, '')
})
