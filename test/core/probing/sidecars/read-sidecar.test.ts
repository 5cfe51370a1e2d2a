import t, { type Test } from 'tap'
import type { LocalMetadata } from '../../../../src/core/probing/sidecars/local-metadata.ts'
import { isSidecarName, readSidecar } from '../../../../src/core/probing/sidecars/read-sidecar.ts'
import { noiseOf, sourceOf } from '../../../support/byte-sources.ts'

function read(t: Test, name: string, bytes: Uint8Array | string): LocalMetadata[] {
  const outcome = readSidecar(sourceOf(t, bytes), name)
  if (outcome.kind === 'read') return outcome.several
  throw new Error(outcome.reason)
}

function kindOf(t: Test, name: string, bytes: Uint8Array | string): string {
  return readSidecar(sourceOf(t, bytes), name).kind
}

const MOVIE = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<movie><title>Café &amp; Bar</title><originaltitle>Original</originaltitle><sorttitle>Cafe</sorttitle><year>1999</year>
<premiered>1999-03-30</premiered><plot><![CDATA[A <b>plot</b> &amp; more]]></plot><tagline>Line</tagline><mpaa>PG-13</mpaa>
<genre>Drama</genre><genre>Comedy / Crime</genre><tag>Based on a book</tag><tag>  Noir / Heist </tag><tag/><studio>Studio</studio><director>Dee</director><credits>Wri</credits>
<set><name>Set</name></set><ratings><rating name="imdb" max="10" default="true"><value>8.7</value></rating></ratings>
<uniqueid type="imdb">tt0133093</uniqueid><uniqueid type="tmdb" default="true">603</uniqueid>
<actor><name>Ann</name><role>Self</role></actor><actor><role>nobody</role></actor></movie>`

void t.test('a movie NFO gives all facts that Kodi writes', (t) => {
  const [movie] = read(t, 'movie.nfo', MOVIE)
  t.match(movie, {
    kind: 'movie',
    title: 'Café & Bar',
    originalTitle: 'Original',
    sortTitle: 'Cafe',
    year: 1999,
    date: '1999-03-30',
    overview: 'A <b>plot</b> &amp; more',
    contentRating: 'PG-13',
    genres: ['Drama', 'Comedy', 'Crime'],
    tags: ['Based on a book', 'Noir / Heist'],
    directors: ['Dee'],
    writers: ['Wri'],
    actors: [{ name: 'Ann', role: 'Self' }],
    series: [{ name: 'Set', part: null }],
    score: 8.7,
    providerIds: { imdb: 'tt0133093', tmdb: '603' },
  })
  t.equal(movie?.actors.length, 1)
  t.end()
})

void t.test('series, several episodes in one file, artist and album are distinguished', (t) => {
  const episode = (number: number): string =>
    `<episodedetails><title>E${number}</title><season>1</season><episode>${number}</episode><aired>2001-02-0${number}</aired></episodedetails>`
  const episodes = read(t, 'a.nfo', `${episode(1)}\n${episode(2)}\nhttps://thetvdb.com/?tab=episode&id=5`)
  t.match(episodes, [
    { kind: 'episode', seasonNumber: 1, episodeNumber: 1, date: '2001-02-01', providerIds: {} },
    { episodeNumber: 2 },
  ])
  t.match(read(t, 'season.nfo', '<season><title>One</title><seasonnumber>1</seasonnumber></season>'), [
    { kind: 'season', title: 'One', seasonNumber: 1 },
  ])
  t.match(read(t, 'tvshow.nfo', '<tvshow><title>S</title><id>71663</id></tvshow>'), [
    { kind: 'series', providerIds: { tvdb: '71663' } },
  ])
  const uuid = 'b1a9c0e9-d987-4042-ae91-78d6a3267d69'
  const artist = `<artist><name>A</name><musicBrainzArtistID>${uuid}</musicBrainzArtistID></artist>`
  t.match(read(t, 'artist.nfo', artist), [{ kind: 'artist', title: 'A', providerIds: { musicBrainzArtist: uuid } }])
  const album = `<album><title>L</title><artist>A</artist><musicbrainzalbumid>${uuid}</musicbrainzalbumid></album>`
  t.match(read(t, 'album.nfo', album), [{ kind: 'album', artists: ['A'], providerIds: { musicBrainzRelease: uuid } }])
  t.end()
})

void t.test('an address alone is sufficient, and complements the elements', (t) => {
  const address = 'https://www.themoviedb.org/movie/603-the-matrix\n'
  t.match(read(t, 'x.nfo', address), [{ kind: 'unknown', providerIds: { tmdb: '603' } }])
  t.match(read(t, 'x.nfo', `<movie><title>T</title></movie>\n${address}`), [
    { title: 'T', providerIds: { tmdb: '603' } },
  ])
  t.equal(kindOf(t, 'x.nfo', 'just some words'), 'broken')
  t.end()
})

void t.test('every encoding and byte order mark gives the same text', (t) => {
  const utf16 = Buffer.from(`\uFEFF${MOVIE}`, 'utf16le')
  const declared = Buffer.from(MOVIE.replace('UTF-8', 'ISO-8859-1'), 'latin1')
  const variants = [
    `\uFEFF${MOVIE}`,
    utf16,
    Buffer.from(utf16).swap16(),
    utf16.subarray(2),
    declared,
    Buffer.from(MOVIE, 'latin1'),
  ]
  for (const bytes of variants) t.equal(read(t, 'movie.nfo', bytes)[0]?.title, 'Café & Bar')
  t.end()
})

void t.test('Calibre, comics, Audiobookshelf and cue sheets are read', (t) => {
  const opf = `<package><metadata><dc:title>Book</dc:title><dc:creator opf:role="aut">A</dc:creator>
    <dc:contributor opf:role="nrt">N</dc:contributor><dc:identifier opf:scheme="ISBN">9783161484100</dc:identifier>
    <meta name="calibre:series" content="S"/><meta name="calibre:series_index" content="2.0"/></metadata></package>`
  t.match(read(t, 'metadata.opf', opf), [
    {
      title: 'Book',
      authors: ['A'],
      narrators: ['N'],
      series: [{ name: 'S', part: '2' }],
      providerIds: { isbn: '9783161484100' },
    },
  ])
  t.match(read(t, 'ComicInfo.xml', '<ComicInfo><Title>C</Title><Tags>Gore, War</Tags></ComicInfo>'), [
    { kind: 'comic', title: 'C', tags: ['Gore', 'War'] },
  ])
  const json = {
    title: 'J',
    authors: ['A'],
    series: ['S #1.5'],
    chapters: [{ start: 0, end: 2.5, title: 'One' }],
    publishedYear: '2001',
  }
  const expected = {
    title: 'J',
    year: 2001,
    series: [{ name: 'S', part: '1.5' }],
    chapters: [{ startSeconds: 0, endSeconds: 2.5, title: 'One' }],
  }
  t.match(read(t, 'metadata.json', JSON.stringify(json)), [expected])
  t.match(read(t, 'metadata.json', JSON.stringify({ metadata: json, chapters: [] })), [{ title: 'J', chapters: [] }])
  t.match(read(t, 'desc.txt', 'About.\r\nMore.'), [{ overview: 'About.\nMore.' }])
  t.match(read(t, 'reader.txt', 'Ann, Bob\nx'), [{ narrators: ['Ann', 'Bob'] }])
  const cue =
    'PERFORMER "P"\nTITLE "T"\nFILE "a.mp3" MP3\n TRACK 01 AUDIO\n  TITLE "One"\n  INDEX 01 00:00:00\n TRACK 02 AUDIO\n  INDEX 00 00:09:00\n  INDEX 01 00:10:00\n'
  t.match(read(t, 'a.cue', cue), [
    {
      title: 'T',
      artists: ['P'],
      chapters: [
        { startSeconds: 0, endSeconds: 10, title: 'One' },
        { startSeconds: 10, endSeconds: null },
      ],
    },
  ])
  const nfo =
    'Title: B\nAuthor: A\nRead by: N\nSeries Name: S\nPosition in Series: 3\n\nBook Description\n================\nAbout it.'
  t.match(read(t, 'b.nfo', nfo), [
    { kind: 'audiobook', title: 'B', narrators: ['N'], series: [{ name: 'S', part: '3' }], overview: 'About it.' },
  ])
  t.end()
})

void t.test('entities, depth and tags without end are refused, and quickly (XM-01)', (t) => {
  const laughs = '<!DOCTYPE l [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]><movie><title>&b;</title></movie>'
  t.equal(kindOf(t, 'a.nfo', laughs), 'broken')
  t.equal(kindOf(t, 'a.nfo', '<!DOCTYPE m SYSTEM "file:///etc/passwd" [ ]><movie><title>x</title></movie>'), 'broken')
  const external = read(t, 'a.nfo', '<movie><title>&xxe; &#65;&#0;&#xD800;</title></movie>')
  t.equal(external[0]?.title, '&xxe; A')
  for (const hostile of [
    '<a>'.repeat(5000),
    '<'.repeat(1_000_000),
    '<movie '.repeat(100_000),
    '<movie><![CDATA['.repeat(5000),
    '</movie>'.repeat(60_000),
  ]) {
    t.equal(kindOf(t, 'a.nfo', hostile), 'broken', hostile.slice(0, 10))
  }
  t.equal(kindOf(t, 'metadata.opf', '<package><metadata><__proto__>x</__proto__></metadata></package>'), 'broken')
  t.end()
})

void t.test('JSON with evil keys, depth or other shapes harms nothing', (t) => {
  const evil =
    '{"__proto__":{"title":"evil"},"constructor":1,"authors":{"length":5},"chapters":[null,{"start":"x"},{"start":-1}]}'
  t.match(read(t, 'metadata.json', evil), [{ title: null, authors: [], chapters: [] }])
  t.equal(({} as Record<string, unknown>)['title'], undefined)
  for (const text of ['[', 'null', '[]', '"x"', '['.repeat(1_000_000)])
    t.equal(kindOf(t, 'metadata.json', text), 'broken')
  t.end()
})

void t.test('empty, too large and random files are broken, other names have no reader', (t) => {
  for (const name of ['a.nfo', 'a.opf', 'ComicInfo.xml', 'metadata.json', 'a.cue', 'desc.txt', 'reader.txt']) {
    t.ok(isSidecarName(name), name)
    t.equal(kindOf(t, name, ''), 'broken')
    t.equal(kindOf(t, name, Buffer.alloc(3_000_000, ' ')), 'broken')
    for (const seed of [1, 2, 3]) t.match(kindOf(t, name, noiseOf(seed, 3000)), /read|broken/)
  }
  for (const name of ['a.txt', 'constructor', 'a.__proto__', 'movie.xml']) t.notOk(isSidecarName(name), name)
  t.end()
})
