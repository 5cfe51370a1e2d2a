import { opendirSync, statSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { describeError } from '../errors/index.ts'
import type { FolderLook, LookReport } from './look-at-folder.ts'

/** The thread that looks at a folder, and may never come back from it. */

function look(path: string): FolderLook {
  const { dev, ino } = statSync(path, { bigint: true })
  const directory = opendirSync(path)
  try {
    return { device: String(dev), inode: String(ino), isEmpty: directory.readSync() === null }
  } finally {
    directory.closeSync()
  }
}

function report(path: string): LookReport {
  try {
    return { kind: 'look', look: look(path) }
  } catch (error) {
    return { kind: 'failure', message: describeError(error) }
  }
}

parentPort?.postMessage(report(workerData as string))
