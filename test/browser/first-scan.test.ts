import t from 'tap'
import { startBrowser } from '../support/browser.ts'
import { reachableDirectory } from '../support/directories.ts'
import { scanLibrary } from '../support/scan-library.ts'
import { putSample } from '../support/scanning.ts'
import { startPageApp } from '../support/sockets.ts'
import { waitUntil } from '../support/wait-until.ts'
import { signIn } from './signed-in-page.ts'

void t.test('an empty page says how a library is made, and shows what a scan has found without a reload', async (t) => {
  const server = await startPageApp(t)
  const { openPage } = await startBrowser(t)
  const { account } = await server.registerUser()
  const folder = reachableDirectory(t)
  await putSample(folder, 'first/A film (1999).mp4')
  await putSample(folder, 'second/Another film (2001).mp4')
  const { page, complaints } = await openPage(t, server.baseUrl)
  const { page: list } = await openPage(t, server.baseUrl)
  for (const one of [page, list]) {
    await signIn(one, 'user')
    await one.waitForSelector('#empty')
    t.match(await one.textContent('#empty'), /phlix library:create Films --type movie --path/)
  }
  await list.click('#libraries a:text-is("All titles")')
  await list.waitForSelector('#empty')
  await waitUntil('the pages listen', async () => (await server.services.players.list(account.id)).length === 2)
  const titles = (of: typeof page) => of.locator('.film .title').allTextContents()
  await scanLibrary(server.services, { folder: `${folder}/first`, type: 'movie' })
  for (const one of [page, list])
    await waitUntil('the film is shown', async () => (await titles(one)).includes('A film'))
  t.equal(await list.textContent('#count'), '1 title')
  await scanLibrary(server.services, { folder: `${folder}/second`, type: 'movie' })
  for (const one of [page, list])
    await waitUntil('the other film is shown', async () => (await titles(one)).includes('Another film'))
  t.equal(await list.textContent('#count'), '2 titles')
  t.strictSame(complaints, [])
})
