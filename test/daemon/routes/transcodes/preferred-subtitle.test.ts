import { copyFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { listItems } from '../../../../src/core/catalogue/index.ts'
import { pick, startApp } from '../../../support/app.ts'
import { reachableDirectory } from '../../../support/directories.ts'
import { sampleMedia } from '../../../support/media.ts'
import { scanLibrary } from '../../../support/scan-library.ts'

void t.test('the master playlist marks the subtitles of the user’s own language as default', async (t) => {
  const { ask, services, registerUser, registerAdmin } = await startApp(t)
  const folder = reachableDirectory(t)
  copyFileSync(await sampleMedia('film-tiny-mp4'), join(folder, 'Film (2001).mp4'))
  for (const name of ['de', 'de.forced', 'fr']) {
    writeFileSync(join(folder, `Film (2001).${name}.srt`), `1\n00:00:00,000 --> 00:00:01,000\n${name}\n`)
  }
  const library = await scanLibrary(services, { folder, type: 'movie' })
  const [item] = (await listItems(services, { libraryId: library.id, limit: 1, offset: 0 })).items
  const { token } = await registerUser()
  const { token: other } = await registerAdmin()
  const prefer = (settings: object) => ask('PUT', '/api/v1/users/me/settings', { token, body: settings })
  const start = async (caller: string, deviceType = 'android') => {
    const headers = { 'x-phlix-device-type': deviceType }
    const { json } = await ask('POST', `/api/v1/media/${item?.id}/transcode`, { token: caller, headers })
    return { jobId: String(pick(json, 'job_id')), address: String(pick(json, 'master_url')), headers }
  }
  /** The languages of the default tracks. */
  const shown = async (address: string, attribute = 'DEFAULT') =>
    (await ask('GET', address)).text
      .split('\n')
      .filter((line) => line.startsWith('#EXT-X-MEDIA:TYPE=SUBTITLES') && line.includes(`${attribute}=YES`))
      .map((line) => `${/LANGUAGE="(\w+)"/.exec(line)?.[1]}${line.includes('FORCED=YES') ? ' forced' : ''}`)

  const { address: plain } = await start(token)
  t.notMatch(plain, 'sub=')
  t.strictSame(await shown(plain, 'AUTOSELECT'), ['de forced'], 'without a preference those of the picture alone')

  await prefer({ preferred_subtitle_language: 'fre' })
  const { address, jobId, headers } = await start(token)
  t.match(address, /[?]exp=\d+&sig=[\w-]{88}&sub=\d$/)
  t.strictSame(await shown(address), ['fr'])
  t.strictSame(
    (await shown(address, 'AUTOSELECT')).toSorted((a, b) => a.localeCompare(b)),
    ['de forced', 'fr'],
  )
  t.match((await ask('GET', address)).text, /media_vs\d\.m3u8\?exp=\d+&sig=[\w-]{88}"/)
  const { json: status } = await ask('GET', `/api/v1/transcode/${jobId}/status`, { token, headers })
  t.match(pick(status, 'master_url'), /&sub=\d$/)
  t.notMatch((await start(other)).address, 'sub=', 'another viewer of the same job')
  for (const browser of ['web', 'samsung-tizen', '']) t.notMatch((await start(token, browser)).address, 'sub=')

  await prefer({ preferred_subtitle_language: 'de', subtitle_mode: 'always' })
  t.strictSame(await shown((await start(token)).address), ['de'])
  await prefer({ subtitle_mode: 'none' })
  t.notMatch((await start(token)).address, 'sub=')
  await prefer({ subtitle_mode: null, preferred_subtitle_language: 'it' })
  t.notMatch((await start(token)).address, 'sub=', 'the film has none of that language')

  const odd = address.replace(/&sub=\d/, '&sub=999')
  t.strictSame(await shown(odd, 'AUTOSELECT'), ['de forced'])
  t.equal((await ask('GET', address.replace(/&sub=\d/, '&sub=x'))).status, 400)
  t.equal((await ask('GET', address.replace('&sig=', '&sig=x'))).status, 403)
})
