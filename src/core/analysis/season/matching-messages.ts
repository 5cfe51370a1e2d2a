import type { BoundarySide, BoundarySamples } from '../boundaries/refine-shared-sound-boundary.ts'
import type { Fingerprint } from '../fingerprints/fingerprint.ts'
import type { MarkerTemplate } from './match-templates.ts'

/** A task for the matching thread. */
export type MatchingTask =
  | { kind: 'season'; fingerprints: readonly Fingerprint[] }
  | {
      kind: 'templates'
      episodes: readonly number[]
      templates: readonly MarkerTemplate[]
      fingerprints: readonly Fingerprint[]
    }
  | { kind: 'edge'; own: BoundarySamples; partners: readonly BoundarySamples[]; side: BoundarySide }

/** The reply to the task of the same number. */
export type MatchingReport = { number: number; result: unknown }
