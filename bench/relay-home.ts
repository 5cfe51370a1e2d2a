import { openHomeSide } from '../test/support/relay/home-side.ts'
import { portOf } from '../test/support/relay/hub-side.ts'
import { answerProbes } from './relay-probes.ts'

/** The home server of `bench/relay.ts`, in a process of its own. The only argument is the port of the hub. */
const CHUNK = Buffer.alloc(65_536, 7)

/** Requests that the viewer has cancelled. */
let cancelled = 0

const home = await openHomeSide((request, reply) => {
  reply.once('close', () => {
    if (!reply.writableFinished) cancelled += 1
  })
  const [, bytes] = /^\/media\/(\d+)\/stream$/.exec(request.url ?? '') ?? []
  if (bytes === undefined) return void reply.end('ok')
  let left = Number(bytes)
  reply.writeHead(200, { 'content-length': left })
  const write = (): void => {
    while (left > 0 && !reply.destroyed) {
      const part = left < CHUNK.length ? CHUNK.subarray(0, left) : CHUNK
      left -= part.length
      if (!reply.write(part)) break
    }
    if (left === 0) reply.end()
    else if (!reply.destroyed) reply.once('drain', write)
  }
  write()
})
const { link } = await home.connect(Number(process.argv[2]))
process.send?.({ port: portOf(home.origin) })
answerProbes(
  () => link.requests(),
  () => cancelled,
)
