import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { loudnessGain } from '../../../../src/core/streaming/encoder/audio-arguments.ts'
import {
  startLoudnessMeasurement,
  measureLoudness,
  readStoredLoudness,
} from '../../../../src/core/streaming/loudness/loudness.ts'
import { startTranscode } from '../../../../src/core/streaming/transcodes/start-transcode.ts'
import { readStreamPlan } from '../../../../src/core/streaming/job/stream-plan.ts'
import { jobDirectory } from '../../../../src/core/streaming/job/job-directory.ts'
import { sampleMedia } from '../../../support/media.ts'
import { reachableDirectory } from '../../../support/directories.ts'
import { engine } from '../engine.ts'
import { addFilm, streamingServices } from '../film-item.ts'
import { handMadeJob } from '../hand-made-job.ts'
import { settle } from '../serve-segments.ts'
import { meanVolume, realMediaTools } from '../support.ts'
import { makeFilm } from '../test-films.ts'

const never = new AbortController().signal
const MEASURED = { integratedLufs: -26, rangeLu: 5, truePeakDbtp: -20, thresholdLufs: -36 }

void t.test('the gain is constant for the whole film, and never lifts peaks above the limit', (t) => {
  const cases: [loudness: Partial<typeof MEASURED>, gain: number | null][] = [
    [{}, 10],
    [{ truePeakDbtp: -4 }, 2.5],
    [{ truePeakDbtp: 0 }, 0],
    [{ integratedLufs: -10, truePeakDbtp: 0 }, -6],
    [{ integratedLufs: -70, truePeakDbtp: -60 }, 24],
    [{ integratedLufs: Number.NEGATIVE_INFINITY, truePeakDbtp: Number.NEGATIVE_INFINITY }, 24],
  ]
  for (const [loudness, gain] of cases)
    t.equal(loudnessGain({ ...MEASURED, ...loudness }), gain, JSON.stringify(loudness))
  t.equal(loudnessGain(null), null)
  t.end()
})

void t.test('the gain applies to re-encoded audio, not to copied audio and other tracks', async (t) => {
  const film = await makeFilm('film')
  const plain = await engine(t, await handMadeJob(film))
  const loud = await engine(t, await handMadeJob(film, { loudness: MEASURED }))
  const copied = await engine(t, await handMadeJob(film, { loudness: MEASURED, audio: 'copy' }))
  const before = await meanVolume(await plain.make('90p', 0))
  t.ok(Math.abs((await meanVolume(await loud.make('90p', 0))) - before - 10) < 0.3, 'by ten decibels')
  t.ok(Math.abs((await meanVolume(await copied.make('original', 0))) - before) < 0.3)
})

void t.test('a file is measured once, under any name, and the next start of the item uses the result', async (t) => {
  const services = await streamingServices(t, { 'hls.loudness': 'true' })
  const directory = reachableDirectory(t)
  const odd = join(directory, '-i "input_i" : \'{a}\n.mp4')
  await copyFile(await sampleMedia('film-tiny-mp4'), odd)
  const mediaTools = await realMediaTools()
  const job = await handMadeJob(odd)
  t.equal(await readStoredLoudness(services, job), null)
  t.ok(await measureLoudness({ ...services, mediaTools }, job, never))
  const { integratedLufs = 0 } = (await readStoredLoudness(services, job)) ?? {}
  t.ok(integratedLufs < -15 && integratedLufs > -30, `${integratedLufs}`)
  const { itemId } = await addFilm(t, services, await sampleMedia('film-tiny-mp4'))
  const first = await startTranscode(services, { itemId })
  const measuring = startLoudnessMeasurement({ ...services, mediaTools }, { pollMilliseconds: 10 })
  const plan = await readStreamPlan(jobDirectory(services.config, first.job.id))
  t.equal(plan?.loudness, null)
  if (plan !== undefined) await settle(async () => (await readStoredLoudness(services, plan)) !== null)
  await measuring.stop()
  const second = await startTranscode(services, { itemId })
  t.not(second.job.id, first.job.id)
  t.type((await readStreamPlan(jobDirectory(services.config, second.job.id)))?.loudness?.integratedLufs, 'number')
  t.equal((await startTranscode(services, { itemId })).job.id, second.job.id)
})
