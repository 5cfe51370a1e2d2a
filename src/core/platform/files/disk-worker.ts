import { parentPort } from 'node:worker_threads'
import { createBackgroundThrottle, lowerThreadPriority } from '../threads/index.ts'
import { statPaths } from './stat-paths.ts'
import type { StatRequest } from './stat-messages.ts'
import { walkInThread } from './walk-in-thread.ts'
import type { WalkRequest } from './walk-messages.ts'

/**
 * Runs file system calls that may block forever: stat calls and directory walks. One thread does both, because a scan alternates between
 * them and starting a second thread takes longer than a call.
 */
const port = parentPort
if (port !== null) {
  const throttle = createBackgroundThrottle()
  let isLowered = false
  port.on('message', (request: StatRequest | WalkRequest) => {
    if (request.kind !== 'walk') {
      port.postMessage(statPaths(request))
      return
    }
    // Users wait for stat calls but not for walks, so walks run at lower priority.
    if (!isLowered) lowerThreadPriority()
    isLowered = true
    walkInThread(request, { port, throttle })
  })
}
