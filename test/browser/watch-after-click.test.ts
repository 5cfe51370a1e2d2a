import t from 'tap'
import { scanFilms } from '../support/app.ts'
import { startBrowser } from '../support/browser.ts'
import { startPageApp } from '../support/sockets.ts'
import { waitUntil } from '../support/wait-until.ts'

const server = await startPageApp(t)
const { openPage } = await startBrowser(t, { autoplay: 'afterClick' })
await scanFilms(t, server.services, { 'A film (1999).mp4': 'film-long-mp4' })
await server.registerAdmin()
const user = await server.registerUser()

const PLACE = `{ const { paused, currentTime } = document.querySelector('video'); ({ paused, currentTime }) }`

void t.test('a page that may not play before a click shows a button, and the group does not wait for it', async (t) => {
  const { page: host } = await openPage(t, server.baseUrl)
  await host.fill('#username', 'admin')
  await host.fill('#password', 'correct horse')
  await host.press('#password', 'Enter')
  await host.click('.film')
  await host.click('#watch-start')
  await host.waitForSelector('#watch:not([hidden])')
  const link = (await host.getAttribute('#watch-link', 'href')) ?? ''
  const membersNow = () => [...(server.services.watchGroups.find(link.split('=')[1] ?? '')?.members.values() ?? [])]
  await host.evaluate(`void document.querySelector('video').play()`)

  const tokens = { access_token: await server.signIn(user.account.id), refresh_token: '', is_at_provider: false }
  const keepTokens = `sessionStorage.setItem('phlix.tokens', ${JSON.stringify(JSON.stringify(tokens))})`
  const { page: guest } = await openPage(t, `${server.baseUrl}${link}`, async (page) => {
    await page.addInitScript(keepTokens)
  })
  const own = () => membersNow().find(({ username }) => username === 'user')
  await waitUntil('the group does not wait for it', () => own()?.ignoresWait === true)
  t.match(own(), { isReady: false })
  await guest.click('#watch-play')
  await waitUntil('it plays', async () => !((await guest.evaluate(PLACE)) as { paused: boolean }).paused)
  await waitUntil('the group waits for it again', () => own()?.ignoresWait === false)
  t.equal(await guest.isVisible('#watch-play'), false)
})
