import { parentPort } from 'node:worker_threads'
import { lowerThreadPriority } from '../../platform/threads/index.ts'
import { refineSharedSoundBoundary } from '../boundaries/refine-shared-sound-boundary.ts'
import { findSeasonMarkers } from '../motifs/season-markers.ts'
import { matchMarkerTemplates } from './match-templates.ts'
import type { MatchingReport, MatchingTask } from './matching-messages.ts'

/** Entry point of the thread that compares the sound of a season. Comparing takes seconds, which requests must not wait for. */

function work(task: MatchingTask): unknown {
  switch (task.kind) {
    case 'season':
      return findSeasonMarkers(task.fingerprints)
    case 'templates':
      return task.episodes.flatMap((episode) => matchMarkerTemplates(episode, task.templates, task.fingerprints))
    case 'edge':
      return refineSharedSoundBoundary(task.own, task.partners, task.side)
  }
}

const port = parentPort
if (port !== null) {
  lowerThreadPriority()
  port.on('message', ({ number, task }: { number: number; task: MatchingTask }) => {
    const report: MatchingReport = { number, result: work(task) }
    port.postMessage(report)
  })
}
