import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { startPageApp } from '../support/sockets.ts'
import { startBrowser } from '../support/browser.ts'
import { reachableDirectory } from '../support/directories.ts'
import { sampleMedia } from '../support/media.ts'
import { scanLibrary } from '../support/scan-library.ts'
import { waitUntil } from '../support/wait-until.ts'
import { openFilm } from '../support/open-film.ts'

const server = await startPageApp(t)
const { openPage } = await startBrowser(t)
const folder = reachableDirectory(t)
// The browser could play each of the files directly: 20 s, then 2 s.
copyFileSync(await sampleMedia('film-mp4'), join(folder, 'Das Boot (1981) cd1.mp4'))
copyFileSync(await sampleMedia('film-tiny-mp4'), join(folder, 'Das Boot (1981) cd2.mp4'))
await scanLibrary(server.services, { folder, type: 'movie' })
await server.registerUser()

/** Runs in the page. */
const LENGTH = `document.querySelector('video').duration`
const STATE = `(({ currentTime, ended, duration, videoWidth }) => ({ currentTime, ended, duration, videoWidth }))(document.querySelector('video'))`

type State = { currentTime: number; ended: boolean; duration: number; videoWidth: number }

void t.test('the page plays a film in two files to its end', async (t) => {
  const { page, complaints } = await openPage(t, server.baseUrl)
  await page.fill('#username', 'user')
  await page.fill('#password', 'correct horse')
  await page.press('#password', 'Enter')
  await openFilm(page)
  await waitUntil('the length is known', () => page.evaluate(`${LENGTH} > 0`))
  t.equal(await page.textContent('#player-mode'), 'HLS')
  const length: number = await page.evaluate(LENGTH)
  t.ok(Math.abs(length - 22) < 0.2, String(length))
  await page.evaluate(`document.querySelector('video').currentTime = 18.5`)
  await waitUntil('the second file plays', () => page.evaluate(`document.querySelector('video').currentTime > 20.5`))
  const state = await page.evaluate<State>(STATE)
  t.ok(state.ended || state.videoWidth === 320, JSON.stringify(state))
  await waitUntil('the film is at its end', () => page.evaluate(`document.querySelector('video').ended`))
  const { currentTime } = await page.evaluate<State>(STATE)
  t.ok(Math.abs(currentTime - 22) < 0.3, String(currentTime))
  t.equal(await page.textContent('#player-problem'), '')
  t.strictSame(complaints, [])
})
