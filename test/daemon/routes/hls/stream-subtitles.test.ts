import { copyFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { listItems } from '../../../../src/core/catalogue/index.ts'
import { pick, startApp } from '../../../support/app.ts'
import { reachableDirectory } from '../../../support/directories.ts'
import { sampleMedia } from '../../../support/media.ts'
import { scanAgain, scanLibrary } from '../../../support/scan-library.ts'

void t.test('a subtitle of a job keeps its address while files beside the film come and go', async (t) => {
  const server = await startApp(t)
  const { ask, services } = server
  const folder = reachableDirectory(t)
  copyFileSync(await sampleMedia('film-tiny-mp4'), join(folder, 'Film (2001).mp4'))
  const put = (language: string, words: string): void =>
    writeFileSync(join(folder, `Film (2001).${language}.srt`), `1\n00:00:00,000 --> 00:00:01,000\n${words}\n`)
  put('fr', 'Salut')
  const library = await scanLibrary(services, { folder, type: 'movie' })
  const [item] = (await listItems(services, { libraryId: library.id, limit: 1, offset: 0 })).items
  const { token } = await server.registerUser()
  const start = async (): Promise<{ language: string; url: string }[]> => {
    const { json } = await ask('POST', `/api/v1/media/${item?.id}/transcode`, { token })
    return pick(json, 'subtitles') as { language: string; url: string }[]
  }
  const read = async (url = '') => (await ask('GET', url)).text.trim().split('\n').at(-1)

  const [french] = await start()
  t.equal(await read(french?.url), 'Salut')
  put('de', 'Hallo')
  await scanAgain(services, library.id)
  t.equal(await read(french?.url), 'Salut', 'German is before it now')

  const both = await start()
  t.strictSame(
    both.map(({ language }) => language),
    ['de', 'fr'],
  )
  const german = both[0]
  t.equal(await read(german?.url), 'Hallo')
  t.equal(await read(both[1]?.url), 'Salut')
  t.equal(await read(french?.url), 'Salut')

  rmSync(join(folder, 'Film (2001).fr.srt'))
  await scanAgain(services, library.id)
  t.match(await ask('GET', french?.url ?? ''), { status: 404, json: { code: 'stream_file_not_found' } })
  t.equal(await read(german?.url), 'Hallo')
  put('en', 'Hello')
  await scanAgain(services, library.id)
  const later = await start()
  t.strictSame(await Promise.all(later.map(({ url }) => read(url))), ['Hallo', 'Hello'])
  t.equal((await ask('GET', french?.url ?? '')).status, 404, 'its URL is valid for no other job')
})
