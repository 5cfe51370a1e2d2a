import { rmSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { testDatabase } from '../../support/database.ts'
import { putSample, scannedLibrary } from '../../support/scanning.ts'

type Numbering = Record<string, [season: number | null, episode: number | null, absolute: unknown]>

async function setup(t: Test) {
  const database = await testDatabase(t)
  const open = async (names: readonly string[]) => {
    const library = await scannedLibrary(t, { type: 'series', database })
    for (const name of names) await putSample(library.folder, `Show/${name}`)
    await library.scan()
    const numbering = async (): Promise<Numbering> =>
      Object.fromEntries(
        [...(await library.items())]
          .filter(([, { type }]) => type === 'episode')
          .map(([path, { seasonNumber, episodeNumber, metadata }]) => [
            path,
            [seasonNumber, episodeNumber, metadata['absolute_number']],
          ]),
      )
    return { ...library, numbering }
  }
  return { open }
}

const RUN = ['Show 101.mp4', 'Show 102.mp4', 'Show 126.mp4']
const BEYOND = 'Show 145.mp4'

void t.test(
  'added and removed files change the numbers of their neighbours as a first scan would read them',
  async (t) => {
    const { open } = await setup(t)
    const library = await open(RUN)
    const few = await library.numbering()
    t.match(few, { 'Show/Show 101.mp4': [1, 1], 'Show/Show 126.mp4': [1, 26] })
    const whole = await (await open([...RUN, BEYOND])).numbering()
    t.match(whole, { 'Show/Show 101.mp4': [1, 101, 101], 'Show/Show 145.mp4': [1, 145, 145] })
    const idOf = async (path: string) => (await library.items()).get(path)?.id
    const known = await idOf('Show/Show 101.mp4')

    await putSample(library.folder, `Show/${BEYOND}`)
    await library.scan()
    t.strictSame(await library.numbering(), whole)
    t.equal(await idOf('Show/Show 101.mp4'), known, 'the item stays')

    rmSync(join(library.folder, 'Show', BEYOND))
    await library.scan()
    const { [`Show/${BEYOND}`]: _, ...left } = await library.numbering()
    t.strictSame(left, few)

    await putSample(library.folder, 'Show/Show 103.mp4')
    await library.scan()
    t.strictSame(
      library.services.probed.map((path) => path.slice(library.folder.length + 1)),
      ['Show/Show 103.mp4'],
    )
  },
)
