import type { Test } from 'tap'
import { readFingerprint } from '../../../../src/core/analysis/fingerprints/fingerprint.ts'
import type { Marker } from '../../../../src/core/analysis/index.ts'
import type { SeasonEpisode } from '../../../../src/core/analysis/season/detect-season.ts'
import type { MediaTools } from '../../../../src/core/platform/media-tools/index.ts'
import { makeSeason, type SeasonForm, type SyntheticEpisode } from '../synthetic-season.ts'

/** An episode with its true markers, and as the detection reads it. */
export type MadeEpisode = { truth: SyntheticEpisode; episode: SeasonEpisode }

type Tools = Pick<MediaTools, 'readPicturesAndFingerprint'>

async function heard(mediaTools: Tools, truth: SyntheticEpisode): Promise<MadeEpisode> {
  const request = { input: truth.path, pictures: null, sound: { streamIndex: 0 } }
  const { fingerprint } = await mediaTools.readPicturesAndFingerprint(request, { niceness: 0 })
  if (fingerprint === null) throw new Error(`${truth.path} has no fingerprint`)
  const track = { path: truth.path, streamIndex: 0 }
  const episode = { track, fingerprint: readFingerprint(fingerprint), durationSeconds: truth.seconds, chapters: [] }
  return { truth, episode: { ...episode, known: undefined } }
}

/** The episodes of a synthetic season; short ones unless the form says otherwise, so that the sound is made in seconds. */
export async function madeSeason(mediaTools: Tools, form: SeasonForm): Promise<MadeEpisode[]> {
  const made: MadeEpisode[] = []
  for (const truth of await makeSeason({ bodySeconds: 50, maxOffsetSeconds: 20, ...form }))
    made.push(await heard(mediaTools, truth))
  return made
}

/** Every marker is found, and none is found that is not there. Returns the sorted errors of their edges in seconds. */
export function compareMarkers(
  t: Test,
  made: readonly MadeEpisode[],
  detected: readonly (readonly Marker[] | undefined)[],
): number[] {
  const errors = made.flatMap(({ truth }, index) =>
    (['intro', 'outro'] as const).flatMap((type) => {
      const marker = detected[index]?.find((one) => one.type === type)
      const wanted = truth[type]
      if (wanted === null || marker === undefined) {
        t.equal(marker?.type, wanted === null ? undefined : type, `episode ${index + 1}`)
        return []
      }
      return [
        Math.abs(marker.startMilliseconds / 1000 - wanted.startSeconds),
        Math.abs(marker.endMilliseconds / 1000 - wanted.endSeconds),
      ]
    }),
  )
  return errors.toSorted((one, other) => one - other)
}
