import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AppError } from '../../platform/errors/index.ts'
import { createMediaTools } from '../../platform/media-tools/index.ts'
import type { DoctorCheck } from '../doctor-context.ts'
import { errorResult, okResult } from '../finding.ts'

/** The encoders of the streams that players get. */
const NEEDED = ['libx264', 'aac'] as const

/** Arguments that encode one small frame. This shows whether the encoder works; `hwaccel:probe` measures how fast it is. */
const ONE_FRAME = {
  input: { graph: 'testsrc2=size=128x72:rate=25:duration=0.04' },
  before: [],
  after: ['-frames:v', '1', '-c:v', 'libx264', '-preset', 'ultrafast', '-f', 'mpegts'],
}

const FIX = 'apt-get install --reinstall ffmpeg'

export const encodersCheck: DoctorCheck = {
  id: 'encoders',
  async run(context) {
    const mediaTools = createMediaTools(context)
    const folder = await mkdtemp(join(tmpdir(), 'phlix-doctor-'))
    try {
      const present = await mediaTools.componentsOf('encoders')
      const missing = NEEDED.filter((name) => !present.has(name))
      if (missing.length > 0) return [errorResult(`this ffmpeg has no encoder ${missing.join(', ')}`, FIX)]
      const encode = { ...ONE_FRAME, output: join(folder, 'frame.ts') }
      const { exitCode, stderrTail } = await mediaTools.benchmark(encode, { timeoutSeconds: 4 })
      if (exitCode === 0) return okResult(NEEDED.join(', '))
      return [errorResult(`libx264 does not encode: ${stderrTail.trim().split('\n').at(-1) ?? ''}`, FIX)]
    } catch (reason) {
      if (!(reason instanceof AppError)) throw reason
      return [{ level: 'skipped', message: `needs ffmpeg: ${reason.message}`, fix: null }]
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
}
