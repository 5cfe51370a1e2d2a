import t from 'tap'
import { createGarbageCollector } from '../../../../src/core/platform/threads/index.ts'
import { waitUntil } from '../../../support/wait-until.ts'

const MEBIBYTE = 1024 * 1024
const COUNT = 16

const bufferBytes = (): number => process.memoryUsage().arrayBuffers

/** Creates buffers that nothing refers to afterwards. */
function createGarbage(): void {
  for (let n = 0; n < COUNT; n += 1) Buffer.alloc(MEBIBYTE, 1)
}

for (const [name, collect] of Object.entries(createGarbageCollector())) {
  void t.test(`${name} frees buffers`, async (t) => {
    collect()
    createGarbage()
    const before = bufferBytes()
    collect()
    // V8 frees them in another thread.
    await waitUntil('the buffers are freed', () => bufferBytes() < before - 8 * MEBIBYTE)
    t.pass()
  })
}
