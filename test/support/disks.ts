import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'
import { reachableDirectory } from './directories.ts'

export type MountedDisk = {
  /** Mount point; the folder of a library. */
  folder: string
  /** Unmounts lazily: open files stay open. */
  unmount: () => void
  /** Mounts the same disk again at the same mount point. */
  mount: () => void
  /** Mounts another disk at the same mount point; returns the path to fill it. */
  mountAnother: () => void
}

/** A disk that keeps its content while it is unmounted. Undefined, with a comment, for accounts that may not mount. */
export function mountedDisk(t: Test): MountedDisk | undefined {
  const top = reachableDirectory(t)
  const [disk, another, folder] = ['disk', 'another', 'mount-point'].map((name) => join(top, name)) as [
    string,
    string,
    string,
  ]
  for (const path of [disk, another, folder]) mkdirSync(path)
  const run = (words: string[]): boolean => spawnSync(words[0] ?? '', words.slice(1), { stdio: 'ignore' }).status === 0
  const unmount = (): void => void run(['umount', '-l', folder])
  const bind = (from: string): void => {
    if (!run(['mount', '--bind', from, folder])) throw new Error(`${from} could not be mounted`)
  }
  if (!run(['mount', '-t', 'tmpfs', 'phlix-test', disk])) {
    t.comment('this account may not mount')
    return undefined
  }
  t.teardown(() => void run(['umount', '-l', disk]))
  run(['mount', '-t', 'tmpfs', 'phlix-test', another])
  t.teardown(() => void run(['umount', '-l', another]))
  t.teardown(unmount)
  bind(disk)
  return { folder, unmount, mount: () => bind(disk), mountAnother: () => bind(another) }
}

export type FaultyDisk = {
  /** Mount point; the folder of a library. */
  folder: string
  /** The folder whose content the disk shows. */
  source: string
  /** Every access blocks from now on. */
  hang: () => void
  /** Accesses are answered again, including the blocked ones. */
  goOn: () => void
  /** Every access fails from now on. */
  pull: () => Promise<void>
  /** Sets whether folders called `broken` are unreadable. */
  setBroken: (isBroken: boolean) => void
}

/** A disk that fails on request. Undefined, with a comment, for accounts that may not mount. */
export async function faultyDisk(t: Test): Promise<FaultyDisk | undefined> {
  const top = reachableDirectory(t)
  const [source, folder, mark] = ['source', 'mount-point', 'mark'].map((name) => join(top, name)) as [
    string,
    string,
    string,
  ]
  for (const path of [source, folder]) mkdirSync(path)
  const server = spawn(process.execPath, [join(import.meta.dirname, 'fuse-server.ts'), source, folder, mark], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  t.teardown(() => void spawnSync('umount', ['-l', folder]))
  t.teardown(() => server.kill('SIGKILL'))
  if (!(await isMounted(server))) {
    t.comment('this account may not mount')
    return undefined
  }
  return {
    folder,
    source,
    hang: () => void server.kill('SIGSTOP'),
    goOn: () => void server.kill('SIGCONT'),
    pull: async () => {
      const ended = once(server, 'exit')
      server.kill('SIGKILL')
      await ended
    },
    setBroken: (isBroken) => {
      if (isBroken) writeFileSync(mark, '')
      else rmSync(mark)
    },
  }
}

async function isMounted(server: ChildProcess): Promise<boolean> {
  const spoken = server.stdout === null ? [] : [once(server.stdout, 'data').then(() => true)]
  return Promise.race([...spoken, once(server, 'exit').then(() => false)])
}

/** The reason to skip a test that needs a disk of its own; false if this account may mount one. */
export function unlessMountable(): string | false {
  const folder = mkdtempSync(join(tmpdir(), 'phlix-test-'))
  const isMountable = spawnSync('mount', ['-t', 'tmpfs', 'phlix-test', folder], { stdio: 'ignore' }).status === 0
  if (isMountable) spawnSync('umount', ['-l', folder])
  rmdirSync(folder)
  return isMountable ? false : 'this account may not mount'
}

export type SmallDisk = {
  /** Mount point; other accounts can traverse it. */
  folder: string
  /** Fills the free space. */
  fill: () => void
  /** Releases that space. */
  empty: () => void
}

/** A disk of a few mebibytes, unmounted at the end of the test; with further options of tmpfs(5). */
export function smallDisk(t: Test, mebibytes: number, options: readonly string[] = []): SmallDisk {
  const folder = reachableDirectory(t)
  execFileSync('mount', [
    '-t',
    'tmpfs',
    '-o',
    [`size=${mebibytes}m`, 'mode=755', ...options].join(','),
    'phlix-test',
    folder,
  ])
  t.teardown(() => void spawnSync('umount', ['-l', folder]))
  const filler = join(folder, 'filler')
  return {
    folder,
    // It fails when no space is left, which is the intended result.
    fill: () => void spawnSync('dd', ['if=/dev/zero', `of=${filler}`, 'bs=4096'], { stdio: 'ignore' }),
    empty: () => rmSync(filler),
  }
}
