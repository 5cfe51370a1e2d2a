import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import { startBrowser } from '../support/browser.ts'
import { startPageApp } from '../support/sockets.ts'

const server = await startPageApp(t)
const { openPage } = await startBrowser(t)
await server.registerUser()

/** What another page can send: forms, and requests without and with a preflight request. For SameSite, ports do not count. */
const FORGERIES = (url: string): string => `(async () => {
  for (const name of ['logout', 'refresh', 'adopt']) {
    const address = '${url}/api/v1/auth/web/' + name
    const common = { method: 'POST', credentials: 'include', body: '{}' }
    await fetch(address, { ...common, mode: 'no-cors', headers: { 'content-type': 'text/plain' } }).catch(() => {})
    const headers = { 'content-type': 'application/json', 'x-phlix-web': '1' }
    await fetch(address, { ...common, headers }).catch(() => {})
  }
  const frame = document.body.appendChild(document.createElement('iframe'))
  frame.name = 'target'
  const form = document.body.appendChild(document.createElement('form'))
  Object.assign(form, { method: 'post', enctype: 'text/plain', action: '${url}/api/v1/auth/web/logout', target: 'target' })
  form.submit()
})()`

void t.test('a page on another port of the host, ends and renews nothing (WC-01)', async (t) => {
  const other = createServer((_request, reply) =>
    reply.setHeader('content-type', 'text/html').end('<p>Another program'),
  ).listen(0, '127.0.0.1')
  t.teardown(() => other.close())
  await once(other, 'listening')
  const { page } = await openPage(t, server.baseUrl)
  await page.fill('#username', 'user')
  await page.fill('#password', 'correct horse')
  await page.press('#password', 'Enter')
  await page.waitForSelector('#empty:not([hidden])')
  const cookies = () => page.context().cookies(`${server.baseUrl}/api/v1/auth/web`)
  const before = await cookies()
  const foreign = await page.context().newPage()
  const statuses: number[] = []
  foreign.on('response', (reply) => {
    if (reply.url().includes('/auth/web/')) statuses.push(reply.status())
  })
  await foreign.goto(`http://127.0.0.1:${(other.address() as AddressInfo).port}/`)
  await foreign.evaluate(FORGERIES(server.baseUrl))
  await foreign.waitForTimeout(0)
  t.ok(statuses.length > 0 && statuses.every((status) => status >= 400), statuses.join())
  t.strictSame(await cookies(), before)
  await page.reload()
  t.ok(await page.waitForSelector('#empty:not([hidden])'))
})
