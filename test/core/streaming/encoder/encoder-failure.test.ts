import { join } from 'node:path'
import t from 'tap'
import {
  EncoderFailure,
  encoderExitFailure,
  isCausedByFullDisk,
} from '../../../../src/core/streaming/encoder/encoder-failure.ts'

const END = { exitCode: 1, signal: null, stderrTail: '', isComplete: false, fault: null }

void t.test('the failure of an ended encoder has the most specific reason that is known', (t) => {
  const fault = { kind: 'disk_full', text: 'No space left on device' } as const
  t.match(encoderExitFailure({ ...END, stderrTail: 'something else', fault }), {
    message: 'ffmpeg ended with 1: No space left on device',
    isDiskFull: true,
  })
  t.match(encoderExitFailure({ ...END, stderrTail: ' Invalid data\n' }), {
    message: 'ffmpeg ended with 1: Invalid data',
    isDiskFull: false,
  })
  t.equal(
    encoderExitFailure({ ...END, stderrTail: `x${'y'.repeat(500)}` }).message,
    `ffmpeg ended with 1: ${'y'.repeat(500)}`,
  )
  t.equal(
    encoderExitFailure({ ...END, exitCode: null, signal: 'SIGKILL' }).message,
    'ffmpeg ended with SIGKILL: the segment is not whole',
  )
  t.end()
})

void t.test('a full disk is recognised by what ffmpeg or a system call reports', async (t) => {
  const directory = t.testdir()
  const isFull = (error: unknown): Promise<boolean> => isCausedByFullDisk(error, directory)
  t.equal(await isFull(new EncoderFailure('x', { isDiskFull: true })), true)
  for (const code of ['ENOSPC', 'EDQUOT']) t.equal(await isFull(Object.assign(new Error('x'), { code })), true, code)
  for (const error of [new EncoderFailure('x'), Object.assign(new Error('x'), { code: 'EROFS' }), new Error('x'), 1]) {
    t.equal(await isFull(error), false, String(error))
  }
  t.equal(await isCausedByFullDisk(new EncoderFailure('x'), join(directory, 'missing')), false, 'nor a missing folder')
})
