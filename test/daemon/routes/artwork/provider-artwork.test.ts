import t, { type Test } from 'tap'
import { renderArtwork, setProviderArtwork } from '../../../../src/core/artwork/index.ts'
import { startApp, type TestApp } from '../../../support/app.ts'
import { addressOf, inspectPicture, scanArtworkLibrary } from '../../../support/artwork-library.ts'
import { startFakeImageHost, type FakeImageHost } from '../../../support/fake-image-host.ts'
import { movableClock } from '../../../support/records.ts'
import { putSample } from '../../../support/scanning.ts'
import { testServices } from '../../../support/services.ts'

void t.test('pictures of providers', async (t) => {
  const host = await startFakeImageHost(t)
  const clock = movableClock(new Date().toISOString())
  const services = await testServices(t, { clock, flags: { 'artwork.mirror_origin': host.origin } })
  const app = await startApp(t, { services })
  await fromProviders(t, app, host)
  await redirectingHosts(t, app, host)
  await hostileHosts(t, app, host, clock)
  await forbiddenHosts(t, app, host)
})

type MovableClock = ReturnType<typeof movableClock>

async function makeFilm(t: Test, app: TestApp): Promise<string> {
  const artworkLibrary = await scanArtworkLibrary(
    t,
    app,
    'movie',
    async (folder) => void (await putSample(folder, 'Film (1999).mp4')),
  )
  return artworkLibrary.idOf('Film (1999).mp4')
}

function fromProviders(t: Test, app: TestApp, host: FakeImageHost) {
  return t.test('a provider’s picture is downloaded once at the first request, and stored', async (t) => {
    const film = await makeFilm(t, app)
    await setProviderArtwork(app.services.db, [
      { itemId: film, kind: 'poster', url: `${host.origin}/red.jpg` },
      { itemId: film, kind: 'logo', url: `${host.origin}/blue.png` },
    ])
    host.requests.length = 0
    const poster = await addressOf(app, film)
    t.strictSame(host.requests, [], 'an address fetches nothing')
    const all = await Promise.all(Array.from({ length: 10 }, () => inspectPicture(app, poster)))
    t.strictSame([...new Set(all)], ['320x480 jpeg red'])
    t.equal(await inspectPicture(app, poster.replace('size=320', 'size=160')), '160x240 jpeg red')
    t.strictSame(host.requests, ['/red.jpg'])
    t.match(await inspectPicture(app, await addressOf(app, film, 'logo')), /^320x480 png blue/)
    await setProviderArtwork(app.services.db, [{ itemId: film, kind: 'poster', url: `${host.origin}/green.jpg` }])
    t.equal(await inspectPicture(app, await addressOf(app, film)), '320x480 jpeg green')
    await setProviderArtwork(app.services.db, [{ itemId: film, kind: 'poster', url: null }])
    t.equal(await inspectPicture(app, poster), '404')
    t.equal(await addressOf(app, film), '')
  })
}

function redirectingHosts(t: Test, app: TestApp, host: FakeImageHost) {
  return t.test('a redirect on the same server is followed (SS-04)', async (t) => {
    const film = await makeFilm(t, app)
    await setProviderArtwork(app.services.db, [{ itemId: film, kind: 'poster', url: `${host.origin}/redirect` }])
    host.requests.length = 0
    t.equal(await inspectPicture(app, await addressOf(app, film)), '320x480 jpeg red')
    t.strictSame(host.requests, ['/redirect', '/red.jpg'])
  })
}

function hostileHosts(t: Test, app: TestApp, host: FakeImageHost, clock: MovableClock) {
  return t.test(
    'a server that redirects without end or into a private network, lies, is endless or broken is answered with 404, and left alone for a while (SS-04, SS-05)',
    async (t) => {
      const film = await makeFilm(t, app)
      const paths = [
        '/redirect-home',
        '/redirect-metadata',
        '/redirect-forever',
        '/endless',
        '/gzip-bomb',
        '/html',
        '/svg',
        '/empty',
        '/damaged',
        '/error',
        '/missing',
      ]
      for (const path of paths) {
        await setProviderArtwork(app.services.db, [{ itemId: film, kind: 'poster', url: `${host.origin}${path}` }])
        host.requests.length = 0
        const address = await addressOf(app, film)
        const before = process.memoryUsage.rss()
        const first = await app.ask('GET', address)
        t.match(first, { status: 404, json: { code: 'artwork_not_found' } }, path)
        t.notMatch(first.text, /127\.0\.0\.1/, 'and nothing of the server’s')
        t.equal((await app.ask('GET', address)).status, 404)
        t.strictSame(host.requests, path === '/redirect-forever' ? [path, path, path, path] : [path], 'not asked again')
        const grown = Math.round((process.memoryUsage.rss() - before) / 1024 / 1024)
        t.ok(grown < 200, `${path}: ${grown} MiB more`)
      }
      await silentHosts(t, app, host, { film, clock })
    },
  )
}

/** These failures make the client pause all requests to the server for a minute, so they come last and with shorter timeouts. */
async function silentHosts(
  t: Test,
  app: TestApp,
  host: FakeImageHost,
  { film, clock }: { film: string; clock: MovableClock },
): Promise<void> {
  const { services } = app
  const hasty: typeof services = {
    ...services,
    outbound: {
      ...services.outbound,
      send: (request, signal) => services.outbound.send({ ...request, timeoutMilliseconds: 500 }, signal),
    },
  }
  for (const path of ['/never', '/drip', '/half', '/promises-10-gib']) {
    services.images.failures.add(`server ${host.origin}`, new Error('forgotten'), -1)
    await setProviderArtwork(services.db, [{ itemId: film, kind: 'poster', url: `${host.origin}${path}` }])
    const id = new URL(await addressOf(app, film), app.baseUrl).pathname.split('/').at(-1) ?? ''
    await t.rejects(renderArtwork(hasty, { id }), { code: 'artwork_not_found' }, path)
  }
  host.requests.length = 0
  await setProviderArtwork(services.db, [{ itemId: film, kind: 'poster', url: `${host.origin}/white.jpg` }])
  t.equal(await inspectPicture(app, await addressOf(app, film)), '404')
  t.strictSame(host.requests, [], 'the next picture of the same server does not wait for it')
  clock.advance(61)
  t.equal(
    await inspectPicture(app, await addressOf(app, film)),
    '320x480 jpeg red+green+blue',
    'and is asked for when the minute is over',
  )
  t.strictSame(host.requests, ['/white.jpg'])
  await setProviderArtwork(services.db, [{ itemId: film, kind: 'poster', url: `${host.origin}/never` }])
  t.equal(await inspectPicture(app, await addressOf(app, film)), '404')
  t.strictSame(host.requests, ['/white.jpg'], 'one that failed is paused for ten')
}

function forbiddenHosts(t: Test, app: TestApp, host: FakeImageHost) {
  return t.test(
    'addresses in private networks are not requested, from any source, unless they are the mirror, nor ports and user names that no picture needs (SS-01, SS-02)',
    async (t) => {
      const film = await makeFilm(t, app)
      const port = new URL(host.origin).port
      host.requests.length = 0
      const addresses = [
        `http://localhost:${port}/red.jpg`,
        `http://127.1:${port}/red.jpg`,
        `http://2130706433:${port}/red.jpg`,
        `http://[::ffff:127.0.0.1]:${port}/red.jpg`,
        `http://0.0.0.0:${port}/red.jpg`,
        'http://169.254.169.254/latest/meta-data',
        'http://[fd00::1]/x.jpg',
        'http://10.0.0.1/x.jpg',
        'http://user:secret@example.test/x.jpg',
        'http://example.test:22/x.jpg',
        'https://example.test:5432/x.jpg',
      ]
      for (const url of addresses) {
        // The first spellings are equal to the mirror's URL after parsing; another port is another server.
        const other = new URL(url)
        if (other.origin === host.origin) other.port = String(Number(port) + 1)
        await setProviderArtwork(app.services.db, [{ itemId: film, kind: 'backdrop', url: other.href }])
        t.equal(await inspectPicture(app, await addressOf(app, film, 'backdrop')), '404', url)
      }
      t.strictSame(host.requests, [])
    },
  )
}
