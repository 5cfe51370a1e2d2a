import { getHeapStatistics } from 'node:v8'
import { sql } from 'slonik'
import t from 'tap'
import { createGarbageCollector } from '../../../../src/core/platform/threads/index.ts'
import { testDatabase } from '../../../support/database.ts'

const MEBIBYTE = 1024 * 1024

void t.test('the texts of rows are freed by a collection of the young generation', async (t) => {
  const { pool } = await testDatabase(t)
  const { collectYoungGeneration, collectWholeHeap } = createGarbageCollector()
  const read = async (times: number): Promise<void> => {
    for (let time = 1; time <= times; time += 1) {
      await pool.oneFirst(sql.unsafe`select repeat('x', 100000)`)
      // A text that survives two collections is in the old generation.
      if (time % 10 === 0) collectYoungGeneration()
    }
    collectYoungGeneration()
  }
  await read(20)
  collectWholeHeap()
  const before = getHeapStatistics().used_heap_size
  await read(200)
  const grownMebibytes = (getHeapStatistics().used_heap_size - before) / MEBIBYTE
  t.ok(grownMebibytes < 6, `200 texts of 100 kB were read, and the heap grew by ${grownMebibytes.toFixed(1)} MiB`)
})
