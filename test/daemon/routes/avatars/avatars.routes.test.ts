import { once } from 'node:events'
import { connect } from 'node:net'
import sharp from 'sharp'
import t from 'tap'
import { sql } from 'slonik'
import { deleteAccount } from '../../../../src/core/accounts/index.ts'
import { pick, startApp } from '../../../support/app.ts'
import { plain, turnedJpeg } from '../../../support/generated-pictures.ts'
import { waitUntil } from '../../../support/wait-until.ts'

void t.test('a person gives the account a picture, as existing clients send it', async (t) => {
  const { ask, baseUrl, services, registerAdmin, registerUser } = await startApp(t)
  const { token, account } = await registerUser()
  const { account: admin } = await registerAdmin()
  const send = async (bytes: Uint8Array, { method = 'POST', field = 'avatar' } = {}) => {
    const form = new FormData()
    form.append(field, new Blob([new Uint8Array(bytes)], { type: 'image/png' }), 'me.png')
    const headers = { authorization: `Bearer ${token}` }
    const reply = await fetch(`${baseUrl}/api/v1/users/me/avatar`, { method, headers, body: form })
    return { status: reply.status, json: await reply.json() }
  }
  const bytesAt = async (path: string, headers: Record<string, string> = {}) => {
    const reply = await fetch(`${baseUrl}${path}`, { headers })
    return {
      status: reply.status,
      type: reply.headers.get('content-type'),
      bytes: Buffer.from(await reply.arrayBuffer()),
    }
  }
  const addressNow = async () => pick((await ask('GET', '/api/v1/auth/me', { token })).json, 'user', 'avatar_url')
  const own = { authorization: `Bearer ${token}` }

  t.match(await ask('GET', '/api/v1/users/me/avatar', { token }), { status: 404, json: { code: 'avatar_not_found' } })
  t.equal((await ask('POST', '/api/v1/users/me/avatar')).status, 401)

  const saved = await send(await turnedJpeg(6))
  t.match(saved, {
    status: 200,
    json: { avatar_url: new RegExp(`^/api/v1/users/${account.id}/avatar\\?v=[0-9a-f]{32}$`) },
  })
  const address = String(pick(saved.json, 'avatar_url'))
  t.equal(await addressNow(), address)
  const shown = await bytesAt(address)
  t.match(shown, { status: 200, type: 'image/jpeg' }, 'without a token, as an element of a page asks')
  t.match(await sharp(shown.bytes).metadata(), { format: 'jpeg', width: 512, height: 512, exif: undefined })
  t.strictSame((await bytesAt('/api/v1/users/me/avatar', own)).bytes, shown.bytes)

  const again = await send(await plain(600, 300).png().toBuffer(), { method: 'PUT' })
  const newer = String(pick(again.json, 'avatar_url'))
  t.not(newer, address)
  t.equal((await bytesAt(newer)).status, 200)
  for (const path of [
    address,
    address.replace(/\?.*/, ''),
    newer.replace(account.id, admin.id),
    newer.replace(account.id, 'x'),
  ]) {
    t.equal((await bytesAt(path)).status, 404, path)
  }

  for (const bad of [
    Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
    Buffer.alloc(0),
    (await plain(9, 9).png().toBuffer()).subarray(0, 60),
  ]) {
    t.match(await send(bad), { status: 400, json: { code: 'invalid_avatar' } })
  }
  t.match(await send(await plain(9, 9).png().toBuffer(), { field: 'file' }), {
    status: 400,
    json: { code: 'invalid_avatar' },
  })
  t.match(await ask('POST', '/api/v1/users/me/avatar', { token, body: { avatar: 'x' } }), {
    status: 400,
    json: { code: 'invalid_avatar' },
  })
  t.match(await send(Buffer.alloc(11 * 1024 * 1024)), { status: 413 })
  t.equal(await addressNow(), newer, 'what is refused changes nothing')

  const headers = { 'content-type': 'application/json' }
  t.match(await ask('DELETE', '/api/v1/users/me/avatar', { token, headers }), {
    status: 200,
    json: { avatar_url: null },
  })
  t.equal(await addressNow(), null)
  t.equal((await bytesAt(newer)).status, 404)
  t.equal((await ask('DELETE', '/api/v1/users/me/avatar', { token })).status, 200)

  const last = String(pick((await send(await plain(9, 9).png().toBuffer())).json, 'avatar_url'))
  t.equal((await bytesAt(last)).status, 200)
  await deleteAccount(services, { accountId: account.id })
  t.equal((await bytesAt(last)).status, 404)
  t.equal(
    Number(await services.db.oneFirst(sql.unsafe`select count(*) from user_avatars`)),
    0,
    'it goes with the account',
  )
})

void t.test('uploads above the concurrency limit are refused before they are read', async (t) => {
  const { ask, baseUrl, registerUser } = await startApp(t)
  const { token } = await registerUser()
  const { hostname, port } = new URL(baseUrl)
  const head = [
    'POST /api/v1/users/me/avatar HTTP/1.1',
    `Host: ${hostname}`,
    `Authorization: Bearer ${token}`,
    'Content-Type: multipart/form-data; boundary=x',
    'Content-Length: 10000000',
    'Expect: 100-continue',
  ]
  // The server confirms the headers; the body is never sent.
  const begin = async () => {
    const socket = connect(Number(port), hostname)
    t.teardown(() => socket.destroy())
    socket.write(`${head.join('\r\n')}\r\n\r\n`)
    const [answer] = (await once(socket, 'data')) as [Buffer]
    return { socket, answer: String(answer) }
  }
  const refused = async () => {
    const form = new FormData()
    form.append('avatar', new Blob([new Uint8Array(await plain(10, 10).png().toBuffer())]), 'me.png')
    const headers = { authorization: `Bearer ${token}` }
    const reply = await fetch(`${baseUrl}/api/v1/users/me/avatar`, { method: 'POST', headers, body: form })
    return { status: reply.status, after: reply.headers.get('retry-after') }
  }
  const begun = await Promise.all(Array.from({ length: 2 }, begin))
  await waitUntil('the third is refused', async () => (await refused()).status === 503)
  t.match(await refused(), { status: 503, after: '2' })
  t.equal((await ask('GET', '/api/v1/users/me/avatar', { token })).status, 404, 'reading is not refused')
  for (const { socket } of begun) socket.destroy()
  await waitUntil('one is accepted again', async () => (await refused()).status === 200)
})

void t.test('a picture of more pixels than any camera takes is refused by its header', async (t) => {
  const { baseUrl, registerUser } = await startApp(t)
  const { token } = await registerUser()
  const form = new FormData()
  form.append('avatar', new Blob([new Uint8Array(await plain(8000, 7000).png().toBuffer())]), 'me.png')
  const headers = { authorization: `Bearer ${token}` }
  const reply = await fetch(`${baseUrl}/api/v1/users/me/avatar`, { method: 'POST', headers, body: form })
  t.equal(reply.status, 400)
  t.match(await reply.json(), { code: 'invalid_avatar', message: /8000 x 7000/ })
})
