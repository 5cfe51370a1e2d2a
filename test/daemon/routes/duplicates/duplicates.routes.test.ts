import { copyFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { pick, scanFilms, startApp } from '../../../support/app.ts'
import { reachableDirectory } from '../../../support/directories.ts'
import { episodes } from '../../../support/film-catalogue.ts'
import { makeItems } from '../../../support/catalogue-items.ts'
import { sampleMedia } from '../../../support/media.ts'
import { scanLibrary } from '../../../support/scan-library.ts'

void t.test(
  'an administrator finds the copies of a film and merges them, as the pages of existing clients do',
  async (t) => {
    const { ask, services, registerAdmin, registerUser } = await startApp(t)
    const { token } = await registerAdmin()
    const { token: other } = await registerUser()
    const { library, items } = await scanFilms(t, services, {
      'Heat (1995).mp4': 'film-mp4',
      'Hitze (1995).mp4': 'film-mp4',
      'Ran (1985).mkv': 'film-tracks-mkv',
    })
    const url = `/api/v1/admin/libraries/${library.id}/duplicates`
    t.equal((await ask('GET', url)).status, 401)
    t.equal((await ask('GET', url, { token: other })).status, 403)
    t.equal((await ask('POST', '/api/v1/admin/media/merge', { token: other, body: {} })).status, 403)
    t.match(await ask('GET', url.replace(library.id, 'x'), { token }), {
      status: 404,
      json: { code: 'library_not_found' },
    })

    const { json } = await ask('GET', url, { token })
    const group = pick(json, 'groups', 0)
    t.match(group, {
      canonical_key: /^content:/,
      type: 'movie',
      library_id: library.id,
      primary: { id: String, name: String, title: String, type: 'movie', path: String, descendant_count: 0 },
      duplicates: [{ id: String, descendant_count: 0 }],
    })
    t.equal((pick(json, 'groups') as unknown[]).length, 1)
    const body = { primary_id: pick(group, 'primary', 'id'), duplicate_ids: [pick(group, 'duplicates', 0, 'id')] }

    const merge = (body: object) => ask('POST', '/api/v1/admin/media/merge', { token, body })
    t.match(await merge({}), { status: 400, json: { code: 'invalid_merge', error: /Name 1 to 100 items/ } })
    const [episode = ''] = await makeItems(services.db, t.testdir(), episodes(['1:1']))
    t.match(await merge({ ...body, duplicate_ids: [episode] }), {
      status: 400,
      json: { code: 'invalid_merge', error: /is of type episode/, field: 'duplicate_ids' },
    })
    const folder = reachableDirectory(t)
    mkdirSync(join(folder, 'Films'))
    copyFileSync(await sampleMedia('film-mp4'), join(folder, 'Films', 'Heat (1995).mp4'))
    const elsewhere = await scanLibrary(services, { folder, type: 'movie' })
    const { json: list } = await ask('GET', `/api/v1/media?libraryId=${elsewhere.id}`, { token })
    t.match(await merge({ ...body, duplicate_ids: [pick(list, 'items', 0, 'id')] }), {
      status: 400,
      json: { code: 'invalid_merge', error: /in another library/ },
    })
    t.match((await ask('GET', `/api/v1/media?libraryId=${library.id}`, { token })).json, { total: items.length })

    t.strictSame((await merge(body)).json, { moved: 0, deleted: 1, message: '1 merged' })
    t.match((await ask('GET', `/api/v1/media?libraryId=${library.id}`, { token })).json, { total: items.length - 1 })
    t.match((await ask('GET', `/api/v1/media/${String(body.primary_id)}`, { token })).json, {
      item: { files: [{ path: String }, { path: String }] },
    })
    t.strictSame((await ask('GET', url, { token })).json, { groups: [] })
  },
)
