import { readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'slonik'
import t, { type Test } from 'tap'
import { jobDirectory, transcodesDirectory } from '../../../../src/core/streaming/job/job-directory.ts'
import { readStreamPlan } from '../../../../src/core/streaming/job/stream-plan.ts'
import { changeToneMapping } from '../../../../src/core/streaming/transcodes/transcoding-settings.ts'
import { startTranscode } from '../../../../src/core/streaming/transcodes/start-transcode.ts'
import { getTranscodeProgress } from '../../../../src/core/streaming/transcodes/transcode-progress.ts'
import { sampleMedia } from '../../../support/media.ts'
import { addFilm, streamingServices } from '../film-item.ts'

async function start(t: Test) {
  const services = await streamingServices(t)
  const film = await addFilm(t, services, await sampleMedia('film-mp4'))
  return { services, ...film }
}

void t.test('a job has its plan and its playlists, and nothing is encoded', async (t) => {
  const { services, itemId } = await start(t)
  const { job, isReused, status, isPlaylistReady, encodedSegments, percent } = await startTranscode(services, {
    itemId,
  })
  t.match(
    { isReused, status, isPlaylistReady, encodedSegments, percent },
    { isReused: false, status: 'running', isPlaylistReady: true, encodedSegments: 0, percent: 0 },
  )
  const variants = [{ id: 'original', isCopy: true }, { id: '360p', width: 640, height: 360 }, { id: '240p' }]
  t.match(job, { mediaItemId: itemId, profile: 'web', variants })
  const directory = jobDirectory(services.config, job.id)
  t.strictSame((await readdir(directory)).toSorted(), [
    'job.json',
    'master.m3u8',
    'media_v240p.m3u8',
    'media_v360p.m3u8',
    'media_voriginal.m3u8',
  ])
  t.match(await readFile(join(directory, 'master.m3u8'), 'utf8'), /^#EXTM3U\n[^]*\nmedia_v360p.m3u8\n/)
  t.match(await readFile(join(directory, 'media_v360p.m3u8'), 'utf8'), /seg-v360p-00003.ts\n#EXT-X-ENDLIST\n$/)
  const progress = { job, status, isPlaylistReady, encodedSegments, percent, subtitles: [] }
  t.strictSame(await getTranscodeProgress(services, job.id), progress)
})

void t.test('a copy is cut at the key frames of the file, which are read once', async (t) => {
  const services = await streamingServices(t)
  const asked: string[] = []
  const reading: typeof services = {
    ...services,
    readers: {
      ...services.readers,
      read: (request, signal) => {
        asked.push(request.as)
        return services.readers.read(request, signal)
      },
    },
  }
  for (const [kind, seconds, isRead] of [
    ['film-mp4', ['8.008000', '4.004000', '8.008000'], false],
    ['film-ts', ['6.000000'], true],
  ] as const) {
    const { itemId } = await addFilm(t, services, await sampleMedia(kind))
    const { job } = await startTranscode(reading, { itemId })
    const text = await readFile(join(jobDirectory(services.config, job.id), 'media_voriginal.m3u8'), 'utf8')
    t.strictSame(
      text.match(/(?<=EXTINF:)[\d.]+/g),
      seconds,
      `${kind}: ${isRead ? 'from every packet' : 'from the tables of the container'}`,
    )
    await startTranscode(reading, { itemId, profile: 'tv-4k' })
    await startTranscode(reading, { itemId })
  }
  t.strictSame(asked, ['index', 'index'], 'once for each film')
})

void t.test('the same item and profile share one job; another profile has its own', async (t) => {
  const { services, itemId } = await start(t)
  const first = await startTranscode(services, { itemId, profile: 'web' })
  const again = await startTranscode(services, { itemId, deviceType: 'anything' })
  t.equal(again.job.id, first.job.id)
  t.ok(again.isReused)
  const television = await startTranscode(services, { itemId, deviceType: 'roku' })
  t.not(television.job.id, first.job.id)
  t.equal(television.job.profile, 'tv-4k')
})

void t.test('players that start at the same time get one job, and no directory is left over', async (t) => {
  const { services, itemId } = await start(t)
  const starts = await Promise.all(Array.from({ length: 8 }, () => startTranscode(services, { itemId })))
  t.equal(new Set(starts.map(({ job }) => job.id)).size, 1)
  t.equal(starts.filter(({ isReused }) => !isReused).length, 1)
  t.equal((await readdir(transcodesDirectory(services.config))).length, 1)
})

void t.test('a job is replaced if its source has changed, or its files are missing', async (t) => {
  const { services, itemId, path } = await start(t)
  const first = await startTranscode(services, { itemId })
  await utimes(path, new Date(), new Date(1_600_000_000_000))
  const second = await startTranscode(services, { itemId })
  t.not(second.job.id, first.job.id)
  t.equal((await getTranscodeProgress(services, first.job.id)).status, 'cancelled')
  await rm(jobDirectory(services.config, second.job.id), { recursive: true })
  const third = await startTranscode(services, { itemId })
  t.not(third.job.id, second.job.id)
  await writeFile(join(jobDirectory(services.config, third.job.id), 'job.json'), '{"source":{}}')
  const fourth = await startTranscode(services, { itemId })
  t.not(fourth.job.id, third.job.id)
  t.notOk(fourth.isReused)
})

void t.test('a job of high dynamic range is replaced when the tone mapping has changed', async (t) => {
  const { services, itemId } = await start(t)
  await services.db.query(sql.unsafe`
    update media_items set metadata = jsonb_set(metadata, '{source,colorTransfer}', '"smpte2084"') where id = ${itemId}`)
  const planned = async () => {
    const { job } = await startTranscode(services, { itemId })
    const plan = await readStreamPlan(jobDirectory(services.config, job.id))
    return { id: job.id, hdrTransfer: plan?.source.hdrTransfer }
  }
  const mapped = await planned()
  t.equal(mapped.hdrTransfer, 'smpte2084')
  t.equal((await planned()).id, mapped.id)
  t.equal(await changeToneMapping(services, { mode: 'none' }), 'none')
  const left = await planned()
  t.not(left.id, mapped.id)
  t.equal(left.hdrTransfer, null)
  t.equal((await planned()).id, left.id)
})

void t.test('items that cannot be transcoded are refused with a reason', async (t) => {
  const services = await streamingServices(t)
  // Its streams are unknown.
  const song = await addFilm(t, services, await sampleMedia('song-mp3'))
  await t.rejects(startTranscode(services, { itemId: song.itemId }), { code: 'not_transcodable', kind: 'invalid' })
  const film = await addFilm(t, services, await sampleMedia('film-tiny-mp4'))
  await rm(film.path)
  await t.rejects(startTranscode(services, { itemId: film.itemId }), { code: 'file_not_found' })
  const unknown = '00000000-0000-4000-8000-000000000000'
  await t.rejects(startTranscode(services, { itemId: unknown }), { code: 'media_item_not_found' })
  await t.rejects(startTranscode(services, { itemId: '../x' }), { code: 'media_item_not_found' })
})

void t.test('a job is complete when all segments of a rendition exist', async (t) => {
  const { services, itemId } = await start(t)
  const { job } = await startTranscode(services, { itemId })
  const directory = jobDirectory(services.config, job.id)
  for (const index of [0, 1, 2]) await writeFile(join(directory, `seg-v360p-0000${index}.ts`), 'x')
  await writeFile(join(directory, 'seg-v999p-00000.ts'), 'x')
  t.match(await getTranscodeProgress(services, job.id), { status: 'running', encodedSegments: 3, percent: 75 })
  await writeFile(join(directory, 'seg-v360p-00003.ts'), 'x')
  t.match(await getTranscodeProgress(services, job.id), { status: 'completed', encodedSegments: 4, percent: 100 })
  await t.rejects(getTranscodeProgress(services, 'nope'), { code: 'transcode_job_not_found' })
})
