import { hash } from 'node:crypto'
import t from 'tap'
import { createVisitedFolders } from '../../../../src/core/scanning/job/visited-folders.ts'

const hashOf = (text: string): Buffer => hash('sha256', text, 'buffer')

void t.test('added entries are present and no others, far beyond the initial size', (t) => {
  const seen = createVisitedFolders()
  for (let index = 0; index < 50_000; index += 2) seen.add(hashOf(`${index}`))
  let wrong = 0
  for (let index = 0; index < 50_000; index += 1) if (seen.has(hashOf(`${index}`)) !== (index % 2 === 0)) wrong += 1
  t.equal(wrong, 0)
  t.end()
})

void t.test('adding is idempotent, and keys that collide or are zero are distinguished', (t) => {
  const seen = createVisitedFolders()
  // The lowest bits select the slot, so all of these collide.
  const keys = [0n, 1024n, 2048n, 4096n, 1n << 40n].map((key) => {
    const bytes = Buffer.alloc(32)
    bytes.writeBigUInt64LE(key)
    return bytes
  })
  for (const key of [...keys, ...keys]) seen.add(key)
  for (const key of keys) t.ok(seen.has(key))
  const other = Buffer.alloc(32)
  other.writeBigUInt64LE(8192n)
  t.notOk(seen.has(other))
  t.end()
})
