import t from 'tap'
import { seriesKind } from '../../../../src/core/scanning/media-kinds/series.ts'
import { processorMilliseconds } from '../../../support/processor-time.ts'

/** The plan of one file: type, season, episode, last episode, name, and its groups. */
const EPISODES: [path: string, planned: (string | number | null)[]][] = [
  ['Show (2001)/Season 1/Show - S01E02 - Title.mkv', ['episode', 1, 2, null, 'Title', 'show/2001', 'show/2001/1']],
  ['Show (2001)/Season 01/02 - Title.mkv', ['episode', 1, 2, null, 'Title', 'show/2001', 'show/2001/1']],
  ['Show (2001)/Show.2001.S01E02.mkv', ['episode', 1, 2, null, 'Episode 2', 'show/2001', 'show/2001/1']],
  ['Show/Season 1/Show (2008) - S01E02.mkv', ['episode', 1, 2, null, 'Episode 2', 'show/', 'show//1']],
  ['Show/Season 1/Show S01E01-E03.mkv', ['episode', 1, 1, 3, 'Episodes 1-3', 'show/', 'show//1']],
  ['Show/Specials/Show S00E01.mkv', ['episode', 0, 1, null, 'Episode 1', 'show/', 'show//0']],
  ['Show/Extras/Show - S00E05 - Foo.mkv', ['episode', 0, 5, null, 'Foo', 'show/', 'show//0']],
  ['Show/Extras/Making Of.mkv', ['video', null, null, null, 'Making Of', 'show/', null]],
  ['Show/Season 1/Show - S01E02 - Interview.mkv', ['episode', 1, 2, null, 'Interview', 'show/', 'show//1']],
  ['Show/Season 1/Show - S01E02-interview.mkv', ['video', null, null, null, 'Interview', 'show/', 'show//1']],
  ['Show/trailers/Big One.mkv', ['video', null, null, null, 'Big One', 'show/', null]],
  ['Show/Season 1/random.mkv', ['episode', 1, null, null, 'random', 'show/', 'show//1']],
  ['Show/Making.mkv', ['episode', 0, null, null, 'Making', 'show/', 'show//0']],
  [
    'Talk (2010)/2018/Talk - 2018-11-14.mkv',
    ['episode', 2018, null, null, '2018-11-14', 'talk/2010', 'talk/2010/2018'],
  ],
  ['Talk/Talk - 2018-11-14 - Guest.mkv', ['episode', 2018, null, null, 'Guest', 'talk/', 'talk//2018']],
  ['Ninja/[Grp] Ninja - 136 [720p].mkv', ['episode', 1, 136, null, 'Episode 136', 'ninja/', 'ninja//1']],
  ['Ninja/[Grp] Ninja - 12.5 [720p].mkv', ['episode', 0, null, null, 'Episode 12.5', 'ninja/', 'ninja//0']],
  ['S01E01.mkv', ['episode', 1, 1, null, 'Episode 1', 's01e01/', 's01e01//1']],
  ['Random.mkv', ['episode', 0, null, null, 'Random', 'random/', 'random//0']],
]

void t.test('a file is an episode or an extra of a series and a season by its path alone', (t) => {
  for (const [path, expected] of EPISODES) {
    const slash = path.lastIndexOf('/')
    const name = path.slice(slash + 1)
    const plan = seriesKind.planFolder({ pathInsideRoot: path.slice(0, Math.max(slash, 0)), names: [name] })
    const planned = plan.files.get(name)
    const { type, seasonNumber, episodeNumber, endingEpisodeNumber } = planned?.identification ?? {}
    t.strictSame(
      [
        type,
        seasonNumber ?? null,
        episodeNumber ?? null,
        endingEpisodeNumber ?? null,
        planned?.identification.name,
        planned?.groups[0]?.key ?? null,
        planned?.groups[1]?.key ?? null,
      ],
      expected,
      path,
    )
  }
  t.end()
})

const FOLDERS: [pathInsideRoot: string, names: string[], group: string | null][] = [
  ['', ['poster.jpg'], null],
  ['TV Shows', ['folder.jpg'], null],
  ['TV Shows/Show (2001)', ['tvshow.nfo'], 'series show/2001'],
  ['Show', ['Show S01E01.mkv'], 'series show/'],
  ['Show/Season 2', [], 'season show//2'],
  ['Show/Specials', [], 'season show//0'],
  ['Show.S03.1080p-GRP', ['show.301.mkv'], 'season show//3'],
  ['Show/trailers', ['x.mkv'], null],
]

void t.test('a folder belongs to its series or season; a folder of extras or of other folders to none', (t) => {
  for (const [pathInsideRoot, names, expected] of FOLDERS) {
    const { group } = seriesKind.planFolder({ pathInsideRoot, names })
    t.equal(group === null ? null : `${group.type} ${group.key}`, expected, pathInsideRoot)
  }
  t.end()
})

void t.test('files of one number are versions or parts of one episode; parts of a story are separate episodes', (t) => {
  const roles = (...names: string[]) =>
    [...seriesKind.planFolder({ pathInsideRoot: 'Show/Season 1', names }).files].map(([name, { role }]) => [
      name,
      role?.kind ?? null,
      role?.label ?? null,
    ])
  t.strictSame(roles('Show S01E01 1080p.mkv', 'Show S01E01 720p.mkv', 'Show S01E02.mkv'), [
    ['Show S01E01 1080p.mkv', null, null],
    ['Show S01E01 720p.mkv', 'version', '720p'],
    ['Show S01E02.mkv', null, null],
  ])
  t.strictSame(roles('Show S01E01 cd1.mkv', 'Show S01E01 cd2.mkv'), [
    ['Show S01E01 cd1.mkv', null, null],
    ['Show S01E01 cd2.mkv', 'part', null],
  ])
  t.strictSame(
    roles('Show Part 1.mkv', 'Show Part 2.mkv').map(([, role]) => role),
    [null, null],
  )
  t.end()
})

void t.test('a folder of ten thousand files is planned in linear time', (t) => {
  const plan = (count: number): number => {
    const names = Array.from({ length: count }, (_, at) => `Show S01E${at}.mkv`).flatMap((name) => [
      name,
      name.replace('.mkv', '.en.srt'),
      name.replace('.mkv', '-thumb.jpg'),
      name.replace('.mkv', '.nfo'),
    ])
    t.equal(seriesKind.planFolder({ pathInsideRoot: 'Show/Season 1', names }).companions.length, 2 * count)
    return processorMilliseconds(() => seriesKind.planFolder({ pathInsideRoot: 'Show/Season 1', names }))
  }
  const [small, large] = [plan(500), plan(4000)]
  t.ok(large < small * 40, `eight times the files took ${Math.round(large / small)} times as long`)
  t.end()
})
