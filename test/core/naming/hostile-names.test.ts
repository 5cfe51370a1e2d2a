import t from 'tap'
import { orderAudiobookFiles } from '../../../src/core/naming/music/audiobook-order.ts'
import {
  findAudiobookFolder,
  parseAudiobookFile,
  parseAudiobookPath,
} from '../../../src/core/naming/music/audiobook-path.ts'
import { splitAuthorNames } from '../../../src/core/naming/text/author-names.ts'
import { parseBookName, parseBookPath } from '../../../src/core/naming/book/book-name.ts'
import { parseComicPath } from '../../../src/core/naming/book/comic-name.ts'
import { parseIgnoreRules } from '../../../src/core/platform/files/ignore-rules.ts'
import { parseDiscPart, detectDiscStructure } from '../../../src/core/naming/video/disc-folder.ts'
import { parseEpisodePath } from '../../../src/core/naming/episode/episode-name.ts'
import { normalizedTitleWords } from '../../../src/core/naming/text/fold-title.ts'
import { detect3dFormat } from '../../../src/core/naming/release/format-3d.ts'
import {
  canonicalKey,
  detectExtraType,
  findExtrasOwnerFolder,
  parseEpisodeFolder,
  parseMovieName,
  sortTitle,
} from '../../../src/core/naming/index.ts'
import { groupVideoFiles } from '../../../src/core/naming/versions/multi-version.ts'
import { parseDiscNumber } from '../../../src/core/naming/music/music-disc-folder.ts'
import { parsePhotoDate } from '../../../src/core/naming/photo/parse-photo-date.ts'
import { parseSeasonFolder } from '../../../src/core/naming/numbering/season-folder.ts'
import { parseSeriesFolder } from '../../../src/core/naming/episode/series-folder.ts'
import { groupStacks } from '../../../src/core/naming/versions/stacks.ts'
import { parseStub } from '../../../src/core/naming/video/stub-file.ts'
import { parseSubtitleName } from '../../../src/core/naming/video/subtitle-name.ts'
import { parseTrackName } from '../../../src/core/naming/music/track-name.ts'
import { processorMilliseconds, readingMilliseconds } from '../../support/processor-time.ts'

/** Pieces that a pattern may begin with, and characters that continue it indefinitely. */
const PIECES =
  `[ ( { ] ) 【 【】 . _ - – + ~ / a A é 千 1 19 1999 (1999 1999) [1999 2013-12-09 1080 1920x 1920x1080 720p
  dts- dts-hd web- web-dl blu-ray ddp5 dd+5.1 5.1 1st 50th 50th.anniversary edition special.edition. the. the.ultimate.
  extended. limited LiMiTED GERMAN. german. multi. v2. VO+VFF+ -f1- -x01 -x01- cd1 cd1of2 part s01e e01- www. www.x. tt1
  S01E01 s1e1- S01E01-E02 1x02 1x02x 02x03-04- x04- e07- E07E08 e01.02. ep.1 Ep episode.1. cap.102 cap.102_ 3of5. 3of5.ep. part.two. -part1 ,.pt.2
  season.1. S01. S1- staffel 2nd.season. 3.сезон. 第12話 １２ 12.5 01-12 01~ #1 - 01v2 2018-11-14 20181114 2018_11_14_ 14.11.2018
  23rd.Feb.2024. Special. OVA. (US) (2005-) 101 0307 [01] [A][B][C][D][1] ★1★ / 【1】 CD1/ x/CD2/ x/BDMV/STREAM/ VIDEO_TS/ Disc.1 (Disc.1) vol.1- -.cd1 3d.
  hsbs. .en .hi.forced sdh. eng.fre. pt-BR. IMG_ 20230405_ 20230405_101112 101112 v01 c120 #2. (#5) (1915) {x} {x} B0ABCDEFGH
  Book.1.-. Vol.1 0.5.-. , &.and Jr., Smith, ; A1. 1-05. 05.-. *a **/ !x \\\\a [a-z] ?
  season.iv 第二季 第十二 第 7화 ova_1 SP01 SP 140722 10-19-12 10-19- 1.Title 01.-. 9.April 1.Mai 001.002. 01+02+ (1991).- 2008.The. BT.2020 () ().  english.dub dual.audio (dub) bonus.features/ x/extras/ ‒ [G][T][01]
  tt12345678 [tmdb [tmdbid=1 {imdb-tt ' ’s \u0000 \u0301 \u0301e か\u3099 ??? \u202E 😀`
    .split(/\s+/)
    .concat([' ', '9. ', '10. Stock ', '12 - ', ' - ', '\n', '\t', '\uD800', 'aA1'])

const LENGTH = 10_000

/** A name is tried with this length first: quadratic time costs a hundredth then, and linear time a tenth. */
const SHORT_LENGTH = 1000

/** Limit per name, in units of reading a million characters one by one; a quadratic pattern costs thousands. */
const MAX_READINGS = 50
/** Half of the cost of a short name whose long form reaches the limit. Only names above it are tried in full length. */
const SHORT_READINGS = MAX_READINGS / (LENGTH / SHORT_LENGTH) ** 2 / 2

/** Names of about `length` characters; the same index is the same kind of name for every length. */
const hostileNames = (length: number): string[] =>
  PIECES.flatMap((piece) => {
    const many = piece.repeat(Math.ceil(length / piece.length)).slice(0, length)
    return [
      many,
      `Film ${many}`,
      `${many} Film (1999)`,
      `Film.1999.${many}.1080p`,
      `${many}x.mkv`,
      `${many}/${many}.mkv`,
    ]
  })
const shortNames = hostileNames(SHORT_LENGTH)
const pairs = hostileNames(LENGTH)
  .map((long, index) => ({ long, short: shortNames[index] ?? '' }))
  .filter(({ long, short }) => !long.endsWith('/') && !short.endsWith('/'))
const hostile = pairs.map(({ long }) => long)

/** All parsers of names, each with the name as its only input. */
const READERS: Record<string, (name: string) => unknown> = {
  parseMovieName,
  extraTypeOf: detectExtraType,
  sortTitle,
  canonicalKey: (name) => canonicalKey(name, 1, 'movie'),
  ownerFolderOf: findExtrasOwnerFolder,
  parseEpisodePath,
  parseEpisodeFolder: (name) => parseEpisodeFolder([name, `${name} 001.mkv`, `${name} 220.mkv`]),
  seasonOfFolder: (name) => [parseSeasonFolder(name, 'Film'), parseSeasonFolder(name, name)],
  parseSeriesFolder,
  groupStacks: (name) => groupStacks([name, `${name}1`, `${name}2`]),
  groupVideoFiles: (name) =>
    groupVideoFiles([`${name}/${name}.mkv`, `${name}/${name} - x.mkv`, `${name}.mkv`], 'movies'),
  groupVideoFilesOfSeries: (name) => groupVideoFiles([name, `${name}.mkv`, `${name}/1x01.mkv`], 'series'),
  parseSubtitleName: (name) => [parseSubtitleName(`Film${name}.srt`, 'Film'), parseSubtitleName(`${name}.srt`, name)],
  plainWords: normalizedTitleWords,
  format3dOf: detect3dFormat,
  parseStub,
  parseIgnoreRules: (name) => [
    parseIgnoreRules(name).ignores('folder/film.mkv'),
    parseIgnoreRules('*a*b*c').ignores(name),
  ],
  discNumberOfFolder: parseDiscNumber,
  discFolders: (name) => [parseDiscPart(name, name), detectDiscStructure(name, [name, 'VTS_01_1.VOB'], () => 1)],
  parseTrackName,
  parseBookName,
  parseBookPath,
  parseComicPath,
  audiobookGroupOf: findAudiobookFolder,
  parseAudiobookPath,
  parseAudiobookFile,
  orderAudiobookFiles: (name) =>
    orderAudiobookFiles([name, `${name}1`].map((path) => ({ path, discTag: null, trackTag: null }))),
  splitAuthorNames,
  photoDateOf: parsePhotoDate,
}

const unit = readingMilliseconds()

for (const [reader, read] of Object.entries(READERS)) {
  void t.test(`no name of ten thousand characters costs ${reader} more than some readings`, (t) => {
    let most = { name: '', readings: 0 }
    for (const { long: name, short } of pairs) {
      if (processorMilliseconds(() => read(short), 1) / unit < SHORT_READINGS) continue
      const once = processorMilliseconds(() => read(name), 1) / unit
      // Repeated only near the limit: the first runs include compilation.
      const readings = once < MAX_READINGS / 5 ? once : processorMilliseconds(() => read(name)) / unit
      if (readings > most.readings) most = { name, readings }
    }
    t.comment(`most: ${most.readings.toFixed(2)} readings: ${JSON.stringify(most.name.slice(0, 40))}`)
    t.ok(most.readings < MAX_READINGS, `${hostile.length} names under ${MAX_READINGS} readings each`)
    t.end()
  })
}

void t.test('every name gives a title that a database can store', (t) => {
  for (const name of hostile) {
    const { title, year, edition, part } = parseMovieName(name)
    const isStorable = title.length > 0 && title.length <= 512 && title.isWellFormed()
    const isPlausible = (year === null || (year >= 1880 && year < 2040)) && (part === null || (part >= 0 && part < 100))
    if (!isStorable || !isPlausible) t.fail(JSON.stringify({ name: name.slice(0, 40), title, year, edition, part }))
  }
  t.pass(`${hostile.length} names`)
  t.end()
})

void t.test('every name gives episode numbers that can be stored', (t) => {
  for (const name of hostile) {
    const episode = parseEpisodePath(name)
    const numbers = [
      episode.seasonNumber,
      episode.episodeNumber,
      episode.endingEpisodeNumber,
      episode.absoluteNumber,
      episode.endingAbsoluteNumber,
    ]
    const areSmall = numbers.every((number) => number === null || (number >= 0 && number < 1_000_000))
    const texts = [episode.seriesName, episode.episodeTitle]
    const areStorable = texts.every(
      (text) => text === null || (text !== '' && text.length <= 512 && text.isWellFormed()),
    )
    const isDay = episode.airDate === null || /^\d{4}-\d\d-\d\d$/.test(episode.airDate)
    if (!areSmall || !areStorable || !isDay) t.fail(JSON.stringify({ name: name.slice(0, 40), episode }))
  }
  t.pass(`${hostile.length} names`)
  t.end()
})
