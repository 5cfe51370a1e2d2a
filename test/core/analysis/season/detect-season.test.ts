import t, { type Test } from 'tap'
import { detectSeasonMarkers } from '../../../../src/core/analysis/season/detect-season.ts'
import { loadConfig } from '../../../../src/core/platform/config/index.ts'
import { createLogger } from '../../../../src/core/platform/logging/index.ts'
import { createMediaTools, type MediaTools } from '../../../../src/core/platform/media-tools/index.ts'
import type { SeasonForm } from '../synthetic-season.ts'
import { compareMarkers, madeSeason, type MadeEpisode } from './made-season.ts'

const never = new AbortController().signal
const config = loadConfig({ dataDirectory: t.testdir(), environment: { PATH: process.env['PATH'] } })
const mediaTools = createMediaTools({ config, log: await createLogger(config, { level: 'emergency' }) })

/** The tests compare the same files several times; each range of sound is decoded once. */
const decoded = new Map<string, ReturnType<MediaTools['decodeAudio']>>()
const decodeAudio: MediaTools['decodeAudio'] = (request, options) => {
  const key = JSON.stringify(request)
  const sound = decoded.get(key) ?? mediaTools.decodeAudio(request, options)
  decoded.set(key, sound)
  return sound
}

const season = (form: SeasonForm) => madeSeason(mediaTools, form)

const detect = (made: readonly MadeEpisode[]) =>
  detectSeasonMarkers(
    { mediaTools: { decodeAudio } },
    made.map(({ episode }) => episode),
    never,
  )

function checkErrors(t: Test, errors: readonly number[]): void {
  t.ok((errors[errors.length >> 1] ?? 9) <= 0.15, `median error ${errors[errors.length >> 1]} s`)
  t.ok((errors.at(-1) ?? 9) <= 1, `largest error ${errors.at(-1)} s`)
}

const hard = await season({ seed: 21, episodes: 5, introSeconds: 25, outroSeconds: 22, withoutIntro: 2, isHard: true })
const found = await detect(hard)

void t.test('intro and outro are found in a season with recaps, stings and dialogue over the intro', (t) => {
  checkErrors(t, compareMarkers(t, hard, found))
  t.end()
})

void t.test('a season without intro and outro has none, although its episodes share stings and recaps', async (t) => {
  const control = await season({ seed: 22, episodes: 4, isHard: true })
  const detected = await detect(control)
  t.strictSame(
    detected.map((markers) => markers?.length),
    [0, 0, 0, 0],
  )
})

void t.test('two episodes are enough for a long intro', async (t) => {
  const two = await season({ seed: 23, episodes: 2, introSeconds: 30 })
  checkErrors(t, compareMarkers(t, two, await detect(two)))
})

void t.test('a second edition of an episode gets its markers and supports no motif', async (t) => {
  const [first, ...others] = hard
  if (first === undefined) throw new Error('no episode')
  const withCopy = [first, first, ...others]
  checkErrors(t, compareMarkers(t, withCopy, await detect(withCopy)))
})

void t.test('an unrelated new episode moves no marker by more than 0.2 s', async (t) => {
  const [special] = await season({ seed: 24, episodes: 1 })
  if (special === undefined) throw new Error('no episode')
  const after = await detect([...hard, special])
  t.strictSame(after.at(-1), [])
  for (const [index, markers] of found.entries()) {
    for (const marker of markers ?? []) {
      const moved = after[index]?.find(({ type }) => type === marker.type)
      t.ok(Math.abs((moved?.startMilliseconds ?? 0) - marker.startMilliseconds) <= 200, `${index} ${marker.type} start`)
      t.ok(Math.abs((moved?.endMilliseconds ?? 0) - marker.endMilliseconds) <= 200, `${index} ${marker.type} end`)
    }
  }
})

void t.test('a new episode is found by the known markers, and the others are kept', async (t) => {
  const last = hard.length - 1
  const grown = hard.map((made, index) => {
    const own = index === last ? undefined : (found[index] ?? [])
    return { ...made, episode: { ...made.episode, known: own } }
  })
  const detected = await detect(grown)
  t.strictSame(
    detected.map((markers) => markers === undefined),
    grown.map((_, index) => index !== last),
  )
  checkErrors(t, compareMarkers(t, hard.slice(last), detected.slice(last)))
})

void t.test('a season of one episode, silence and very short sound have no markers', async (t) => {
  const [one] = hard
  if (one === undefined) throw new Error('no episode')
  t.strictSame(await detect([one]), [[]])
  t.strictSame(await detect([]), [])
  const silent = { ...one, episode: { ...one.episode, fingerprint: new Uint32Array(3000).fill(627_964_279) } }
  const short = { ...one, episode: { ...one.episode, fingerprint: new Uint32Array() } }
  t.strictSame(await detect([silent, silent, short, short]), [[], [], [], []])
})

void t.test('an abort ends the comparison', async (t) => {
  const aborted = AbortSignal.abort(new Error('stopped'))
  const episodes = hard.map(({ episode }) => episode)
  await t.rejects(detectSeasonMarkers({ mediaTools }, episodes, aborted), { message: 'stopped' })
})
