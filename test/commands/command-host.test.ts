import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { runEntry, runPhlix, runPhlixProcess, type PhlixResult } from '../support/phlix.ts'

const folder = t.testdir({})

/** Runs this text as an entry file in the host. */
async function runText(name: string, text: string, words: string[] = []): Promise<PhlixResult> {
  const entry = join(folder, `${name}.mjs`)
  await writeFile(entry, text)
  return runEntry(entry, words)
}

/** Prints a document with the state of the process at the start of a command. */
const LOOK = `
  let input = ''
  for await (const part of process.stdin) input += part
  const names = Object.keys(process.env).filter((name) => !['PATH', 'HOME'].includes(name))
  const listeners = ['SIGINT', 'SIGTERM', 'uncaughtException'].map((name) => process.listenerCount(name))
  console.log(JSON.stringify({ words: process.argv.slice(2), names, listeners, input }))
`
const lookAround = async (...words: string[]): Promise<object> =>
  JSON.parse((await runText('look', LOOK, words)).stdout) as object

void t.test('a command has the same output and exit code in the host as in a separate process', async (t) => {
  const nowhere = { environment: { DB_HOST: '127.0.0.1', DB_PORT: '1' } }
  for (const words of [
    ['config:show', '--json'],
    ['library:scan', '--help'],
    ['config:show', '--orgin'],
    ['no:such'],
    ['library:list', '--data-dir', folder],
  ]) {
    const [hosted, own] = [await runPhlix(words, nowhere), await runPhlixProcess(words, nowhere)]
    t.strictSame(hosted, own, words.join(' '))
  }
})

void t.test('a command gets its own arguments and environment, and no state of an earlier one', async (t) => {
  const left = `
    process.env.LEFT = 'behind'
    process.exitCode = 7
    for (const name of ['SIGINT', 'SIGTERM', 'uncaughtException']) process.on(name, () => {})
    for (let number = 0; number < 20; number += 1) process.stdout.on('error', () => {})
  `
  const clean = await lookAround('a', 'b')
  t.match(clean, { words: ['a', 'b'], names: { length: 0 }, input: '' })
  t.match(await runText('left', left), { code: 7, stdout: '' })
  t.strictSame(await lookAround('a', 'b'), clean)
  t.strictSame(await runText('quiet', ''), { code: 0, signal: null, stdout: '', stderr: '' })
})

void t.test('commands that are started together run sequentially, each with its own output', async (t) => {
  const text = `
    const [word] = process.argv.slice(2)
    for (const stream of [process.stdout, process.stderr]) stream.write(word.repeat(1_000_000))
    setImmediate(() => process.stdout.write('end'))
  `
  const words = ['a', 'b', 'c']
  const results = await Promise.all(words.map((word) => runText('long', text, [word])))
  for (const [index, word] of words.entries()) {
    const { code, stdout, stderr } = results[index] ?? {}
    t.equal(code, 0)
    t.ok(stdout === `${word.repeat(1_000_000)}end`)
    t.ok(stderr === word.repeat(1_000_000))
  }
})

void t.test('a command that ends or breaks its process is reported, and the next one finds a new host', async (t) => {
  const said = `process.stdout.write('said')`
  t.strictSame(await runText('ends', `${said}; process.exit(5)`), { code: 5, signal: null, stdout: 'said', stderr: '' })
  t.match(await lookAround('a'), { words: ['a'] })
  t.match(await runText('killed', `${said}; process.kill(process.pid, 'SIGKILL')`), { code: null, signal: 'SIGKILL' })
  t.match(await runText('throws', `setImmediate(() => { throw new Error('broken') })`), { code: 1, stderr: /broken/ })
  t.match(await runText('rejects', `await Promise.reject(new Error('broken'))`), { code: 1, stderr: /broken/ })
  t.match(await runText('waits', `await new Promise(() => {})`), { code: 13 }, 'as Node itself has it')
  t.match(await lookAround('b'), { words: ['b'] })
})
