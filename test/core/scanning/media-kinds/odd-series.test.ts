import t from 'tap'
import { seriesKind } from '../../../../src/core/scanning/media-kinds/series.ts'
import type { PlannedFile } from '../../../../src/core/scanning/media-kinds/media-kind.ts'
import { seededRandom } from '../../../support/seeded-random.ts'

/** A file of the generated library, and the expected plan. */
type OddFile = {
  path: string
  /** Further copies and further parts of an episode are hidden behind the first. */
  as?: 'version' | 'part'
  absolute?: number
  season?: number
  episode?: number
}

type Style = (title: string, next: (below: number) => number) => OddFile[]

const range = (first: number, last: number): number[] =>
  Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at)
const pad = (number: number, digits = 2): string => String(number).padStart(digits, '0')
const files = (numbers: readonly number[], fileOf: (number: number) => OddFile): OddFile[] => numbers.map(fileOf)
const word = (at: number): string =>
  ['Dawn', 'River', 'Glass', 'Ember', 'North', 'Harbour', 'Signal', 'Orchard'][at % 8] ?? ''

/** Naming schemes for episodes; each makes one series. */
const STYLES: Record<string, Style> = {
  'a run of three digits': (title, next) =>
    files(range(1, 110 + next(50)), (n) => ({ path: `${title}/${title} - ${pad(n, 3)}.mkv`, absolute: n })),
  'a run in one season folder': (title, next) =>
    files(range(1, 101 + next(50)), (n) => ({
      path: `${title}/Season 1/${title} - ${pad(n, 3)}.mkv`,
      season: 1,
      episode: n,
      absolute: n,
    })),
  'a run of four digits': (title, next) =>
    files(
      range(1, 1010 + next(40)).filter((n) => n % 11 === 0),
      (n) => ({ path: `${title}/${title} ${pad(n, 4)}.avi`, absolute: n }),
    ),
  'a run with dots': (title, next) =>
    files(range(85, 130 + next(30)), (n) => ({
      path: `${title}/${title.replaceAll(' ', '.')}.${pad(n, 3)}.720p.mkv`,
      absolute: n,
    })),
  'a run without zeros': (title, next) =>
    files(range(60, 105 + next(30)), (n) => ({ path: `${title}/${title} - ${n}.mkv`, absolute: n })),
  'a run of numbers alone': (title) =>
    files(range(70, 130), (n) => ({ path: `${title}/Season 01/${pad(n, 3)}.mkv`, episode: n, absolute: n })),
  'a run with titles': (title) =>
    files(range(50, 130), (n) => ({ path: `${title}/${pad(n, 3)} - ${word(n)} ${word(n + 3)}.mkv`, absolute: n })),
  'a run of a group': (title, next) =>
    files(range(90, 110 + next(100)), (n) => ({ path: `${title}/[Grp] ${title} - ${n} [1080p].mkv`, absolute: n })),
  'a run that lacks some': (title, next) =>
    files(
      range(1, 220).filter(() => next(4) > 0),
      (n) => ({ path: `${title}/${title} - ${pad(n, 3)}.mkv`, absolute: n }),
    ),
  'a run by hundreds': (title) =>
    files(range(1, 200), (n) => {
      const first = n - ((n - 1) % 50)
      return { path: `${title}/${title} ${pad(first, 3)}-${pad(first + 49, 3)}/${title} - ${pad(n, 3)}.mkv` }
    }),
  'season and episode in three digits': (title, next) =>
    range(1, 2 + next(4)).flatMap((season) =>
      files(range(1, 10 + next(12)), (n) => ({
        path: `${title}/${title.replaceAll(' ', '.')}.${season}${pad(n)}.hdtv.avi`,
        season,
        episode: n,
      })),
    ),
  'season and episode in three digits below seasons': (title) =>
    range(1, 3).flatMap((season) =>
      files(range(1, 13), (n) => ({
        path: `${title}/Season ${season}/${title} ${season}${pad(n)} ${word(n)}.mkv`,
        season,
        episode: n,
      })),
    ),
  'two stories in each number': (title) =>
    range(1, 12).flatMap((n) =>
      ['a', 'b'].map((letter) => ({
        path: `${title}/Season 1/${title} - S01E${pad(n)}${letter} - ${word(n)}.mkv`,
        episode: n,
      })),
    ),
  'two guests a day': (title) =>
    range(1, 20).flatMap((day) =>
      ['Ada Lovelace', 'Alan Turing'].map((guest) => ({
        path: `${title}/${title} - 2019-03-${pad(day)} - ${guest} ${word(day)}.mkv`,
      })),
    ),
  'days in six digits': (title) => files(range(1, 28), (day) => ({ path: `${title}/${title} 1902${pad(day)}.mp4` })),
  'short days': (title) => files(range(13, 28), (day) => ({ path: `${title}/${title} 02-${day}-18.mkv` })),
  'volumes with numbers of their own': (title) =>
    range(1, 4).flatMap((volume) =>
      files(range(1, 6), (n) => ({ path: `${title}/${title} Vol ${volume} - ${pad(n)}.mkv` })),
    ),
  'a sequel in the same folder': (title) =>
    ['', ' R2', ' Zero'].flatMap((sequel) =>
      files(range(1, 13), (n) => ({ path: `${title}/${title}${sequel} - ${pad(n)}.mkv` })),
    ),
  'pairs with a plus': (title) =>
    files(range(0, 9), (at) => ({
      path: `${title}/Season 1/${pad(2 * at + 1)}+${pad(2 * at + 2)}.mkv`,
      episode: 2 * at + 1,
    })),
  'pairs of three digits': (title) =>
    files(range(0, 9), (at) => ({
      path: `${title}/${title}.1${pad(2 * at + 1)}.1${pad(2 * at + 2)}.hdtv.mkv`,
      episode: 2 * at + 1,
    })),
  'specials without numbers': (title) =>
    files(range(0, 7), (at) => ({ path: `${title}/Specials/${title} - ${word(at)} Night.mkv`, season: 0 })),
  'specials beside episodes': (title) => [
    ...files(range(1, 12), (n) => ({ path: `${title}/${title} - ${pad(n)}.mkv`, episode: n })),
    ...files(range(1, 4), (n) => ({ path: `${title}/${title} - SP${pad(n)}.mkv`, season: 0, episode: n })),
    ...files(range(1, 3), (n) => ({ path: `${title}/${title} OVA ${n}.mkv`, season: 0, episode: n })),
  ],
  'a special of each season': (title) =>
    range(1, 6).flatMap((season) => [
      { path: `${title}/${title} S${pad(season)}E00 ${word(season)} Special.mkv`, season: 0 },
      { path: `${title}/${title} S${pad(season)}E01.mkv`, season, episode: 1 },
    ]),
  'Spanish seasons': (title) =>
    files(range(1, 10), (n) => ({ path: `${title}/${title} T02E${pad(n)}.mkv`, season: 2, episode: n })),
  'Chinese numbers': (title) =>
    files(range(1, 30), (n) => ({ path: `${title}/第二季/第${n}集.mkv`, season: 2, episode: n })),
  'Korean numbers': (title) => files(range(1, 24), (n) => ({ path: `${title}/${title} ${n}화.mp4`, episode: n })),
  'Roman seasons': (title) =>
    ['I', 'II', 'III', 'IV'].flatMap((roman, at) =>
      files(range(1, 8), (n) => ({
        path: `${title}/Season ${roman}/${title} - ${pad(n)}.mkv`,
        season: at + 1,
        episode: n,
      })),
    ),
  'one of six': (title) =>
    files(range(1, 6), (n) => ({ path: `${title}/${title}.${n}of6.${word(n)}.mkv`, episode: n })),
  'parts of a miniseries': (title) => files(range(1, 4), (n) => ({ path: `${title}/${title} Part ${n}.mkv` })),
  'one number, several titles': (title) =>
    files(range(1, 5), (n) => ({
      path: `${title}/Season 1/${title} - S01E01 - ${word(n)} ${word(n + 1)}.mkv`,
      episode: 1,
    })),
  'titles that are numbers': (title) =>
    files(range(1, 12), (n) => ({ path: `${title}/Season 1/${title} - S01E${pad(n)} - ${100 + n}.mkv`, episode: n })),
  'numbers without a dash': (title) =>
    files(range(1, 15), (n) => ({ path: `${title}/Season 1/${pad(n)} ${word(n)} Story.mkv`, episode: n })),
  'names of brackets': (title) =>
    files(range(1, 24), (n) => ({ path: `${title}/[Grp][${title}][${pad(n)}].mkv`, episode: n })),
  'a number in the title': (title) =>
    files(range(1, 12), (n) => ({ path: `${title} 104/Season 1/${title} 104 - S01E${pad(n)}.mkv`, episode: n })),
  'half numbers': (title) => [
    ...files(range(1, 24), (n) => ({ path: `${title}/[Grp] ${title} - ${pad(n)} [720p].mkv`, episode: n })),
    { path: `${title}/[Grp] ${title} - 12.5 [720p].mkv`, season: 0 },
  ],
  'crosses of two': (title) =>
    files(range(0, 5), (at) => ({
      path: `${title}/${title} 2x${pad(2 * at + 1)}_${pad(2 * at + 2)}.avi`,
      episode: 2 * at + 1,
    })),
  'two resolutions': (title) =>
    range(1, 6).flatMap((n): OddFile[] => [
      { path: `${title}/Season 1/${title} S01E${pad(n)} 1080p.mkv`, episode: n },
      { path: `${title}/Season 1/${title} S01E${pad(n)} 720p.mkv`, episode: n, as: 'version' },
    ]),
  'two discs': (title) =>
    range(1, 5).flatMap((n): OddFile[] => [
      { path: `${title}/Season 1/${title} S01E${pad(n)} cd1.avi`, episode: n },
      { path: `${title}/Season 1/${title} S01E${pad(n)} cd2.avi`, episode: n, as: 'part' },
    ]),
  'two cuts': (title) =>
    range(1, 5).flatMap((n): OddFile[] => [
      { path: `${title}/Season 1/${title} - S01E${pad(n)} - ${word(n)} - Aired.mkv`, episode: n },
      { path: `${title}/Season 1/${title} - S01E${pad(n)} - ${word(n)} - Uncut.mkv`, episode: n, as: 'version' },
    ]),
}

/** Series named like folders of extras; in the library folder they are series nevertheless. */
const NAMESAKES = ['Extras', 'Shorts', 'Interviews', 'Bonus', 'Scenes'].flatMap((title) =>
  files(range(1, 6), (n): OddFile => ({ path: `${title}/${title} - S01E${pad(n)}.mkv`, season: 1, episode: n })),
)

/** Series inside a folder that is named like a folder of extras, or that could be a series. */
const SHELVED = ['TV/Other', 'Bonus (2019)/Clips', 'Kids/Extras'].flatMap((shelf) =>
  files(range(1, 6), (n): OddFile => ({
    path: `${shelf}/Firefly/Firefly S01E${pad(n)}.mkv`,
    season: 1,
    episode: n,
  })),
)

const FIRST = ['Silent', 'Amber', 'The Last', 'Northern', 'Doctor', 'Café', 'Mr.', 'Iron']
const SECOND = ['Lantern', 'Voyage', 'Detectives', 'Parliament', 'Kitchen', 'Alchemy', 'Bears', 'Frontier']

const SERIES = 200

function generate(): { style: string; file: OddFile }[] {
  const next = seededRandom(16).below
  const styles = Object.entries(STYLES)
  const series = range(0, SERIES - 1).flatMap((at) => {
    const [style, make] = styles[at % styles.length] ?? ['', () => []]
    const title = `${FIRST[at % FIRST.length]} ${SECOND[Math.floor(at / FIRST.length) % SECOND.length]} ${'ABCD'[Math.floor(at / 64)]}`
    return make(title, next).map((file) => ({ style, file }))
  })
  return [
    ...series,
    ...NAMESAKES.map((file) => ({ style: 'a series called as extras are', file })),
    ...SHELVED.map((file) => ({ style: 'a series on a shelf called as extras are', file })),
  ]
}

function planAll(paths: readonly string[]): Map<string, PlannedFile> {
  const folders = Map.groupBy(paths, (path) => path.slice(0, path.lastIndexOf('/')))
  return new Map(
    [...folders].flatMap(([pathInsideRoot, inside]) => {
      const names = inside.map((path) => path.slice(pathInsideRoot.length + 1)).toSorted()
      return [...seriesKind.planFolder({ pathInsideRoot, names }).files].map(
        ([name, planned]) => [`${pathInsideRoot}/${name}`, planned] as const,
      )
    }),
  )
}

function wrongIn({ as, ...file }: OddFile, planned: PlannedFile | undefined): string[] {
  if (planned === undefined) return ['left out']
  const { type, seasonNumber, episodeNumber, metadata } = planned.identification
  const wrong = type === 'episode' ? [] : [`a ${type}`]
  if ((planned.role?.kind ?? undefined) !== as) wrong.push(`hidden as ${planned.role?.kind}, not ${as}`)
  if (file.season !== undefined && seasonNumber !== file.season) wrong.push(`season ${seasonNumber}`)
  if (file.episode !== undefined && episodeNumber !== file.episode) wrong.push(`episode ${episodeNumber}`)
  const absolute = metadata['absolute_number']
  if (file.absolute !== undefined && absolute !== file.absolute) wrong.push(`absolute number ${String(absolute)}`)
  return wrong
}

void t.test(
  '200 series with odd names hide no episode, and numbers are interpreted from all names of a folder',
  (t) => {
    const library = generate()
    const plan = planAll(library.map(({ file }) => file.path))
    t.ok(new Set(library.map(({ file }) => file.path.split('/')[0])).size >= SERIES, 'as many series')
    for (const [style, members] of Map.groupBy(library, (one) => one.style)) {
      const wrong = members.flatMap(({ file }) => {
        const found = wrongIn(file, plan.get(file.path))
        return found.length === 0 ? [] : [`${file.path}: ${found.join(', ')}`]
      })
      t.strictSame(wrong.slice(0, 5), [], `${style}: ${wrong.length} of ${members.length} wrong`)
    }
    t.end()
  },
)

void t.test('no two episodes of a run have the same season and number, whatever the folders between them', (t) => {
  const paths = generate().flatMap(({ style, file }) => (style.startsWith('a run') ? [file.path] : []))
  const places = [...planAll(paths)].map(([, { identification, groups }]) =>
    [groups[0]?.key, identification.seasonNumber, identification.episodeNumber].join('/'),
  )
  t.equal(new Set(places).size, places.length)
  t.end()
})
