import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import t from 'tap'

const READING = join(import.meta.dirname, '../../../../src/core/probing/reading')

/**
 * Prints how many threads of a process have a lower priority than its main thread: after files that clients wait for, and after a file of
 * a scan. The process has one reader.
 */
const SCRIPT = `
import { readdirSync, readFileSync } from 'node:fs'
const { createReaderPool } = await import(${JSON.stringify(join(READING, 'reader-pool.ts'))})
const niceOf = (path) => {
  const stat = readFileSync(path, 'utf8')
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16])
}
const lowered = () =>
  readdirSync('/proc/self/task').filter((id) => niceOf('/proc/self/task/' + id + '/stat') > niceOf('/proc/self/stat')).length
const pool = createReaderPool({ threads: 1 })
const file = { root: '/tmp', path: '/tmp/no-such-file.m4b', sizeBytes: 1, sidecars: [] }
await pool.read({ ...file, as: 'cover' })
await pool.read({ ...file, as: 'index', streamIndex: 0 })
const forClients = lowered()
await pool.read({ ...file, as: 'audiobook' })
console.log(JSON.stringify({ forClients, forScans: lowered() }))
await pool.close()
`

const linuxOnly = { skip: process.platform === 'linux' ? false : 'threads have priorities of their own on Linux alone' }

void t.test('a reader has a lower priority from the first file of a scan on, and not for clients', linuxOnly, (t) => {
  const script = join(t.testdir({ 'read.mjs': SCRIPT }), 'read.mjs')
  const { forClients, forScans } = JSON.parse(execFileSync(process.execPath, [script], { encoding: 'utf8' })) as {
    forClients: number
    forScans: number
  }
  t.equal(forClients, 0)
  t.ok(forScans > 0, `${forScans} threads`)
  t.end()
})
