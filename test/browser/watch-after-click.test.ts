import type { Page } from 'playwright-core'
import t from 'tap'
import { pick, scanFilms } from '../support/app.ts'
import { startBrowser } from '../support/browser.ts'
import { startPageApp } from '../support/sockets.ts'
import { waitUntil } from '../support/wait-until.ts'
import { openFilm } from '../support/open-film.ts'

const server = await startPageApp(t)
const { openPage } = await startBrowser(t, { autoplay: 'afterClick' })
await scanFilms(t, server.services, { 'A film (1999).mp4': 'film-long-mp4' })
await server.registerAdmin()
const user = await server.registerUser()

void t.test('a page that may not play before a click shows a button, and the group does not wait for it', async (t) => {
  const { page: host } = await openPage(t, server.baseUrl)
  await host.fill('#username', 'admin')
  await host.fill('#password', 'correct horse')
  await host.press('#password', 'Enter')
  await openFilm(host)
  await host.click('#watch-start')
  await host.fill('#new-group [name=name]', 'A film')
  await host.click('#new-group [type=submit]')
  await host.waitForSelector('#watch:not([hidden])')
  const link = (await host.getAttribute('#watch-link', 'href')) ?? ''
  const group = () => server.services.watchGroups.find(link.split('=')[1] ?? '')
  const isPaused = async (page: Page): Promise<boolean> => page.evaluate(`document.querySelector('video').paused`)
  await waitUntil('the group has paused the film', () => isPaused(host))
  await host.evaluate(`void document.querySelector('video').play()`)
  await waitUntil('the group plays', () => group()?.timeline.state === 'playing')

  const body = { username: 'user', password: 'correct horse' }
  const { json } = await server.ask('POST', '/api/v1/auth/login', { body })
  const signIn = { refresh_token: pick(json, 'refresh_token'), account_id: user.account.id }
  // Without a step in the page, which would count as a click. The page takes over what an earlier version has stored.
  const keepSignIn = `localStorage.setItem('phlix.tokens', ${JSON.stringify(JSON.stringify(signIn))})`
  const { page: guest } = await openPage(t, `${server.baseUrl}${link}`, async (page) => {
    await page.addInitScript(keepSignIn)
  })
  const own = () => [...(group()?.members.values() ?? [])].find(({ username }) => username === 'user')
  await waitUntil('the group does not wait for it', () => own()?.ignoresWait === true && !own()?.isReady)
  await guest.click('#watch-play')
  await waitUntil('it plays', async () => !(await isPaused(guest)))
  await waitUntil('the group waits for it again', () => own()?.ignoresWait === false)
  t.equal(await guest.isVisible('#watch-play'), false)
})
