import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'

/** A thread that requests `/healthz` repeatedly and reads the memory of the daemon, while another thread sends the flood. */
const { baseUrl, pid } = workerData as { baseUrl: string; pid: number }

const EVERY_MILLISECONDS = 20

export type Probes = { waits: number[]; residentMebibytes: number }

let probes: Probes = { waits: [], residentMebibytes: 0 }

parentPort?.on('message', () => {
  parentPort?.postMessage(probes)
  probes = { waits: [], residentMebibytes: 0 }
})

for (;;) {
  const started = performance.now()
  const reply = await fetch(`${baseUrl}/healthz`, { signal: AbortSignal.timeout(60_000) }).catch(() => undefined)
  await reply?.arrayBuffer()
  probes.waits.push(performance.now() - started)
  const resident = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  probes.residentMebibytes = Math.max(probes.residentMebibytes, Number(resident) / 1024)
  await pause(EVERY_MILLISECONDS)
}
