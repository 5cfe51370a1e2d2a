import t from 'tap'
import { pick } from '../../../support/app.ts'
import { startFilmCatalogue } from '../../../support/film-catalogue.ts'

const filmCatalogue = await startFilmCatalogue(t)

void t.test('settings: partial updates, separate for each user, any content up to the size limit', async (t) => {
  const { get, ask, token, registerAdmin } = filmCatalogue
  t.match((await get('/users/me/settings')).json, {
    settings: {
      max_streams: null,
      max_bitrate: null,
      preferred_audio_language: null,
      preferred_subtitle_language: null,
      subtitle_mode: 'default',
      default_content_rating: null,
      transcoding_preferences: {},
      theme: 'system',
    },
  })
  const put = (path: string, body: unknown) => ask('PUT', `/api/v1${path}`, { token, body })
  t.match(await put('/users/me/settings', { theme: 'dark' }), { status: 200, json: { message: 'Settings saved' } })
  await put('/users/me/settings', { max_bitrate: 8_000_000, odd: { deep: ['\0x'] } })
  t.match((await get('/users/me/settings')).json, {
    settings: { theme: 'dark', max_bitrate: 8_000_000, odd: { deep: ['x'] } },
  })
  await put('/users/me/settings', { theme: null })
  t.equal(pick((await get('/users/me/settings')).json, 'settings', 'theme'), 'system')
  await put('/me/settings', { columns: 3 })
  t.strictSame((await get('/me/settings')).json, { columns: 3 })
  await put('/me/playback/preferences', { preferences: { crossfade: 4 } })
  t.strictSame((await get('/me/playback/preferences')).json, { preferences: { crossfade: 4 } })
  t.strictSame((await get('/me/settings', (await registerAdmin()).token)).json, {})
  t.match(await put('/me/settings', { big: 'x'.repeat(40_000) }), { status: 400, json: { code: 'invalid_settings' } })
  const deep = `{"a":${'['.repeat(100)}${']'.repeat(100)}}`
  t.match(await put('/me/settings', deep), { status: 400, json: { code: 'invalid_settings' } })
  for (const body of ['[1]', '"x"', 'null', '3']) t.equal((await put('/me/settings', body)).status, 400, body)
  t.strictSame((await get('/me/settings')).json, { columns: 3 })
})
