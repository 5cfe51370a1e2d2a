import type { BoundarySide, BoundarySamples } from '../boundaries/refine-shared-sound-boundary.ts'
import type { Fingerprint } from '../fingerprints/fingerprint.ts'
import type { CoarseMarker, SeasonSound } from '../motifs/season-markers.ts'
import { startThread } from '../../platform/threads/index.ts'
import type { MarkerTemplate } from './match-templates.ts'
import type { MatchingReport, MatchingTask } from './matching-messages.ts'

/** The thread ended, for example because the sound of a season needs too much memory. */
export class MatchingThreadLost extends Error {}

/** Compares the sound of episodes in a thread of its own. A thread that ends early rejects the pending calls. */
export type MatchingThread = AsyncDisposable & {
  /** `findSeasonMarkers`. */
  season(fingerprints: readonly Fingerprint[]): Promise<SeasonSound>
  /** `matchMarkerTemplates` for each of the episodes. */
  templates(
    episodes: readonly number[],
    templates: readonly MarkerTemplate[],
    fingerprints: readonly Fingerprint[],
  ): Promise<CoarseMarker[]>
  /** `refineSharedSoundBoundary`. */
  edge(own: BoundarySamples, partners: readonly BoundarySamples[], side: BoundarySide): Promise<number | undefined>
}

/** Fingerprints of a hundred episodes of an hour, their indexes, and the votes of a pair. */
const HEAP_MEBIBYTES = 512
const YOUNG_MEBIBYTES = 16

/** Starts the thread. */
export function createMatchingThread(): MatchingThread {
  const worker = startThread({
    file: 'matching-worker',
    from: import.meta,
    youngMebibytes: YOUNG_MEBIBYTES,
    heapMebibytes: HEAP_MEBIBYTES,
  })
  const pending = new Map<number, { resolve: (result: unknown) => void; reject: (error: Error) => void }>()
  let count = 0
  let ended: Error | undefined
  const endAll = (reason: string): void => {
    ended ??= new MatchingThreadLost(reason)
    for (const { reject } of pending.values()) reject(ended)
    pending.clear()
  }
  worker.on('message', ({ number, result }: MatchingReport) => {
    pending.get(number)?.resolve(result)
    pending.delete(number)
  })
  worker.once('error', ({ message }) => endAll(message))
  worker.once('exit', () => endAll('the thread that compares sound ended'))
  const ask = async (task: MatchingTask): Promise<unknown> => {
    if (ended !== undefined) throw ended
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    count += 1
    pending.set(count, { resolve, reject })
    worker.postMessage({ number: count, task })
    return promise
  }
  // The thread answers each task with the result of the function that the task names.
  return {
    season: (fingerprints) => ask({ kind: 'season', fingerprints }) as Promise<SeasonSound>,
    templates: (episodes, templates, fingerprints) =>
      ask({ kind: 'templates', episodes, templates, fingerprints }) as Promise<CoarseMarker[]>,
    edge: (own, partners, side) => ask({ kind: 'edge', own, partners, side }) as Promise<number | undefined>,
    async [Symbol.asyncDispose]() {
      await worker.terminate()
    },
  }
}
