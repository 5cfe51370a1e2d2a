import t from 'tap'
import { startApp } from '../../../support/app.ts'
import { testServices } from '../../../support/services.ts'

void t.test('clients that look for markers, themes and sources find none that are not there', async (t) => {
  const services = await testServices(t, { flags: { 'metadata.tmdb.api_key': 'key' } })
  const { ask, registerAdmin, registerUser } = await startApp(t, { services })
  const [admin, user] = [await registerAdmin(), await registerUser()]
  const as = (path: string, { token } = user) => ask('GET', `/api/v1/${path}`, { token })

  const search = 'media/search/by-marker'
  t.strictSame((await as(`${search}?type=intro&position=5000`)).json, {
    items: [],
    marker_type: 'intro',
    around: 30,
    position: 5000,
  })
  t.match(await as(`${search}?type=ad&position=0&around=5&limit=2`), { status: 200, json: { around: 5 } })
  for (const query of [
    '',
    '?type=intro',
    '?type=none&position=1',
    '?type=intro&position=-1',
    '?type=intro&position=1e400',
  ]) {
    t.match(await as(`${search}${query}`), { status: 400, json: { code: 'invalid_request' } }, query)
  }
  t.strictSame((await as('themes')).json, { themes: [] })
  t.strictSame((await as('admin/metadata/sources', admin)).json, { sources: ['local', 'tmdb'] })
  t.match(await as('admin/metadata/sources'), { status: 403, json: { code: 'auth.not_admin' } })
  for (const path of [`${search}?type=intro&position=1`, 'themes', 'admin/metadata/sources']) {
    t.equal((await ask('GET', `/api/v1/${path}`)).status, 401, path)
  }
})
