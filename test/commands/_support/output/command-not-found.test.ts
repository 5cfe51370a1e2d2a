import t from 'tap'
import { PHLIX_WORDS, runPhlix, runShell } from '../../../support/phlix.ts'

const NEAREST: readonly [words: string[], message: string, hint: string][] = [
  [['libary:scan', 'Films'], 'There is no command libary:scan', 'did you mean phlix library:scan?'],
  [['libary', 'scan'], 'There is no command libary:scan', 'did you mean phlix library:scan?'],
  [['libary', 'scan', 'Films'], 'There is no command libary', 'did you mean phlix library:scan?'],
  [['mirgate'], 'There is no command mirgate', 'did you mean phlix migrate?'],
  [['Migrate', 'now'], 'There is no command Migrate:now', 'did you mean phlix migrate?'],
  [['libary'], 'There is no command libary', 'phlix help library'],
  [['library', 'frobnicate'], 'There is no command library:frobnicate', 'phlix help library'],
  [['-v'], '-v needs a command before it', 'phlix help'],
  [['frobnicate'], 'There is no command frobnicate', 'phlix help'],
]

void t.test('an unknown command exits 127 and names the nearest one, without asking', async (t) => {
  for (const [words, message, hint] of NEAREST) {
    const { code, stdout, stderr } = await runPhlix(words)
    t.equal(code, 127, words.join(' '))
    t.equal(stdout, '')
    t.equal(stderr, `error: ${message} (unknown_command)\nhint: ${hint}\n`)
  }
})

void t.test('on a terminal it is the same, also on one that can do nothing', async (t) => {
  const terminal = "script -qec 'phlix_words mirgate; echo exit $?' /dev/null < /dev/null"
  for (const name of ['dumb', 'xterm-256color']) {
    const { stdout } = await runShell(terminal.replace('phlix_words', PHLIX_WORDS), { TERM: name, NO_COLOR: '1' })
    t.match(
      stdout,
      /error: There is no command mirgate \(unknown_command\)\r?\nhint: did you mean phlix migrate\?\r?\nexit 127/,
    )
  }
})

void t.test('with --json it is one document', async (t) => {
  const { code, stdout, stderr } = await runPhlix(['mirgate', '--json'])
  t.strictSame([code, stderr], [127, ''])
  t.strictSame(JSON.parse(stdout), {
    error: {
      code: 'unknown_command',
      message: 'There is no command mirgate',
      exit: 127,
      details: {},
      hint: 'did you mean phlix migrate?',
    },
  })
  const all = await runPhlix(['mirgate'], { environment: { PHLIX_CONTENT_TYPE: 'json' } })
  t.equal(all.stdout, stdout)
})

void t.test('arguments that cannot be commands are not repeated', async (t) => {
  for (const words of [['S3CRET-canary!'], ['user', 'S3CRET canary', 'x'], ['x'.repeat(5000)]]) {
    const { code, stdout, stderr } = await runPhlix(words)
    t.equal(code, 127)
    t.notMatch(stdout + stderr, /S3CRET|xxxxx/)
  }
})
