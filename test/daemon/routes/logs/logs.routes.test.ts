import { appendFileSync, mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { createRecentLines } from '../../../../src/core/platform/logging/index.ts'
import { pick, startApp } from '../../../support/app.ts'
import { movableClock } from '../../../support/records.ts'

const PATH = '/api/v1/admin/logs'

void t.test('the log for administrators', async (t) => {
  const clock = movableClock('2026-03-01T12:00:00.000Z')
  const recentLines = createRecentLines(clock)
  const app = await startApp(t, { recentLines })
  const { token } = await app.registerAdmin()
  const { token: other } = await app.registerUser()
  const ask = (path: string) => app.ask('GET', `${PATH}${path}`, { token })
  const ours = (time: string, msg: string): string => JSON.stringify({ level: 'info', time, msg })
  const directory = join(app.services.config.dataDirectory, 'logs')
  const write = (name: string, text: string, time = '2026-03-01T11:00:00Z'): void => {
    mkdirSync(directory, { recursive: true })
    writeFileSync(join(directory, name), text)
    utimesSync(join(directory, name), new Date(time), new Date(time))
  }
  rmSync(directory, { recursive: true, force: true })

  await t.test('other users may not read it', async (t) => {
    for (const path of ['', '/tail?file=phlix.log', '/tail-all']) {
      t.equal((await app.ask('GET', `${PATH}${path}`)).status, 401)
      t.match(await app.ask('GET', `${PATH}${path}`, { token: other }), {
        status: 403,
        json: { code: 'auth.not_admin' },
      })
    }
  })

  await t.test('without log files the lines in memory are returned', async (t) => {
    for (const second of ['00', '01', '02']) recentLines.write(`${ours(`2026-03-01T12:00:${second}.000Z`, second)}\n`)
    const size = recentLines.characters()
    const modified = '2026-03-01T12:00:00.000Z'
    t.strictSame((await ask('')).json, { files: [{ name: 'phlix.log', size, modified_at: modified }] })
    const { status, json } = await ask('/tail?file=phlix.log&lines=2')
    t.equal(status, 200)
    const lines = [ours('2026-03-01T12:00:01.000Z', '01'), ours('2026-03-01T12:00:02.000Z', '02')]
    t.strictSame(json, { file: 'phlix.log', lines, truncated: true })
    t.match((await ask('/tail?file=phlix.log&lines=3')).json, { truncated: false })
  })

  await t.test('all logs are merged by their times, each line with its name', async (t) => {
    write(
      'postgres.log',
      '2026-03-01 12:00:00.500 UTC [7] ERROR:  duplicate key\n2026-03-01 12:00:01.500 UTC [7] DETAIL:  first\n\tsecond\n',
    )
    const { json } = await ask('/tail-all')
    t.match(pick(json, 'files'), ['phlix.log', 'postgres.log'])
    t.equal(pick(json, 'truncated'), false)
    t.match(pick(json, 'lines'), [
      /^\[phlix\.log\] \{.*"00"\}$/,
      /^\[postgres\.log\] .* duplicate key$/,
      /^\[phlix\.log\] \{.*"01"\}$/,
      /^\[postgres\.log\] .* first$/,
      /^\[postgres\.log\] \tsecond$/,
      /^\[phlix\.log\] \{.*"02"\}$/,
    ])
    const two = (await ask('/tail-all?lines=2')).json
    t.match(two, { truncated: true, lines: [/second$/, /"02"\}$/] })
    t.equal((pick(two, 'lines') as string[]).length, 2)
  })

  await t.test('the end of a long file is read, and long lines are cut', async (t) => {
    const name = 'phlix.2026-02-28.1.log'
    write(name, Array.from({ length: 20_000 }, (_, index) => `line ${index} ${'é'.repeat(40)}\n`).join(''))
    const tail = async (lines: number) =>
      pick((await ask(`/tail?file=${name}&lines=${lines}`)).json, 'lines') as string[]
    t.equal((await tail(5)).length, 5)
    t.match((await tail(5)).at(-1), /^line 19999 é{40}$/)
    t.match((await tail(2000)).at(0), /^line 18000 é{40}$/)
    t.equal((await tail(1e9)).length, 2000)
    t.equal((await tail(-1)).length, 1)
    appendFileSync(join(directory, name), 'x'.repeat(3 * 1024 * 1024))
    const [long = ''] = await tail(1)
    t.equal(long.length, 8193, 'a line of three MiB without an end')
    write(name, '')
    t.strictSame(await tail(5), [])
  })

  await t.test('secrets are not shown, also in lines of the database', async (t) => {
    recentLines.write(ours('2026-03-01T12:00:03.000Z', 'asked /x?sig=canary'))
    write('postgres.log', 'DETAIL:  Failing row contains (ann, $argon2id$v=19$m=1,t=1,p=1$canary$canary).\n')
    for (const path of ['/tail-all', '/tail?file=phlix.log', '/tail?file=postgres.log']) {
      const { text } = await ask(path)
      t.match(text, '[redacted]')
      t.notMatch(text, 'canary')
    }
  })

  await t.test('only listed files can be read', async (t) => {
    writeFileSync(join(app.services.config.dataDirectory, 'secret.log'), 'canary')
    symlinkSync(join(app.services.config.dataDirectory, 'secret.log'), join(directory, 'link.log'))
    mkdirSync(join(directory, 'folder.log'))
    write('notes.txt', 'canary')
    const names = (pick((await ask('')).json, 'files') as { name: string }[]).map(({ name }) => name)
    t.strictSame(names.toSorted(), ['phlix.2026-02-28.1.log', 'phlix.log', 'postgres.log'])
    for (const name of [
      'link.log',
      'folder.log',
      'notes.txt',
      '../secret.log',
      '/etc/passwd',
      '.',
      '%00',
      'x'.repeat(5000),
    ]) {
      const answer = await ask(`/tail?file=${encodeURIComponent(name)}`)
      t.match(answer, { status: 404, json: { code: 'log_not_found' } }, name.slice(0, 20))
    }
    t.match(await ask('/tail'), { status: 400, json: { field: 'file' } })
    t.match(await ask('/tail-all?lines=many'), { status: 400, json: { field: 'lines' } })
  })
})
