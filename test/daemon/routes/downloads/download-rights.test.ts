import { mkdir, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'slonik'
import t from 'tap'
import { createProfile, updateProfile } from '../../../../src/core/profiles/index.ts'
import { pick, scanFilms, startApp } from '../../../support/app.ts'
import { codeOf } from '../../../support/shares.ts'
import { waitUntil } from '../../../support/wait-until.ts'

const app = await startApp(t)
const { services, ask } = app
const { account } = await app.registerUser()
const { idOf } = await scanFilms(t, services, { 'A film (1999).mp4': 'film-mp4' })
const id = idOf('A film')
const profile = await createProfile(services, { accountId: account.id, fields: { name: 'Kim', mayDownload: true } })
const token = await app.signIn(account.id, profile.id)
const REFUSED = '403 download_not_permitted'

const allow = (mayDownload: boolean) =>
  updateProfile(services, { id: profile.id, accountId: account.id, fields: { mayDownload } })

/** A film in a quality as if it had been made. */
async function finish(): Promise<string> {
  const path = `/api/v1/media/${id}/download?quality=360p`
  const asked = await ask('POST', path, { token })
  const folder = join(services.config.dataDirectory, 'cache', 'downloads')
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, `${String(pick(asked.json, 'id'))}.mp4`), 'bytes')
  await services.db.query(sql.unsafe`update downloads set status = 'ready', percent = 100, size_bytes = 5`)
  return String(pick((await ask('GET', path, { token })).json, 'url'))
}

void t.test('addresses of downloads end with the permission of the profile, within about a second', async (t) => {
  const original = String(pick((await ask('GET', `/api/v1/media/${id}/download`, { token })).json, 'url'))
  const stream = original.replace('&download=1', '')
  const made = await finish()
  for (const address of [original, made]) t.equal((await ask('GET', address)).status, 200, address)
  await allow(false)
  for (const address of [original, made, `${stream}&download=1`, `${stream}&download[]=1`]) {
    t.equal(codeOf(await ask('GET', address)), REFUSED, address)
    t.equal((await ask('HEAD', address)).status, 403)
  }
  for (const path of [`/media/${id}/stream?download=1`, `/media/${id}/download/360p`, `/api/v1/media/${id}/download`])
    t.equal(codeOf(await ask('GET', path, { token })), REFUSED, path)
  t.equal(codeOf(await ask('POST', `/api/v1/media/${id}/download?quality=360p`, { token })), REFUSED)
  t.equal((await ask('GET', stream)).status, 200, 'it plays')
  const main = await app.signIn(account.id)
  t.equal((await ask('GET', `/media/${id}/stream?download=1`, { token: main })).status, 200, 'another profile saves')
  await allow(true)
  for (const address of [original, made]) t.equal((await ask('GET', address)).status, 200, address)
})

void t.test('what is being saved ends with the permission', async (t) => {
  const path = String(await services.db.oneFirst(sql.unsafe`select path from media_items where id = ${id}`))
  // Larger than all buffers between the server and this client.
  await truncate(path, 200_000_000)
  const original = String(pick((await ask('GET', `/api/v1/media/${id}/download`, { token })).json, 'url'))
  const reader = (await fetch(`${app.baseUrl}${original}`)).body?.getReader()
  await reader?.read()
  await allow(false)
  await waitUntil('it is cut off', async () => {
    try {
      for (;;) if ((await reader?.read())?.done !== false) return false
    } catch {
      return true
    }
  })
  await allow(true)
  t.pass('it was cut off')
})
