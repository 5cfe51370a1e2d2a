import t from 'tap'
import { findSeasonMarkers } from '../../../../src/core/analysis/motifs/season-markers.ts'
import { HASH_STEP_SECONDS, hashCountForSeconds } from '../../../../src/core/analysis/fingerprints/fingerprint.ts'
import { seededRandom } from '../../../support/seeded-random.ts'

const random = seededRandom(5)
const sound = (seconds: number): Uint32Array =>
  Uint32Array.from({ length: hashCountForSeconds(seconds) }, () => random.below(2 ** 32))

/** Episodes of unrelated sound of this length, with a sound at a time of each. */
function season(seconds: number, shared: Uint32Array, startSeconds: readonly number[]): Uint32Array[] {
  return startSeconds.map((start) => {
    const episode = sound(seconds)
    episode.set(shared, hashCountForSeconds(start))
    return episode
  })
}

const found = (fingerprints: readonly Uint32Array[]) =>
  findSeasonMarkers(fingerprints).markers.map(({ episode, type, startSeconds }) => [
    episode,
    type,
    Math.round(startSeconds / 20) * 20,
  ])

void t.test('a long recap is no intro of a small season: its scene is in the second half of another episode', (t) => {
  for (const count of [2, 3]) {
    const episodes = Array.from({ length: count }, () => sound(600))
    for (const [index, episode] of episodes.entries())
      if (index > 0)
        episode.set(episodes[index - 1]?.subarray(hashCountForSeconds(350), hashCountForSeconds(380)) ?? [])
    t.strictSame(found(episodes), [], `${count} episodes`)
  }
  t.end()
})

void t.test('a scene that every later episode recalls is no intro where it is shown', (t) => {
  const episodes = season(600, sound(25), [350, 20, 20, 20, 20])
  t.strictSame(
    found(episodes).map(([episode]) => episode),
    [1, 2, 3, 4],
  )
  t.end()
})

void t.test('an intro after a long beginning is found, in short episodes also in their second half', (t) => {
  t.strictSame(found(season(300, sound(30), [0, 160])), [
    [0, 'intro', 0],
    [1, 'intro', 160],
  ])
  t.end()
})

void t.test('the last hash of a file is the end of an outro', (t) => {
  const seconds = 300
  const outro = sound(30)
  const { markers } = findSeasonMarkers(season(seconds, outro, [200, seconds - 30 - HASH_STEP_SECONDS]))
  t.strictSame(
    markers.map(({ type }) => type),
    ['outro', 'outro'],
  )
  t.ok(Math.abs((markers[1]?.endSeconds ?? 0) - seconds) < 3)
  t.end()
})
