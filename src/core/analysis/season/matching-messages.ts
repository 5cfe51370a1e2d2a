import type { EdgeSide, EdgeSamples } from '../boundaries/refine-shared-sound-boundary.ts'
import type { Fingerprint } from '../fingerprints/fingerprint.ts'
import type { Template } from './match-templates.ts'

/** A task for the matching thread. */
export type MatchingTask =
  | { kind: 'season'; fingerprints: readonly Fingerprint[] }
  | {
      kind: 'templates'
      episodes: readonly number[]
      templates: readonly Template[]
      fingerprints: readonly Fingerprint[]
    }
  | { kind: 'edge'; own: EdgeSamples; partners: readonly EdgeSamples[]; side: EdgeSide }

/** The reply to the task of the same number. */
export type MatchingReport = { number: number; result: unknown }
