import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { processInstanceId, removeDeadLock, acquireProcessLock } from '../../../../src/core/platform/spawn/index.ts'
import { reachableDirectory } from '../../../support/directories.ts'
import { waitUntil } from '../../../support/wait-until.ts'

const address = 'http://127.0.0.1:8096'
const PROGRAM = `
  import { acquireProcessLock } from '${new URL('../../../../src/core/platform/spawn/index.ts', import.meta.url).href}'
  process.stdin.once('data', () => {
    const { holder } = acquireProcessLock({ path: process.argv.at(-1), address: 'http://child' })
    console.log(holder === undefined ? 'taken' : 'refused by ' + holder.pid)
  })
  console.log('ready')
`

/** A process that takes the lock on request and runs until it is killed. */
async function contender(path: string) {
  const child = spawn(process.execPath, ['--input-type=module', '-e', PROGRAM, path], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const next = async (): Promise<string> => String((await once(child.stdout, 'data'))[0]).trim()
  await next()
  const ask = (): Promise<string> => {
    const said = next()
    child.stdin.write('\n')
    return said
  }
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  return { pid: child.pid, ask, kill }
}

void t.test('one living process has the lock, and the others get its identity', async (t) => {
  const path = join(reachableDirectory(t), 'new', 'serve.lock')
  const first = await contender(path)
  t.equal(await first.ask(), 'taken')
  t.match(acquireProcessLock({ path, address }), { holder: { pid: first.pid, address: 'http://child' } })
  await first.kill()
  const own = acquireProcessLock({ path, address })
  t.equal(own.holder, undefined, 'who was killed holds nothing')
  own.release()
  own.release()
  t.strictSame(readdirSync(join(path, '..')), [], 'nothing is left')
})

void t.test('a killed process that is not reaped holds no lock', async (t) => {
  const path = join(reachableDirectory(t), 'serve.lock')
  // The shell starts the holder and never reaps it.
  const program = join(reachableDirectory(t), 'holder.mjs')
  writeFileSync(program, PROGRAM)
  const shell = spawn(
    'sh',
    ['-c', `(sleep 0.2; echo; sleep 600) | "$0" "$1" "$2" & exec sleep 600`, process.execPath, program, path],
    {
      detached: true,
      stdio: 'ignore',
    },
  )
  t.teardown(() => {
    process.kill(-(shell.pid ?? 0), 'SIGKILL')
  })
  const holderOf = (): { pid: number } | undefined => {
    try {
      return JSON.parse(readFileSync(path, 'utf8')) as { pid: number }
    } catch {
      return undefined
    }
  }
  await waitUntil('the holder has the lock', () => holderOf() !== undefined)
  const pid = holderOf()?.pid ?? 0
  process.kill(pid, 'SIGKILL')
  await waitUntil('it is a zombie', () => /\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8')))
  t.equal(acquireProcessLock({ path, address }).holder, undefined)
})

void t.test('one of eight concurrent processes gets the lock of a dead one', async (t) => {
  const path = join(reachableDirectory(t), 'serve.lock')
  const dead = await contender(path)
  await dead.ask()
  await dead.kill()
  const all = await Promise.all(Array.from({ length: 8 }, () => contender(path)))
  const answers = await Promise.all(all.map(({ ask }) => ask()))
  t.equal(answers.filter((answer) => answer === 'taken').length, 1, answers.join(', '))
  const holder = all[answers.indexOf('taken')]
  for (const answer of answers.filter((text) => text !== 'taken')) t.equal(answer, `refused by ${holder?.pid}`)
  await Promise.all(all.map(({ kill }) => kill()))
})

void t.test('a reused process id and a file with other content hold no lock (F-37)', (t) => {
  const [pid, , run] = processInstanceId().split('-')
  for (const text of [
    JSON.stringify({ mark: `1-1-${run}`, pid: 1, address }),
    JSON.stringify({ mark: `${pid}-1-${run}`, pid: Number(pid), address }),
    JSON.stringify({ mark: 5, pid: 'x', address }),
    JSON.stringify(null),
    '{"mark":',
    '',
    '\0\0\0\0',
  ]) {
    const path = join(reachableDirectory(t), 'serve.lock')
    writeFileSync(path, text)
    t.equal(acquireProcessLock({ path, address }).holder, undefined, text)
    t.match(JSON.parse(readFileSync(path, 'utf8')), { pid: process.pid, address })
  }
  t.end()
})

void t.test('a lock that another process has taken in the meantime is not released', (t) => {
  const path = join(reachableDirectory(t), 'serve.lock')
  const lock = acquireProcessLock({ path, address })
  const other = JSON.stringify({ mark: '1-1-x', pid: 1, address })
  writeFileSync(path, other)
  lock.release()
  t.equal(readFileSync(path, 'utf8'), other)
  t.end()
})

void t.test('only the lock of a dead process can be removed', (t) => {
  const path = join(reachableDirectory(t), 'serve.lock')
  const lock = acquireProcessLock({ path, address })
  removeDeadLock(path)
  t.match(JSON.parse(readFileSync(path, 'utf8')), { pid: process.pid })
  lock.release()
  writeFileSync(path, JSON.stringify({ mark: '999999999-1-x', pid: 999_999_999, address }))
  removeDeadLock(path)
  removeDeadLock(path)
  t.strictSame(readdirSync(join(path, '..')), [])
  t.end()
})

void t.test('the holder can change its address, and still releases the lock', (t) => {
  const path = join(reachableDirectory(t), 'serve.lock')
  const lock = acquireProcessLock({ path, address: 'http://[::]:0' })
  lock.setAddress('http://[::]:8096')
  t.match(acquireProcessLock({ path, address }), { holder: { pid: process.pid, address: 'http://[::]:8096' } })
  lock.release()
  lock.setAddress(address)
  t.strictSame(readdirSync(join(path, '..')), [])
  t.end()
})
