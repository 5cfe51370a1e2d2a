import { createServer, request as sendRequest } from 'node:http'
import t from 'tap'
import { readHubSummary } from '../../../src/core/hub/index.ts'
import { pick } from '../../support/app.ts'
import { startBrowser } from '../../support/browser.ts'
import { fakeHome, pairHome, sendHeartbeat } from '../../support/home-server.ts'
import { freePort } from '../../support/free-port.ts'
import { PROTOCOL, startTestHub } from '../../support/hub.ts'
import { startPairedServer } from '../../support/relay/paired-server.ts'

const hub = await startTestHub(t)
const browser = await startBrowser(t)
const ada = await hub.addUser('ada', { isAdmin: true })

void t.test('a user signs in, confirms the code of the address, and sees the server; names are text', async (t) => {
  const home = fakeHome(hub, '<img src=x onerror=alert(1)>')
  const opened = await hub.ask('POST', '/api/v1/server-claims/new', { body: await home.claimBody(), headers: PROTOCOL })
  const { page, complaints } = await browser.openPage(t, `${hub.url}/#claim=${String(pick(opened.json, 'claimCode'))}`)
  await page.getByLabel('Name or e-mail').fill('ada')
  await page.getByLabel('Password').first().fill('correct horse')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('No server yet.').waitFor()
  await page.getByRole('button', { name: 'Add' }).click()
  await page.locator('#servers').getByText('<img src=x onerror=alert(1)>').waitFor()
  await page
    .locator('#servers')
    .getByRole('button', { name: /^Invite/ })
    .click()
  await page.getByText(/valid once and for seven days/).waitFor()
  t.match(await page.locator('#summary').textContent(), /Servers online: 0 of 1\./)
  t.equal(new URL(page.url()).hash, '', 'the code does not stay in the address')
  await page
    .locator('#servers')
    .getByRole('button', { name: /^Remove/ })
    .click()
  // The last of the lists that follow the removal: a list that is still read at the sign-out is answered with 401.
  await page.getByText(/Servers online: 0 of 0\./).waitFor()
  await page.locator('#activity').getByText('server.removed').waitFor()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: 'Sign in' }).waitFor()
  await hub.addUser('cas')
  await page.getByLabel('Name or e-mail').fill('cas')
  await page.getByLabel('Password').first().fill('correct horse')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('No server yet.').waitFor()
  t.notOk(await page.locator('#admin').isVisible(), 'the next user does not see the administration')
  t.equal(await page.locator('#users li').count(), 0)
  t.equal(await page.locator('#summary').textContent(), '')
  t.strictSame(complaints, [])
})

void t.test('somebody with an invitation makes an account and sees the shared server', async (t) => {
  const paired = await pairHome(hub, ada)
  await sendHeartbeat(hub, paired)
  const body = { server_id: paired.serverId }
  const { json } = await hub.ask('POST', '/api/v1/me/invite-links', { token: ada.token, body })
  const { page, complaints } = await browser.openPage(t, String(pick(json, 'url')))
  await page.locator('#new-username').fill('bob')
  await page.locator('#new-email').fill('bob@example.test')
  await page.locator('#new-password').fill('correct horse')
  await page.getByRole('button', { name: 'Create' }).click()
  await page.locator('#servers').getByText('Attic').waitFor()
  await page.locator('#shares').getByText('of ada').waitFor()
  t.notOk(await page.locator('#admin').isVisible(), 'without the administration')
  t.match(await readHubSummary(hub.services), { users: 3 })
  t.strictSame(complaints, [])
})

void t.test('a server is opened where it proves who it is, and not where another host answers', async (t) => {
  const eve = await hub.addUser('eve')
  const [proxyPort, otherPort] = [await freePort(), await freePort()]
  const real = await startPairedServer(t, hub, eve, { PHLIX_PUBLIC_URL: `http://127.0.0.1:${proxyPort}` })
  const { port } = new URL(real.baseUrl)
  const proxy = createServer(({ method, url: path, headers }, reply) => {
    const forwarded = sendRequest({ port, host: '127.0.0.1', method, path, headers }, (answer) => {
      reply.writeHead(answer.statusCode ?? 0, answer.headers)
      answer.pipe(reply)
    })
    forwarded.end()
  })
  const foreign = createServer((_request, reply) => {
    reply.writeHead(200, { 'content-type': 'application/json', 'access-control-allow-origin': '*' })
    reply.end(JSON.stringify({ kid: 'x', signature: 'x' }))
  })
  proxy.listen(proxyPort, '127.0.0.1')
  foreign.listen(otherPort, '127.0.0.1')
  t.teardown(() => [proxy, foreign].forEach((server) => server.close()))
  const { page } = await browser.openPage(t, hub.url)
  const offer = async (...urls: string[]): Promise<void> => {
    await page.route('**/access-info', async (route) => {
      const reply = await route.fetch()
      const candidates = urls.map((url) => ({ kind: 'lan', url }))
      await route.fulfill({ json: { ...((await reply.json()) as object), candidates } })
    })
  }
  await page.getByLabel('Name or e-mail').fill('eve')
  await page.getByLabel('Password').first().fill('correct horse')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await offer(`http://127.0.0.1:${otherPort}`)
  await page.getByRole('button', { name: 'Open: Attic' }).click()
  await page.getByText('Attic cannot be reached directly from here.').waitFor()
  t.equal(new URL(page.url()).origin, hub.url)
  await offer(`http://127.0.0.1:${otherPort}`, `http://127.0.0.1:${proxyPort}`)
  await page.getByRole('button', { name: 'Open: Attic' }).click()
  await page.waitForURL(`http://127.0.0.1:${proxyPort}/**`)
  t.pass()
})
