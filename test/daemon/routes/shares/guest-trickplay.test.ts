import t from 'tap'
import { pick, startApp } from '../../../support/app.ts'
import { codeOf, openLink, share } from '../../../support/shares.ts'
import { filmWithSet } from '../../../core/analysis/trickplay/made-set.ts'
import { timeFilm } from '../../../core/analysis/time-films.ts'

void t.test('a guest gets the pictures of the time line of a listed film, and of no other one (AZ-14)', async (t) => {
  const app = await startApp(t)
  const user = await app.registerUser()
  const { itemId } = await filmWithSet(t, app.services, await timeFilm('constant'))
  const { itemId: other } = await filmWithSet(t, app.services, await timeFilm('constant'))
  const guest = await openLink(app, (await share(app, user, { item_id: itemId })).token)
  const below = (address: string): string => address.replace(`/s/${guest.id}`, '')
  const playback = await guest.ask(`/items/${itemId}/playback`)
  const storyboard = String(pick(playback.json, 'storyboard_url'))
  const { status, text } = await guest.ask(below(storyboard))
  t.equal(status, 200)
  t.notMatch(text, /sig=|exp=/)
  const grid = /^\/s\/\S+\.jpg\?v=\S+(?=#xywh)/m.exec(text)?.[0] ?? ''
  const picture = await guest.ask(below(grid))
  t.equal(picture.status, 200)
  t.equal(picture.headers.get('content-type'), 'image/jpeg')
  for (const address of [storyboard, grid])
    t.equal(codeOf(await guest.ask(below(address).replace(itemId, other))), '404 share_item_not_found')
  for (const file of ['sprite.jpg', 'index.bif', '..%2findex.xml', 'x']) {
    t.equal((await guest.ask(`/trickplay/${itemId}/${file}`)).status, 404, file)
  }
  t.equal((await app.ask('GET', grid)).status, 401)
})
