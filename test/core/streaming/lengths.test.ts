import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { jobDirectory } from '../../../src/core/streaming/job/job-directory.ts'
import { startTranscode } from '../../../src/core/streaming/transcodes/start-transcode.ts'
import { readStreamPlan, type StreamPlan } from '../../../src/core/streaming/job/stream-plan.ts'
import { reachableDirectory } from '../../support/directories.ts'
import { sampleMedia } from '../../support/media.ts'
import { engine } from './engine.ts'
import { addFilm, streamingServices } from './film-item.ts'
import { packetsOfPieces } from './support.ts'
import { keptMedia } from './test-films.ts'

const FRAME_SECONDS = 0.04

/** 25 frames per second, with a key frame at 8 s and every two seconds. */
function film(name: string, extension: string, length: { picture: number; sound: number; filter?: string }) {
  const picture = `-f lavfi -i testsrc2=size=160x90:rate=25:duration=${length.picture}`
  const sound = `-f lavfi -i sine=frequency=440:sample_rate=48000:duration=${length.sound}`
  const coded = '-c:v libx264 -preset ultrafast -pix_fmt yuv420p -force_key_frames expr:gte(t,n_forced*2) -c:a aac'
  const filter = length.filter === undefined ? '' : ` -vf ${length.filter} -fps_mode vfr`
  return keptMedia(name, extension, `${picture} ${sound} ${coded}${filter}`.split(' '))
}

type Source = { path: () => Promise<string>; isCopied: boolean }

const SOURCES: Record<string, Source> = {
  'sound that is four seconds longer than the picture': {
    path: () => film('tail', '.mp4', { picture: 13, sound: 17 }),
    isCopied: true,
  },
  'sound that is twelve seconds longer than the picture': {
    path: () => film('long-tail', '.mp4', { picture: 13, sound: 25 }),
    isCopied: false,
  },
  'a picture that is longer than the sound': {
    path: () => film('short-sound', '.mp4', { picture: 13, sound: 9 }),
    isCopied: true,
  },
  'a transport stream without pictures from 5.2 to 8 s': {
    path: () => film('hole', '.ts', { picture: 13, sound: 13, filter: String.raw`select=not(between(t\,5.2\,7.99))` }),
    isCopied: true,
  },
  'Matroska without pictures and sound from 5.2 to 8 s': {
    path: () => film('hole', '.mkv', { picture: 13, sound: 5, filter: String.raw`select=not(between(t\,5.2\,7.99))` }),
    isCopied: true,
  },
  'an MP4 that is cut in the middle': { path: () => sampleMedia('film-cut-mp4'), isCopied: false },
}

async function planned(t: Test, path: string): Promise<StreamPlan> {
  const services = await streamingServices(t)
  const { itemId } = await addFilm(t, services, path)
  const { job } = await startTranscode(services, { itemId })
  const plan = await readStreamPlan(jobDirectory(services.config, job.id))
  if (plan === undefined) throw new Error('the job has no plan')
  const playlists = plan.renditions.map(({ id }) =>
    readFile(join(jobDirectory(services.config, job.id), `media_v${id}.m3u8`), 'utf8'),
  )
  const lengths = (await Promise.all(playlists)).map((text) =>
    [...text.matchAll(/#EXTINF:([\d.]+)/g)].reduce((sum, [, seconds]) => sum + Number(seconds), 0),
  )
  t.ok(Math.max(...lengths) - Math.min(...lengths) < FRAME_SECONDS, `the renditions last ${lengths.join(', ')} s`)
  return plan
}

for (const [name, { path, isCopied }] of Object.entries(SOURCES)) {
  void t.test(`${name}: all renditions have the same duration, and every segment exists`, async (t) => {
    const plan = await planned(t, await path())
    t.equal(plan.copy !== null, isCopied, isCopied ? 'an original is offered' : 'no original is offered')
    const made = await engine(t, plan)
    const ids = [...(isCopied ? ['original'] : []), plan.renditions.findLast(({ kind }) => kind === 'video')?.id ?? '']
    for (const id of ids) {
      const indexes = Array.from({ length: made.count(id) }, (_, index) => index)
      for (const index of indexes) await made.make(id, index)
      const places = indexes.map((index) => made.path(id, index))
      const pieces = await packetsOfPieces(places, join(reachableDirectory(t), 'joined.ts'))
      t.ok(
        pieces.every((piece) => piece.find(({ kind }) => kind === 'video')?.isKey),
        `${id}: each segment begins with a key frame`,
      )
    }
  })
}
