import { readFileSync } from 'node:fs'

const KIBIBYTE = 1024

/** The resident memory in bytes of a process and its descendants (proc(5)); 0 when it has ended. */
export function readResidentMemory(pid: number): number {
  const children = readText(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number)
  const own = /^VmRSS:\s+(\d+) kB$/m.exec(readText(`/proc/${pid}/status`))?.[1]
  return children.reduce((sum, child) => sum + readResidentMemory(child), Number(own ?? 0) * KIBIBYTE)
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
