import t from 'tap'
import { setAccess } from '../../../../src/core/accounts/index.ts'
import { codeOf, openLink, share, startWithFilms } from '../../../support/shares.ts'

void t.test('guests save nothing of an account that may not download, also of links of before', async (t) => {
  const app = await startWithFilms(t, { 'Shared (1999).mp4': 'film-mp4' })
  const id = app.idOf('Shared')
  const guest = await openLink(app, (await share(app, app.user, { item_id: id, allow_download: true })).token)
  t.equal((await guest.ask(`/items/${id}/download`)).status, 200)
  const accountId = app.user.account.id
  await setAccess(app.services, { accountId, changes: {}, mayDownload: false })
  t.match(codeOf(await guest.ask(`/items/${id}/download`)), /^403 /)
  t.equal((await guest.ask(`/items/${id}/stream`, 'GET', { range: 'bytes=0-9' })).status, 206, 'and still play')
  await setAccess(app.services, { accountId, changes: { maxAge: 18, allowsUnrated: true } })
  t.match(codeOf(await guest.ask(`/items/${id}/download`)), /^403 /, 'other changes leave it')
})
