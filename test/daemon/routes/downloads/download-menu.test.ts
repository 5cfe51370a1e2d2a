import t from 'tap'
import { startDownloadWorker } from '../../../../src/core/downloads/index.ts'
import { scanFilms } from '../../../support/app.ts'
import { startBrowser } from '../../../support/browser.ts'
import { startPageApp } from '../../../support/sockets.ts'
import { openFilm } from '../../../support/open-film.ts'

/** Types for functions that run in the page; the DOM types are not part of this program. */
declare const document: { querySelector: (selector: string) => { href: string } | null }

const { openPage } = await startBrowser(t)

void t.test('the player saves the film itself, or a smaller file that is made first', async (t) => {
  const app = await startPageApp(t)
  await app.registerUser()
  await scanFilms(t, app.services, { 'A film (1999).mp4': 'film-mp4' })
  const work = startDownloadWorker(app.services)
  t.teardown(() => work.stop())
  const { page, complaints } = await openPage(t, app.baseUrl)
  await page.fill('#username', 'user')
  await page.fill('#password', 'correct horse')
  await page.press('#password', 'Enter')
  await openFilm(page)
  const isOffered = () => (document.querySelector('#download-save')?.href ?? '') !== ''
  await page.waitForSelector('label:not([hidden]) #download')
  await page.selectOption('#download', 'original')
  await page.waitForFunction(isOffered)
  t.match(await page.getAttribute('#download-save', 'href'), /^\/media\/[0-9a-f-]{36}\/stream\?/)
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Save the file' }).click(),
  ])
  t.equal(file.suggestedFilename(), 'A film (1999).mp4')
  const original = await app.ask('GET', String(await page.getAttribute('#download-save', 'href')))
  t.equal(original.headers.get('content-disposition'), 'attachment; filename="A film (1999).mp4"')
  const rung = await page.getAttribute('#download option:last-child', 'value')
  await page.selectOption('#download', rung)
  await page.waitForFunction(isOffered)
  const address = await page.getAttribute('#download-save', 'href')
  t.match(address, new RegExp(`^/media/[0-9a-f-]{36}/download/${rung}\\?`))
  const saved = await app.ask('GET', address ?? '')
  t.equal(saved.status, 200)
  t.match(saved.headers.get('content-disposition'), /^attachment/)
  t.strictSame(complaints, [])
})
