import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { reachableDirectory } from '../../../support/directories.ts'
import { pick, startApp } from '../../../support/app.ts'

const ROUTES = ['/api/v1/admin/fs/browse', '/api/v1/admin/server/fs']

void t.test('folders of the machine for administrators', async (t) => {
  const app = await startApp(t)
  const { token } = await app.registerAdmin()
  const { token: other } = await app.registerUser()
  const folder = reachableDirectory(t)
  for (const name of ['Films', 'Émile', '.hidden', 'Films/Old', 'Films/100% & <b>']) mkdirSync(join(folder, name))
  writeFileSync(join(folder, 'a film.mkv'), 'x')
  symlinkSync(folder, join(folder, 'Films', 'up'))
  symlinkSync('circle', join(folder, 'circle'))
  symlinkSync(join(folder, 'a film.mkv'), join(folder, 'film'))
  symlinkSync('/proc', join(folder, 'processes'))
  symlinkSync(app.services.config.dataDirectory, join(folder, 'data'))
  const browse = (path?: string, route = ROUTES[0]) =>
    app.ask('GET', `${route}${path === undefined ? '' : `?path=${encodeURIComponent(path)}`}`, { token })
  const namesAt = async (path?: string) =>
    (pick((await browse(path)).json, 'data', 'entries') as { name: string }[]).map(({ name }) => name)

  await t.test('other users may not look', async (t) => {
    for (const route of ROUTES) {
      t.equal((await app.ask('GET', route)).status, 401)
      t.match(await app.ask('GET', route, { token: other }), { status: 403, json: { code: 'auth.not_admin' } })
    }
  })

  await t.test('both addresses list the folders of a folder and nothing else', async (t) => {
    for (const route of ROUTES) {
      t.match(await browse(folder, route), {
        status: 200,
        json: {
          success: true,
          data: {
            path: folder,
            parent: join(folder, '..'),
            entries: [
              { name: 'Films', path: join(folder, 'Films'), type: 'directory', size: 0, modified: /^\d{4}-.*Z$/ },
              { name: 'Émile' },
            ],
            truncated: false,
          },
        },
      })
    }
    t.strictSame(
      await namesAt(folder),
      ['Films', 'Émile'],
      'no hidden ones, files, circles or folders that are never shown',
    )
    t.strictSame(await namesAt(`${folder}/./Films/`), ['100% & <b>', 'Old', 'up'])
    t.strictSame(await namesAt(join(folder, 'Films', '100% & <b>')), [])
  })

  await t.test('a link that leads upwards makes no path longer', async (t) => {
    const { json } = await browse(join(folder, 'Films', 'up', 'Films', 'up', 'Films'))
    t.match(json, { data: { path: join(folder, 'Films'), parent: folder } })
  })

  await t.test('the root is where it begins, without the folders of the system', async (t) => {
    for (const path of [undefined, '', '/', '//', '/proc/..']) {
      const { json } = await browse(path)
      t.match(json, { data: { path: null, parent: null } })
      const names = (pick(json, 'data', 'entries') as { name: string }[]).map(({ name }) => name)
      t.ok(names.includes('tmp'))
      t.notOk(names.some((name) => ['proc', 'sys', 'dev'].includes(name)))
    }
  })

  await t.test('what cannot be listed says why in `error`', async (t) => {
    const dataDirectory = app.services.config.dataDirectory
    for (const [path, status, code, error] of [
      ['Films', 400, 'invalid_path', 'the path must be absolute'],
      ['../../etc', 400, 'invalid_path', 'the path must be absolute'],
      ['/a\0b', 400, 'invalid_path', /characters that are not allowed in paths/],
      [`/${'x'.repeat(5000)}`, 400, 'invalid_path', /longer than 4095 bytes/],
      [`/${'x'.repeat(300)}`, 400, 'invalid_path', /too long/],
      [join(folder, 'circle'), 400, 'invalid_path', /loop of symbolic links/],
      [join(folder, 'a film.mkv'), 400, 'invalid_path', /is not a folder/],
      [join(folder, 'none'), 404, 'folder_not_found', /does not exist/],
      ['/proc/self', 403, 'folder_not_readable', /cannot be listed/],
      [join(folder, 'processes'), 403, 'folder_not_readable', /cannot be listed/],
      [dataDirectory, 403, 'folder_not_readable', /cannot be listed/],
      [join(folder, 'data'), 403, 'folder_not_readable', /cannot be listed/],
    ] as const) {
      t.match(await browse(path), { status, json: { code, error } }, path.slice(0, 60))
    }
    const twice = await app.ask('GET', `${ROUTES[0]}?path=/tmp&path=/etc`, { token })
    t.equal(twice.status, 400)
  })
})
