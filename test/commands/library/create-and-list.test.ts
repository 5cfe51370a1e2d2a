import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import {
  siblingOfDataDirectory,
  keepEngineRunning,
  runPhlix,
  runShell,
  temporaryDataDirectory,
} from '../../support/phlix.ts'

const data = await temporaryDataDirectory(t)
const media = siblingOfDataDirectory(data, 'media')
const [films, more, songs] = [join(media, 'films'), join(media, 'more'), join(media, 'songs')]
for (const folder of [films, more, songs]) await mkdir(folder, { recursive: true })
t.teardown(() => rm(media, { recursive: true, force: true }))

const run = (...words: string[]) => runPhlix([...words, '--data-dir', data])

type Created = { created: boolean; library: { id: string; name: string; type: string; paths: string[] } }

// The following tests use this library. Kept in a variable: between two subtests the file may not wait, or tap counts it as ended.
const file = t
await t.test('a data directory without a database is an error that names it; migrate makes one', async (t) => {
  const { code, stdout } = await run('library:list', '--json')
  t.equal(code, 78)
  t.match(JSON.parse(stdout), {
    error: { code: 'no_database', message: `There is no database in ${data}`, hint: /--data-dir.*phlix migrate/ },
  })
  t.strictSame(await readdir(data), [], 'nothing was made')
  t.equal((await run('migrate')).code, 0)
  t.match(await run('library:list'), { code: 0, stdout: /^No library yet: phlix library:create/, stderr: '' })
  await keepEngineRunning(file, data)
})

void t.test('a library is created with all its folders and then listed', async (t) => {
  const { code, stdout } = await run(
    'library:create',
    'Films',
    '--type=movie',
    '--path',
    films,
    '--path',
    more,
    '--json',
  )
  t.equal(code, 0)
  const { created, library } = JSON.parse(stdout) as Created
  t.equal(created, true)
  t.match(library, { name: 'Films', type: 'movie', path: films, paths: [films, more], item_count: 0, options: {} })
  t.match(library, { created_at: /^\d{4}-\d\d-\d\dT.*Z$/, auto_collections: { enabled: true } })

  const listed = JSON.parse((await run('library:list', '--json')).stdout) as { libraries: unknown[] }
  t.strictSame(listed.libraries, [library])
  t.match(
    (await run('library:list')).stdout,
    new RegExp(`^ID .*\\n${library.id}  Films  movie .*${films}, ${more}\\n$`),
  )
  t.equal((await run('library:list', '--plain')).stdout, `${library.id}\tFilms\tmovie\t0\t${films}, ${more}\n`)
})

void t.test('--if-absent returns the library with the same folders, in any order and spelling', async (t) => {
  const again = async (...paths: string[]): Promise<Created> => {
    const words = ['library:create', 'Other name', '--type=movie', '--if-absent', '--json']
    return JSON.parse((await run(...words, ...paths.flatMap((path) => ['--path', path]))).stdout) as Created
  }
  t.match(await again(more, films), { created: false, library: { name: 'Films' } })
  t.match(await again(`${films}/`, join(films, '..', 'more')), { created: false, library: { name: 'Films' } })
  const fewer = await run('library:create', 'Other name', '--type=movie', '--path', films, '--json')
  t.match(JSON.parse(fewer.stdout), {
    error: { code: 'folder_taken', exit: 1, message: `${films} is a folder of the library "Films" already` },
  })
})

void t.test('a relative folder is taken from the working directory', async (t) => {
  const { stdout } = await runShell(
    `cd '${media}' && phlix library:create Songs --type=music --path songs --json --data-dir '${data}'`,
  )
  t.match(JSON.parse(stdout), { library: { paths: [songs] } })
})

void t.test('library:list shows one type when asked', async (t) => {
  const { libraries } = JSON.parse((await run('library:list', '--type=music', '--json')).stdout) as {
    libraries: { name: string }[]
  }
  t.strictSame(
    libraries.map(({ name }) => name),
    ['Songs'],
  )
})

void t.test('a folder that is not there, and a type that is none, exit 2', async (t) => {
  const absent = await run('library:create', 'X', '--type=movie', '--path', join(media, 'absent'), '--json')
  t.equal(absent.code, 2)
  t.match(JSON.parse(absent.stdout), {
    error: { code: 'invalid_path', exit: 2, message: `${join(media, 'absent')}: the path does not exist` },
  })
  const type = await run('library:create', 'X', '--type=film', '--path', films, '--json')
  t.equal(type.code, 2)
  t.match(JSON.parse(type.stdout), { error: { code: 'usage', message: /^--type must be one of: movie, / } })
})

void t.test('a name that holds control characters stays one line on a terminal and one value in JSON', async (t) => {
  const name = 'bell\u0007 and \u001B[31mred\nline'
  await run('library:create', name, '--type=book', '--path', songs)
  t.match((await run('library:list', '--type=book', '--plain')).stdout, /\tbell\? and red\?line\tbook\t/)
  const { libraries } = JSON.parse((await run('library:list', '--type=book', '--json')).stdout) as {
    libraries: { name: string }[]
  }
  t.equal(libraries[0]?.name, name)
})

void t.test('`library:list | head -1` exits 0 and says nothing on stderr', async (t) => {
  const { stderr } = await runShell(`{ phlix library:list --data-dir '${data}'; echo "exit $?" >&2; } | head -1`)
  t.equal(stderr, 'exit 0\n')
})
