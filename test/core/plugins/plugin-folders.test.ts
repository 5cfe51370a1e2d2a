import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { unpackArchive } from '../../../src/core/plugins/archive/unpack-archive.ts'
import { moveToPlace, pluginsFolder, removeLeftovers } from '../../../src/core/plugins/plugin-folders.ts'
import { tarGz } from '../../support/plugin-archives.ts'

const ENTRIES = 60

/** Turns of the event loop while work runs: none if it blocks the process. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let [turns, isRunning] = [0, true]
  const count = (): void => {
    turns += 1
    if (isRunning) setImmediate(count)
  }
  setImmediate(count)
  await work()
  isRunning = false
  return turns
}

void t.test('files of a plugin are moved, sealed and synchronised without blocking the process', async (t) => {
  const data = t.testdir({ from: {} })
  const [from, to] = [join(data, 'from'), join(pluginsFolder(data), 'phlix-plugin-a', '1.0.0-a')]
  for (let index = 0; index < ENTRIES; index += 1) {
    mkdirSync(join(from, `${index}`, 'inner'), { recursive: true, mode: 0o700 })
    writeFileSync(join(from, `${index}`, 'inner', 'file'), `${index}`, { mode: 0o600 })
  }
  mkdirSync(to, { recursive: true })
  writeFileSync(join(to, 'left over'), 'of a killed installation')
  const turns = await turnsDuring(async () => moveToPlace(from, to))
  t.ok(turns >= ENTRIES, `${turns} turns`)
  t.notOk(existsSync(from))
  t.notOk(existsSync(join(to, 'left over')))
  for (let index = 0; index < ENTRIES; index += 1) {
    const file = join(to, `${index}`, 'inner', 'file')
    t.equal(readFileSync(file, 'utf8'), `${index}`)
    const modes = [file, join(file, '..'), join(file, '..', '..')].map((path) => statSync(path).mode & 0o777)
    t.strictSame(modes, [0o444, 0o755, 0o755])
  }
})

void t.test('folders that no row names are removed without blocking the process', async (t) => {
  const data = t.testdir({})
  mkdirSync(join(pluginsFolder(data), ...Array.from({ length: ENTRIES }, () => 'deeper')), { recursive: true })
  const turns = await turnsDuring(async () => removeLeftovers(data, []))
  t.ok(turns >= ENTRIES, `${turns} turns`)
  t.notOk(existsSync(join(pluginsFolder(data), 'deeper')))
})

void t.test('an archive is unpacked without blocking the process', async (t) => {
  const folder = t.testdir({})
  const bytes = await tarGz(
    Array.from({ length: ENTRIES }, (_, index) => ({ path: `${index}/file`, content: `${index}` })),
  )
  const turns = await turnsDuring(async () => unpackArchive(bytes, { folder }))
  t.ok(turns >= ENTRIES, `${turns} turns`)
  t.equal(readFileSync(join(folder, '59', 'file'), 'utf8'), '59')
})
