import { parentPort } from 'node:worker_threads'
import { createBackgroundThrottle, lowerThreadPriority } from '../threads/index.ts'
import { answerStat } from './answer-stat.ts'
import type { StatRequest } from './stat-messages.ts'
import { walkForPort } from './walk-for-port.ts'
import type { WalkRequest } from './walk-messages.ts'

/**
 * The thread for file system calls that may never return: facts about paths, and walks. A scan needs both in turn, and starting a second
 * thread would take longer than the first call.
 */
const port = parentPort
if (port !== null) {
  const throttle = createBackgroundThrottle()
  let isLowered = false
  port.on('message', (request: StatRequest | WalkRequest) => {
    if (request.kind !== 'walk') {
      port.postMessage(answerStat(request))
      return
    }
    // Users wait for facts about paths but not for walks, so walks run at lower priority.
    if (!isLowered) lowerThreadPriority()
    isLowered = true
    walkForPort(request, { port, throttle })
  })
}
