import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fastify from 'fastify'
import t, { type Test } from 'tap'
import type { App } from '../../../src/daemon/http/app-types.ts'
import { createPageFile, createWebAssets, createWebPages } from '../../../src/daemon/http/web-pages.ts'
import { waitUntil } from '../../support/wait-until.ts'

const PAGES = ['index', 'listen', 'share', 'hub'] as const

const htmlOf = (page: string, build: string): string =>
  `<link href="/assets/${page}-${build}.css"><script src="/assets/${page}-${build}.js"></script>`

/** An application that sends the pages of a folder, and what builds them. */
async function setUp(t: Test) {
  const folder = t.testdir({ assets: {} })
  mkdirSync(join(folder, 'assets'), { recursive: true })
  const placeHtml = (build: string): void => {
    for (const page of PAGES) writeFileSync(join(folder, `${page}.html`), htmlOf(page, build))
  }
  const placeList = (build: string): void => {
    const pages = PAGES.map((page) => {
      const built = { style: `${page}-${build}.css`, scripts: [`${page}-${build}.js`], laterScripts: [] }
      for (const name of [built.style, ...built.scripts]) writeFileSync(join(folder, 'assets', name), `${name}\n`)
      return [page, built]
    })
    writeFileSync(
      join(folder, 'pages.json'),
      JSON.stringify({ pages: Object.fromEntries(pages) as object, shared: [] }),
    )
  }
  const app = fastify() as unknown as App
  app.decorate('webPages', createWebPages(folder))
  const assets = createWebAssets(['index', 'share'])
  for (const page of PAGES) {
    const file = createPageFile(page)
    app.get(`/${page}`, (request, reply) => file.send(request, reply))
  }
  app.get('/assets/:name', (request, reply) => assets.send((request.params as { name: string }).name, request, reply))
  t.teardown(() => app.close())
  const ask = async (url: string) => {
    const { statusCode, body } = await app.inject(url)
    return [statusCode, body]
  }
  return { folder, placeHtml, placeList, ask }
}

void t.test('a build beside a running server changes neither its pages nor their files', async (t) => {
  const { placeHtml, placeList, ask } = await setUp(t)
  placeList('A')
  placeHtml('A')
  t.strictSame(await ask('/index'), [200, htmlOf('index', 'A')])
  placeHtml('B')
  placeList('B')
  t.strictSame(await ask('/share'), [200, htmlOf('share', 'A')], 'also of a page that was not opened yet')
  t.strictSame(await ask('/assets/index-A.js'), [200, 'index-A.js\n'])
  t.strictSame(await ask('/assets/share-A.css'), [200, 'share-A.css\n'])
  t.equal((await ask('/assets/index-B.js'))[0], 500, 'a name of another build')
  t.equal((await ask('/assets/hub-A.js'))[0], 500, 'a page of another application')
})

void t.test('HTML of a build that is not finished is not sent with the list of the one before', async (t) => {
  const { placeHtml, placeList, ask } = await setUp(t)
  placeList('A')
  placeHtml('B')
  let isAnswered = false
  const answer = ask('/index').then((answered) => {
    isAnswered = true
    return answered
  })
  await ask('/missing')
  t.notOk(isAnswered)
  placeList('B')
  t.strictSame(await answer, [200, htmlOf('index', 'B')])
  t.strictSame(await ask('/assets/index-B.js'), [200, 'index-B.js\n'])
})

void t.test('what could not be read is read again at the next request', async (t) => {
  const { folder, placeHtml, placeList, ask } = await setUp(t)
  t.equal((await ask('/index'))[0], 500, 'before the first build')
  placeList('A')
  placeHtml('A')
  t.equal((await ask('/index'))[0], 200)
  rmSync(join(folder, 'assets', 'index-A.js'))
  t.equal((await ask('/assets/index-A.js'))[0], 500)
  placeList('A')
  await waitUntil('it is sent', async () => (await ask('/assets/index-A.js'))[0] === 200)
})
