import t from 'tap'
import { batchesByLength } from '../../../../src/core/platform/database/index.ts'

const KIB = 1024

/** The lengths of the rows in each batch. */
function batched(lengths: readonly number[]): number[][] {
  const rows = lengths.map((length, index) => ({ id: String(index), length }))
  const batches = [...batchesByLength(rows)]
  t.strictSame(
    batches.flat(),
    rows.map(({ id }) => id),
    'each row once, in order',
  )
  return batches.map((ids) => ids.map((id) => lengths[Number(id)] ?? Number.NaN))
}

void t.test('a batch has at most 50 rows and 32 KiB of characters', async (t) => {
  t.strictSame(batched([]), [])
  t.strictSame(
    batched(Array.from({ length: 101 }, () => 1)).map(({ length }) => length),
    [50, 50, 1],
  )
  t.strictSame(batched([16 * KIB, 16 * KIB, 1]), [[16 * KIB, 16 * KIB], [1]])
  t.strictSame(batched([1, 32 * KIB]), [[1], [32 * KIB]])
})

void t.test('a longer row is a batch of its own', async (t) => {
  t.strictSame(batched([64 * KIB, 64 * KIB]), [[64 * KIB], [64 * KIB]])
  t.strictSame(batched([1, 64 * KIB, 1]), [[1], [64 * KIB], [1]])
})
