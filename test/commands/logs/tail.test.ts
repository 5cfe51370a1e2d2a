import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { isLineWanted } from '../../../src/core/platform/logging/index.ts'
import { readTimeSpan } from '../../../src/commands/_support/arguments/time-span.ts'
import { runPhlix, startPhlix, temporaryDataDirectory } from '../../support/phlix.ts'
import { waitUntil } from '../../support/wait-until.ts'

const data = await temporaryDataDirectory(t)
const file = join(data, 'logs', 'phlix.2026-03-01.1.log')
mkdirSync(join(data, 'logs'))
const line = (level: string, time: string, msg: string): string => `${JSON.stringify({ level, time, msg })}\n`
writeFileSync(
  file,
  line('info', '2026-03-01T10:00:00.000Z', 'old') +
    line('error', '2026-03-01T11:00:00.000Z', 'broken password=hunter22') +
    '  at a stack\n' +
    line('info', '2026-03-01T12:00:00.000Z', 'new'),
)
writeFileSync(join(data, 'logs', 'postgres.log'), '2026-03-01 11:30:00.000 UTC [7] ERROR:  duplicate key\n')
const run = (...words: string[]) => runPhlix(['logs:tail', ...words, '--data-dir', data])
const messages = async (...words: string[]) =>
  (JSON.parse((await run(...words, '--json')).stdout) as { lines: string[] }).lines.map((one) =>
    /"msg":"(\w+)|(at a stack)|(duplicate)/.exec(one)?.slice(1).find(Boolean),
  )

void t.test('lines are merged, filtered by level and time, and hold no secret', async (t) => {
  t.strictSame(await messages(), ['old', 'broken', 'at a stack', 'duplicate', 'new'])
  t.strictSame(await messages('--level', 'error'), ['broken', 'at a stack', 'duplicate'])
  t.strictSame(await messages('--since', '2026-03-01T11:15:00Z'), ['duplicate', 'new'])
  t.strictSame(await messages('--lines', '1'), ['new'])
  t.strictSame(await messages('--since', '1m'), [])
  const { stdout, stderr } = await run()
  t.notMatch(stdout, 'hunter22')
  t.match(stderr, /logging\.to_file is off.*to_file = true in \[logging\]/)
  for (const words of [
    ['--level', 'loud'],
    ['--since', 'yesterday'],
    ['--lines', '0'],
  ])
    t.equal((await run(...words)).code, 2)
})

void t.test('missing older lines are told, and lines of one file do not change the filter of another', async (t) => {
  const own = await temporaryDataDirectory(t)
  mkdirSync(join(own, 'logs'))
  const day = '2026-03-01T11:00'
  writeFileSync(
    join(own, 'logs', 'phlix.2026-03-01.1.log'),
    `${line('error', `${day}:01.000Z`, 'broken')}  at a stack\n${line('info', `${day}:03.000Z`, 'bell\\u0007')}\u001B[2Jx\n`,
  )
  writeFileSync(join(own, 'logs', 'postgres.log'), '2026-03-01 11:00:01.000 UTC [7] LOG:  fine\n\tdetail of fine\n')
  const tail = (...words: string[]) => runPhlix(['logs:tail', ...words, '--data-dir', own])
  const { lines, truncated } = JSON.parse((await tail('--level', 'error', '--json')).stdout) as {
    lines: string[]
    truncated: boolean
  }
  t.notOk(truncated)
  t.strictSame(
    lines.map((one) => one.slice(one.indexOf(']') + 2)).filter((one) => !one.startsWith('{')),
    ['  at a stack'],
  )
  t.match(JSON.parse((await tail('--lines', '1', '--json')).stdout), { truncated: true, to_file: false, warnings: [] })
  t.notMatch((await tail()).stdout, '\u001B')
  const long = line('info', `${day}:00.000Z`, 'x'.repeat(200)).repeat(6000)
  writeFileSync(join(own, 'logs', 'phlix.2026-03-01.1.log'), long)
  t.match(await tail('--level', 'error'), { stderr: /older lines that match may be missing/ })
})

void t.test('--follow goes on with new lines of old and new files until a signal', async (t) => {
  const { child, result } = startPhlix(['logs:tail', '--follow', '--level', 'warning', '--data-dir', data])
  let shown = ''
  child.stdout?.on('data', (text: string) => (shown += text))
  await waitUntil('the old lines are shown', async () => shown.includes('duplicate'))
  // Lines that are written before the command follows are not shown, so they are written until one is.
  await waitUntil('a new line is shown', async () => {
    appendFileSync(
      file,
      line('warning', '2026-03-01T13:00:00.000Z', 'appended') + line('info', '2026-03-01T13:00:00.000Z', 'quiet'),
    )
    return shown.includes('appended')
  })
  writeFileSync(join(data, 'logs', 'phlix.2026-03-02.1.log'), line('error', '2026-03-02T00:00:00.000Z', 'rotated'))
  await waitUntil('a line of a new file is shown', async () => shown.includes('[phlix.2026-03-02.1.log]'))
  child.kill('SIGINT')
  t.equal((await result).code, 130)
  t.notMatch(shown, 'quiet')
})

void t.test('times and levels', (t) => {
  const clock = { now: () => new Date('2026-03-01T12:00:00Z') }
  t.strictSame(readTimeSpan('90m', clock), new Date('2026-03-01T10:30:00Z'))
  t.strictSame(readTimeSpan('2026-02-28', clock), new Date('2026-02-28'))
  for (const bad of ['', '5', '5w', '2026-13-01', '2026-02-01T99:00Z'])
    t.throws(() => readTimeSpan(bad, clock), { code: 'usage' })
  const warn = '{"level":"warn","time":"2026-03-01T12:00:00.000Z","msg":""}'
  t.ok(isLineWanted(warn, { level: 'warning' }, false))
  t.notOk(isLineWanted(warn, { level: 'error' }, true))
  t.end()
})
