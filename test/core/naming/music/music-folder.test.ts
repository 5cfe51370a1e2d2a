import t from 'tap'
import { parseMusicFolder } from '../../../../src/core/naming/music/music-folder.ts'
import { processorMilliseconds, readingMilliseconds } from '../../../support/processor-time.ts'

const PLACES: [
  folder: string,
  artist: string | null,
  album: string | null,
  year: number | null,
  disc: number | null,
][] = [
  ['', null, null, null, null],
  ['Ada/Notes', 'Ada', 'Notes', null, null],
  ['Ada/1999 - Notes', 'Ada', 'Notes', 1999, null],
  ['Ada/(1999) Notes', 'Ada', 'Notes', 1999, null],
  ['Ada/[1999] Notes', 'Ada', 'Notes', 1999, null],
  ['Ada/Notes (1999)', 'Ada', 'Notes', 1999, null],
  ['Ada/Notes [1999]', 'Ada', 'Notes', 1999, null],
  ['Ada/1999', 'Ada', '1999', null, null],
  ['Ada/Ada - Notes', 'Ada', 'Notes', null, null],
  ['ada/ADA - 1999 - Notes', 'ada', 'Notes', 1999, null],
  ['Ada/Bob - Notes', 'Ada', 'Bob - Notes', null, null],
  ['Ada/Notes/CD1', 'Ada', 'Notes', null, 1],
  ['Ada/Notes/Disc 2 (Live)', 'Ada', 'Notes', null, 2],
  ['Shelf/Ada/Notes', 'Ada', 'Notes', null, null],
  ['Ada - Notes', 'Ada', 'Notes', null, null],
  ['Ada - Notes (1999)', 'Ada', 'Notes', 1999, null],
  ['1999 - Notes', null, 'Notes', 1999, null],
  ['Notes', null, 'Notes', null, null],
  ['CD1', null, 'CD1', null, null],
  ['Ada/Take (Five) (0999)', 'Ada', 'Take (Five)', null, null],
]

void t.test('artist, album, year and disc from the folders of a song', (t) => {
  for (const [folder, artist, album, year, disc] of PLACES) {
    t.strictSame(parseMusicFolder(folder), { artist, album, year, disc }, folder)
  }
  t.end()
})

/** Limit per folder of ten thousand characters, in units of reading a million characters; a quadratic pattern costs thousands. */
const MAX_READINGS = 50

void t.test('folders of any length and form cost no more than a bounded number of readings', (t) => {
  const hostile = [
    '('.repeat(5000),
    '1999 - '.repeat(2000),
    ' - '.repeat(5000),
    '['.repeat(3000) + '1999]',
    `${'/'.repeat(9000)}a`,
  ]
  const unit = readingMilliseconds()
  for (const folder of hostile) {
    t.type(parseMusicFolder(folder), Object)
    const readings = processorMilliseconds(() => parseMusicFolder(folder)) / unit
    t.ok(readings < MAX_READINGS, `${readings.toFixed(1)} readings: ${folder.slice(0, 20)}`)
  }
  t.end()
})
