import { execFileSync, spawn } from 'node:child_process'
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseDockerfile, stagesOf, type Instruction } from './package/dockerfile.ts'

/**
 * Follows contrib/docker/Dockerfile without Docker: `node scripts/try-dockerfile.ts BASE`. BASE is the folder of a bare Debian 12 (debootstrap
 * --variant=minbase), which gets Node and npm of the checkout in place of the official image. Runs each step in a copy, starts the entry
 * point, and waits until the health check succeeds. Needs root.
 */

const root = join(import.meta.dirname, '..')
const [base] = process.argv.slice(2)
if (base === undefined || !existsSync(base)) {
  process.stderr.write('usage: node scripts/try-dockerfile.ts BASE\n')
  process.exit(2)
}

type Stage = { folder: string; user: string; directory: string; environment: Record<string, string> }

const work = mkdtempSync(join(dirname(base), 'image-'))
const stages = new Map<string, Stage>()
const NODE_PATHS = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/** The folder that takes the place of the official image of Node. */
function newStage(name: string): Stage {
  const folder = join(work, name)
  execFileSync('cp', ['-a', '--reflink=auto', base ?? '', folder])
  const local = join(folder, 'usr', 'local')
  cpSync(process.execPath, join(local, 'bin', 'node'))
  cpSync(join(root, '.tools', 'node_modules', 'npm'), join(local, 'lib', 'node_modules', 'npm'), { recursive: true })
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(local, 'bin', 'npm'))
  for (const path of ['/etc/resolv.conf', '/etc/hosts', '/etc/ssl/certs/ca-certificates.crt'])
    cpSync(realpathSync(path), join(folder, path))
  execFileSync('mount', ['-t', 'proc', 'proc', join(folder, 'proc')])
  for (const device of ['null', 'zero', 'full', 'random', 'urandom'])
    if (!existsSync(join(folder, 'dev', device))) execFileSync('cp', ['-a', `/dev/${device}`, join(folder, 'dev')])
  return { folder, user: 'root', directory: '/', environment: { PATH: NODE_PATHS, HOME: '/root' } }
}

/** The words that run a command in a stage, as its account and in its directory. */
function wordsFor({ folder, user, directory, environment }: Stage, command: readonly string[]): string[] {
  const certificates = { NODE_EXTRA_CA_CERTS: '/etc/ssl/certs/ca-certificates.crt' }
  const variables = Object.entries({ ...certificates, ...environment }).map(([name, value]) => `${name}=${value}`)
  const inside = [
    'setpriv',
    '--reuid',
    user,
    '--regid',
    user,
    '--init-groups',
    'env',
    '-i',
    '-C',
    directory,
    ...variables,
  ]
  return ['--mount', '--', 'chroot', folder, ...inside, ...command]
}

function run(stage: Stage, line: string): void {
  execFileSync('unshare', wordsFor(stage, ['sh', '-ec', line]), { stdio: ['ignore', 'ignore', 'inherit'] })
}

function copy(stage: Stage, words: string): void {
  const [first = '', ...rest] = words.split(/\s+/)
  const from = /^--from=(.+)$/.exec(first)?.[1]
  const sources = from === undefined ? [first, ...rest] : rest
  const target = sources.pop() ?? ''
  const destination = join(stage.folder, target.startsWith('/') ? target : join(stage.directory, target))
  if (from !== undefined) {
    for (const source of sources) execFileSync('cp', ['-a', join(stages.get(from)?.folder ?? '', source), destination])
  } else if (sources[0] === '.') {
    const rules = readFileSync(join(root, 'contrib', 'docker', 'Dockerfile.dockerignore'), 'utf8').split('\n')
    const names = rules.flatMap((line) => (line.startsWith('!') ? globSync(line.slice(1), { cwd: root }) : []))
    for (const name of names) execFileSync('cp', ['-a', join(root, name), destination])
  } else {
    mkdirSync(destination, { recursive: true })
    for (const source of sources) cpSync(join(root, source), join(destination, source))
  }
}

/** Applies one instruction. Those about the start are read afterwards. */
function apply(stage: Stage, { name, words }: Instruction): void {
  if (name === 'RUN') run(stage, words)
  else if (name === 'COPY') copy(stage, words)
  else if (name === 'USER') stage.user = words
  else if (name === 'WORKDIR') {
    stage.directory = words
    mkdirSync(join(stage.folder, words), { recursive: true })
  } else if (name === 'ENV') {
    for (const [, key = '', value = ''] of words.matchAll(/(\w+)=(\S+)/g)) stage.environment[key] = value
  }
}

async function start(stage: Stage, instructions: readonly Instruction[]): Promise<void> {
  const wordsOf = (name: string): string => instructions.findLast((one) => one.name === name)?.words ?? ''
  const entry = JSON.parse(wordsOf('ENTRYPOINT')) as string[]
  const check = wordsOf('HEALTHCHECK').replace(/^.*?CMD /, '')
  // In a network of its own, which the health check shares.
  const server = spawn(
    'unshare',
    [
      '--net',
      '--fork',
      '--kill-child',
      'sh',
      '-c',
      'ip link set lo up; exec "$@"',
      'sh',
      'unshare',
      ...wordsFor(stage, entry),
    ],
    {
      stdio: ['ignore', 'inherit', 'inherit'],
    },
  )
  const healthy = async (): Promise<boolean> => {
    const inner = execFileSync('pgrep', ['-P', String(server.pid)], { encoding: 'utf8' }).trim()
    try {
      execFileSync('nsenter', ['--net', '--target', inner, 'unshare', ...wordsFor(stage, ['sh', '-ec', check])], {
        stdio: 'ignore',
      })
      process.kill(Number(inner), 'SIGTERM')
      return true
    } catch {
      return false
    }
  }
  const ended = new Promise<number | null>((resolve) => server.once('exit', resolve))
  while (server.exitCode === null && !(await healthy())) await sleep(1000)
  const code = await ended
  process.stdout.write(`the server was healthy, and ended with ${code} after SIGTERM\n`)
  process.exitCode = code === 0 ? 0 : 1
}

try {
  const all = stagesOf(parseDockerfile(readFileSync(join(root, 'contrib', 'docker', 'Dockerfile'), 'utf8')))
  for (const [index, instructions] of all.entries()) {
    const name = / AS (\S+)$/.exec(instructions[0]?.words ?? '')?.[1] ?? `stage-${index}`
    const stage = newStage(name)
    stages.set(name, stage)
    for (const instruction of instructions) {
      process.stderr.write(`- ${instruction.name} ${instruction.words.slice(0, 100)}\n`)
      apply(stage, instruction)
    }
    if (index === all.length - 1) await start(stage, instructions)
  }
} finally {
  for (const { folder } of stages.values()) execFileSync('umount', ['-l', join(folder, 'proc')])
  rmSync(work, { recursive: true, force: true })
}
