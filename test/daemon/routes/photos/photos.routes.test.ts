import { randomUUID } from 'node:crypto'
import t, { type Test } from 'tap'
import { pick, type Answer } from '../../../support/app.ts'
import { asking, openGallery, type Ask, type Gallery } from '../../../support/photo-gallery.ts'

const namesOf = (answer: Answer, ...path: string[]): unknown[] =>
  (pick(answer.json, ...path) as { name: string }[]).map(({ name }) => name)

void t.test('photos', async (t) => {
  const gallery = await openGallery(t)
  const get = asking(gallery)
  await albums(t, gallery, get)
  await lists(t, gallery, get)
  await timeline(t, gallery, get)
  await slideshows(t, get)
})

function albums(t: Test, gallery: Gallery, get: Ask) {
  return t.test(
    'albums are the days on which photos were taken, where they were taken, the newest first',
    async (t) => {
      const all = await get('/albums')
      t.match(all, { status: 200, json: { limit: 50, offset: 0, pagination: { limit: 50, offset: 0, count: 3 } } })
      const rows = pick(all.json, 'albums') as { id: string; date: string; photo_count: number }[]
      t.match(
        rows.map(({ id, date, photo_count: count }) => `${id} ${date} ${count}`),
        [/^album-2024-05-07 2024-05-07 1$/, /^album-2024-05-06 2024-05-06 3$/, /^album-2020-01-02 2020-01-02 \d$/],
      )
      t.match(pick(rows[1], 'cover_photo'), {
        id: await gallery.idOf('morning.jpg'),
        thumbnail_url: /^\/api\/v1\/photo\/photos\/[\da-f-]{36}\/thumbnail\?exp=\d+&sig=[\w-]{43}$/,
      })
      t.match((await get(`/albums?library_id=${gallery.libraryId}`)).json, {
        albums: [{ photo_count: 1 }, { photo_count: 2 }, {}],
      })
      t.match((await get('/albums?limit=1&offset=1')).json, { albums: [{ date: '2024-05-06' }], limit: 1, offset: 1 })
      t.strictSame(pick((await get(`/albums?library_id=${randomUUID()}`)).json, 'albums'), [])
      t.match(await get('/albums?library_id=nonsense'), {
        status: 400,
        json: { code: 'invalid_request', field: 'library_id' },
      })

      for (const id of ['2024-05-06', 'album-2024-05-06']) {
        const one = await get(`/albums/${id}`)
        t.match(one, { status: 200, json: { album: { id: 'album-2024-05-06', date: '2024-05-06', photo_count: 3 } } })
        t.strictSame(
          namesOf(one, 'album', 'photos'),
          ['morning.jpg', 'other.jpg', 'evening.jpg'],
          'in the order of the day',
        )
      }
      const ofLibrary = await get(`/albums/2024-05-06?library_id=${gallery.libraryId}`)
      t.strictSame(namesOf(ofLibrary, 'album', 'photos'), ['morning.jpg', 'evening.jpg'])
      for (const id of [
        '2024-05-08',
        'album-2023-02-29',
        '0000-01-01',
        '2024-5-6',
        'album-',
        'x'.repeat(90),
        '9999-99-99',
        '%00',
      ]) {
        t.match(await get(`/albums/${id}`), { status: 404, json: { code: 'photo_album_not_found' } }, id)
      }
    },
  )
}

function timeline(t: Test, gallery: Gallery, get: Ask) {
  return t.test('the timeline has the months with their photos, newest first, and what a layout needs', async (t) => {
    const all = await get('/timeline')
    t.equal(all.status, 200)
    const months = pick(all.json, 'months') as { month: string; count: number }[]
    t.strictSame(
      months.map(({ month }) => month),
      ['2024-05', '2020-01'],
    )
    t.equal(months[0]?.count, 4)
    t.equal(
      pick(all.json, 'total'),
      months.reduce((sum, { count }) => sum + count, 0),
    )
    t.match((await get(`/timeline?library_id=${gallery.libraryId}`)).json, { months: [{ month: '2024-05', count: 3 }] })
    t.strictSame((await get(`/timeline?library_id=${randomUUID()}`)).json, { months: [], total: 0 })

    const may = await get('/timeline/2024-05')
    t.match(may, { status: 200, json: { month: '2024-05', total: 4, limit: 1000, offset: 0 } })
    const photos = pick(may.json, 'photos') as { id: string; date: string; ratio: number; date_taken_unix: number }[]
    t.strictSame(
      photos.map(({ date }) => date),
      ['2024-05-07', '2024-05-06', '2024-05-06', '2024-05-06'],
    )
    t.equal(photos[3]?.id, await gallery.idOf('morning.jpg'))
    const detail = await get(`/photos/${photos[3]?.id}`)
    const { width, height } = pick(detail.json, 'photo') as { width: number; height: number }
    t.match(photos[3], {
      ratio: Math.round((width / height) * 1000) / 1000,
      date_taken_unix: pick(detail.json, 'photo', 'date_taken_unix'),
      thumbnail_url: pick(detail.json, 'photo', 'thumbnail_url'),
    })

    const page = await get('/timeline/2024-05?limit=2&offset=1')
    t.match(page.json, { total: 4, limit: 2, offset: 1, photos: photos.slice(1, 3) })
    t.match((await get('/timeline/2024-05?limit=9999&offset=-3')).json, { limit: 1000, offset: 0 })
    t.match((await get('/timeline/2024-05?offset=9007199254740991')).json, { total: 4, photos: [] })
    t.strictSame(pick((await get('/timeline/2031-12')).json, 'photos'), [])
    t.match((await get('/timeline/9999-12')).json, { total: 0 })
    for (const month of ['2024-13', '2024-00', '0000-01', '2024-5', '2024-05-06', '202405', 'x'.repeat(90), '%00']) {
      t.match(
        await get(`/timeline/${month}`),
        { status: 400, json: { code: 'invalid_request', field: 'month' } },
        month,
      )
    }
    for (const path of ['/timeline?library_id=1', '/timeline/2024-05?library_id=1'])
      t.match(await get(path), { status: 400, json: { field: 'library_id' } })
  })
}

function lists(t: Test, gallery: Gallery, get: Ask) {
  return t.test('photos are listed newest first, or by album, and each has a detail', async (t) => {
    const all = await get('/photos?limit=3')
    t.strictSame(namesOf(all, 'photos'), ['next.jpg', 'evening.jpg', 'other.jpg'])
    t.match(all.json, { limit: 3, offset: 0, pagination: { limit: 3, offset: 0, count: 3 } })
    t.strictSame(Object.keys(pick(all.json, 'photos', 1) as object), [
      'id',
      'name',
      'width',
      'height',
      'date_taken_unix',
      'thumbnail_url',
      'full_url',
      'library_id',
    ])
    t.match(pick(all.json, 'photos', 1), { width: 64, height: 48, date_taken_unix: 1_715_031_000 })
    t.strictSame(namesOf(await get('/photos?limit=2&offset=1'), 'photos'), ['evening.jpg', 'other.jpg'])
    t.strictSame(namesOf(await get('/photos?album_id=album-2024-05-07'), 'photos'), ['next.jpg'])
    t.strictSame(namesOf(await get('/photos?album_id=2024-05-06'), 'photos'), [
      'morning.jpg',
      'other.jpg',
      'evening.jpg',
    ])
    t.strictSame(namesOf(await get(`/photos?album_id=2024-05-06&library_id=${gallery.libraryId}`), 'photos').length, 2)
    t.strictSame(namesOf(await get('/photos?album_id=2019-01-01'), 'photos'), [])
    t.match(await get('/photos?album_id=nonsense'), { status: 404, json: { code: 'photo_album_not_found' } })
    t.match((await get('/photos?limit=0&offset=-5')).json, { limit: 1, offset: 0 })
    t.match((await get('/photos?limit=1000')).json, { limit: 100 })
    t.match(await get('/photos?limit=many'), { status: 400 })

    const one = await get(`/photos/${await gallery.idOf('evening.jpg')}`)
    t.equal(one.status, 200)
    const exif = {
      camera_make: 'Canon',
      camera_model: 'Canon EOS R5',
      lens: 'RF 50mm',
      aperture: String,
      iso: 400,
      shutter_speed: String,
      focal_length: String,
      gps_lat: Number,
      gps_lng: Number,
      gps_alt: 35,
      width: 64,
      height: 48,
      orientation: 1,
      orientation_name: 'Horizontal (normal)',
      date_taken_formatted: '2024-05-06 23:30:00',
      date_taken_year: 2024,
      date_taken_month: 5,
      gps_display: '48.858333, 2.294444',
    }
    t.match(pick(one.json, 'photo'), { name: 'evening.jpg', path: 'trip/evening.jpg', exif })
    t.strictSame(pick(one.json, 'photo', 'metadata'), pick(one.json, 'photo', 'exif'))
    const turned = await get(`/photos/${await gallery.idOf('turned.jpg')}`)
    t.match(pick(turned.json, 'photo'), {
      width: 80,
      height: 60,
      exif: { orientation: 6, orientation_name: 'Rotate 90 CW', gps_display: null },
    })
    for (const id of [randomUUID(), 'nonsense', '%00', "x'; drop table photos"]) {
      t.match(await get(`/photos/${id}`), { status: 404, json: { code: 'photo_not_found' } }, id)
    }
  })
}

function slideshows(t: Test, get: Ask) {
  return t.test('a slideshow is an album in the order of the day, the newest one unless said', async (t) => {
    const newest = await get('/slideshow')
    t.match(newest, { status: 200, json: { slideshow: { album_id: 'album-2024-05-07', interval: 5 } } })
    const day = await get('/slideshow?album_id=album-2024-05-06&interval=8')
    t.match(pick(day.json, 'slideshow'), {
      album_id: 'album-2024-05-06',
      interval: 8,
      photos: [
        {
          id: String,
          full_url: /\/full\?exp=/,
          thumbnail_url: /\/thumbnail\?exp=/,
          caption: 'Canon EOS R5, 2024-05-06 07:00',
        },
        { caption: '2024-05-06 12:00' },
        { caption: 'Canon EOS R5, 2024-05-06 23:30' },
      ],
    })
    t.match((await get('/slideshow?interval=0')).json, { slideshow: { interval: 1 } })
    t.match((await get('/slideshow?interval=1000000')).json, { slideshow: { interval: 3600 } })
    t.match(await get('/slideshow?interval=soon'), { status: 400 })
    t.match(await get('/slideshow?album_id=2019-01-01'), { status: 404, json: { code: 'photo_album_not_found' } })
    t.strictSame((await get(`/slideshow?library_id=${randomUUID()}`)).json, {
      slideshow: { album_id: null, interval: 5, photos: [] },
    })
  })
}
