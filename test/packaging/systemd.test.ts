import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { reachableDirectory } from '../support/directories.ts'
import { unlessInstalled } from '../support/programs.ts'

const source = join(import.meta.dirname, '..', '..', 'contrib', 'systemd')
const units = readdirSync(source).filter((name) => /\.(?:service|timer)$/.test(name))
const services = units.filter((name) => name.endsWith('.service'))
/** Without this limit a unit is "exposed" in the words of systemd-analyze; the task of these units needs the network and child processes. */
const EXPOSURE_LIMIT = 2.4

/** The units, with a program that exists. */
function installedUnits(): string {
  const folder = reachableDirectory(t)
  for (const name of units)
    writeFileSync(
      join(folder, name),
      readFileSync(join(source, name), 'utf8').replaceAll('ExecStart=phlix', 'ExecStart=true'),
    )
  return folder
}

const skip = unlessInstalled('systemd-analyze')

void t.test('systemd accepts every unit without a remark', { skip }, async (t) => {
  const folder = installedUnits()
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', ...units.map((name) => join(folder, name))], {
    encoding: 'utf8',
  })
  t.equal(stderr, '')
  t.equal(status, 0)
})

void t.test('every service is restricted, also with the devices of hardware encoders', { skip }, async (t) => {
  const folder = installedUnits()
  const exposure = (name: string): number => {
    const words = ['security', '--offline=true', '--no-pager', name]
    const text = execFileSync('systemd-analyze', words, { cwd: folder, encoding: 'utf8' })
    return Number(/exposure level for \S+: ([\d.]+)/.exec(text)?.[1])
  }
  for (const name of services) t.ok(exposure(`./${name}`) <= EXPOSURE_LIMIT, `${name}: ${exposure(`./${name}`)}`)
  mkdirSync(join(folder, 'phlix.service.d'))
  cpSync(join(source, 'gpu.conf'), join(folder, 'phlix.service.d', 'gpu.conf'))
  t.ok(exposure('./phlix.service') <= EXPOSURE_LIMIT, 'with gpu.conf')
})

void t.test('systemd never kills the database, which ends by itself after its last user', (t) => {
  for (const name of services) t.match(readFileSync(join(source, name), 'utf8'), /^KillMode=process$/m, name)
  t.end()
})

void t.test('sysusers and tmpfiles make the account and its directory', { skip: unlessRoot() }, async (t) => {
  const root = reachableDirectory(t)
  mkdirSync(join(root, 'etc'))
  execFileSync('systemd-sysusers', [`--root=${root}`, join(source, 'phlix.sysusers')], { stdio: 'ignore' })
  const [, , uid, , , home] = (/^phlix:.*$/m.exec(readFileSync(join(root, 'etc', 'passwd'), 'utf8'))?.[0] ?? '').split(
    ':',
  )
  t.equal(home, '/var/lib/phlix')
  execFileSync('systemd-tmpfiles', [`--root=${root}`, '--create', join(source, 'phlix.tmpfiles')])
  const { mode, uid: owner } = statSync(join(root, 'var', 'lib', 'phlix'))
  t.equal(mode & 0o777, 0o700)
  t.equal(String(owner), uid)
})

/** The reason to skip a test that changes owners of files. */
function unlessRoot(): string | false {
  return process.getuid?.() === 0
    ? unlessInstalled('systemd-sysusers') || unlessInstalled('systemd-tmpfiles')
    : 'only root may change owners'
}
