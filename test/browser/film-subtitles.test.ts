import { copyFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { startPageApp } from '../support/sockets.ts'
import { startBrowser } from '../support/browser.ts'
import { reachableDirectory } from '../support/directories.ts'
import { sampleMedia } from '../support/media.ts'
import { scanLibrary } from '../support/scan-library.ts'
import { waitUntil } from '../support/wait-until.ts'
import { openFilm } from '../support/open-film.ts'

const line = (text: string): string => `1\n00:00:00,000 --> 00:00:03,000\n${text}\n`

const server = await startPageApp(t)
const { openPage } = await startBrowser(t)
const folder = reachableDirectory(t)
// The language of the browser is English. It would select English by itself in addition to the default track of the file.
copyFileSync(await sampleMedia('film-tiny-mp4'), join(folder, 'A film (1999).mp4'))
writeFileSync(join(folder, 'A film (1999).de.default.srt'), line('Hallo'))
writeFileSync(join(folder, 'A film (1999).en.srt'), line('Hello'))
await scanLibrary(server.services, { folder, type: 'movie' })
await server.registerUser()

/** Runs in the page. */
const SHOWN = `[...document.querySelector('video').textTracks].filter((track) => track.mode === 'showing').map((track) => track.language)`
const PLAYS = `(({ readyState, currentTime, ended }) => ended || (readyState >= 3 && currentTime > 0.2))(document.querySelector('video'))`

void t.test('the page shows the selected subtitles only', async (t) => {
  const { page, complaints } = await openPage(t, server.baseUrl)
  await page.fill('#username', 'user')
  await page.fill('#password', 'correct horse')
  await page.press('#password', 'Enter')
  await openFilm(page)
  const plays = () => waitUntil('the film plays', () => page.evaluate(PLAYS))
  await plays()
  t.strictSame(await page.evaluate(SHOWN), ['de'], 'the default track of the file')
  t.equal(await page.locator('#subtitles option:checked').textContent(), 'German')

  await page.selectOption('#subtitles', '')
  t.strictSame(await page.evaluate(SHOWN), [], 'none')
  await page.selectOption('#quality', 'auto')
  await waitUntil('the stream plays', () =>
    page.evaluate(`document.querySelector('#player-mode').textContent === 'HLS' && ${PLAYS}`),
  )
  t.strictSame(await page.evaluate(SHOWN), [], 'and none after another medium was loaded')
  await page.selectOption('#subtitles', { label: 'German' })
  t.strictSame(await page.evaluate(SHOWN), ['de'])
  t.strictSame(complaints, [])
})
