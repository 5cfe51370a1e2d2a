import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import HLS from 'hls-parser'
import t from 'tap'
import { pick, startApp } from '../../../support/app.ts'
import { reachableDirectory } from '../../../support/directories.ts'
import { sampleMedia } from '../../../support/media.ts'
import { scanLibrary } from '../../../support/scan-library.ts'
import { listWholeItems } from '../../../support/whole-items.ts'

const server = await startApp(t)
const { ask, services } = server
const { token } = await server.registerUser()

for (const [type, kind, name] of [
  ['music', 'song-mp3', 'Tone.mp3'],
  ['music', 'song-flac', 'Tone.flac'],
  ['audiobook', 'audiobook-m4b', 'Book.m4b'],
  ['video', 'song-mp3', 'Talk.mp4'],
] as const) {
  void t.test(`${name} in a library of type ${type} is streamed from its master playlist on`, async (t) => {
    const folder = reachableDirectory(t)
    copyFileSync(await sampleMedia(kind), join(folder, name))
    const { id: libraryId } = await scanLibrary(services, { folder, type })
    const { items } = await listWholeItems(services, { libraryId, limit: 100, offset: 0 })
    const item = items.find(({ path }) => path?.endsWith(name))
    const started = await ask('POST', `/api/v1/media/${item?.id}/transcode`, { token })
    t.match(started, { status: 200, json: { status: 'running', playlist_ready: true, variants: [] } })
    const jobId = String(pick(started.json, 'job_id'))
    const master = await ask('GET', String(pick(started.json, 'master_url')))
    const { variants } = HLS.parse(master.text) as HLS.types.MasterPlaylist
    t.equal(variants.length, 1)
    t.equal(variants[0]?.resolution, undefined)
    const list = await ask('GET', `/hls/${jobId}/${variants[0]?.uri}`)
    const { segments } = HLS.parse(list.text) as HLS.types.MediaPlaylist
    t.ok(segments.length > 0)
    for (const { uri } of segments) {
      const reply = await ask('GET', `/hls/${jobId}/${uri}`)
      t.equal(reply.status, 200)
      t.equal(reply.headers.get('content-type'), 'video/mp2t')
    }
    const status = await ask('GET', `/api/v1/transcode/${jobId}/status`, { token })
    t.match(status.json, { status: 'completed', progress: 100, segments: segments.length })
    const again = await ask('POST', `/api/v1/media/${item?.id}/transcode`, { token })
    t.match(again.json, { job_id: jobId, reused: true })
  })
}
