import { systemClock } from '../../../core/platform/time/index.ts'
import type { Output } from '../output/output.ts'
import { createBar } from './progress-bar.ts'
import { describeProgress, completedShare, type Progress } from './progress-status.ts'

export const PROGRESS_MODES = ['auto', 'plain', 'json', 'none'] as const
export type ProgressMode = (typeof PROGRESS_MODES)[number]

export type ProgressSettings = {
  /** The current task, for example `Scanning "Films"`. */
  title: string
  mode: ProgressMode
  output: Output
  quiet: boolean
  /** Log lines also go to stderr and would break a bar. */
  verbose: boolean
  allowColour: boolean
  /** Maximum number of updates per second (PHLIX_PROGRESS_FPS). */
  framesPerSecond: number
  /** TERM says that the cursor cannot be moved. */
  isDumbTerminal: boolean
}

/** Creates the display for the mode: a bar on a terminal, lines if requested, otherwise nothing. */
export async function createProgress(settings: ProgressSettings): Promise<Progress> {
  const shape = chooseShape(settings)
  if (shape === 'none') return { update: () => {}, end: async () => {} }
  if (shape === 'bar') return createBar(settings)
  return shape === 'json' ? jsonLines(settings) : plainLines(settings)
}

function chooseShape({
  mode,
  quiet,
  verbose,
  output,
  isDumbTerminal,
}: ProgressSettings): 'bar' | Exclude<ProgressMode, 'auto'> {
  if (mode !== 'auto') return mode
  if (quiet || output.width('stderr') === undefined) return 'none'
  return verbose || isDumbTerminal || output.width('stderr') === 0 ? 'plain' : 'bar'
}

function jsonLines({ output, framesPerSecond }: ProgressSettings): Progress {
  const isDue = throttle(framesPerSecond)
  return {
    update(status) {
      if (!isDue()) return
      const percent = completedShare(status)
      const line = { percent, done: status.done, total: status.total, current_path: status.currentPath }
      output.message(JSON.stringify({ message_type: 'status', ...line }))
    },
    async end(summary) {
      if (summary !== undefined) output.message(JSON.stringify({ message_type: 'summary', ...summary }))
    },
  }
}

function plainLines({ output, framesPerSecond, title }: ProgressSettings): Progress {
  const isDue = throttle(framesPerSecond)
  return {
    update(status) {
      if (isDue()) output.message(`${title}: ${describeProgress(status)}`)
    },
    async end() {},
  }
}

/** Returns a function that returns true at most `framesPerSecond` times per second, including the first call. */
function throttle(framesPerSecond: number): () => boolean {
  let nextMilliseconds = 0
  return () => {
    const now = systemClock.monotonicMilliseconds()
    if (now < nextMilliseconds) return false
    nextMilliseconds = now + 1000 / framesPerSecond
    return true
  }
}
