import { sql } from 'slonik'
import t from 'tap'
import { pick } from '../../../support/app.ts'
import { CAST, startFilmCatalogue } from '../../../support/film-catalogue.ts'

const UNKNOWN = '0b6e1a5e-3f0a-4c62-9d0f-1f6a3f1f0c11'

const filmCatalogue = await startFilmCatalogue(t)

void t.test(
  'a detail has everything that clients read, at the top level and under item; files are for administrators',
  async (t) => {
    const { get, ids, registerAdmin } = filmCatalogue
    const { json } = await get(`/media/${ids[0]}`)
    const { item, ...bare } = json as Record<string, unknown>
    t.strictSame(item, bare)
    t.match(bare, {
      runtime: 136,
      duration: 8160,
      tagline: 'Free your mind.',
      vote_average: 8.2,
      vote_count: 24_000,
      cast: CAST,
      crew: [{ name: 'Lana Wachowski', job: 'Director', profile_url: null }],
      tags: ['virtual reality'],
      production_companies: [{ name: 'Warner Bros.', logo_url: null, origin_country: 'US' }],
      studio: 'Warner Bros.',
      backdrop_url_large: null,
      logo_url: null,
      theme_audio_url: null,
      trailer_key: 'm8e-FF8MsqU',
      trailer_site: 'YouTube',
      trailer_url: 'https://www.youtube.com/watch?v=m8e-FF8MsqU',
      external_ids: { tmdb: '603', imdb: 'tt0133093' },
      metadata: { title: 'The Matrix', year: 1999, summary: 'A hacker learns.' },
      user_data: { favorite: false, rating: null, like_level: 0, watched: false },
    })
    t.notOk('files' in bare)
    const admin = await get(`/media/${ids[0]}`, (await registerAdmin()).token)
    t.match(pick(admin.json, 'files'), [{ path: /0\.mkv$/, size_bytes: 1000, container: 'matroska,webm', codec: null }])
    t.strictSame(pick((await get(`/media/${ids[1]}`)).json, 'cast'), [
      { name: 'Keanu Reeves', role: null, profile_url: null },
    ])
  },
)

void t.test('a download address is signed and plays without a token; an item without a file has none', async (t) => {
  const { get, ids, services, libraryId } = filmCatalogue
  t.match((await get(`/media/${ids[0]}/download`)).json, {
    url: new RegExp(`^/media/${ids[0]}/stream\\?exp=\\d+&sig=`),
  })
  const group = await services.db.oneFirst(sql.unsafe`
    insert into media_items (library_id, type, name, sort_title, added_at, created_at, updated_at)
    values (${libraryId}, 'series', 'S', 'S', now(), now(), now()) returning id`)
  t.match(await get(`/media/${String(group)}/download`), { status: 404, json: { code: 'file_not_found' } })
  t.match(await get(`/media/${UNKNOWN}/download`), { status: 404, json: { code: 'media_item_not_found' } })
})
